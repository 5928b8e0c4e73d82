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
#include "compat.h"
#include "dissect.h"
#include "premac.h"

#include <linux/export.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/random.h>
#include <linux/skbuff.h>
#include <net/dsa.h>

/* A transport header behind more than this is not told of. */
#define FMP_RECORD_OFF_MAX U8_MAX

/* Secret of the check: a word for each word that goes in, and an odd factor. */
static struct {
	u32 word[10];
	u64 factor;
} fmp_record_key __ro_after_init;

/**
 * fmp_record_init() - choose the secret
 *
 * Context: process, once.
 */
void __init fmp_record_init(void)
{
	get_random_bytes(&fmp_record_key, sizeof(fmp_record_key));
	fmp_record_key.factor |= 1;
}

/**
 * fmp_record_pair() - hash two words
 * @a: one
 * @b: the other
 * @i: place of the first one
 *
 * A term of the NH hash: of two different inputs the sums are the same with a
 * probability of 2^-32, over all keys.
 *
 * Context: any.
 * Return: the term.
 */
static __always_inline u64 fmp_record_pair(u32 a, u32 b, int i)
{
	return (u64)(u32)(a + fmp_record_key.word[i]) * (u32)(b + fmp_record_key.word[i + 1]);
}

/**
 * fmp_record_check() - what fmp_record.check must be
 * @rec: the record, all but this
 * @src: source MAC address, anywhere
 * @saddr: source address of the network header, anywhere; what it is says @rec
 *
 * The bare sum would tell its key to whoever sees a few of them; its upper half
 * behind a secret factor does not.
 *
 * Context: any.
 * Return: the value.
 */
static __always_inline u32 fmp_record_check(const struct fmp_record *rec, const u8 *src,
					    const void *saddr)
{
	u32 what = rec->l3_off | rec->l4_off << 8 | rec->l3 << 16 | (u32)rec->verdict << 24;
	const u32 *word = saddr;
	u64 sum;

	sum = fmp_record_pair(rec->generation, what, 0) +
	      fmp_record_pair(get_unaligned((const u32 *)src),
			      get_unaligned((const u16 *)(src + 4)), 2);
	switch (rec->l3) {
	case FMP_L3_ARP:
	case FMP_L3_IPV4:
		sum += fmp_record_pair(get_unaligned(word), 0, 4);
		break;
	case FMP_L3_IPV6:
		sum += fmp_record_pair(get_unaligned(word), get_unaligned(word + 1), 6) +
		       fmp_record_pair(get_unaligned(word + 2), get_unaligned(word + 3), 8);
		break;
	}
	return sum * fmp_record_key.factor >> 32;
}

/**
 * fmp_record_put() - let a frame carry its header record
 * @rx: the frame, judged
 * @skb: the frame, its MAC header set; not shared, nobody else has its bytes
 *
 * There is none if the rules were not asked, if there is no room in front of the
 * MAC header, if somebody has put metadata there, or if the rules wanted a
 * network header and found none that they know: what made it unknown may be
 * taken off on the way.
 *
 * Context: any.
 */
void fmp_record_put(const struct fmp_rx *rx, struct sk_buff *skb)
{
	const struct fmp_hdr *hdr = &rx->hdr;
	u8 *mac = skb_mac_header(skb);
	struct fmp_record rec;

	if (!rx->verdict || mac - skb->head < (int)sizeof(rec) || skb_metadata_len(skb))
		return;
	if (!hdr->l3 && rx->stage == FMP_STAGE_MAC_JUDGED)
		return;

	rec.magic = FMP_RECORD_MAGIC;
	rec.generation = rx->generation;
	rec.l3_off = hdr->l3_off;
	rec.l4_off = hdr->l4_off <= FMP_RECORD_OFF_MAX ? hdr->l4_off : 0;
	rec.l3 = hdr->l3;
	rec.verdict = rx->verdict;
	rec.check = fmp_record_check(&rec, hdr->src, &hdr->saddr6);
	memcpy(mac - sizeof(rec), &rec, sizeof(rec));
	skb_metadata_set(skb, sizeof(rec));
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
	struct fmp_record as_written;
	const u8 *saddr = NULL;

	if (skb_metadata_len(skb) != sizeof(*rec) || mac - skb->head < (int)sizeof(*rec))
		return FMP_RECORD_NONE;
	memcpy(rec, mac - sizeof(*rec), sizeof(*rec));
	if (rec->magic != FMP_RECORD_MAGIC)
		return FMP_RECORD_NONE;
	if (rec->generation != generation)
		return FMP_RECORD_STALE;

	as_written = *rec;
	if (rec->l3) {
		saddr = fmp_record_l3(rec, mac, skb->data + skb_headlen(skb) - mac);
		if (!saddr)
			return FMP_RECORD_STALE;
	}
	if (rec->check != fmp_record_check(&as_written, mac + ETH_ALEN, saddr))
		return FMP_RECORD_STALE;
	return FMP_RECORD_CURRENT;
}

/**
 * fmp_rx_deliver() - make an skb of a received frame ready for the stack
 * @port: where it came in
 * @rx: the frame, passed by fmp_rx_header(); its headers are completed
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
	struct fmp_hdr *hdr = &rx->hdr;

	/* Not read; 802.3 with a length, and LLC behind it; a switch's tag. */
	if (unlikely(rx->stage == FMP_STAGE_BEGIN || !eth_proto_is_802_3(hdr->mac_proto) ||
		     netdev_uses_dsa(dev))) {
		skb->protocol = eth_type_trans(skb, dev);
		return;
	}
	if (unlikely(hdr->l3 == FMP_L3_IPV6) || hdr->l4_off > skb_headlen(skb))
		fmp_dissect_l4(hdr, skb->data, skb_headlen(skb));

	skb->dev = dev;
	skb->protocol = hdr->mac_proto;
	if (unlikely(rx->pkt_type != PACKET_HOST))
		skb->pkt_type = rx->pkt_type;
	skb_reset_mac_header(skb);
	__skb_pull(skb, ETH_HLEN);
	skb_reset_network_header(skb);
	/* Behind a VLAN tag the stack moves the header and starts anew. */
	if (hdr->l3_off == ETH_HLEN && hdr->l4_off)
		skb_set_transport_header(skb, hdr->l4_off - ETH_HLEN);
	fmp_record_put(rx, skb);
}
EXPORT_SYMBOL_GPL(fmp_rx_deliver);
