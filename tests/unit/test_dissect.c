// SPDX-License-Identifier: GPL-2.0
/* The module's dissector: frames made by hand, whole, in part, and cut short. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dissect.h"
#include "run.h"

#include <linux/in.h>
#include <linux/ipv6.h>

/* What the dissector says of the first bytes of a frame. */
struct reading {
	struct fmp_hdr hdr;
	struct fmp_80211 wifi;
	u32 want;
};

/* A frame under construction. */
struct frame {
	u8 data[512];
	u32 len;
	bool wifi;
};

static void put(struct frame *f, const void *bytes, u32 n)
{
	memcpy(f->data + f->len, bytes, n);
	f->len += n;
}

#define PUT(f, ...)                              \
	do {                                     \
		const u8 _b[] = { __VA_ARGS__ }; \
		put(f, _b, sizeof(_b));          \
	} while (0)

/* Addresses by their last byte. */
#define A(n) 0x02, 0x00, 0x00, 0x00, 0x00, n

static const u8 v6_source[16] = { 0xfd, 9, [15] = 0x42 };

/* Only the bytes that are there: on the heap, so that one read behind them is seen. */
static struct reading read_part(const struct frame *f, u32 avail, u32 frame_len)
{
	struct reading r;
	u8 *buf = malloc(avail ? avail : 1);

	memset(&r, 0, sizeof(r));
	memcpy(buf, f->data, avail);
	if (f->wifi) {
		r.want = fmp_dissect_80211(&r.hdr, &r.wifi, buf, avail, frame_len);
	} else {
		r.want = fmp_dissect_mac(&r.hdr, buf, avail);
		if (r.want > frame_len)
			r.want = 0;
		else if (r.want)
			memset(&r.hdr, 0, sizeof(r.hdr));
	}
	if (!r.want && (f->wifi || avail >= ETH_HLEN))
		r.want = fmp_dissect_l3(&r.hdr, buf, avail, frame_len);
	free(buf);
	return r;
}

/*
 * The whole frame's reading. On the way: a part of it either gives the same or asks for
 * more, never for more than there is; and a frame that ends early is read to its end.
 */
static struct reading dissect(const struct frame *f)
{
	struct reading whole = read_part(f, f->len, f->len);
	u32 n;

	ck_assert_uint_eq(whole.want, 0);
	for (n = 0; n < f->len; n++) {
		struct reading part = read_part(f, n, f->len);

		if (part.want) {
			ck_assert_uint_gt(part.want, n);
			ck_assert_uint_le(part.want, f->len);
		} else {
			ck_assert_mem_eq(&part, &whole, sizeof(part));
		}
		ck_assert_uint_eq(read_part(f, n, n).want, 0);
	}
	return whole;
}

/* With what stands behind the network header, for every length of what is there. */
static struct fmp_hdr dissect_all(const struct frame *f)
{
	struct fmp_hdr hdr = dissect(f).hdr;
	struct fmp_hdr whole = hdr;
	u32 n;

	fmp_dissect_l4(&whole, f->data, f->len);
	for (n = hdr.l3_off; n < f->len; n++) {
		struct fmp_hdr part = hdr;
		u8 *buf = malloc(n ? n : 1);

		memcpy(buf, f->data, n);
		fmp_dissect_l4(&part, buf, n);
		free(buf);
		if (part.l4_off && (part.sport || part.dport))
			ck_assert_mem_eq(&part, &whole, sizeof(part));
		ck_assert(!part.l4_off || part.l4_off <= n);
	}
	return whole;
}

static void ethernet(struct frame *f, u16 type)
{
	memset(f, 0, sizeof(*f));
	PUT(f, A(0xd), A(0x5), type >> 8, type & 0xff);
}

