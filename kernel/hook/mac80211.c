// SPDX-License-Identifier: GPL-2.0
/*
 * The hook before mac80211: evaluates 802.11 frames as drivers deliver them
 *
 * path/filter_80211.c decides what may be decided here. The rest is left to netdev
 * ingress, where the device is hooked as well.
 *
 * A frame belongs to the attached device whose address is the receiver address. A
 * group frame is for all devices of the radio: here it belongs to the only one, else
 * ingress evaluates it for each. A frame to any other address is not evaluated;
 * mac80211 drops it. A frame that the hardware converted to Ethernet has no receiver
 * address, and may be for another station: it belongs to the only device, too.
 */
#include "mac80211.h"
#include "../path/dissect.h"
#include "../path/filter_80211.h"
#include "../path/trace.h"

#include <linux/netdevice.h>
#include <linux/rculist.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <net/cfg80211.h>
#include <net/ieee80211_radiotap.h>
#include <net/mac80211.h>

/* The name that "%ps" prints for ieee80211_open(). */
#if IS_MODULE(CONFIG_MAC80211)
#define FMP_80211_OPEN "ieee80211_open [mac80211]"
#else
#define FMP_80211_OPEN "ieee80211_open"
#endif

/* Attached devices of all mac80211 radios; written under RTNL, read under RCU. */
static LIST_HEAD(fmp_80211_ports);

/**
 * struct fmp_80211_frame - a frame before mac80211
 * @rx: state of its evaluation
 * @wifi: further fields of its 802.11 header
 * @avail: bytes in @rx.buf
 * @reorders: the hardware has put numbered frames in order: a gap delays none
 * @copy: its first bytes, if the skb does not have them linear
 */
struct fmp_80211_frame {
	struct fmp_rx rx;
	struct fmp_80211 wifi;
	u32 avail;
	bool reorders;
	u8 copy[FMP_RX_80211_HEADER_MAX] __aligned(4);
};

/**
 * fmp_80211_prefix_len() - get the number of bytes in front of a frame
 * @status: receive status from the driver
 *
 * Some drivers put parts of a radiotap header there.
 *
 * Context: any.
 * Return: the number, negative if it is unknown.
 */
static int fmp_80211_prefix_len(const struct ieee80211_rx_status *status)
{
	int len = 0;

	if (status->flag & RX_FLAG_RADIOTAP_TLV_AT_END)
		return -EOPNOTSUPP;
	if (status->flag & RX_FLAG_RADIOTAP_HE)
		len += sizeof(struct ieee80211_radiotap_he);
	if (status->flag & RX_FLAG_RADIOTAP_HE_MU)
		len += sizeof(struct ieee80211_radiotap_he_mu);
	if (status->flag & RX_FLAG_RADIOTAP_LSIG)
		len += sizeof(struct ieee80211_radiotap_lsig);
	return len;
}

/**
 * fmp_80211_find_port() - find the device that a frame is for
 * @hw: the radio
 * @ra: receiver address; NULL if any device may be the receiver
 *
 * Context: RCU read section.
 * Return: its port, NULL if there is none or the frame is left to ingress.
 */
static struct fmp_rx_port *fmp_80211_find_port(struct ieee80211_hw *hw, const u8 *ra)
{
	bool any = !ra || ra[0] & 1;
	struct fmp_rx_port *port;

	list_for_each_entry_rcu(port, &fmp_80211_ports, radio) {
		/* One that is down receives nothing, and another one may be the only one. */
		if (port->wiphy != hw->wiphy || !netif_running(port->dev))
			continue;
		if (any || ether_addr_equal_unaligned(ra, port->dev->dev_addr))
			return fmp_port_shares_80211(port->dev, any) ? NULL : port;
	}
	return NULL;
}

/**
 * fmp_80211_defer_radio() - leave frames of all devices of a radio to netdev ingress
 * @hw: the radio
 *
 * Context: RCU read section.
 */
static void fmp_80211_defer_radio(struct ieee80211_hw *hw)
{
	struct fmp_rx_port *port;

	list_for_each_entry_rcu(port, &fmp_80211_ports, radio) {
		if (port->wiphy == hw->wiphy)
			fmp_port_takes_80211(port, 0);
	}
}

