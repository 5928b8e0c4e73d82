// SPDX-License-Identifier: GPL-2.0
/*
 * The filter for 802.11 frames: which addresses evaluate a frame before its MAC layer,
 * and what has to wait for netdev ingress
 *
 * Only data frames are evaluated. Beacons, management, control and null frames keep a
 * cell together, and a block of one source must not break the link for other stations.
 * A frame is evaluated by its source and by its transmitter: a block of the transmitter
 * blocks the frame, but a protect rule for the transmitter does not protect the frames
 * that it relays.
 *
 * Some frames can't be evaluated completely: encryption, A-MSDUs and fragments hide the
 * IP header or the source. Others must not be dropped: a transmitter numbers the QoS
 * frames that it sends to one receiver, and at a gap mac80211 holds back those that
 * follow for a tenth of a second. That is harmless only if all of them are blocked, by
 * their transmitter. An access point relays the frames of other sources; a station that
 * routes, or has several addresses, sends those of other IP addresses.
 */
#include "filter_80211.h"
#include "dissect.h"
#include "filter_path.h"

/* Half of the difference by which mac80211 takes a number for one of the past. */
#define FMP_80211_NUMBER_STEP 1024

/**
 * fmp_80211_is_evaluated() - check whether rules apply to an 802.11 frame
 * @wifi: fields of its header
 *
 * Context: any.
 * Return: true if it is a data frame with a body.
 */
bool fmp_80211_is_evaluated(const struct fmp_80211 *wifi)
{
	return (wifi->flags & (FMP_80211_DATA | FMP_80211_NO_BODY)) == FMP_80211_DATA;
}

/**
 * fmp_80211_is_readable() - check whether all header fields that rules need are in the clear
 * @wifi: fields of the header of a data frame
 *
 * Context: any.
 * Return: true if they are.
 */
static bool fmp_80211_is_readable(const struct fmp_80211 *wifi)
{
	const u8 unclear = FMP_80211_PROTECTED | FMP_80211_AMSDU | FMP_80211_FRAGMENT;

	return (wifi->flags & (unclear | FMP_80211_SA)) == FMP_80211_SA;
}

/**
 * fmp_80211_moves_window() - check whether a numbered frame is left to ingress in any case
 * @wifi: fields of its header; its transmitter is its source and blocked
 *
 * Numbers have 12 bits, and mac80211 drops a frame that is half of them ahead as one of
 * the past. Without a frame now and then its window would stay behind, and when the
 * block ends up to 2048 frames would be lost. Ingress drops the few that are let through.
 *
 * Context: any.
 * Return: true for one number of %FMP_80211_NUMBER_STEP.
 */
static bool fmp_80211_moves_window(const struct fmp_80211 *wifi)
{
	return wifi->number % FMP_80211_NUMBER_STEP == FMP_80211_NUMBER_STEP - 1;
}

/**
 * fmp_80211_choose_source() - choose the address by which a frame is evaluated
 * @ts: the rules
 * @rx: the frame; its source is set to its transmitter if that one is blocked
 * @wifi: fields of its header
 * @numbered: dropping it would make a gap in its transmitter's sequence
 *
 * Context: RCU read section, bottom halves off.
 * Return: true if a block in the MAC table may decide, and the frame may be dropped.
 */
static bool fmp_80211_choose_source(struct fmp_tables *ts, struct fmp_rx *rx,
				    const struct fmp_80211 *wifi, bool numbered)
{
	bool sa = wifi->flags & FMP_80211_SA;
	u8 verdict = sa ? fmp_filter_peek_mac(ts, rx->hdr.src) : FMP_VERDICT_UNSPEC;
	bool own = sa && !memcmp(rx->hdr.src, wifi->ta, ETH_ALEN);

	if (verdict == FMP_VERDICT_PROTECT)
		return false;
	if (fmp_filter_peek_mac(ts, wifi->ta) == FMP_VERDICT_BLOCK) {
		memcpy(rx->hdr.src, wifi->ta, ETH_ALEN);
		return !(numbered && own && fmp_80211_moves_window(wifi));
	}
	return verdict == FMP_VERDICT_BLOCK && !numbered;
}

/**
 * fmp_filter_80211_scope() - decide how much of a frame may be decided before its MAC layer
 * @ts: the rules
 * @rx: the frame; its source is set to the address that evaluates it
 * @wifi: fields of its header; fmp_80211_is_evaluated()
 * @reorders: the device puts numbered frames in order itself: a gap delays none
 *
 * Context: RCU read section, bottom halves off.
 * Return: %FMP_80211_ALL, %FMP_80211_BLOCKED, both or none.
 */
u8 fmp_filter_80211_scope(struct fmp_tables *ts, struct fmp_rx *rx, const struct fmp_80211 *wifi,
			  bool reorders)
{
	bool numbered = wifi->flags & FMP_80211_NUMBERED && !reorders;
	bool blocked = fmp_80211_choose_source(ts, rx, wifi, numbered);
	u8 scope = 0;

	if (fmp_80211_is_readable(wifi) && !numbered)
		scope |= FMP_80211_ALL;
	if (blocked && fmp_filter_mac_is_final(ts))
		scope |= FMP_80211_BLOCKED;
	return scope;
}
