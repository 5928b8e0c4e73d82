// SPDX-License-Identifier: GPL-2.0
/// enc28j60 (SPI) asks the pre-MAC filter before it takes an skb.
//
// Adds: 24
// Kbuild: obj-m += enc28j60.o
//
// Applied to drivers/net/ethernet/microchip/enc28j60.c, with enc28j60_fmp.h beside it.
//
// The first 34 bytes of a frame are read over SPI. Of a frame that is stopped nothing more
// is read: the chip's read pointer moves on to the next frame.

@@
@@
 #include <linux/spi/spi.h>
+#include <net/fmp_rx.h>
+#include <net/fmp_rx_bus.h>

@@
@@
 struct enc28j60_net {
 	...
 	u32 msg_enable;
+
+	/* pre-MAC filter; the first bytes of the frame that it is asked about */
+	struct fmp_rx_port *fmp_port;
+	struct fmp_rx_bus fmp_bus;
+	u8 fmp_head[FMP_RX_HEADER_MAX];
+
 	...
 };

@@
@@
+#include "enc28j60_fmp.h"
+
 static void enc28j60_hw_rx(struct net_device *ndev)
 {
 	...
 	struct device *dev = &priv->spi->dev;
+	struct fmp_rx rx;
+	int have;
 	...
 }

@@
@@
-	enc28j60_mem_read(priv, rx_packet_start(priv->next_pk_ptr), len, skb_put(skb, len));
+	enc28j60_fmp_read_rest(priv, skb_put(skb, len), have, len);

@@
@@
-	skb->protocol = eth_type_trans(skb, ndev);
+	enc28j60_fmp_deliver(priv, &rx, skb);

@@
@@
 static void enc28j60_hw_rx(struct net_device *ndev)
 {
 	<...
+	have = enc28j60_fmp_check(priv, &rx, len);
+	if (have < 0) {
+		enc28j60_fmp_release(priv, next_packet);
+		return;
+	}
 	skb = netdev_alloc_skb(ndev, len + NET_IP_ALIGN);
 	...>
 }

@@
@@
 static const struct ethtool_ops enc28j60_ethtool_ops = {
+	.get_sset_count	= fmp_rx_bus_get_sset_count,
+	.get_strings	= fmp_rx_bus_get_strings,
+	.get_ethtool_stats = enc28j60_fmp_get_stats,
 	.get_drvinfo	= enc28j60_get_drvinfo,
 	...
 };

@@
@@
 static const struct net_device_ops enc28j60_netdev_ops = {
+	.ndo_init		= enc28j60_fmp_init,
+	.ndo_uninit		= enc28j60_fmp_uninit,
 	.ndo_open		= enc28j60_net_open,
 	...
 };