/* An IPv4 header from 10.9.0.2 with @words words of options, and ports 1000 and 80. */
static void ipv4(struct frame *f, u8 words, u16 frag, u8 proto)
{
	u32 i;

	PUT(f, 0x45 + words, 0, 0, 28 + words * 4, 0, 1, frag >> 8, frag & 0xff, 64, proto, 0, 0);
	PUT(f, 10, 9, 0, 2, 10, 9, 0, 1);
	for (i = 0; i < words; i++)
		PUT(f, 1, 1, 1, 1);
	PUT(f, 1000 >> 8, 1000 & 0xff, 0, 80, 0, 8, 0, 0);
}

static void ipv6(struct frame *f, u8 next)
{
	PUT(f, 0x60, 0, 0, 0, 0, 8, next, 64);
	put(f, v6_source, sizeof(v6_source));
	put(f, v6_source, sizeof(v6_source));
}

static void ports(struct frame *f)
{
	PUT(f, 1000 >> 8, 1000 & 0xff, 0, 80, 0, 8, 0, 0);
}

static void arp(struct frame *f)
{
	PUT(f, 0, 1, 8, 0, 6, 4, 0, 1, A(0x5), 10, 9, 0, 2, A(0), 10, 9, 0, 1);
}

static void expect_addrs(const struct fmp_hdr *hdr, u8 dst, u8 src)
{
	const u8 d[] = { A(dst) }, s[] = { A(src) };

	ck_assert_mem_eq(hdr->dst, d, ETH_ALEN);
	ck_assert_mem_eq(hdr->src, s, ETH_ALEN);
}

static void expect_ipv4(const struct fmp_hdr *hdr, u32 l3_off)
{
	ck_assert_uint_eq(hdr->l3, FMP_L3_IPV4);
	ck_assert_uint_eq(hdr->l3_off, l3_off);
	ck_assert_uint_eq(hdr->proto, htons(ETH_P_IP));
	ck_assert_uint_eq(hdr->saddr4, htonl(0x0a090002));
}

static void expect_ports(const struct fmp_hdr *hdr, u32 l4_off)
{
	ck_assert_uint_eq(hdr->l4_off, l4_off);
	ck_assert_uint_eq(hdr->sport, htons(1000));
	ck_assert_uint_eq(hdr->dport, htons(80));
}

static void expect_no_ports(const struct fmp_hdr *hdr, u32 l4_off)
{
	ck_assert_uint_eq(hdr->l4_off, l4_off);
	ck_assert_uint_eq(hdr->sport, 0);
	ck_assert_uint_eq(hdr->dport, 0);
}

/* ---- Ethernet ---- */

START_TEST(ethernet_with_ipv4)
{
	static const u8 protos[] = { IPPROTO_TCP, IPPROTO_UDP, IPPROTO_SCTP, IPPROTO_DCCP };
	struct fmp_hdr hdr;
	struct frame f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(protos); i++) {
		ethernet(&f, ETH_P_IP);
		ipv4(&f, 0, 0x4000, protos[i]);
		hdr = dissect_all(&f);
		expect_addrs(&hdr, 0xd, 0x5);
		ck_assert_uint_eq(hdr.mac_len, ETH_HLEN);
		expect_ipv4(&hdr, 14);
		expect_ports(&hdr, 34);
	}
	ethernet(&f, ETH_P_IP);
	ipv4(&f, 0, 0, IPPROTO_ICMP);
	hdr = dissect_all(&f);
	expect_no_ports(&hdr, 34);
}
END_TEST

START_TEST(ipv4_with_options)
{
	struct fmp_hdr hdr;
	struct frame f;
	u8 words;

	for (words = 1; words <= 10; words++) {
		ethernet(&f, ETH_P_IP);
		ipv4(&f, words, 0, IPPROTO_UDP);
		hdr = dissect_all(&f);
		expect_ipv4(&hdr, 14);
		expect_ports(&hdr, 34 + words * 4);
	}
}
END_TEST

