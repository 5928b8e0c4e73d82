/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_DISSECT_H
#define _FMP_DISSECT_H

#include "../core/compat.h"

#include <linux/in.h>
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

/* EtherType and the two bytes behind it, as they stand in the frame. */
#define FMP_START_OFF  (2 * ETH_ALEN)
#define FMP_START4     cpu_to_be32(ETH_P_IP << 16 | 0x4500)
#define FMP_START4_HAS cpu_to_be32(0xffffff00)
#define FMP_START6     cpu_to_be32(ETH_P_IPV6 << 16 | 0x6000)
#define FMP_START6_HAS cpu_to_be32(0xfffff000)

/**
 * fmp_dissect_start() - begin the record of an Ethernet frame
 * @hdr: filled, but for its last four bytes
 * @buf: the frame, its MAC header there
 *
 * Context: any.
 */
static __always_inline void fmp_dissect_start(struct fmp_hdr *hdr, const u8 *buf)
{
	/* Destination, source and EtherType stand in the record as in the frame. */
	memcpy(hdr, buf, ETH_HLEN);
	hdr->sport = 0;
	hdr->mac_len = ETH_HLEN;
	hdr->llc = false;
	hdr->pkt_type = 0;
	hdr->l4_proto = 0;
	hdr->dport = 0;
}

/**
 * fmp_dissect_no_l3() - say that the network header is not known
 * @hdr: the record
 *
 * Context: any.
 */
static __always_inline void fmp_dissect_no_l3(struct fmp_hdr *hdr)
{
	hdr->l3_off = 0;
	hdr->l4_off = 0;
	hdr->l3 = FMP_L3_NONE;
	hdr->verdict = 0;
}

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
	fmp_dissect_start(hdr, buf);
	fmp_dissect_no_l3(hdr);
	return 0;
}

/**
 * fmp_dissect_plain4() - read an IPv4 header right behind an Ethernet header
 * @hdr: the record that fmp_dissect_start() began
 * @buf: the frame's first bytes, at least %FMP_PLAIN4
 *
 * Context: any.
 * Return: false if there is none, or one with options, or that of a later
 * fragment; nothing is filled then.
 */
static __always_inline bool fmp_dissect_plain4(struct fmp_hdr *hdr, const u8 *buf)
{
	const u8 *ip = buf + ETH_HLEN;
	__be32 start = get_unaligned((const __be32 *)(buf + FMP_START_OFF));

	if ((start & FMP_START4_HAS) != FMP_START4 ||
	    unlikely(get_unaligned((const __be16 *)(ip + offsetof(struct iphdr, frag_off))) &
		     htons(FMP_IPV4_OFFSET)))
		return false;

	hdr->l4_proto = ip[offsetof(struct iphdr, protocol)];
	hdr->saddr4 = get_unaligned((const __be32 *)(ip + offsetof(struct iphdr, saddr)));
	hdr->l3_off = ETH_HLEN;
	hdr->l4_off = FMP_PLAIN4;
	hdr->l3 = FMP_L3_IPV4;
	hdr->verdict = 0;
	return true;
}

/**
 * fmp_dissect_plain6() - read an IPv6 header right behind an Ethernet header
 * @hdr: the record that fmp_dissect_start() began
 * @buf: the frame's first bytes, at least %FMP_PLAIN6
 *
 * Context: any.
 * Return: false if there is none, or if neither UDP nor TCP is right behind it;
 * nothing is filled then.
 */
static __always_inline bool fmp_dissect_plain6(struct fmp_hdr *hdr, const u8 *buf)
{
	const u8 *ip = buf + ETH_HLEN;
	u8 next = ip[offsetof(struct ipv6hdr, nexthdr)];
	__be32 start = get_unaligned((const __be32 *)(buf + FMP_START_OFF));

	if ((start & FMP_START6_HAS) != FMP_START6 ||
	    unlikely(next != IPPROTO_UDP && next != IPPROTO_TCP))
		return false;

	hdr->l4_proto = next;
	memcpy(&hdr->saddr6, ip + offsetof(struct ipv6hdr, saddr), sizeof(hdr->saddr6));
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
	if (hdr->mac_proto == htons(ETH_P_IP) && avail >= FMP_PLAIN4 &&
	    fmp_dissect_plain4(hdr, buf))
		return 0;
	return fmp_dissect_l3_any(hdr, buf, avail, frame_len);
}

#endif /* _FMP_DISSECT_H */
