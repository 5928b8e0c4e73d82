/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_DISSECT_H
#define _FMP_DISSECT_H

#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/unaligned.h>
#include <net/fmp_rx.h>

/* struct fmp_80211.flags: the transmitter address is known. */
#define FMP_80211_TA	    0x01
/* The source and the destination in the header record are known. */
#define FMP_80211_SA	    0x02
/* A data frame. */
#define FMP_80211_DATA	    0x04
/* Encrypted: the bytes after the MAC header can't be read. */
#define FMP_80211_PROTECTED 0x08
/* Several MSDUs in one frame: the subframes have the sources, not the header. */
#define FMP_80211_AMSDU	    0x10
/* A data frame without a body. */
#define FMP_80211_NO_BODY   0x20
/* A fragment of a data frame. Even the first one may end within its IP header. */
#define FMP_80211_FRAGMENT  0x40
/* A QoS data frame to one receiver: numbered for its transmitter's block acknowledgment. */
#define FMP_80211_NUMBERED  0x80

/* Bytes of an 802.11 header before its first address, which is the receiver's. */
#define FMP_80211_RA_OFF 4

/* In the second byte of its frame control field. */
#define FMP_80211_FC1_TO_DS 0x01

/**
 * struct fmp_80211 - fields of an 802.11 header that the header record lacks
 * @ta: transmitter address; valid with %FMP_80211_TA
 * @flags: FMP_80211_*
 * @number: sequence number; valid with %FMP_80211_NUMBERED
 */
struct fmp_80211 {
	u8 ta[ETH_ALEN];
	u8 flags;
	u16 number;
};

/**
 * fmp_80211_is_group() - check whether an 802.11 frame is for several receivers
 * @buf: its MAC header, of any alignment
 *
 * Context: any.
 * Return: true if its receiver address is one of a group.
 */
static inline bool fmp_80211_is_group(const u8 *buf)
{
	return buf[FMP_80211_RA_OFF] & 1;
}

/**
 * fmp_80211_is_group_to_ds() - check whether an 802.11 data frame to an access point is for
 * several receivers
 * @buf: its MAC header, of any alignment
 *
 * No station sends one, but mac80211 takes one to all, whose destination is any address.
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool fmp_80211_is_group_to_ds(const u8 *buf)
{
	return buf[1] & FMP_80211_FC1_TO_DS && fmp_80211_is_group(buf);
}

u32 fmp_dissect_80211(struct fmp_hdr *hdr, struct fmp_80211 *wifi, const u8 *buf, u32 avail,
		      u32 frame_len);
u32 fmp_dissect_l3_any(struct fmp_hdr *hdr, const u8 *buf, u32 avail, u32 frame_len);
void fmp_dissect_l4(struct fmp_hdr *hdr, const u8 *buf, u32 avail);

/**
 * fmp_dissect_l3_want() - predict what fmp_dissect_l3() wants by the MAC header alone
 * @hdr: the header record, its MAC header read
 * @avail: bytes received
 * @frame_len: length of the frame
 *
 * Context: any.
 * Return: bytes that must be there, at most @frame_len; 0 to call fmp_dissect_l3().
 */
static inline u32 fmp_dissect_l3_want(const struct fmp_hdr *hdr, u32 avail, u32 frame_len)
{
	u32 want = hdr->mac_len;

	if (hdr->mac_proto == htons(ETH_P_IP))
		want += sizeof(struct iphdr);
	else if (hdr->mac_proto == htons(ETH_P_IPV6))
		want += sizeof(struct ipv6hdr);
	/* With LLC mac_proto is not an EtherType: neither case above applies. */
	return want > avail && want <= frame_len ? want : 0;
}

/* Fragment offset in iphdr.frag_off. */
#define FMP_IPV4_OFFSET 0x1fff

static_assert(offsetof(struct fmp_hdr, src) == ETH_ALEN);
static_assert(offsetof(struct fmp_hdr, mac_proto) == 2 * ETH_ALEN);

/*
 * Inline for the packet path: a plain frame is Ethernet with IP directly after
 * it. These are its bytes up to the end of the IP header's fixed part.
 */
#define FMP_PLAIN4 (ETH_HLEN + sizeof(struct iphdr))
#define FMP_PLAIN6 (ETH_HLEN + sizeof(struct ipv6hdr))

/* The EtherType and the two bytes after it, in the order of the frame. */
#define FMP_START_OFF	(2 * ETH_ALEN)
#define FMP_START4	cpu_to_be32(ETH_P_IP << 16 | 0x4500)
#define FMP_START4_MASK cpu_to_be32(0xffffff00)
#define FMP_START6	cpu_to_be32(ETH_P_IPV6 << 16 | 0x6000)
#define FMP_START6_MASK cpu_to_be32(0xfffff000)

