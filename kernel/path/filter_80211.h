/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_FILTER_80211_H
#define _FMP_FILTER_80211_H

#include "filter.h"

struct fmp_80211;

/*
 * What may be decided of an 802.11 frame before its MAC layer; nothing if neither is set.
 * All: its addresses are in the clear, and a gap does no harm.
 */
#define FMP_80211_ALL	  0x01
/* The MAC table alone blocks it. */
#define FMP_80211_BLOCKED 0x02

bool fmp_80211_is_evaluated(const struct fmp_80211 *wifi);
u8 fmp_filter_80211_scope(struct fmp_tables *ts, struct fmp_rx *rx, const struct fmp_80211 *wifi,
			  bool reorders);

#endif /* _FMP_FILTER_80211_H */
