// SPDX-License-Identifier: GPL-2.0
/*
 * The dissector: reads network and transport headers into a header record
 *
 * It depends on no device, skb or rule. All functions work on the first @avail
 * bytes of a frame and never read beyond them.
 */
#include "dissect.h"

#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/unaligned.h>

/* A customer and a service tag. A frame with more has no known network header. */
#define FMP_VLAN_TAGS_MAX 2
static_assert(ETH_HLEN + FMP_VLAN_TAGS_MAX * VLAN_HLEN + sizeof(struct ipv6hdr) <=
	      FMP_RX_HEADER_MAX);

/* Maximum number of IPv6 extension headers before the transport header. */
#define FMP_EXT_HDRS_MAX 8

/* LLC and SNAP before an EtherType: RFC 1042, and the bridge tunnel of IEEE 802.1H. */
#define FMP_SNAP_LEN 8
static const u8 fmp_snap_rfc1042[] = { 0xaa, 0xaa, 0x03, 0x00, 0x00, 0x00 };
static const u8 fmp_snap_bridge[] = { 0xaa, 0xaa, 0x03, 0x00, 0x00, 0xf8 };

/* ARP for IPv4 over Ethernet: fixed part and two pairs of addresses. */
#define FMP_ARP_LEN (sizeof(struct arphdr) + 2 * (ETH_ALEN + sizeof(__be32)))

/**
 * fmp_dissect_arp() - read the sender of an ARP message
 * @hdr: filled
 * @p: the ARP message, complete
 *
 * Context: any.
 */
static void fmp_dissect_arp(struct fmp_hdr *hdr, const u8 *p)
{
	const struct arphdr *arp = (const struct arphdr *)p;

	if (get_unaligned(&arp->ar_hrd) != htons(ARPHRD_ETHER) ||
	    get_unaligned(&arp->ar_pro) != htons(ETH_P_IP) || arp->ar_hln != ETH_ALEN ||
	    arp->ar_pln != sizeof(__be32))
		return;

	hdr->l3 = FMP_L3_ARP;
	hdr->saddr4 = get_unaligned((const __be32 *)(p + sizeof(*arp) + ETH_ALEN));
}

/**
 * fmp_dissect_ipv4() - read the fixed part of an IPv4 header
 * @hdr: filled
 * @p: the header, its first 20 bytes
 *
 * A header that no stack accepts (wrong version or length) stays unknown: the
 * stack drops the packet without regard to its source.
 *
 * Context: any.
 */
static void fmp_dissect_ipv4(struct fmp_hdr *hdr, const u8 *p)
{
	const struct iphdr *ip = (const struct iphdr *)p;
	u8 ihl = p[0] & 0x0f;

	if (p[0] >> 4 != 4 || ihl < 5)
		return;

	hdr->l3 = FMP_L3_IPV4;
	hdr->saddr4 = get_unaligned(&ip->saddr);
	hdr->l4_proto = ip->protocol;
	if (!(get_unaligned(&ip->frag_off) & htons(FMP_IPV4_OFFSET)))
		hdr->l4_off = hdr->l3_off + ihl * 4;
}

/**
 * fmp_dissect_ipv6() - read the fixed part of an IPv6 header
 * @hdr: filled; @hdr->l4_off is the offset of the next header of any type
 * @p: the header, its first 40 bytes
 *
 * Context: any.
 */
static void fmp_dissect_ipv6(struct fmp_hdr *hdr, const u8 *p)
{
	const struct ipv6hdr *ip = (const struct ipv6hdr *)p;

	if (p[0] >> 4 != 6)
		return;

	hdr->l3 = FMP_L3_IPV6;
	memcpy(&hdr->saddr6, &ip->saddr, sizeof(hdr->saddr6));
	hdr->l4_proto = ip->nexthdr;
	hdr->l4_off = hdr->l3_off + sizeof(*ip);
}

/**
 * fmp_l3_len() - get the bytes of a network header that its source address needs
 * @proto: EtherType
 *
 * Context: any.
 * Return: number of bytes, 0 if the EtherType is not known.
 */
static u32 fmp_l3_len(__be16 proto)
{
	switch (proto) {
	case htons(ETH_P_IP):
		return sizeof(struct iphdr);
	case htons(ETH_P_IPV6):
		return sizeof(struct ipv6hdr);
	case htons(ETH_P_ARP):
		return FMP_ARP_LEN;
	}
	return 0;
}

/**
 * fmp_dissect_llc() - read LLC and SNAP
 * @p: the 8 bytes of both
 *
 * Context: any.
 * Return: the EtherType, 0 if there is none.
 */
