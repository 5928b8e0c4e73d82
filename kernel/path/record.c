// SPDX-License-Identifier: GPL-2.0
/*
 * The header record handed on: later layers need not parse and look up what was
 * parsed and looked up
 *
 * struct fmp_record of <linux/fmp.h> says what it is and who may read it. What
 * is written once is true for one state of the rules and for the addresses that
 * the frame had; both stand in the record, and a reader compares them with what
 * it has. Metadata that somebody else wrote, or that was left in front of a new
 * MAC header, fails there too.
 */
#include "record.h"
#include "../core/compat.h"
#include "dissect.h"
#include "port.h"

#include <linux/export.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/random.h>
#include <linux/skbuff.h>
#include <net/dsa.h>

static_assert(sizeof(struct fmp_record) == 16);
static_assert(offsetof(struct fmp_hdr, l4_off) == offsetof(struct fmp_hdr, l3_off) + 1);
static_assert(offsetof(struct fmp_hdr, l3) == offsetof(struct fmp_hdr, l3_off) + 2);
static_assert(offsetof(struct fmp_hdr, verdict) == offsetof(struct fmp_hdr, l3_off) + 3);

/* What stands where in them, read as one word of little endian. */
#define FMP_WHAT_L3		     0x00ff0000U
#define FMP_WHAT_VERDICT	     0xff000000U
#define FMP_WHAT(l3_off, l4_off, l3) ((l3_off) | (l4_off) << 8 | (l3) << 16 | FMP_RECORD_PASS << 24)

/* Of plain frames: no more than the MAC header was read, or IP right behind it. */
#define FMP_WHAT_MAC  FMP_WHAT(0, 0, FMP_L3_NONE)
#define FMP_WHAT_IPV4 FMP_WHAT(ETH_HLEN, FMP_PLAIN4, FMP_L3_IPV4)
#define FMP_WHAT_IPV6 FMP_WHAT(ETH_HLEN, FMP_PLAIN6, FMP_L3_IPV6)

/* Words that the check is made of: offsets and verdict, MAC, IP. */
#define FMP_RECORD_WORDS 7

/* Secret of the check: a term, and a factor for each word. */
static struct {
	u64 term;
	u64 factor[FMP_RECORD_WORDS];
} fmp_record_key __ro_after_init;

/* fmp_record_term() of what records say most often. */
static struct {
	u64 mac;
	u64 ipv4;
	u64 ipv6;
} fmp_record_terms __ro_after_init;

/**
 * fmp_record_term() - what the check of a record starts from
 * @what: the last four bytes of the record, as a word of little endian
 *
 * Context: any.
 * Return: the term and the first word of the sum.
 */
static u64 fmp_record_term(u32 what)
{
	return fmp_record_key.term + what * fmp_record_key.factor[0];
}

/**
 * fmp_record_init() - choose the secret
 *
 * Context: process, once.
 */
void __init fmp_record_init(void)
{
	get_random_bytes(&fmp_record_key, sizeof(fmp_record_key));
	fmp_record_terms.mac = fmp_record_term(FMP_WHAT_MAC);
	fmp_record_terms.ipv4 = fmp_record_term(FMP_WHAT_IPV4);
	fmp_record_terms.ipv6 = fmp_record_term(FMP_WHAT_IPV6);
}

/**
 * fmp_record_check() - what fmp_record.check must be
 * @term: fmp_record_term() of @what
 * @what: the last four bytes of the record, as a word of little endian; a
 *	constant where speed counts
 * @src: source MAC address, anywhere
 * @saddr: source address of the network header, anywhere, if @what has one
 *
 * Multilinear hashing: the upper half of a sum of words by secret factors. Over
 * all keys, any value is as probable as any other, and stays so if the value of
 * one other input is known. The generation is no part of it: a reader compares
 * that one with its own.
 *
 * Context: any.
 * Return: the value.
 */
static __always_inline u32 fmp_record_check(u64 term, u32 what, const u8 *src, const void *saddr)
{
	const u64 *factor = fmp_record_key.factor;
	const u32 *word = saddr;
	u64 sum = term;

	sum += get_unaligned((const u32 *)src) * factor[1];
	sum += get_unaligned((const u16 *)(src + 4)) * factor[2];
	if (what & FMP_WHAT_L3)
		sum += get_unaligned(word) * factor[3];
	if ((what & FMP_WHAT_L3) == FMP_L3_IPV6 << 16)
		sum += get_unaligned(word + 1) * factor[4] + get_unaligned(word + 2) * factor[5] +
		       get_unaligned(word + 3) * factor[6];
	return sum >> 32;
}

