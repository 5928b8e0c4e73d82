// SPDX-License-Identifier: GPL-2.0
/// wl1251 (SPI, SDIO), a SoftMAC, asks the pre-MAC filter before it reads a frame.
//
// Adds: 23
// Kbuild: export CONFIG_WL1251 := m
// Kbuild: export CONFIG_WL1251_SPI := m
// Kbuild: export CONFIG_WL1251_SDIO := m
// Kbuild: obj-m += wl1251/
//
// Applied to wl1251.h, main.c and rx.c in drivers/net/wireless/ti/wl1251, with wl1251_fmp.h and
// wl1251_rx_fmp.h beside them.
//
// The chip has received a frame as a whole and acknowledged it; the frame waits in the chip's
// memory. Of one that is stopped only the descriptor and the first 56 bytes are read.

@header@
typedef s8, u8;
@@
 struct wl1251 {
 	...
 	s8 noise;
+
+	/* pre-MAC filter; the first bytes of the frame that it is asked about */
+	struct fmp_rx_port *fmp_port;
+	struct fmp_rx_bus fmp_bus;
+	u8 *fmp_head;
 };

@depends on header@
@@
 #include <net/mac80211.h>
+#include <net/fmp_rx.h>
+#include <net/fmp_rx_bus.h>

@@
@@
+#include "wl1251_fmp.h"
+
 static int wl1251_op_add_interface(struct ieee80211_hw *hw, struct ieee80211_vif *vif)
 {
 	...
 	mutex_unlock(&wl->mutex);
+	if (!ret)
+		wl1251_fmp_add_interface(wl, vif);
 	return ret;
 }

@@
@@
 static void wl1251_op_remove_interface(struct ieee80211_hw *hw, struct ieee80211_vif *vif)
 {
 	struct wl1251 *wl = hw->priv;
+
+	wl1251_fmp_remove_interface(wl);
 	...
 }

@@
@@
 static const struct ieee80211_ops wl1251_ops = {
 	...,
 	.add_interface = wl1251_op_add_interface,
+	.get_et_sset_count = wl1251_fmp_get_et_sset_count,
+	.get_et_strings = wl1251_fmp_get_et_strings,
+	.get_et_stats = wl1251_fmp_get_et_stats,
 	...,
 };

@@
@@
+#include "wl1251_rx_fmp.h"
+
 static void wl1251_rx_body(struct wl1251 *wl, struct wl1251_rx_descriptor *desc)
 {
 	...
 	struct sk_buff *skb;
+	int have;
 	...
 }

@@
@@
+	have = wl1251_fmp_check(wl, desc, rx_packet_ring_addr, length);
+	if (have < 0)
+		return;
 	skb = __dev_alloc_skb(length, GFP_KERNEL);

@@
@@
-	wl1251_mem_read(wl, rx_packet_ring_addr, rx_buffer, length);
+	wl1251_fmp_read_rest(wl, rx_packet_ring_addr, rx_buffer, have, length);
