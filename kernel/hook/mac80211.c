// SPDX-License-Identifier: GPL-2.0
/*
 * Before the MAC layer of mac80211: judging 802.11 frames as drivers hand them on
 *
 * Only data frames are judged. Beacons, management, control and null frames keep
 * a cell together; a block of a source is not to cut the link that others use.
 * A frame is judged as one of its source and as one of its transmitter: the
 * latter is blocked like a source, but what protects it does not protect what it
 * relays.
 *
 * A frame belongs to the attached device that is its receiver. One to a group is
 * for all devices of the radio; the one attached first answers for it. A frame
 * to any other address passes unseen; mac80211 throws it away.
 *
 * Some frames can't be judged to the end here: encrypted ones, A-MSDUs and
 * fragments hide the IP header or the source. And some may not be dropped here:
 * an access point numbers the QoS frames it relays, and a gap has mac80211 hold
 * back those of others for a tenth of a second. Those frames are left to netdev
 * ingress, where the device is hooked as well. As soon as a device has met the
 * first of them, what is here is only the MAC table, asked without counting, and
 * the rest is judged and counted there (%FMP_COVER_PART); before, ingress has
 * nothing to do (%FMP_COVER_ALL).
 */
#include "mac80211.h"
#include "attach.h"
#include "../core/compat.h"
#include "../path/dissect.h"
#include "../path/trace.h"

#include <linux/netdevice.h>
#include <linux/rculist.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <net/cfg80211.h>
#include <net/ieee80211_radiotap.h>
#include <net/mac80211.h>

/* As much of a frame as its headers can need: 4 addresses, QoS, HT, LLC, 2 tags, IPv6. */
#define FMP_80211_HEAD_MAX (24 + 6 + 2 + 4 + 8 + 8 + 40)

/* What the kernel prints for a function of mac80211. */
#if IS_MODULE(CONFIG_MAC80211)
#define FMP_80211_OPEN "ieee80211_open [mac80211]"
#else
#define FMP_80211_OPEN "ieee80211_open"
#endif

/* Attached devices of mac80211, of all radios; written under RTNL, read under RCU. */
static LIST_HEAD(fmp_80211_ports);

/**
 * struct fmp_80211_frame - a frame on its way into mac80211
 * @rx: the questions about it
 * @wifi: what its 802.11 header tells
 * @avail: bytes that @rx.buf holds
 * @readable: all that rules ask for stands in the clear
 * @relayed: dropping it would tear a gap into what others sent
 * @copy: its first bytes, if they are not in one piece
 */
struct fmp_80211_frame {
	struct fmp_rx rx;
	struct fmp_80211 wifi;
	u32 avail;
	bool readable;
	bool relayed;
	u8 copy[FMP_80211_HEAD_MAX] __aligned(4);
};

/**
 * fmp_80211_front() - bytes in front of a frame
 * @status: what the driver says of it
 *
 * Some drivers put parts of a radiotap header there.
 *
 * Context: any.
 * Return: how many, negative if they can't be told.
 */