/**
 * fmp_record_put() - let a frame carry its header record
 * @rx: the frame, judged
 * @skb: the frame; not shared, nobody else has its bytes
 * @mac: its MAC header
 * @what: the last four bytes of the record, as a word of little endian; a
 *	constant where speed counts
 * @term: fmp_record_term() of it
 * @saddr: the source address of the network header that @what tells of
 *
 * There is none if there is no room in front of the MAC header, or if somebody
 * has put metadata there.
 *
 * Context: any.
 */
static __always_inline void fmp_record_put(const struct fmp_rx *rx, struct sk_buff *skb, u8 *mac,
					   u32 what, u64 term, const void *saddr)
{
	struct skb_shared_info *info = skb_shinfo(skb);
	u8 *rec = mac - sizeof(struct fmp_record);

	if (unlikely(mac - skb->head < (int)sizeof(struct fmp_record) || info->meta_len))
		return;

	put_unaligned(FMP_RECORD_MAGIC, (u32 *)(rec + offsetof(struct fmp_record, magic)));
	put_unaligned(rx->generation, (u32 *)(rec + offsetof(struct fmp_record, generation)));
	put_unaligned(fmp_record_check(term, what, rx->hdr.src, saddr),
		      (u32 *)(rec + offsetof(struct fmp_record, check)));
	put_unaligned_le32(what, rec + offsetof(struct fmp_record, l3_off));
	info->meta_len = sizeof(struct fmp_record);
}

/**
 * fmp_record_l3() - find the network header that a record tells of
 * @rec: the record; its offsets are set to what they are now
 * @mac: the frame from its MAC header on
 * @avail: bytes of it that are there
 *
 * A VLAN tag may have been taken off since.
 *
 * Context: any.
 * Return: the source address, or NULL if the frame has no such header.
 */
static const u8 *fmp_record_l3(struct fmp_record *rec, const u8 *mac, u32 avail)
{
	static const struct {
		__be16 proto;
		u8 saddr;
		u8 len;
	} where[] = {
		[FMP_L3_ARP] = { htons(ETH_P_ARP), sizeof(struct arphdr) + ETH_ALEN,
				 sizeof(__be32) },
		[FMP_L3_IPV4] = { htons(ETH_P_IP), offsetof(struct iphdr, saddr), sizeof(__be32) },
		[FMP_L3_IPV6] = { htons(ETH_P_IPV6), offsetof(struct ipv6hdr, saddr),
				  sizeof(struct in6_addr) },
	};
	__be16 proto = get_unaligned((const __be16 *)(mac + 2 * ETH_ALEN));
	u32 off = ETH_HLEN;
	u32 gone;

	while (eth_type_vlan(proto) && off < rec->l3_off && off + VLAN_HLEN <= avail) {
		proto = get_unaligned((const __be16 *)(mac + off + 2));
		off += VLAN_HLEN;
	}
	if (rec->l3 >= ARRAY_SIZE(where) || proto != where[rec->l3].proto || off > rec->l3_off ||
	    off + where[rec->l3].saddr + where[rec->l3].len > avail)
		return NULL;

	gone = rec->l3_off - off;
	rec->l3_off = off;
	rec->l4_off = rec->l4_off > gone ? rec->l4_off - gone : 0;
	return mac + off + where[rec->l3].saddr;
}

/**
 * fmp_record_get() - read the header record of a frame
 * @skb: the frame, its MAC header set and linear
 * @generation: of the rules that would be asked otherwise
 * @rec: filled if there is one; offsets are those of the frame as it is now
 *
 * Context: any.
 * Return: whether the record is to be believed.
 */
enum fmp_record_state fmp_record_get(const struct sk_buff *skb, u32 generation,
				     struct fmp_record *rec)
{
	const u8 *mac = skb_mac_header(skb);
	const u8 *saddr = NULL;
	u32 what;

	if (skb_metadata_len(skb) != sizeof(*rec) || mac - skb->head < (int)sizeof(*rec))
		return FMP_RECORD_NONE;
	memcpy(rec, mac - sizeof(*rec), sizeof(*rec));
	if (rec->magic != FMP_RECORD_MAGIC)
		return FMP_RECORD_NONE;
	if (rec->generation != generation)
		return FMP_RECORD_STALE;

	what = get_unaligned_le32(&rec->l3_off);
	if (rec->l3) {
		saddr = fmp_record_l3(rec, mac, skb->data + skb_headlen(skb) - mac);
		if (!saddr)
			return FMP_RECORD_STALE;
	}
	if (rec->check != fmp_record_check(fmp_record_term(what), what, mac + ETH_ALEN, saddr))
		return FMP_RECORD_STALE;
	return FMP_RECORD_CURRENT;
}

