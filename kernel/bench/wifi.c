// SPDX-License-Identifier: GPL-2.0
/*
 * Frames as a mac80211 driver delivers them, on behalf of mac80211_hwsim's first radio
 *
 * mac80211_hwsim itself receives frames by a queue and a tasklet, which would be timed
 * too.
 */
#include "wifi.h"
#include "frame.h"
#include "nic.h"

#include <linux/etherdevice.h>
#include <linux/ieee80211.h>
#include <linux/string.h>
#include <net/mac80211.h>
#include <net/net_namespace.h>

#define FMPBENCH_WIFI_DEV  "wlan0"
#define FMPBENCH_WIFI_FREQ 2412

/**
 * struct fmpbench_wifi_head - headers before the IP header
 * @mac: the 802.11 header of a data frame with three addresses
 * @snap: LLC and SNAP, up to the EtherType
 * @type: the EtherType
 */
struct fmpbench_wifi_head {
	struct ieee80211_hdr_3addr mac;
	u8 snap[6];
	__be16 type;
};

static_assert(sizeof(struct fmpbench_wifi_head) == 24 + 8);

static struct fmpbench_nic fmpbench_wifi;

/**
 * fmpbench_wifi_get() - find the radio's device
 *
 * Context: process, one at a time.
 * Return: the device, to be released by fmpbench_wifi_put(); NULL if there is none.
 */
struct fmpbench_nic *fmpbench_wifi_get(void)
{
	struct net_device *dev = dev_get_by_name(&init_net, FMPBENCH_WIFI_DEV);

	if (!dev)
		return NULL;
	if (!dev->ieee80211_ptr || !netif_running(dev)) {
		dev_put(dev);
		return NULL;
	}
	fmpbench_wifi.dev = dev;
	return &fmpbench_wifi;
}

/**
 * fmpbench_wifi_put() - release the radio's device
 * @nic: the device
 *
 * Context: process.
 */
void fmpbench_wifi_put(struct fmpbench_nic *nic)
{
	dev_put(nic->dev);
	nic->dev = NULL;
}

/**
 * fmpbench_wifi_head_init() - fill the headers of frames within a cell
 * @head: filled, except for the source
 * @src: generator of the frames, as Ethernet frames
 *
 * Context: any.
 */
static void fmpbench_wifi_head_init(struct fmpbench_wifi_head *head,
				    const struct fmpbench_source *src)
{
	static const u8 cell[ETH_ALEN] = { 0x02, 0xca, 0xfe, 0x00, 0x00, 0x01 };
	static const u8 snap[] = { 0xaa, 0xaa, 0x03, 0x00, 0x00, 0x00 };
	const struct ethhdr *eth = (const struct ethhdr *)src->frame;

	memset(head, 0, sizeof(*head));
	head->mac.frame_control = cpu_to_le16(IEEE80211_FTYPE_DATA | IEEE80211_STYPE_DATA);
	ether_addr_copy(head->mac.addr1, eth->h_dest);
	memcpy(head->mac.addr3, cell, ETH_ALEN);
	memcpy(head->snap, snap, sizeof(snap));
	head->type = eth->h_proto;
}

/**
 * fmpbench_wifi_receive() - receive frames as a mac80211 driver does
 * @nic: the device
 * @src: generator of the frames
 * @n: number of frames
 *
 * Context: bottom halves off.
 */
void fmpbench_wifi_receive(struct fmpbench_nic *nic, struct fmpbench_source *src, unsigned int n)
{
	struct ieee80211_hw *hw = wiphy_to_ieee80211_hw(nic->dev->ieee80211_ptr->wiphy);
	struct fmpbench_wifi_head head;

	fmpbench_wifi_head_init(&head, src);
	while (n--) {
		struct ieee80211_rx_status *status;
		struct sk_buff *skb;

		fmpbench_source_next(src);
		skb = dev_alloc_skb(sizeof(head) + FMPBENCH_FRAME_LEN - ETH_HLEN);
		if (!skb)
			return;
		memcpy(head.mac.addr2, src->frame + ETH_ALEN, ETH_ALEN);
		skb_put_data(skb, &head, sizeof(head));
		skb_put_data(skb, src->frame + ETH_HLEN, FMPBENCH_FRAME_LEN - ETH_HLEN);
		status = IEEE80211_SKB_RXCB(skb);
		memset(status, 0, sizeof(*status));
		status->band = NL80211_BAND_2GHZ;
		status->freq = FMPBENCH_WIFI_FREQ;
		nic->taken++;
		ieee80211_rx_napi(hw, NULL, skb, NULL);
	}
}