/**
 * fmp_80211_parse_8023() - read a frame that the hardware converted to Ethernet
 * @f: filled; its length and first bytes are set
 * @hw: the radio
 * @sta: the transmitting station, or NULL
 *
 * Ingress does not know of one that it was converted.
 *
 * Context: RCU read section.
 * Return: as that of fmp_80211_parse_frame().
 */
static struct fmp_rx_port *fmp_80211_parse_8023(struct fmp_80211_frame *f, struct ieee80211_hw *hw,
						const struct ieee80211_sta *sta)
{
	struct fmp_rx_port *port;

	if (fmp_dissect_mac(&f->rx.hdr, f->rx.buf, f->avail))
		return NULL;
	memcpy(f->wifi.ta, sta ? sta->addr : f->rx.hdr.src, ETH_ALEN);
	f->wifi.flags = FMP_80211_TA | FMP_80211_SA | FMP_80211_DATA;
	f->reorders = true;
	port = fmp_80211_find_port(hw, NULL);
	if (!port)
		fmp_80211_defer_radio(hw);
	return port;
}

/**
 * fmp_80211_parse_header() - read the header of an 802.11 frame
 * @f: filled; its length and first bytes are set
 * @hw: the radio
 *
 * Context: RCU read section.
 * Return: as that of fmp_80211_parse_frame().
 */
static struct fmp_rx_port *fmp_80211_parse_header(struct fmp_80211_frame *f,
						  struct ieee80211_hw *hw)
{
	struct fmp_rx_port *port;

	if (fmp_dissect_80211(&f->rx.hdr, &f->wifi, f->rx.buf, f->avail, f->rx.frame_len) ||
	    !fmp_80211_is_evaluated(&f->wifi))
		return NULL;
	f->reorders = ieee80211_hw_check(hw, SUPPORTS_REORDERING_BUFFER);
	port = fmp_80211_find_port(hw, f->rx.buf + FMP_80211_RA_OFF);
	if (!port && fmp_80211_is_group_to_ds(f->rx.buf))
		fmp_80211_defer_radio(hw);
	return port;
}

/**
 * fmp_80211_parse_frame() - find a frame in its skb and read its MAC header
 * @f: filled
 * @hw: the radio
 * @sta: the transmitting station, or NULL
 * @skb: the skb from the driver
 *
 * Context: RCU read section.
 * Return: the port of the device that the frame is for, NULL if it is not
 * evaluated.
 */
static struct fmp_rx_port *fmp_80211_parse_frame(struct fmp_80211_frame *f, struct ieee80211_hw *hw,
						 const struct ieee80211_sta *sta,
						 struct sk_buff *skb)
{
	const struct ieee80211_rx_status *status = IEEE80211_SKB_RXCB(skb);
	bool eth = status->flag & RX_FLAG_8023;
	int prefix = eth ? 0 : fmp_80211_prefix_len(status);
	u32 fcs = !eth && ieee80211_hw_check(hw, RX_INCLUDES_FCS) ? FCS_LEN : 0;
	const u8 *buf;

	/* mac80211 delivers these to monitor interfaces only. */
	if (status->flag & (RX_FLAG_FAILED_FCS_CRC | RX_FLAG_FAILED_PLCP_CRC |
			    RX_FLAG_ONLY_MONITOR | RX_FLAG_NO_PSDU))
		return NULL;
	if (prefix < 0) {
		fmp_80211_defer_radio(hw);
		return NULL;
	}
	if (skb->len <= prefix + fcs)
		return NULL;

	f->avail = min_t(u32, skb->len - prefix - fcs, FMP_RX_80211_HEADER_MAX);
	buf = skb_header_pointer(skb, prefix, f->avail, f->copy);
	if (!buf)
		return NULL;
	fmp_rx_begin(&f->rx, buf, skb->len - prefix - fcs);
	return eth ? fmp_80211_parse_8023(f, hw, sta) : fmp_80211_parse_header(f, hw);
}

/**
 * fmp_80211_filter() - evaluate a frame
 * @ts: the rules
 * @port: the device that it is for
 * @f: the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: true if the frame must be dropped.
 */
