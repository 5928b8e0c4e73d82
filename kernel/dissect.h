/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_DISSECT_H
#define _FMP_DISSECT_H

#include "compat.h"

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <net/fmp_rx.h>

/* struct fmp_80211.flags: the transmitter address is known. */
#define FMP_80211_TA	    0x01
/* The source and the destination in the header record are known. */
#define FMP_80211_SA	    0x02
/* A data frame. */
#define FMP_80211_DATA	    0x04
/* Encrypted: what stands behind the MAC header can't be read. */
#define FMP_80211_PROTECTED 0x08
/* Several MSDUs in one frame: sources stand in the subframes, not in the header. */
#define FMP_80211_AMSDU	    0x10
/* A data frame without data. */
#define FMP_80211_NO_BODY   0x20

/**
 * struct fmp_80211 - what an 802.11 header tells beside the header record
 * @ta: transmitter address; valid with %FMP_80211_TA
 * @flags: FMP_80211_*
 */
struct fmp_80211 {
	u8 ta[ETH_ALEN];
	u8 flags;
};

u32 fmp_dissect_80211(struct fmp_hdr *hdr, struct fmp_80211 *wifi, const u8 *buf, u32 avail,
		      u32 frame_len);
u32 fmp_dissect_l3_any(struct fmp_hdr *hdr, const u8 *buf, u32 avail, u32 frame_len);
void fmp_dissect_l4(struct fmp_hdr *hdr, const u8 *buf, u32 avail);

/**
 * fmp_dissect_l3_want() - what fmp_dissect_l3() will want, told by the MAC header alone
 * @hdr: the MAC header's record
 * @avail: bytes that are there
 * @frame_len: how long the frame is
 *
 * Context: any.
 * Return: bytes that must be there, at most @frame_len; 0 if it is to be asked.
 */
static inline u32 fmp_dissect_l3_want(const struct fmp_hdr *hdr, u32 avail, u32 frame_len)
{
	u32 want = hdr->mac_len;

	if (hdr->mac_proto == htons(ETH_P_IP))
		want += sizeof(struct iphdr);
	else if (hdr->mac_proto == htons(ETH_P_IPV6))
		want += sizeof(struct ipv6hdr);
	/* With LLC there is no EtherType there. */
	return want > avail && want <= frame_len ? want : 0;
}

/* Fragment offset in iphdr.frag_off. */
#define FMP_IPV4_OFFSET 0x1fff

static_assert(offsetof(struct fmp_hdr, src) == ETH_ALEN);
static_assert(offsetof(struct fmp_hdr, mac_proto) == 2 * ETH_ALEN);

/*
 * What a plain frame needs stands here, to be one straight run in the packet
 * path: Ethernet, and IP right behind it, to the end of its fixed part.
 */
#define FMP_PLAIN4 (ETH_HLEN + sizeof(struct iphdr))
#define FMP_PLAIN6 (ETH_HLEN + sizeof(struct ipv6hdr))

/**
 * fmp_dissect_mac() - read the MAC header of an Ethernet frame
 * @hdr: filled; what is not known yet is marked so
 * @buf: the frame's first bytes
 * @avail: how many there are
 *
 * Context: any.
 * Return: 0, or the number of bytes that must be there for the next try.
 */
static __always_inline u32 fmp_dissect_mac(struct fmp_hdr *hdr, const u8 *buf, u32 avail)
{
	if (unlikely(avail < ETH_HLEN))
		return ETH_HLEN;

	/* Destination, source and EtherType stand in the record as in the frame. */
	memcpy(hdr, buf, ETH_HLEN);
	hdr->sport = 0;
	hdr->mac_len = ETH_HLEN;
	hdr->llc = false;
	hdr->pkt_type = 0;
	hdr->l4_proto = 0;
	hdr->dport = 0;
	hdr->l3_off = 0;
	hdr->l4_off = 0;
	hdr->l3 = FMP_L3_NONE;
	hdr->verdict = 0;
	return 0;
}

/**
 * fmp_dissect_plain4() - read an IPv4 header right behind an Ethernet header
 * @hdr: the record that fmp_dissect_mac() began, its EtherType that of IPv4
 * @buf: the frame's first bytes
 * @avail: how many there are
 *
 * Context: any.
 * Return: false if it is not all there, or has options, or is that of a later
 * fragment; nothing is filled then.
 */
static __always_inline bool fmp_dissect_plain4(struct fmp_hdr *hdr, const u8 *buf, u32 avail)
{
	const struct iphdr *ip = (const struct iphdr *)(buf + ETH_HLEN);

	if (unlikely(avail < FMP_PLAIN4 || buf[ETH_HLEN] != 0x45 ||
		     get_unaligned(&ip->frag_off) & htons(FMP_IPV4_OFFSET)))
		return false;

	hdr->l4_proto = ip->protocol;
	hdr->saddr4 = get_unaligned(&ip->saddr);
	hdr->l3_off = ETH_HLEN;
	hdr->l4_off = FMP_PLAIN4;
	hdr->l3 = FMP_L3_IPV4;
	hdr->verdict = 0;
	return true;
}

/**
 * fmp_dissect_plain6() - read an IPv6 header right behind an Ethernet header
 * @hdr: the record that fmp_dissect_mac() began, its EtherType that of IPv6;
 *	@hdr->l4_off becomes that of the next header, whatever it is
 * @buf: the frame's first bytes
 * @avail: how many there are
 *
 * Context: any.
 * Return: false if it is not all there, or is none; nothing is filled then.
 */
static __always_inline bool fmp_dissect_plain6(struct fmp_hdr *hdr, const u8 *buf, u32 avail)
{
	const struct ipv6hdr *ip = (const struct ipv6hdr *)(buf + ETH_HLEN);

	if (unlikely(avail < FMP_PLAIN6 || (buf[ETH_HLEN] & 0xf0) != 0x60))
		return false;

	hdr->l4_proto = ip->nexthdr;
	memcpy(&hdr->saddr6, &ip->saddr, sizeof(hdr->saddr6));
	hdr->l3_off = ETH_HLEN;
	hdr->l4_off = FMP_PLAIN6;
	hdr->l3 = FMP_L3_IPV6;
	hdr->verdict = 0;
	return true;
}

/**
 * fmp_dissect_l3() - read the network header
 * @hdr: the record that fmp_dissect_mac() or fmp_dissect_80211() began
 * @buf: the frame's first bytes
 * @avail: how many there are
 * @frame_len: how long the frame is
 *
 * Starts behind the MAC header each time, so it may simply be called again with
 * more bytes; LLC and VLAN tags are stepped over. A frame that ends before its
 * header does has no network header.
 *
 * Context: any.
 * Return: 0, or the number of bytes, at most @frame_len, that must be there for
 * the next try.
 */
static __always_inline u32 fmp_dissect_l3(struct fmp_hdr *hdr, const u8 *buf, u32 avail,
					  u32 frame_len)
{
	/* Only an Ethernet header has an EtherType of its own. */
	if (hdr->mac_proto == htons(ETH_P_IP) && fmp_dissect_plain4(hdr, buf, avail))
		return 0;
	return fmp_dissect_l3_any(hdr, buf, avail, frame_len);
}

#endif /* _FMP_DISSECT_H */