START_TEST(ipv4_fragments)
{
	struct fmp_hdr hdr;
	struct frame f;

	/* The first one has the ports. */
	ethernet(&f, ETH_P_IP);
	ipv4(&f, 0, 0x2000, IPPROTO_UDP);
	hdr = dissect_all(&f);
	expect_ports(&hdr, 34);

	/* A later one has data where they would be. */
	ethernet(&f, ETH_P_IP);
	ipv4(&f, 0, 0x2001, IPPROTO_UDP);
	hdr = dissect_all(&f);
	expect_ipv4(&hdr, 14);
	expect_no_ports(&hdr, 0);
}
END_TEST

START_TEST(ipv4_headers_that_are_none)
{
	struct frame f;

	ethernet(&f, ETH_P_IP);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	f.data[14] = 0x44;
	ck_assert_uint_eq(dissect_all(&f).l3, FMP_L3_NONE);
	f.data[14] = 0x65;
	ck_assert_uint_eq(dissect_all(&f).l3, FMP_L3_NONE);

	/* It ends before its header does. */
	ethernet(&f, ETH_P_IP);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	f.len = 33;
	ck_assert_uint_eq(dissect(&f).hdr.l3, FMP_L3_NONE);
	ck_assert_uint_eq(dissect(&f).hdr.l3_off, 0);
}
END_TEST

START_TEST(vlan_tags)
{
	struct fmp_hdr hdr;
	struct frame f;

	ethernet(&f, ETH_P_8021Q);
	PUT(&f, 0, 5, 8, 0);
	ipv4(&f, 0, 0, IPPROTO_TCP);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.mac_proto, htons(ETH_P_8021Q));
	expect_ipv4(&hdr, 18);
	expect_ports(&hdr, 38);

	ethernet(&f, ETH_P_8021AD);
	PUT(&f, 0, 5, 0x81, 0, 0, 6, 8, 0);
	ipv4(&f, 0, 0, IPPROTO_TCP);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.mac_proto, htons(ETH_P_8021AD));
	expect_ipv4(&hdr, 22);
	expect_ports(&hdr, 42);

	/* A third one is nothing we know. */
	ethernet(&f, ETH_P_8021AD);
	PUT(&f, 0, 5, 0x81, 0, 0, 6, 0x81, 0, 0, 7, 8, 0);
	ipv4(&f, 0, 0, IPPROTO_TCP);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.l3, FMP_L3_NONE);
	expect_addrs(&hdr, 0xd, 0x5);
}
END_TEST

START_TEST(arp_has_a_sender)
{
	struct fmp_hdr hdr;
	struct frame f;
	u32 at;

	ethernet(&f, ETH_P_ARP);
	arp(&f);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.l3, FMP_L3_ARP);
	ck_assert_uint_eq(hdr.saddr4, htonl(0x0a090002));
	ck_assert_uint_eq(hdr.l4_off, 0);

	/* Of other hardware, protocol or lengths it is not ours. */
	for (at = 14; at < 20; at++) {
		f.data[at] ^= 0x10;
		ck_assert_uint_eq(dissect(&f).hdr.l3, FMP_L3_NONE);
		f.data[at] ^= 0x10;
	}
}
END_TEST

START_TEST(ethernet_with_a_length)
{
	struct fmp_hdr hdr;
	struct frame f;

	/* IPv4 in SNAP is not what the stack takes from Ethernet. */
	ethernet(&f, 36);
	PUT(&f, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	hdr = dissect_all(&f);
	expect_addrs(&hdr, 0xd, 0x5);
	ck_assert_uint_eq(hdr.l3, FMP_L3_NONE);
}
END_TEST

/* ---- IPv6 ---- */

START_TEST(ipv6_plain)
{
	struct fmp_hdr hdr;
	struct frame f;

	ethernet(&f, ETH_P_IPV6);
	ipv6(&f, IPPROTO_TCP);
	ports(&f);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.l3, FMP_L3_IPV6);
	ck_assert_mem_eq(&hdr.saddr6, v6_source, sizeof(v6_source));
	expect_ports(&hdr, 54);

	f.data[14] = 0x45;
	ck_assert_uint_eq(dissect(&f).hdr.l3, FMP_L3_NONE);
}
END_TEST

