// SPDX-License-Identifier: GPL-2.0
/*
 * The header record in front of a frame, so that later layers need not parse and
 * look up its headers again
 *
 * struct fmp_record in <linux/fmp.h> defines its format and its readers. A record
 * is valid for one generation of the rules and for the addresses that the frame
 * had when it was written. It contains the generation and a check value of the
 * addresses, and a reader compares both with its own. The same check refuses
 * metadata of another writer, and metadata left in front of a new MAC header.
 */
#include "record.h"
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
#include <linux/unaligned.h>
#include <net/dsa.h>

static_assert(sizeof(struct fmp_record) == 16);
static_assert(offsetof(struct fmp_hdr, l4_off) == offsetof(struct fmp_hdr, l3_off) + 1);
static_assert(offsetof(struct fmp_hdr, l3) == offsetof(struct fmp_hdr, l3_off) + 2);
static_assert(offsetof(struct fmp_hdr, verdict) == offsetof(struct fmp_hdr, l3_off) + 3);

/* The last four bytes of the record, l3_off to verdict, as a little-endian word. */
#define FMP_FIELDS_L3	   0x00ff0000U
#define FMP_FIELDS_VERDICT 0xff000000U
#define FMP_FIELDS(l3_off, l4_off, l3) \
	((l3_off) | (l4_off) << 8 | (l3) << 16 | FMP_RECORD_PASS << 24)

/* Their values for plain frames: only the MAC header was read, or IP directly after it. */
#define FMP_FIELDS_MAC	FMP_FIELDS(0, 0, FMP_L3_NONE)
#define FMP_FIELDS_IPV4 FMP_FIELDS(ETH_HLEN, FMP_PLAIN4, FMP_L3_IPV4)
#define FMP_FIELDS_IPV6 FMP_FIELDS(ETH_HLEN, FMP_PLAIN6, FMP_L3_IPV6)

/* Words that the check value covers: the fields, 2 of the MAC and 4 of the IP address. */
#define FMP_RECORD_WORDS 7

/* Secret of the check value: a term, and a factor for each word. */
static struct {
	u64 term;
	u64 factor[FMP_RECORD_WORDS];
} fmp_record_key __ro_after_init;

/* fmp_record_term() of the fields of plain frames. */
static struct {
	u64 mac;
	u64 ipv4;
	u64 ipv6;
} fmp_record_terms __ro_after_init;

/**
 * fmp_record_term() - compute the first part of the check value's sum
 * @fields: the last four bytes of the record, as a little-endian word
 *
 * Context: any.
 * Return: the secret term plus the first product.
 */
static u64 fmp_record_term(u32 fields)
{
	return fmp_record_key.term + fields * fmp_record_key.factor[0];
}

/**
 * fmp_record_init() - generate the secret of the check value
 *
 * Context: process, once.
 */
void __init fmp_record_init(void)
{
	get_random_bytes(&fmp_record_key, sizeof(fmp_record_key));
	fmp_record_terms.mac = fmp_record_term(FMP_FIELDS_MAC);
	fmp_record_terms.ipv4 = fmp_record_term(FMP_FIELDS_IPV4);
	fmp_record_terms.ipv6 = fmp_record_term(FMP_FIELDS_IPV6);
}

/**
 * fmp_record_check() - compute fmp_record.check
 * @term: fmp_record_term() of @fields
 * @fields: the last four bytes of the record, as a little-endian word; a constant
 *	in the packet path
 * @src: source MAC address, unaligned
 * @saddr: source address of the network header, unaligned; read if @fields has a
 *	network header
 *
 * Multilinear hashing: the upper half of a sum of words times secret factors. Over
 * all keys, all values are equally probable, even if the value of one other input
 * is known. The generation is not covered: a reader compares it with its own.
 *
 * Context: any.
 * Return: the value.
 */
static __always_inline u32 fmp_record_check(u64 term, u32 fields, const u8 *src, const void *saddr)
{
	const u64 *factor = fmp_record_key.factor;
	const u32 *word = saddr;
	u64 sum = term;

	sum += get_unaligned((const u32 *)src) * factor[1];
	sum += get_unaligned((const u16 *)(src + 4)) * factor[2];
	if (fields & FMP_FIELDS_L3)
		sum += get_unaligned(word) * factor[3];
	if ((fields & FMP_FIELDS_L3) == FMP_L3_IPV6 << 16)
		sum += get_unaligned(word + 1) * factor[4] + get_unaligned(word + 2) * factor[5] +
		       get_unaligned(word + 3) * factor[6];
	return sum >> 32;
}

