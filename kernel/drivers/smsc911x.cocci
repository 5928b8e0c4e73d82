// SPDX-License-Identifier: GPL-2.0
/// smsc911x (LAN911x, LAN921x) asks the pre-MAC filter before it takes an skb.
//
// Adds: 30
// Kbuild: obj-m += smsc911x.o
//
// Applied to drivers/net/ethernet/smsc/smsc911x.c, with smsc911x_fmp.h beside it.
//
// The first words of a frame are read from the RX data FIFO. A frame that is stopped is
// skipped by the chip's fast-forward: no further word of it crosses the bus. The module
// parameter fmp_drain=1 reads the words instead, for an emulated chip whose fast-forward
// works only at the start of a frame.

@@
@@
 #include <linux/smsc911x.h>
+#include <net/fmp_rx.h>
+#include <net/fmp_rx_bus.h>

@@
@@
 struct smsc911x_data {
 	...
 	struct clk *clk;
+
+	/* pre-MAC filter; the frame that it is asked about, and its first words */
+	struct fmp_rx_port *fmp_port;
+	struct fmp_rx fmp_rx;
+	struct fmp_rx_bus fmp_bus;
+	unsigned int fmp_want;
+	bool fmp_skipping;
+	unsigned int fmp_head[(NET_IP_ALIGN + FMP_RX_HEADER_MAX + 3) / 4];
 };

@@
@@
+#include "smsc911x_fmp.h"
+
 static int smsc911x_poll(struct napi_struct *napi, int budget)
 {
 	...
 	int npackets = 0;
+	LIST_HEAD(passed);
 	...
+	pdata->fmp_want = DIV_ROUND_UP(NET_IP_ALIGN + fmp_rx_first_want(pdata->fmp_port), 4);
 	while (...) {
 		...
 		struct sk_buff *skb;
-		unsigned int rxstat = smsc911x_rx_get_rxstatus(pdata);
+		unsigned int rxstat = smsc911x_fmp_get_rxstatus(pdata);
+		unsigned int head;
 		...
+		head = smsc911x_fmp_check(pdata, pktlength, pktwords);
+		if (!head)
+			continue;
 		skb = netdev_alloc_skb(dev, pktwords << 2);
 		if (unlikely(!skb)) {
 			...
-			smsc911x_rx_fastforward(pdata, pktwords);
+			smsc911x_rx_fastforward(pdata, pktwords - head);
 			...
 		}
-		pdata->ops->rx_readfifo(pdata, (unsigned int *)skb->data, pktwords);
+		smsc911x_fmp_read_rest(pdata, (unsigned int *)skb->data, head, pktwords);
 		...
-		skb->protocol = eth_type_trans(skb, dev);
+		fmp_rx_deliver(pdata->fmp_port, &pdata->fmp_rx, skb);
 		...
-		netif_receive_skb(skb);
+		list_add_tail(&skb->list, &passed);
 		...
 	}
+	fmp_rx_bus_receive(&passed);
 	...
 }

@@
@@
 static int smsc911x_poll(struct napi_struct *napi, int budget)
 {
 	<...
+	fmp_rx_bus_receive(&passed);
 	napi_complete(napi);
 	...>
 }

@@
@@
 static const struct ethtool_ops smsc911x_ethtool_ops = {
 	.get_link = ethtool_op_get_link,
+	.get_sset_count = fmp_rx_bus_get_sset_count,
+	.get_strings = fmp_rx_bus_get_strings,
+	.get_ethtool_stats = smsc911x_fmp_get_stats,
 	...
 };

@@
@@
 static const struct net_device_ops smsc911x_netdev_ops = {
+	.ndo_init = smsc911x_fmp_init,
+	.ndo_uninit = smsc911x_fmp_uninit,
 	.ndo_open		= smsc911x_open,
 	...
 };