START_TEST(ipv6_extension_headers)
{
	struct fmp_hdr hdr;
	struct frame f;

	/* Hop by hop, routing of 16 bytes, destination, first fragment, AH of 24, UDP. */
	ethernet(&f, ETH_P_IPV6);
	ipv6(&f, 0);
	PUT(&f, IPPROTO_ROUTING, 0, 1, 4, 0, 0, 0, 0);
	PUT(&f, IPPROTO_DSTOPTS, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	PUT(&f, IPPROTO_FRAGMENT, 0, 1, 4, 0, 0, 0, 0);
	PUT(&f, IPPROTO_AH, 0, 0, 1, 0, 0, 0, 7);
	PUT(&f, IPPROTO_UDP, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	ports(&f);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.l4_proto, IPPROTO_UDP);
	expect_ports(&hdr, 54 + 8 + 16 + 8 + 8 + 24);
}
END_TEST

START_TEST(ipv6_without_ports)
{
	static const u8 none[] = { IPPROTO_ESP, IPPROTO_NONE, IPPROTO_ICMPV6 };
	struct fmp_hdr hdr;
	struct frame f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		ethernet(&f, ETH_P_IPV6);
		ipv6(&f, none[i]);
		ports(&f);
		hdr = dissect_all(&f);
		expect_no_ports(&hdr, none[i] == IPPROTO_NONE ? 0 : 54);
	}

	/* A later fragment. */
	ethernet(&f, ETH_P_IPV6);
	ipv6(&f, IPPROTO_FRAGMENT);
	PUT(&f, IPPROTO_UDP, 0, 0, 8, 0, 0, 0, 7);
	ports(&f);
	hdr = dissect_all(&f);
	expect_no_ports(&hdr, 0);
	ck_assert_uint_eq(hdr.l3, FMP_L3_IPV6);
}
END_TEST

START_TEST(ipv6_extension_headers_are_bounded)
{
	struct fmp_hdr hdr;
	struct frame f;
	int n, i;

	for (n = 8; n <= 9; n++) {
		ethernet(&f, ETH_P_IPV6);
		ipv6(&f, IPPROTO_DSTOPTS);
		for (i = 1; i < n; i++)
			PUT(&f, IPPROTO_DSTOPTS, 0, 1, 4, 0, 0, 0, 0);
		PUT(&f, IPPROTO_UDP, 0, 1, 4, 0, 0, 0, 0);
		ports(&f);
		hdr = dissect_all(&f);
		if (n == 8)
			expect_ports(&hdr, 54 + 64);
		else
			expect_no_ports(&hdr, 0);
	}
}
END_TEST

/* ---- 802.11 ---- */

static void wifi_begin(struct frame *f, u8 fc0, u8 fc1)
{
	memset(f, 0, sizeof(*f));
	f->wifi = true;
	PUT(f, fc0, fc1, 0, 0);
}

/* A data frame up to its body; addresses 1 to 4 are A(1) to A(4). */
static void wifi_data(struct frame *f, u8 fc0, u8 fc1, u8 qos)
{
	wifi_begin(f, fc0, fc1);
	PUT(f, A(1), A(2), A(3), 0x10, 0);
	if ((fc1 & 3) == 3)
		PUT(f, A(4));
	if (fc0 & 0x80)
		PUT(f, qos, 0);
	if (fc0 & 0x80 && fc1 & 0x80)
		PUT(f, 0, 0, 0, 0);
}

#define RFC1042(f, type) PUT(f, 0xaa, 0xaa, 3, 0, 0, 0, (type) >> 8, (type)&0xff)
#define BRIDGED(f, type) PUT(f, 0xaa, 0xaa, 3, 0, 0, 0xf8, (type) >> 8, (type)&0xff)