static __be16 fmp_dissect_llc(const u8 *p)
{
	if (memcmp(p, fmp_snap_rfc1042, sizeof(fmp_snap_rfc1042)) &&
	    memcmp(p, fmp_snap_bridge, sizeof(fmp_snap_bridge)))
		return 0;
	return get_unaligned((const __be16 *)(p + sizeof(fmp_snap_rfc1042)));
}

/**
 * fmp_dissect_l3_any() - read LLC, VLAN tags and the network header
 * @hdr: the header record, started by fmp_dissect_mac() or fmp_dissect_80211()
 * @buf: the frame's first bytes
 * @avail: number of bytes in @buf
 * @frame_len: length of the frame
 *
 * The general case of fmp_dissect_l3().
 *
 * Context: any.
 * Return: 0, or the number of bytes, at most @frame_len, that the next try needs.
 */
u32 fmp_dissect_l3_any(struct fmp_hdr *hdr, const u8 *buf, u32 avail, u32 frame_len)
{
	__be16 proto = hdr->mac_proto;
	u32 off = hdr->mac_len;
	u32 need;
	int tag;

	if (hdr->llc) {
		need = off + FMP_SNAP_LEN;
		if (need > frame_len)
			return 0;
		if (need > avail)
			return need;
		proto = fmp_dissect_llc(buf + off);
		off = need;
	}

	for (tag = 0; tag < FMP_VLAN_TAGS_MAX && eth_type_vlan(proto); tag++) {
		need = off + VLAN_HLEN;
		if (need > frame_len)
			return 0;
		if (need > avail)
			return need;
		proto = get_unaligned((const __be16 *)(buf + off + 2));
		off = need;
	}

	need = off + fmp_l3_len(proto);
	if (need == off || need > frame_len)
		return 0;
	if (need > avail)
		return need;

	hdr->l3_off = off;
	if (proto == htons(ETH_P_IP))
		fmp_dissect_ipv4(hdr, buf + off);
	else if (proto == htons(ETH_P_IPV6))
		fmp_dissect_ipv6(hdr, buf + off);
	else
		fmp_dissect_arp(hdr, buf + off);
	return 0;
}

/**
 * fmp_dissect_ext() - skip IPv6 extension headers
 * @hdr: the header record; @hdr->l4_proto is updated
 * @buf: the frame's first bytes
 * @avail: number of bytes in @buf
 *
 * ESP counts as the transport header: the bytes after it are encrypted.
 *
 * Context: any.
 * Return: offset of the transport header, 0 if it was not reached.
 */
static u32 fmp_dissect_ext(struct fmp_hdr *hdr, const u8 *buf, u32 avail)
{
	u32 off = hdr->l4_off;
	int i;

	for (i = 0; i <= FMP_EXT_HDRS_MAX; i++) {
		const u8 *p = buf + off;

		switch (hdr->l4_proto) {
		case IPPROTO_HOPOPTS:
		case IPPROTO_ROUTING:
		case IPPROTO_DSTOPTS:
		case IPPROTO_FRAGMENT:
		case IPPROTO_AH:
			break;
		case IPPROTO_NONE:
			return 0;
		default:
			return off;
		}
		if (off + 8 > avail)
			return 0;
		if (hdr->l4_proto == IPPROTO_FRAGMENT) {
			if (get_unaligned((const __be16 *)(p + 2)) & htons(0xfff8))
				return 0;
			off += 8;
		} else if (hdr->l4_proto == IPPROTO_AH) {
			/* RFC 4302 2.2: the length is in units of 4 bytes, minus 2. */
			off += (p[1] + 2) * 4;
		} else {
			off += (p[1] + 1) * 8;
		}
		hdr->l4_proto = p[0];
	}
	return 0;
}

/**
 * fmp_dissect_l4() - find the transport header and read its ports
 * @hdr: a header record whose network header is known
 * @buf: the frame's first bytes
 * @avail: number of bytes in @buf
 *
 * Never wants more bytes: fields beyond @avail stay unknown.
 *
 * Context: any.
 */
void fmp_dissect_l4(struct fmp_hdr *hdr, const u8 *buf, u32 avail)
{
	u32 off = hdr->l4_off;

	if (hdr->l3 == FMP_L3_IPV6)
		off = fmp_dissect_ext(hdr, buf, avail);
	hdr->l4_off = off <= avail && off <= U8_MAX ? off : 0;
	if (!hdr->l4_off)
		return;

	switch (hdr->l4_proto) {
	case IPPROTO_TCP:
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
	case IPPROTO_SCTP:
	case IPPROTO_DCCP:
		if (off + 4 > avail)
			return;
		hdr->sport = get_unaligned((const __be16 *)(buf + off));
		hdr->dport = get_unaligned((const __be16 *)(buf + off + 2));
	}
}
