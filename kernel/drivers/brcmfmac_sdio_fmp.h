/* SPDX-License-Identifier: GPL-2.0 */
/*
 * brcmfmac over SDIO and the pre-MAC filter: what brcmfmac.cocci includes into sdio.c
 *
 * In that file and in front of brcmf_sdio_readframes(), whose structures it uses.
 */

/* Ending a frame takes about ten single-byte transfers; reading fewer bytes is cheaper. */
#define BRCMF_FMP_ABORT_MIN 512

/* The BCDC header in front of a frame: flags, priority, interface, words of signals. */
#define BRCMF_FMP_BCDC_LEN 4

/**
 * brcmf_sdio_fmp_abort() - end the reception of the frame that is being read
 * @bus: the device
 *
 * As brcmf_sdio_rxfail(), without its messages and without a NAK: the firmware does not send
 * the frame again.
 *
 * Context: process; the worker that receives, host claimed.
 */
static void brcmf_sdio_fmp_abort(struct brcmf_sdio *bus)
{
	struct brcmf_sdio_dev *sdiod = bus->sdiodev;
	unsigned int retries;
	int err;

	brcmf_sdiod_abort(sdiod, sdiod->func2);
	brcmf_sdiod_writeb(sdiod, SBSDIO_FUNC1_FRAMECTRL, SFC_RF_TERM, &err);
	bus->sdcnt.f1regdata++;
	for (retries = 0xffff; retries; retries--) {
		bus->sdcnt.f1regdata += 2;
		if (!brcmf_sdiod_readb(sdiod, SBSDIO_FUNC1_RFRAMEBCHI, &err) &&
		    !brcmf_sdiod_readb(sdiod, SBSDIO_FUNC1_RFRAMEBCLO, &err))
			break;
	}
	bus->cur_read.len = 0;
}

/**
 * brcmf_sdio_fmp_forget() - forget a frame that was looked up and could not be read
 * @bus: the device
 *
 * Context: process; the worker that receives.
 */
static void brcmf_sdio_fmp_forget(struct brcmf_sdio *bus)
{
	struct brcmf_bus *bus_if = dev_get_drvdata(bus->sdiodev->dev);

	brcmf_fmp_forget(bus_if->drvr);
}

/**
 * brcmf_sdio_fmp_stop() - ask the filter about the frame whose first bytes were read
 * @bus: the device; bus->rxhdr holds the first BRCMF_FIRSTREAD bytes
 * @rd: the frame
 *
 * Credits and sequence number were taken by brcmf_sdio_hdparse() already. A frame that carries
 * signals of the firmware, as credits of its queues and data for reordering, is received, as
 * is one of which little is left.
 *
 * Context: process; the worker that receives, host claimed.
 * Return: true if the frame was stopped.
 */
static bool brcmf_sdio_fmp_stop(struct brcmf_sdio *bus, const struct brcmf_sdio_hdrinfo *rd)
{
	struct brcmf_bus *bus_if = dev_get_drvdata(bus->sdiodev->dev);
	unsigned int start = rd->dat_offset + BRCMF_FMP_BCDC_LEN;
	const u8 *bcdc = bus->rxhdr + rd->dat_offset;
	struct brcmf_pub *drvr = bus_if->drvr;

	if (!drvr || rd->channel != SDPCM_DATA_CHANNEL ||
	    rd->len < BRCMF_FIRSTREAD + BRCMF_FMP_ABORT_MIN || start + ETH_HLEN > BRCMF_FIRSTREAD ||
	    bcdc[0] >> 4 != 2 || bcdc[3])
		return false;
	fmp_rx_bus_count_read(&drvr->fmp_bus, BRCMF_FIRSTREAD);
	if (brcmf_fmp_check_first(drvr, bcdc[2] & 0x0f, bus->rxhdr + start, BRCMF_FIRSTREAD - start,
				  rd->len - start)) {
		brcmf_sdio_fmp_abort(bus);
		fmp_rx_bus_count_stop(&drvr->fmp_bus, 0, rd->len_left);
		return true;
	}
	fmp_rx_bus_count_read(&drvr->fmp_bus, rd->len_left);
	return false;
}