#define DATA_FLAGS (FMP_80211_TA | FMP_80211_SA | FMP_80211_DATA)

static void expect_ta(const struct reading *r, u8 ta)
{
	const u8 a[] = { A(ta) };

	ck_assert_mem_eq(r->wifi.ta, a, ETH_ALEN);
}

START_TEST(wifi_addresses)
{
	/* By ToDS and FromDS: destination, source. */
	static const u8 who[4][2] = { { 1, 2 }, { 3, 2 }, { 1, 3 }, { 3, 4 } };
	struct reading r;
	struct frame f;
	u8 ds, qos;

	for (ds = 0; ds < 4; ds++) {
		for (qos = 0; qos < 2; qos++) {
			wifi_data(&f, qos ? 0x88 : 0x08, ds, 5);
			r.want = f.len;
			RFC1042(&f, ETH_P_IP);
			ipv4(&f, 0, 0, IPPROTO_UDP);
			ck_assert_uint_eq(r.want, 24 + (ds == 3 ? 6 : 0) + qos * 2);
			r = dissect(&f);
			ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS);
			expect_ta(&r, 2);
			expect_addrs(&r.hdr, who[ds][0], who[ds][1]);
			ck_assert_uint_eq(r.hdr.mac_len, f.len - 36);
			expect_ipv4(&r.hdr, f.len - 28);
			r.hdr = dissect_all(&f);
			expect_ports(&r.hdr, f.len - 8);
		}
	}
}
END_TEST

START_TEST(wifi_bodies)
{
	struct reading r;
	struct frame f;

	/* HT control in front of the body; the bridge tunnel's SNAP; a tag behind it. */
	wifi_data(&f, 0x88, 0x81, 0);
	BRIDGED(&f, ETH_P_8021Q);
	PUT(&f, 0, 5, 8, 0);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect(&f);
	expect_ipv4(&r.hdr, 24 + 2 + 4 + 8 + 4);

	/* Without QoS the order bit stands for no field. */
	wifi_data(&f, 0x08, 0x81, 0);
	RFC1042(&f, ETH_P_ARP);
	arp(&f);
	r = dissect(&f);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_ARP);
	ck_assert_uint_eq(r.hdr.l3_off, 32);

	wifi_data(&f, 0x08, 2, 0);
	RFC1042(&f, ETH_P_IPV6);
	ipv6(&f, IPPROTO_TCP);
	r = dissect(&f);
	ck_assert_mem_eq(&r.hdr.saddr6, v6_source, sizeof(v6_source));

	/* LLC that carries no EtherType. */
	wifi_data(&f, 0x08, 0, 0);
	PUT(&f, 0x42, 0x42, 3, 0, 0, 0, 8, 0);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS);
	ck_assert_uint_eq(r.hdr.mac_proto, 0);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);
}
END_TEST

START_TEST(wifi_that_stops_at_the_mac)
{
	struct reading r;
	struct frame f;

	/* Protected: what looks like LLC is not. */
	wifi_data(&f, 0x88, 0x42, 0);
	RFC1042(&f, ETH_P_IP);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS | FMP_80211_PROTECTED);
	expect_addrs(&r.hdr, 1, 3);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);

	/* A-MSDU: the transmitter is all that the header tells. */
	wifi_data(&f, 0x88, 0x02, 0x80);
	RFC1042(&f, ETH_P_IP);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect(&f);
	ck_assert_uint_eq(r.wifi.flags, FMP_80211_TA | FMP_80211_DATA | FMP_80211_AMSDU);
	expect_ta(&r, 2);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);

	/* No data, with and without QoS. */
	wifi_data(&f, 0x48, 0x01, 0);
	r = dissect(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS | FMP_80211_NO_BODY);
	expect_addrs(&r.hdr, 3, 2);
	wifi_data(&f, 0xc8, 0x01, 0x80);
	RFC1042(&f, ETH_P_IP);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS | FMP_80211_NO_BODY);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);

	/* A later fragment begins in the middle of a packet. */
	wifi_data(&f, 0x08, 0x02, 0);
	RFC1042(&f, ETH_P_IP);
	ipv4(&f, 0, 0, IPPROTO_UDP);
	f.data[22] |= 1;
	r = dissect(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);
}
END_TEST