/**
 * fmp_record_put() - write the header record in front of a frame
 * @rx: the frame, evaluated
 * @skb: the frame; neither the skb nor its data is shared
 * @mac: its MAC header
 * @fields: the last four bytes of the record, as a little-endian word; a constant
 *	in the packet path
 * @term: fmp_record_term() of @fields
 * @saddr: the source address of the network header, if @fields has one
 *
 * Write none if there is no headroom in front of the MAC header, or if it holds
 * metadata of another writer.
 *
 * Context: any.
 */
static __always_inline void fmp_record_put(const struct fmp_rx *rx, struct sk_buff *skb, u8 *mac,
					   u32 fields, u64 term, const void *saddr)
{
	struct skb_shared_info *info = skb_shinfo(skb);
	u8 *rec = mac - sizeof(struct fmp_record);

	if (unlikely(mac - skb->head < (int)sizeof(struct fmp_record) || info->meta_len))
		return;

	put_unaligned(FMP_RECORD_MAGIC, (u32 *)(rec + offsetof(struct fmp_record, magic)));
	put_unaligned(rx->generation, (u32 *)(rec + offsetof(struct fmp_record, generation)));
	put_unaligned(fmp_record_check(term, fields, rx->hdr.src, saddr),
		      (u32 *)(rec + offsetof(struct fmp_record, check)));
	put_unaligned_le32(fields, rec + offsetof(struct fmp_record, l3_off));
	info->meta_len = sizeof(struct fmp_record);
}

/**
 * fmp_record_find_l3() - find the network header that a record describes
 * @rec: the record; its offsets are updated to the present frame
 * @mac: the frame from its MAC header on
 * @avail: number of bytes at @mac
 *
 * A VLAN tag may have been removed since the record was written.
 *
 * Context: any.
 * Return: the source address, or NULL if the frame has no such header.
 */
static const u8 *fmp_record_find_l3(struct fmp_record *rec, const u8 *mac, u32 avail)
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
	u32 removed;

	while (eth_type_vlan(proto) && off < rec->l3_off && off + VLAN_HLEN <= avail) {
		proto = get_unaligned((const __be16 *)(mac + off + 2));
		off += VLAN_HLEN;
	}
	if (rec->l3 >= ARRAY_SIZE(where) || proto != where[rec->l3].proto || off > rec->l3_off ||
	    off + where[rec->l3].saddr + where[rec->l3].len > avail)
		return NULL;

	removed = rec->l3_off - off;
	rec->l3_off = off;
	rec->l4_off = rec->l4_off > removed ? rec->l4_off - removed : 0;
	return mac + off + where[rec->l3].saddr;
}

/**
 * fmp_record_get() - read the header record of a frame
 * @skb: the frame, its MAC header set and linear
 * @generation: generation of the reader's rules
 * @rec: filled if there is one; its offsets are those of the present frame
 *
 * Context: any.
 * Return: whether the record is valid.
 */
enum fmp_record_state fmp_record_get(const struct sk_buff *skb, u32 generation,
				     struct fmp_record *rec)
{
	const u8 *mac = skb_mac_header(skb);
	const u8 *saddr = NULL;
	u32 fields;

	if (skb_metadata_len(skb) != sizeof(*rec) || mac - skb->head < (int)sizeof(*rec))
		return FMP_RECORD_NONE;
	memcpy(rec, mac - sizeof(*rec), sizeof(*rec));
	if (rec->magic != FMP_RECORD_MAGIC)
		return FMP_RECORD_NONE;
	if (rec->generation != generation)
		return FMP_RECORD_STALE;

	fields = get_unaligned_le32(&rec->l3_off);
	if (rec->l3) {
		saddr = fmp_record_find_l3(rec, mac, skb->data + skb_headlen(skb) - mac);
		if (!saddr)
			return FMP_RECORD_STALE;
	}
	if (rec->check != fmp_record_check(fmp_record_term(fields), fields, mac + ETH_ALEN, saddr))
		return FMP_RECORD_STALE;
	return FMP_RECORD_CURRENT;
}

/**
 * fmp_deliver_set_mac() - set the skb fields that depend on the MAC header
 * @dev: the receiving device
 * @skb: the frame, from its MAC header on
 * @protocol: its EtherType
 *
 * Context: any.
 */
