// SPDX-License-Identifier: GPL-2.0
/// ks8851 (SPI, parallel) asks the pre-MAC filter before it takes an skb.
//
// Adds: 19
// Kbuild: obj-m += ks8851.o ks8851_mll.o
// Kbuild: ks8851-y := ks8851_common.o ks8851_spi.o
// Kbuild: ks8851_mll-y := ks8851_common.o ks8851_par.o
//
// Applied to drivers/net/ethernet/micrel/ks8851_common.c and ks8851.h, with ks8851_fmp.h beside
// them.
//
// The first 34 bytes of a frame are read. A frame that is stopped is released from the chip's
// queue (RXQCR_RRXEF), which the driver does behind each frame.

@@
@@
 #include <linux/eeprom_93cx6.h>
+#include <net/fmp_rx.h>
+#include <net/fmp_rx_bus.h>

@@
typedef u8;
attribute name ____cacheline_aligned;
@@
 struct ks8851_net {
 	...
 	void (*flush_tx_work)(struct ks8851_net *ks);
+
+	/* pre-MAC filter; the first bytes of the frame that it is asked about, maybe by DMA */
+	struct fmp_rx_port *fmp_port;
+	struct fmp_rx_bus fmp_bus;
+	u8 ____cacheline_aligned fmp_head[8 + FMP_RX_HEADER_MAX + 4];
 };

@@
@@
+#include "ks8851_fmp.h"
+
 static void ks8851_rx_pkts(struct ks8851_net *ks, struct sk_buff_head *rxq)
 {
 	...
 	struct sk_buff *skb;
+	struct fmp_rx rx;
 	...
 }

@@
@@
 static void ks8851_rx_pkts(struct ks8851_net *ks, struct sk_buff_head *rxq)
 {
 	<...
-	skb = netdev_alloc_skb_ip_align(ks->netdev, rxalign);
+	skb = NULL;
+	if (ks8851_fmp_check(ks, &rx, rxlen))
+		skb = netdev_alloc_skb_ip_align(ks->netdev, rxalign);
 	...>
 }

@@
@@
 static void ks8851_rx_pkts(struct ks8851_net *ks, struct sk_buff_head *rxq)
 {
 	<...
-	skb->protocol = eth_type_trans(skb, ks->netdev);
+	fmp_rx_deliver(ks->fmp_port, &rx, skb);
 	...>
 }

@@
@@
 static const struct ethtool_ops ks8851_ethtool_ops = {
+	.get_sset_count	= fmp_rx_bus_get_sset_count,
+	.get_strings	= fmp_rx_bus_get_strings,
+	.get_ethtool_stats = ks8851_fmp_get_stats,
 	.get_drvinfo	= ks8851_get_drvinfo,
 	...
 };

@@
@@
 static const struct net_device_ops ks8851_netdev_ops = {
+	.ndo_init		= ks8851_fmp_init,
+	.ndo_uninit		= ks8851_fmp_uninit,
 	.ndo_open		= ks8851_net_open,
 	...
 };
