/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filtering frames before mac80211: what a mac80211 that was patched with
 * kernel/drivers/mac80211.cocci offers, and fmp.ko uses
 *
 * fmp.ko finds the function by its name at run time, so that one build of it
 * serves kernels with and without the patch. No version is compared: whoever
 * changes a prototype here also changes the name.
 */
#ifndef _NET_FMP_MAC80211_H
#define _NET_FMP_MAC80211_H

#include <linux/types.h>

struct ieee80211_hw;
struct ieee80211_sta;
struct sk_buff;

/**
 * typedef ieee80211_rx_filter_t - decide whether mac80211 drops a frame
 * @hw: the radio
 * @sta: the transmitting station, or NULL
 * @skb: the frame as the driver delivers it; not changed, not freed
 *
 * Context: that of ieee80211_rx_list(): RCU read section, bottom halves off.
 * Return: true if mac80211 must drop the frame.
 */
typedef bool ieee80211_rx_filter_t(struct ieee80211_hw *hw, const struct ieee80211_sta *sta,
				   struct sk_buff *skb);

/**
 * ieee80211_set_rx_filter() - let a function see each frame before mac80211 does
 * @filter: the function, or NULL for none, as at the start
 *
 * After NULL no CPU is in the function when this returns.
 *
 * Context: process; NULL waits for an RCU grace period.
 * Return: 0, or -EBUSY if another function is set.
 */
int ieee80211_set_rx_filter(ieee80211_rx_filter_t *filter);

#endif /* _NET_FMP_MAC80211_H */
