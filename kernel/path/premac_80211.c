// SPDX-License-Identifier: GPL-2.0
/*
 * The pre-MAC filter for frames with 802.11 headers: fmp_rx_header_80211()
 *
 * It is no part of fmp_rx_header(), whose frames have their source at a fixed place and
 * pay for no test of a frame's kind.
 */
#include "premac.h"
#include "dissect.h"
#include "filter_80211.h"

#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/netdevice.h>

/**
 * fmp_rx_begin_80211() - begin to evaluate a frame, its MAC header received
 * @port: port of the receiving device
 * @ts: the rules
 * @rx: the frame, its MAC header read
 * @wifi: further fields of its header
 *
 * Context: bottom halves off.
 * Return: false if it is not evaluated here.
 */
static bool fmp_rx_begin_80211(struct fmp_rx_port *port, struct fmp_tables *ts, struct fmp_rx *rx,
			       const struct fmp_80211 *wifi)
{
	const u8 *ra = rx->buf + FMP_80211_RA_OFF;
	bool group;
	u8 scope;

	if (!fmp_80211_is_evaluated(wifi))
		return false;
	group = fmp_80211_is_group(rx->buf);
	if (!group && memcmp(ra, port->dev->dev_addr, ETH_ALEN))
		return false;
	if (fmp_port_shares_80211(port->dev, group)) {
		if (fmp_80211_is_group_to_ds(rx->buf))
			fmp_port_takes_80211(port, 0);
		return false;
	}
	rx->stage = FMP_STAGE_MAC_READ;
	scope = fmp_filter_80211_scope(ts, rx, wifi,
				       READ_ONCE(port->ops)->flags & FMP_RX_F_REORDERS);
	return fmp_port_takes_80211(port, scope);
}

/**
 * fmp_rx_header_80211() - decide whether the reception of a frame with an 802.11 header
 * continues
 * @port: port of the receiving device, registered with %FMP_RX_F_80211
 * @rx: the frame; the same struct for each call for one frame
 * @avail: bytes in @rx->buf, at most @rx->frame_len
 *
 * After %FMP_RX_PASS the driver gives the frame to mac80211 as ever; what could not be
 * decided here is evaluated at netdev ingress.
 *
 * Context: softirq, or bottom halves off; never a hard interrupt. Takes no lock.
 * Return: what the driver does next, see enum fmp_rx_action.
 */
enum fmp_rx_action fmp_rx_header_80211(struct fmp_rx_port *port, struct fmp_rx *rx, u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);
	enum fmp_decision decision;
	struct fmp_80211 wifi;

	lockdep_assert_in_softirq();
	if (!ts)
		return FMP_RX_PASS;
	if (rx->stage != FMP_STAGE_MAC_DONE) {
		rx->want = fmp_dissect_80211(&rx->hdr, &wifi, rx->buf, avail, rx->frame_len);
		if (rx->want)
			return FMP_RX_MORE;
		if (!fmp_rx_begin_80211(port, ts, rx, &wifi))
			return FMP_RX_PASS;
	}
	decision = fmp_filter_frame(ts, rx, avail);
	if (decision != FMP_DECISION_MORE)
		return fmp_rx_apply_decision(port, rx, avail, decision, fmp_rx_is_traced());
	trace_fmp_verdict(port->dev, rx, avail, decision);
	return FMP_RX_MORE;
}
EXPORT_SYMBOL_GPL(fmp_rx_header_80211);