START_TEST(wifi_management)
{
	struct reading r;
	struct frame f;

	/* A beacon, a protected action with HT control. */
	wifi_begin(&f, 0x80, 0);
	PUT(&f, A(1), A(2), A(3), 0, 0, 1, 2, 3);
	r = dissect(&f);
	ck_assert_uint_eq(r.wifi.flags, FMP_80211_TA | FMP_80211_SA);
	expect_addrs(&r.hdr, 1, 2);
	expect_ta(&r, 2);
	ck_assert_uint_eq(r.hdr.mac_len, 24);

	wifi_begin(&f, 0xd0, 0xc0);
	PUT(&f, A(1), A(2), A(3), 0, 0, 0, 0, 0, 0, 9);
	r = dissect(&f);
	ck_assert_uint_eq(r.wifi.flags, FMP_80211_TA | FMP_80211_SA | FMP_80211_PROTECTED);
	ck_assert_uint_eq(r.hdr.mac_len, 28);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);
}
END_TEST

START_TEST(wifi_control)
{
	const u32 with_ta = BIT(2) | BIT(4) | BIT(5) | BIT(8) | BIT(9) | BIT(10) | BIT(11) |
			    BIT(14) | BIT(15);
	struct reading r;
	struct frame f;
	u8 subtype;

	for (subtype = 0; subtype < 16; subtype++) {
		wifi_begin(&f, subtype << 4 | 4, 0);
		/* The group bit of a transmitter is not of its address. */
		PUT(&f, A(1), 3, 0, 0, 0, 0, 2, 0, 0);
		r = dissect(&f);
		ck_assert_uint_eq(r.wifi.flags, with_ta & BIT(subtype) ? FMP_80211_TA : 0);
		if (with_ta & BIT(subtype))
			expect_ta(&r, 2);
		ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);
	}
	/* An acknowledgement has no room for one. */
	wifi_begin(&f, 0xd4, 0);
	PUT(&f, A(1));
	ck_assert_uint_eq(dissect(&f).wifi.flags, 0);
}
END_TEST

START_TEST(wifi_that_is_none)
{
	struct frame f;

	/* Another version; the extension type. */
	wifi_data(&f, 0x09, 0, 0);
	ck_assert_uint_eq(dissect(&f).wifi.flags, 0);
	wifi_data(&f, 0x0c, 0, 0);
	ck_assert_uint_eq(dissect(&f).wifi.flags, 0);
	/* Cut within the fourth address. */
	wifi_data(&f, 0x08, 3, 0);
	f.len = 29;
	ck_assert_uint_eq(dissect(&f).wifi.flags, 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("dissect");

	tcase_add_test(tc, ethernet_with_ipv4);
	tcase_add_test(tc, ipv4_with_options);
	tcase_add_test(tc, ipv4_fragments);
	tcase_add_test(tc, ipv4_headers_that_are_none);
	tcase_add_test(tc, vlan_tags);
	tcase_add_test(tc, arp_has_a_sender);
	tcase_add_test(tc, ethernet_with_a_length);
	tcase_add_test(tc, ipv6_plain);
	tcase_add_test(tc, ipv6_extension_headers);
	tcase_add_test(tc, ipv6_without_ports);
	tcase_add_test(tc, ipv6_extension_headers_are_bounded);
	tcase_add_test(tc, wifi_addresses);
	tcase_add_test(tc, wifi_bodies);
	tcase_add_test(tc, wifi_that_stops_at_the_mac);
	tcase_add_test(tc, wifi_management);
	tcase_add_test(tc, wifi_control);
	tcase_add_test(tc, wifi_that_is_none);
	return run_tcase("dissect", tc);
}
