// SPDX-License-Identifier: GPL-2.0
/*
 * The header record handed on: the stack need not parse what was parsed
 */
#include "dissect.h"

#include <linux/export.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

/**
 * fmp_pkt_type() - to whom a frame is addressed
 * @hdr: its record
 * @dev: where it came in
 *
 * Context: any.
 * Return: a PACKET_* value.
 */
static u8 fmp_pkt_type(const struct fmp_hdr *hdr, const struct net_device *dev)
{
	if (is_broadcast_ether_addr(hdr->dst))
		return PACKET_BROADCAST;
	if (is_multicast_ether_addr(hdr->dst))
		return PACKET_MULTICAST;
	return ether_addr_equal_unaligned(hdr->dst, dev->dev_addr) ? PACKET_HOST : PACKET_OTHERHOST;
}

/**
 * fmp_rx_deliver() - make an skb of a received frame ready for the stack
 * @hdr: the frame's header record; completed
 * @skb: the whole frame, from its MAC header on
 * @dev: where it came in
 *
 * Stands in for eth_type_trans(): sets device, packet type, protocol and the
 * offsets of the MAC, network and transport headers from the record, and pulls
 * the MAC header.
 *
 * Context: any.
 */
void fmp_rx_deliver(struct fmp_hdr *hdr, struct sk_buff *skb, struct net_device *dev)
{
	/* 802.3 with a length: LLC behind it is not ours to tell apart. */
	if (!eth_proto_is_802_3(hdr->mac_proto)) {
		skb->protocol = eth_type_trans(skb, dev);
		return;
	}
	if (hdr->l3_off)
		fmp_dissect_l4(hdr, skb->data, skb_headlen(skb));

	skb->dev = dev;
	skb->protocol = hdr->mac_proto;
	skb->pkt_type = fmp_pkt_type(hdr, dev);
	skb_reset_mac_header(skb);
	__skb_pull(skb, ETH_HLEN);
	skb_reset_network_header(skb);
	/* Behind a VLAN tag the stack moves the header and starts anew. */
	if (hdr->l3_off == ETH_HLEN && hdr->l4_off)
		skb_set_transport_header(skb, hdr->l4_off - ETH_HLEN);
}
EXPORT_SYMBOL_GPL(fmp_rx_deliver);
