// SPDX-License-Identifier: GPL-2.0
/// mac80211 asks a filter about each frame before it reads it.
//
// Adds: 5
// Kernels: 6.1 6.12 armhf arm64 armhf-6.12 arm64-6.12 newest
// Kbuild: obj-m += mac80211/
//
// Applied to net/mac80211/rx.c, with mac80211_fmp.h beside it.
//
// ieee80211_rx_list() is where the frames of all drivers come in. A frame that is
// filtered has met neither monitor interfaces nor stations, keys and timers.

@@
@@
 #include "rate.h"
+#include <net/fmp_mac80211.h>
+#include "mac80211_fmp.h"

@@
@@
 void ieee80211_rx_list(struct ieee80211_hw *hw, struct ieee80211_sta *pubsta,
 		       struct sk_buff *skb, struct list_head *list)
 {
 	...
 	if (WARN_ON(!local->started))
 		goto drop;
+
+	if (ieee80211_rx_is_filtered(hw, pubsta, skb))
+		goto drop;
 	...
 }