static bool fmp_80211_filter(struct fmp_tables *ts, struct fmp_rx_port *port,
			     struct fmp_80211_frame *f)
{
	enum fmp_decision decision;
	u8 scope;

	scope = fmp_filter_80211_scope(ts, &f->rx, &f->wifi, f->reorders);
	if (!fmp_port_takes_80211(port, scope))
		return false;
	f->rx.stage = FMP_STAGE_MAC_READ;
	decision = fmp_filter_frame(ts, &f->rx, f->avail);
	trace_fmp_verdict(port->dev, &f->rx, f->avail, decision);
	return fmp_port_finish_frame(port, &f->rx, decision);
}

/**
 * fmp_mac80211_blocks() - decide whether a frame is dropped before mac80211
 * @hw: the radio
 * @sta: the transmitting station, or NULL
 * @skb: the skb from the driver; not changed
 *
 * Context: that of ieee80211_rx_list(): RCU read section, bottom halves off.
 * Return: true if the frame must be dropped.
 */
bool fmp_mac80211_blocks(struct ieee80211_hw *hw, const struct ieee80211_sta *sta,
			 struct sk_buff *skb)
{
	struct fmp_80211_frame f;
	struct fmp_rx_port *port;
	struct fmp_tables *ts;

	/* A driver must call with bottom halves off, which the per-CPU counters need:
	 * mac80211 warns of one that does not.
	 */
	if (unlikely(!softirq_count()))
		return false;
	port = fmp_80211_parse_frame(&f, hw, sta, skb);
	if (!port)
		return false;
	ts = rcu_dereference(port->tables);
	return ts && fmp_80211_filter(ts, port, &f);
}

/**
 * fmp_mac80211_is_supported() - check whether a device can be hooked before mac80211
 * @dev: the device
 * @extack: filled with the reason if it can't, unless the device is not wireless
 *
 * Context: process, RTNL held.
 * Return: true if it can.
 */
bool fmp_mac80211_is_supported(const struct net_device *dev, struct netlink_ext_ack *extack)
{
	const struct wireless_dev *wdev = dev->ieee80211_ptr;
	char open[sizeof(FMP_80211_OPEN) + 1];

	if (!wdev || !wdev->wiphy)
		return false;
	/* A wiphy does not name its driver stack: compare ndo_open. The buffer has one
	 * byte more than the name, so that a longer name does not match.
	 */
	snprintf(open, sizeof(open), "%ps", dev->netdev_ops->ndo_open);
	if (strcmp(open, FMP_80211_OPEN)) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: the device is not one of mac80211");
		return false;
	}
	/* Multi-link: receiver addresses belong to links, not to the device. */
	if (wdev->wiphy->flags & WIPHY_FLAG_SUPPORTS_MLO) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: multi-link radios are not supported");
		return false;
	}
	switch (wdev->iftype) {
	case NL80211_IFTYPE_ADHOC:
	case NL80211_IFTYPE_STATION:
	case NL80211_IFTYPE_AP:
	case NL80211_IFTYPE_P2P_CLIENT:
	case NL80211_IFTYPE_P2P_GO:
		return true;
	default:
		NL_SET_ERR_MSG(extack, "hooked at ingress: this interface type is not supported");
		return false;
	}
}

/**
 * fmp_mac80211_add_port() - evaluate frames of a device from now on
 * @port: the device, supported by fmp_mac80211_is_supported()
 * @hook: enum fmp_hook, how mac80211 is hooked
 *
 * Context: process, RTNL held.
 */
void fmp_mac80211_add_port(struct fmp_rx_port *port, u8 hook)
{
	ASSERT_RTNL();
	port->wiphy = port->dev->ieee80211_ptr->wiphy;
	port->hook = hook;
	list_add_tail_rcu(&port->radio, &fmp_80211_ports);
}

/**
 * fmp_mac80211_remove_port() - undo fmp_mac80211_add_port()
 * @port: the device; frames may use it until an RCU grace period has passed
 *
 * Context: process, RTNL held.
 */
void fmp_mac80211_remove_port(struct fmp_rx_port *port)
{
	ASSERT_RTNL();
	list_del_rcu(&port->radio);
}
