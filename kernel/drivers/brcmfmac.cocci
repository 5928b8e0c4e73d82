// SPDX-License-Identifier: GPL-2.0
/// brcmfmac asks the pre-MAC filter, over SDIO in the middle of a frame.
//
// Adds: 28
// Kbuild: obj-m += brcmfmac/
// Kbuild: subdir-ccflags-y += -I$(src)/brcmfmac -I$(src)/include -Wno-missing-include-dirs
// Kbuild: subdir-ccflags-y += -DSDIO_DEVICE_ID_BROADCOM_43752=0xaae8
//
// Kernels: 6.1 6.12
//
// The source may be a later stable release than the headers, which lack that name then; for armhf
// they lack more.
//
// Applied to core.h, core.c and sdio.c in drivers/net/wireless/broadcom/brcm80211/brcmfmac, with
// brcmfmac_fmp.h and brcmfmac_sdio_fmp.h beside them.
//
// Over SDIO the first 64 bytes of a frame are read by themselves if its length is not known;
// they hold the headers. Frames that are read at once (read-ahead, superframes), and those of
// PCIe, are looked up when they are whole.

@header@
typedef u8, u32;
@@
 struct brcmf_if {
 	...
 	bool fwil_fwerr;
+	struct fmp_rx_port *fmp_port;
 };
+
+bool brcmf_fmp_check_first(struct brcmf_pub *drvr, int ifidx, const u8 *buf, u32 avail, u32 len);
+void brcmf_fmp_forget(struct brcmf_pub *drvr);

@depends on header@
@@
 #include <net/cfg80211.h>
+#include <net/fmp_rx.h>
+#include <net/fmp_rx_bus.h>

@@
@@
 struct brcmf_pub {
 	...
 	u8 clmver[BRCMF_DCMD_SMLEN];
+
+	/* pre-MAC filter; the frame that was looked up by its first bytes */
+	struct fmp_rx_bus fmp_bus;
+	struct fmp_rx fmp_rx;
+	enum fmp_rx_action fmp_action;
+	bool fmp_begun;
 	...
 };

@@
@@
+#include "brcmfmac_fmp.h"
+
 void brcmf_netif_rx(struct brcmf_if *ifp, struct sk_buff *skb)
 {
 	...
+	if (!brcmf_fmp_receive(ifp, skb))
+		return;
 	ifp->ndev->stats.rx_bytes += skb->len;
 	...
 }

@@
@@
 static const struct ethtool_ops brcmf_ethtool_ops = {
+	.get_sset_count = fmp_rx_bus_get_sset_count,
+	.get_strings = fmp_rx_bus_get_strings,
+	.get_ethtool_stats = brcmf_fmp_get_stats,
 	.get_drvinfo = brcmf_ethtool_get_drvinfo,
 };

@@
@@
 static const struct net_device_ops brcmf_netdev_ops_pri = {
+	.ndo_init = brcmf_fmp_init,
+	.ndo_uninit = brcmf_fmp_uninit,
 	.ndo_open = brcmf_netdev_open,
 	...
 };

@@
typedef uint;
@@
+#include "brcmfmac_sdio_fmp.h"
+
 static uint brcmf_sdio_readframes(struct brcmf_sdio *bus, uint maxframes)
 {
 	...
 }

@@
@@
 static uint brcmf_sdio_readframes(struct brcmf_sdio *bus, uint maxframes)
 {
 	<...
+	brcmf_sdio_fmp_forget(bus);
 	if (bus->glomd || !skb_queue_empty(&bus->glom)) {
 		...
 	}
 	...>
 }

@@
@@
 	rd->len_left = rd->len > BRCMF_FIRSTREAD ? rd->len - BRCMF_FIRSTREAD : 0;
+	if (brcmf_sdio_fmp_stop(bus, rd)) {
+		sdio_release_host(bus->sdiodev->func1);
+		continue;
+	}
 	head_read = BRCMF_FIRSTREAD;
