/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wl1251 and the pre-MAC filter: what wl1251.cocci includes into rx.c
 *
 * In front of wl1251_rx_body(). After each frame, stopped or not, wl1251_rx_ack() gives its memory
 * back to the chip.
 */

/* Three addresses, QoS, LLC, SNAP and IPv4: all of most frames, in whole words. */
#define WL1251_FMP_FIRST WL1251_RX_ALIGN(24 + 2 + 8 + 20)

static_assert(FMP_RX_80211_HEADER_MAX % WL1251_RX_ALIGN_TO == 0);

/**
 * wl1251_fmp_request() - ask the filter
 * @wl: the device
 * @rx: the frame's state
 * @have: bytes of it in wl1251.fmp_head
 *
 * Context: process, wl->mutex held.
 * Return: what to do with the frame.
 */
static enum fmp_rx_action wl1251_fmp_request(struct wl1251 *wl, struct fmp_rx *rx, u32 have)
{
	enum fmp_rx_action action;

	local_bh_disable();
	action = fmp_rx_header_80211(wl->fmp_port, rx, min(have, rx->frame_len));
	local_bh_enable();
	return action;
}

/**
 * wl1251_fmp_check() - read the header of a frame and ask the filter
 * @wl: the device
 * @desc: the frame's descriptor
 * @addr: where it begins in the chip's memory
 * @length: bytes of it, in whole words
 *
 * While the device is not attached the filter wants no byte, and the frame is read at
 * once, as ever. Frames with a wrong check sequence are for monitors.
 *
 * Context: process, wl->mutex held.
 * Return: number of bytes in wl1251.fmp_head, or -1 if the frame was stopped.
 */
static int wl1251_fmp_check(struct wl1251 *wl, const struct wl1251_rx_descriptor *desc, u32 addr,
			    u32 length)
{
	enum fmp_rx_action action;
	struct fmp_rx rx;
	u32 have = 0;
	u32 want;

	lockdep_assert_held(&wl->mutex);
	if (!wl->fmp_port || !(desc->flags & RX_DESC_VALID_FCS) ||
	    desc->length <= PLCP_HEADER_LENGTH)
		return 0;
	fmp_rx_begin(&rx, wl->fmp_head, desc->length - PLCP_HEADER_LENGTH);
	for (;;) {
		action = wl1251_fmp_request(wl, &rx, have);
		if (action != FMP_RX_MORE)
			break;
		want = min(length, WL1251_RX_ALIGN(max_t(u32, rx.want, WL1251_FMP_FIRST)));
		wl1251_mem_read(wl, addr + have, wl->fmp_head + have, want - have);
		fmp_rx_bus_count_read(&wl->fmp_bus, want - have);
		have = want;
	}
	if (action == FMP_RX_PASS)
		return have;
	fmp_rx_bus_count_stop(&wl->fmp_bus, 0, length - have);
	return -1;
}

/**
 * wl1251_fmp_read_rest() - read the rest of a frame that passed
 * @wl: the device
 * @addr: where the frame begins in the chip's memory
 * @data: buffer for the whole frame
 * @have: bytes of it in wl1251.fmp_head
 * @length: bytes of it, in whole words
 *
 * Context: process, wl->mutex held.
 */
static void wl1251_fmp_read_rest(struct wl1251 *wl, u32 addr, u8 *data, u32 have, u32 length)
{
	memcpy(data, wl->fmp_head, have);
	if (have == length)
		return;
	wl1251_mem_read(wl, addr + have, data + have, length - have);
	fmp_rx_bus_count_read(&wl->fmp_bus, length - have);
}