static int fmp_80211_front(const struct ieee80211_rx_status *status)
{
	int len = 0;

	if (status->flag & FMP_RX_FLAG_RADIOTAP_ANY)
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
 * fmp_80211_port() - find the device that a frame is for
 * @hw: the radio
 * @ra: receiver address, NULL for any device of the radio
 *
 * Context: RCU read section.
 * Return: its port, or NULL.
 */
static struct fmp_rx_port *fmp_80211_port(struct ieee80211_hw *hw, const u8 *ra)
{
	struct fmp_rx_port *port;

	list_for_each_entry_rcu(port, &fmp_80211_ports, radio) {
		if (port->wiphy != hw->wiphy)
			continue;
		if (!ra || is_multicast_ether_addr(ra) ||
		    ether_addr_equal_unaligned(ra, port->dev->dev_addr))
			return port;
	}
	return NULL;
}

/**
 * fmp_80211_leave() - leave frames to netdev ingress from now on
 * @port: the device
 *
 * Context: RCU read section.
 */
static void fmp_80211_leave(struct fmp_rx_port *port)
{
	if (READ_ONCE(port->cover) != FMP_COVER_PART)
		WRITE_ONCE(port->cover, FMP_COVER_PART);
}

/**
 * fmp_80211_leave_all() - leave frames of a whole radio to netdev ingress
 * @hw: the radio
 *
 * Context: RCU read section.
 */
static void fmp_80211_leave_all(struct ieee80211_hw *hw)
{
	struct fmp_rx_port *port;

	list_for_each_entry_rcu(port, &fmp_80211_ports, radio) {
		if (port->wiphy == hw->wiphy)
			fmp_80211_leave(port);
	}
}

/**
 * fmp_80211_read_8023() - read a frame that hardware made an Ethernet frame of
 * @f: filled; its length and first bytes are there
 * @sta: the station it came from, or NULL
 *
 * Context: RCU read section.
 * Return: the receiver address, NULL if the frame is not to be judged.
 */
static const u8 *fmp_80211_read_8023(struct fmp_80211_frame *f, const struct ieee80211_sta *sta)
{
	if (fmp_dissect_mac(&f->rx.hdr, f->rx.buf, f->avail))
		return NULL;
	memcpy(f->wifi.ta, sta ? sta->addr : f->rx.hdr.src, ETH_ALEN);
	f->readable = true;
	/* What could hold frames back is in the hardware, in front of us. */
	f->relayed = false;
	return f->rx.buf;
}

/**
 * fmp_80211_read() - read an 802.11 frame
 * @f: filled; its length and first bytes are there
 * @hw: the radio
 *
 * Context: RCU read section.
 * Return: the receiver address, NULL if the frame is not to be judged.
 */
static const u8 *fmp_80211_read(struct fmp_80211_frame *f, struct ieee80211_hw *hw)
{
	const struct ieee80211_hdr *hdr = (const struct ieee80211_hdr *)f->rx.buf;
	const u8 unclear = FMP_80211_PROTECTED | FMP_80211_AMSDU;

	if (fmp_dissect_80211(&f->rx.hdr, &f->wifi, f->rx.buf, f->avail, f->rx.frame_len) ||
	    (f->wifi.flags & (FMP_80211_DATA | FMP_80211_NO_BODY)) != FMP_80211_DATA)
		return NULL;

	/* The first fragment may end before its IP header does. */
	f->readable = !(f->wifi.flags & unclear) && f->wifi.flags & FMP_80211_SA &&
		      !ieee80211_has_morefrags(hdr->frame_control) &&
		      ieee80211_is_first_frag(hdr->seq_ctrl);
	f->relayed = ieee80211_has_fromds(hdr->frame_control) &&
		     ieee80211_is_data_qos(hdr->frame_control) &&
		     !is_multicast_ether_addr(hdr->addr1) &&
		     !ieee80211_hw_check(hw, SUPPORTS_REORDERING_BUFFER);
	return hdr->addr1;
}

/**
 * fmp_80211_begin() - find a frame in its skb and read its MAC header
 * @f: filled
 * @hw: the radio
 * @sta: the station it came from, or NULL
 * @skb: as the driver handed it on
 *
 * Context: RCU read section.
 * Return: the port of the device that the frame is for, NULL if it is not to be
 * judged.
 */
static struct fmp_rx_port *fmp_80211_begin(struct fmp_80211_frame *f, struct ieee80211_hw *hw,
					   const struct ieee80211_sta *sta, struct sk_buff *skb)
{
	const struct ieee80211_rx_status *status = IEEE80211_SKB_RXCB(skb);
	bool eth = status->flag & RX_FLAG_8023;
	int front = eth ? 0 : fmp_80211_front(status);
	u32 fcs = !eth && ieee80211_hw_check(hw, RX_INCLUDES_FCS) ? FCS_LEN : 0;
	const u8 *buf;
	const u8 *ra;

	/* For monitors only. */
	if (status->flag & (RX_FLAG_FAILED_FCS_CRC | RX_FLAG_FAILED_PLCP_CRC |
			    RX_FLAG_ONLY_MONITOR | RX_FLAG_NO_PSDU))
		return NULL;
	if (front < 0) {
		fmp_80211_leave_all(hw);
		return NULL;
	}
	if (skb->len <= front + fcs)
		return NULL;

	f->avail = min_t(u32, skb->len - front - fcs, FMP_80211_HEAD_MAX);
	buf = skb_header_pointer(skb, front, f->avail, f->copy);
	if (!buf)
		return NULL;
	fmp_rx_begin(&f->rx, buf, skb->len - front - fcs);
	ra = eth ? fmp_80211_read_8023(f, sta) : fmp_80211_read(f, hw);
	return ra ? fmp_80211_port(hw, ra) : NULL;
}

/**
 * fmp_80211_pick() - choose the address that stands for the frame's source
 * @ts: the rules
 * @f: the frame; its source is set to the transmitter if that is blocked
 *
 * Context: RCU read section, bottom halves off.
 * Return: true if the MAC table alone may end the frame.
 */
static bool fmp_80211_pick(struct fmp_tables *ts, struct fmp_80211_frame *f)
{
	bool sa = !(f->wifi.flags & FMP_80211_AMSDU);
	u8 said = sa ? fmp_filter_peek(ts, f->rx.hdr.src) : FMP_VERDICT_UNSPEC;

	if (said == FMP_VERDICT_PROTECT)
		return false;
	if (fmp_filter_peek(ts, f->wifi.ta) == FMP_VERDICT_BLOCK) {
		memcpy(f->rx.hdr.src, f->wifi.ta, ETH_ALEN);
		return true;
	}
	return said == FMP_VERDICT_BLOCK && !f->relayed;
}

/**
 * fmp_80211_judge() - ask the rules about a frame
 * @ts: the rules
 * @port: the device that it is for
 * @f: the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: true if it is to be dropped.
 */
static bool fmp_80211_judge(struct fmp_tables *ts, struct fmp_rx_port *port,
			    struct fmp_80211_frame *f)
{
	bool blocked = fmp_80211_pick(ts, f);
	enum fmp_decision decision;

	if (!f->readable || f->relayed)
		fmp_80211_leave(port);
	else if (READ_ONCE(port->cover) == FMP_COVER_NONE)
		cmpxchg(&port->cover, FMP_COVER_NONE, FMP_COVER_ALL);

	/* Only what the MAC table ends is counted here, and is not seen there. */
	if (READ_ONCE(port->cover) == FMP_COVER_PART &&
	    (!blocked || !fmp_filter_mac_final(ts) || READ_ONCE(port->flags) & FMP_DEV_F_OBSERVE))
		return false;

	f->rx.stage = FMP_STAGE_MAC_READ;
	decision = fmp_filter_frame(ts, &f->rx, f->avail);
	trace_fmp_verdict(port->dev, &f->rx, f->avail, decision);
	return fmp_attach_end(port, &f->rx, decision);
}

/**
 * fmp_mac80211_blocks() - is a frame not to come to mac80211
 * @hw: the radio
 * @sta: the station it came from, or NULL
 * @skb: as the driver handed it on; not changed
 *
 * Context: that of ieee80211_rx_list(): RCU read section, bottom halves off.
 * Return: true if it is to be dropped.
 */
bool fmp_mac80211_blocks(struct ieee80211_hw *hw, const struct ieee80211_sta *sta,
			 struct sk_buff *skb)
{
	struct fmp_80211_frame f;
	struct fmp_rx_port *port;
	struct fmp_tables *ts;

	port = fmp_80211_begin(&f, hw, sta, skb);
	if (!port)
		return false;
	ts = rcu_dereference(port->tables);
	return ts && fmp_80211_judge(ts, port, &f);
}

/**
 * fmp_80211_known() - can a device be hooked before mac80211
 * @dev: the device
 * @extack: says why not
 *
 * Context: process, RTNL held.
 * Return: true if it can; false without a word if it is not a wireless one.
 */
static bool fmp_80211_known(const struct net_device *dev, struct netlink_ext_ack *extack)
{
	const struct wireless_dev *wdev = dev->ieee80211_ptr;
	char open[sizeof(FMP_80211_OPEN) + 1];

	if (!wdev || !wdev->wiphy)
		return false;
	/* A wiphy does not tell whose it is. One byte more: a longer name is another. */
	snprintf(open, sizeof(open), "%ps", dev->netdev_ops->ndo_open);
	if (strcmp(open, FMP_80211_OPEN)) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: the device is not one of mac80211");
		return false;
	}
	/* Receiver addresses are those of links, not of the device. */
	if (wdev->wiphy->flags & WIPHY_FLAG_SUPPORTS_MLO) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: the radio is for several links at once");
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
		NL_SET_ERR_MSG(extack,
			       "hooked at ingress: frames of this kind of interface are not known");
		return false;
	}
}