static __always_inline void fmp_deliver_set_mac(struct net_device *dev, struct sk_buff *skb,
						__be16 protocol)
{
	skb->dev = dev;
	skb->protocol = protocol;
	skb_reset_mac_header(skb);
	/* A driver's skb has its MAC header linear: skip the check of __skb_pull(). */
	skb->len -= ETH_HLEN;
	skb->data += ETH_HLEN;
	skb_reset_network_header(skb);
}

/**
 * fmp_deliver_slow() - fmp_rx_deliver() for a frame that is not plain
 * @dev: the receiving device
 * @rx: the frame
 * @skb: the frame, from its MAC header on
 *
 * It gets no record if the rules did not evaluate it, or if they needed a network
 * header and found none they know: a layer above may remove the encapsulation
 * that hid it.
 *
 * Context: any.
 */
static noinline void fmp_deliver_slow(struct net_device *dev, struct fmp_rx *rx,
				      struct sk_buff *skb)
{
	const struct fmp_hdr *hdr = &rx->hdr;
	u8 *mac = skb->data;
	u32 fields;

	/* Not read; an 802.3 length field followed by LLC; the tag of a DSA switch. */
	if (rx->stage == FMP_STAGE_BEGIN || !eth_proto_is_802_3(hdr->mac_proto) ||
	    netdev_uses_dsa(dev)) {
		skb->protocol = eth_type_trans(skb, dev);
		return;
	}
	fmp_dissect_l4(&rx->hdr, skb->data, skb_headlen(skb));
	fmp_deliver_set_mac(dev, skb, hdr->mac_proto);
	skb->pkt_type = hdr->pkt_type;
	/* With a VLAN tag the stack moves the header and sets the offset again. */
	if (hdr->l3_off == ETH_HLEN && hdr->l4_off)
		skb_set_transport_header(skb, hdr->l4_off - ETH_HLEN);
	fields = get_unaligned_le32(&hdr->l3_off);
	if (hdr->verdict != FMP_RECORD_UNSPEC && (hdr->l3 || rx->stage != FMP_STAGE_MAC_DONE))
		fmp_record_put(rx, skb, mac, fields, fmp_record_term(fields), &hdr->saddr6);
}

/**
 * fmp_rx_deliver() - prepare the skb of a received frame for the stack
 * @port: port of the receiving device
 * @rx: the frame, passed by fmp_rx_header()
 * @skb: the whole frame, from its MAC header on, with headroom for struct
 *	fmp_record (netdev_alloc_skb() and napi_alloc_skb() reserve enough)
 *
 * Replaces eth_type_trans(): sets device, packet type, protocol and the offsets
 * of the MAC, network and transport headers from the parsed headers, pulls the MAC
 * header, and writes the header record in front of it.
 *
 * Context: any.
 */
void fmp_rx_deliver(struct fmp_rx_port *port, struct fmp_rx *rx, struct sk_buff *skb)
{
	struct net_device *dev = port->dev;
	const struct fmp_hdr *hdr = &rx->hdr;
	u8 *mac = skb->data;

	if (unlikely(netdev_uses_dsa(dev)))
		return fmp_deliver_slow(dev, rx, skb);

	switch (rx->stage) {
	case FMP_STAGE_PLAIN_IPV4:
		fmp_deliver_set_mac(dev, skb, htons(ETH_P_IP));
		skb_set_transport_header(skb, sizeof(struct iphdr));
		return fmp_record_put(rx, skb, mac, FMP_FIELDS_IPV4, fmp_record_terms.ipv4,
				      &hdr->saddr4);
	case FMP_STAGE_PLAIN_IPV6:
		fmp_deliver_set_mac(dev, skb, htons(ETH_P_IPV6));
		skb_set_transport_header(skb, sizeof(struct ipv6hdr));
		return fmp_record_put(rx, skb, mac, FMP_FIELDS_IPV6, fmp_record_terms.ipv6,
				      &hdr->saddr6);
	case FMP_STAGE_PLAIN_MAC:
		fmp_deliver_set_mac(dev, skb, hdr->mac_proto);
		return fmp_record_put(rx, skb, mac, FMP_FIELDS_MAC, fmp_record_terms.mac, NULL);
	default:
		return fmp_deliver_slow(dev, rx, skb);
	}
}
EXPORT_SYMBOL_GPL(fmp_rx_deliver);