/**
 * fmp_deliver_mac() - set what the MAC header tells
 * @dev: where the frame came in
 * @skb: the frame, from its MAC header on
 * @protocol: its EtherType
 *
 * Context: any.
 */
static __always_inline void fmp_deliver_mac(struct net_device *dev, struct sk_buff *skb,
					    __be16 protocol)
{
	skb->dev = dev;
	skb->protocol = protocol;
	skb_reset_mac_header(skb);
	/* A driver's skb has its MAC header linear: what __skb_pull() asks is known. */
	skb->len -= ETH_HLEN;
	skb->data += ETH_HLEN;
	skb_reset_network_header(skb);
}

/**
 * fmp_deliver_any() - fmp_rx_deliver() for a frame that is not plain
 * @dev: where it came in
 * @rx: the frame
 * @skb: the frame, from its MAC header on
 *
 * It gets no record if the rules were not asked, or if they wanted a network
 * header and found none that they know: what made it unknown may be taken off on
 * the way.
 *
 * Context: any.
 */
static noinline void fmp_deliver_any(struct net_device *dev, struct fmp_rx *rx, struct sk_buff *skb)
{
	const struct fmp_hdr *hdr = &rx->hdr;
	u8 *mac = skb->data;
	u32 what;

	/* Not read; 802.3 with a length, and LLC behind it; a switch's tag. */
	if (rx->stage == FMP_STAGE_BEGIN || !eth_proto_is_802_3(hdr->mac_proto) ||
	    netdev_uses_dsa(dev)) {
		skb->protocol = eth_type_trans(skb, dev);
		return;
	}
	fmp_dissect_l4(&rx->hdr, skb->data, skb_headlen(skb));
	fmp_deliver_mac(dev, skb, hdr->mac_proto);
	skb->pkt_type = hdr->pkt_type;
	/* Behind a VLAN tag the stack moves the header and starts anew. */
	if (hdr->l3_off == ETH_HLEN && hdr->l4_off)
		skb_set_transport_header(skb, hdr->l4_off - ETH_HLEN);
	what = get_unaligned_le32(&hdr->l3_off);
	if (hdr->verdict != FMP_RECORD_UNSPEC && (hdr->l3 || rx->stage != FMP_STAGE_MAC_JUDGED))
		fmp_record_put(rx, skb, mac, what, fmp_record_term(what), &hdr->saddr6);
}

/**
 * fmp_rx_deliver() - make an skb of a received frame ready for the stack
 * @port: where it came in
 * @rx: the frame, passed by fmp_rx_header()
 * @skb: the whole frame, from its MAC header on, with room for struct
 *	fmp_record in front of it (any skb of netdev_alloc_skb() or
 *	napi_alloc_skb() has)
 *
 * Stands in for eth_type_trans(): sets device, packet type, protocol and the
 * offsets of the MAC, network and transport headers from what was parsed, pulls
 * the MAC header, and puts the header record in front of it.
 *
 * Context: any.
 */
void fmp_rx_deliver(struct fmp_rx_port *port, struct fmp_rx *rx, struct sk_buff *skb)
{
	struct net_device *dev = port->dev;
	const struct fmp_hdr *hdr = &rx->hdr;
	u8 *mac = skb->data;

	if (unlikely(netdev_uses_dsa(dev)))
		return fmp_deliver_any(dev, rx, skb);

	switch (rx->stage) {
	case FMP_STAGE_PLAIN_IPV4:
		fmp_deliver_mac(dev, skb, htons(ETH_P_IP));
		skb_set_transport_header(skb, sizeof(struct iphdr));
		return fmp_record_put(rx, skb, mac, FMP_WHAT_IPV4, fmp_record_terms.ipv4,
				      &hdr->saddr4);
	case FMP_STAGE_PLAIN_IPV6:
		fmp_deliver_mac(dev, skb, htons(ETH_P_IPV6));
		skb_set_transport_header(skb, sizeof(struct ipv6hdr));
		return fmp_record_put(rx, skb, mac, FMP_WHAT_IPV6, fmp_record_terms.ipv6,
				      &hdr->saddr6);
	case FMP_STAGE_PLAIN_MAC:
		fmp_deliver_mac(dev, skb, hdr->mac_proto);
		return fmp_record_put(rx, skb, mac, FMP_WHAT_MAC, fmp_record_terms.mac, NULL);
	default:
		return fmp_deliver_any(dev, rx, skb);
	}
}
EXPORT_SYMBOL_GPL(fmp_rx_deliver);