/**
 * fmp_mac80211_attach() - move the hook of a device before mac80211
 * @port: attached at netdev ingress; stays so if the hook can't be moved
 * @extack: says why not
 *
 * Context: process, RTNL held.
 */
void fmp_mac80211_attach(struct fmp_rx_port *port, struct netlink_ext_ack *extack)
{
	ASSERT_RTNL();
	if (!fmp_mac80211 || !fmp_80211_known(port->dev, extack) || fmp_rxhook_get(extack))
		return;
	port->wiphy = port->dev->ieee80211_ptr->wiphy;
	port->hook = FMP_HOOK_MAC80211;
	list_add_tail_rcu(&port->radio, &fmp_80211_ports);
}

/**
 * fmp_mac80211_detach() - undo fmp_mac80211_attach()
 * @port: the device, hooked before mac80211; seen until an RCU grace period
 *	has passed
 *
 * Context: process, RTNL held.
 */
void fmp_mac80211_detach(struct fmp_rx_port *port)
{
	ASSERT_RTNL();
	list_del_rcu(&port->radio);
	fmp_rxhook_put();
}

/**
 * fmp_mac80211_init() - get ready to hook devices before mac80211
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int fmp_mac80211_init(void)
{
	return fmp_mac80211 ? fmp_rxhook_init() : 0;
}

/**
 * fmp_mac80211_exit() - undo fmp_mac80211_init()
 *
 * Context: process; no device is attached.
 */
void fmp_mac80211_exit(void)
{
	if (fmp_mac80211)
		fmp_rxhook_exit();
}