/**
 * fmp_dissect_copy_mac() - copy the MAC header of an Ethernet frame to its header record
 * @hdr: its addresses and EtherType are filled
 * @buf: the frame, its MAC header received
 *
 * The record has destination, source and EtherType in the order of the frame. Where
 * unaligned words cost more, memcpy() of so few bytes is a call with tests of both addresses;
 * most frames begin at an even one there.
 *
 * Context: any.
 */
static __always_inline void fmp_dissect_copy_mac(struct fmp_hdr *hdr, const u8 *buf)
{
	if (IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||
	    unlikely(!IS_ALIGNED((unsigned long)buf, sizeof(u16)))) {
		memcpy(hdr, buf, ETH_HLEN);
		return;
	}
	ether_addr_copy(hdr->dst, buf);
	ether_addr_copy(hdr->src, buf + ETH_ALEN);
	hdr->mac_proto = *(const __be16 *)(buf + 2 * ETH_ALEN);
}

/**
 * fmp_dissect_start() - start the header record of an Ethernet frame
 * @hdr: filled, except for its last four bytes
 * @buf: the frame, its MAC header received
 *
 * Context: any.
 */
static __always_inline void fmp_dissect_start(struct fmp_hdr *hdr, const u8 *buf)
{
	fmp_dissect_copy_mac(hdr, buf);
	hdr->sport = 0;
	hdr->mac_len = ETH_HLEN;
	hdr->llc = false;
	hdr->pkt_type = 0;
	hdr->l4_proto = 0;
	hdr->dport = 0;
}

/**
 * fmp_dissect_no_l3() - set the network header to unknown
 * @hdr: the header record
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
 * @hdr: filled; fields that are not known yet are 0
 * @buf: the frame's first bytes
 * @avail: number of bytes in @buf
 *
 * Context: any.
 * Return: 0, or the number of bytes that the next try needs.
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
 * fmp_dissect_plain4() - read an IPv4 header directly after an Ethernet header
 * @hdr: the header record, started by fmp_dissect_start()
 * @buf: the frame's first bytes, at least %FMP_PLAIN4
 *
 * Context: any.
 * Return: false, with @hdr unchanged, if there is none, if it has options, or if
 * it is of a later fragment.
 */
static __always_inline bool fmp_dissect_plain4(struct fmp_hdr *hdr, const u8 *buf)
{
	const u8 *ip = buf + ETH_HLEN;
	__be32 start = get_unaligned((const __be32 *)(buf + FMP_START_OFF));

	if ((start & FMP_START4_MASK) != FMP_START4 ||
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
 * fmp_dissect_plain6() - read an IPv6 header directly after an Ethernet header
 * @hdr: the header record, started by fmp_dissect_start()
 * @buf: the frame's first bytes, at least %FMP_PLAIN6
 *
 * Context: any.
 * Return: false, with @hdr unchanged, if there is none, or if neither UDP nor TCP
 * is directly after it.
 */
static __always_inline bool fmp_dissect_plain6(struct fmp_hdr *hdr, const u8 *buf)
{
	const u8 *ip = buf + ETH_HLEN;
	u8 next = ip[offsetof(struct ipv6hdr, nexthdr)];
	__be32 start = get_unaligned((const __be32 *)(buf + FMP_START_OFF));

	if ((start & FMP_START6_MASK) != FMP_START6 ||
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
 * @hdr: the header record, started by fmp_dissect_mac() or fmp_dissect_80211()
 * @buf: the frame's first bytes
 * @avail: number of bytes in @buf
 * @frame_len: length of the frame
 *
 * Each call starts after the MAC header, so the caller may repeat it with more
 * bytes. LLC and VLAN tags are skipped. A frame that ends within its network
 * header has none.
 *
 * Context: any.
 * Return: 0, or the number of bytes, at most @frame_len, that the next try needs.
 */
static __always_inline u32 fmp_dissect_l3(struct fmp_hdr *hdr, const u8 *buf, u32 avail,
					  u32 frame_len)
{
	/* mac_proto is 0 for 802.11: this is Ethernet. */
	if (hdr->mac_proto == htons(ETH_P_IP) && avail >= FMP_PLAIN4 &&
	    fmp_dissect_plain4(hdr, buf))
		return 0;
	return fmp_dissect_l3_any(hdr, buf, avail, frame_len);
}

#endif /* _FMP_DISSECT_H */
