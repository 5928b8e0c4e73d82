// SPDX-License-Identifier: GPL-2.0
/// smc91x (LAN91C9x, LAN91C1xx) asks the pre-MAC filter before it takes an skb.
//
// Adds: 37
// Kbuild: obj-m += smc91x.o
// Kernels: 6.1 6.12 armhf xscale
//
// Applied to drivers/net/ethernet/smsc/smc91x.c and smc91x.h, with smc91x_fmp.h beside them.
//
// Reception moves from the interrupt handler to NAPI, as the filter runs in softirq
// context; it leaves a chip alone that is being reset. The first words of a frame are read
// from the chip's memory; a frame that is stopped is released from it (MC_RELEASE).

@@
@@
 #include <linux/etherdevice.h>
+#include <net/fmp_rx.h>
+#include <net/fmp_rx_bus.h>

@@
typedef u32;
attribute name ____cacheline_aligned;
@@
 struct smc_local {
 	...
 	struct smc91x_platdata cfg;
+
+	struct napi_struct napi;
+	/* pre-MAC filter; the frame that it is asked about, and its first words, maybe by DMA */
+	struct fmp_rx_port *fmp_port;
+	struct fmp_rx fmp_rx;
+	struct fmp_rx_bus fmp_bus;
+	bool fmp_off;
+	u32 ____cacheline_aligned fmp_head[(2 + FMP_RX_HEADER_MAX + 3) / 4];
 };

@@
@@
+#include "smc91x_fmp.h"
+
-static inline void smc_rcv(struct net_device *dev)
+static struct sk_buff *smc_rcv(struct net_device *dev)
 {
 	...
 }

@@
@@
 static struct sk_buff *smc_rcv(struct net_device *dev)
 {
 	<...
-	return;
+	return NULL;
 	...>
 }

@@
@@
 static struct sk_buff *smc_rcv(struct net_device *dev)
 {
 	...
 	struct smc_local *lp = netdev_priv(dev);
+	int have;
 	...
 }

@@
@@
 static struct sk_buff *smc_rcv(struct net_device *dev)
 {
 	<...
+	have = smc_fmp_check(dev, status, packet_len);
+	if (have < 0)
+		return NULL;
 	skb = netdev_alloc_skb(dev, packet_len);
 	...>
 }

@@
@@
 static struct sk_buff *smc_rcv(struct net_device *dev)
 {
 	<...
-	SMC_PULL_DATA(lp, data, packet_len - 4);
+	smc_fmp_read_rest(dev, data, have, packet_len - 4);
 	...>
 }

@@
@@
 static struct sk_buff *smc_rcv(struct net_device *dev)
 {
 	<...
-	skb->protocol = eth_type_trans(skb, dev);
-	netif_rx(skb);
+	fmp_rx_deliver(lp->fmp_port, &lp->fmp_rx, skb);
 	dev->stats.rx_packets++;
 	dev->stats.rx_bytes += data_len;
+	return skb;
 	...>
 }

@@
@@
 	DBG(3, dev, "RX irq\n");
-	smc_rcv(dev);
+	mask &= ~IM_RCV_INT;
+	napi_schedule(&lp->napi);

@@
@@
 static void smc_reset(struct net_device *dev)
 {
 	<...
 	SMC_SET_INT_MASK(lp, 0);
+	lp->fmp_off = true;
 	...>
 }

@@
@@
 static void smc_shutdown(struct net_device *dev)
 {
 	<...
 	SMC_SET_INT_MASK(lp, 0);
+	lp->fmp_off = true;
 	...>
 }

@@
@@
 static void smc_enable(struct net_device *dev)
 {
 	<...
+	spin_lock_irq(&lp->lock);
+	lp->fmp_off = false;
 	SMC_SET_INT_MASK(lp, mask);
+	spin_unlock_irq(&lp->lock);
 	...>
 }

@@
@@
 static int smc_open(struct net_device *dev)
 {
 	...
 	smc_reset(dev);
+	napi_enable(&lp->napi);
 	smc_enable(dev);
 	...
 }

@@
@@
 static int smc_close(struct net_device *dev)
 {
 	...
 	netif_carrier_off(dev);
+	napi_disable(&lp->napi);
 	...
 }

@@
@@
 static const struct ethtool_ops smc_ethtool_ops = {
+	.get_sset_count	= fmp_rx_bus_get_sset_count,
+	.get_strings	= fmp_rx_bus_get_strings,
+	.get_ethtool_stats = smc_fmp_get_stats,
 	.get_drvinfo	= smc_ethtool_getdrvinfo,
 	...
 };

@@
@@
 static const struct net_device_ops smc_netdev_ops = {
+	.ndo_init		= smc_fmp_init,
+	.ndo_uninit		= smc_fmp_uninit,
 	.ndo_open		= smc_open,
 	...
 };
