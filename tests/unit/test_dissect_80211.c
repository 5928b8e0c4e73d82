// SPDX-License-Identifier: GPL-2.0
/* The module's dissector: 802.11 headers and the protocols after them. */
#include <check.h>
#include <string.h>

#include "dissect_frames.h"
#include "run.h"

#include <linux/in.h>
#include <linux/ipv6.h>

static void start_wifi(struct frame *f, u8 fc0, u8 fc1)
{
	memset(f, 0, sizeof(*f));
	f->wifi = true;
	PUT(f, fc0, fc1, 0, 0);
}

/* Starts a data frame up to its body; addresses 1 to 4 are A(1) to A(4). */
static void make_wifi_data(struct frame *f, u8 fc0, u8 fc1, u8 qos)
{
	start_wifi(f, fc0, fc1);
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

static void expect_ta(const struct dissected *r, u8 ta)
{
	const u8 a[] = { A(ta) };

	ck_assert_mem_eq(r->wifi.ta, a, ETH_ALEN);
}

START_TEST(wifi_addresses)
{
	/* By ToDS and FromDS: destination, source. */
	static const u8 addrs[4][2] = { { 1, 2 }, { 3, 2 }, { 1, 3 }, { 3, 4 } };
	struct dissected r;
	struct frame f;
	u8 ds, qos;

	for (ds = 0; ds < 4; ds++) {
		for (qos = 0; qos < 2; qos++) {
			make_wifi_data(&f, qos ? 0x88 : 0x08, ds, 5);
			r.want = f.len;
			RFC1042(&f, ETH_P_IP);
			put_ipv4(&f, 0, 0, IPPROTO_UDP);
			ck_assert_uint_eq(r.want, 24 + (ds == 3 ? 6 : 0) + qos * 2);
			r = dissect_frame(&f);
			ck_assert_uint_eq(r.wifi.flags,
					  DATA_FLAGS | (qos ? FMP_80211_NUMBERED : 0));
			ck_assert_uint_eq(r.wifi.number, qos);
			expect_ta(&r, 2);
			expect_addrs(&r.hdr, addrs[ds][0], addrs[ds][1]);
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
	struct dissected r;
	struct frame f;

	/* HT control before the body; SNAP of the bridge tunnel; a VLAN tag after it. */
	make_wifi_data(&f, 0x88, 0x81, 0);
	BRIDGED(&f, ETH_P_8021Q);
	PUT(&f, 0, 5, 8, 0);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect_frame(&f);
	expect_ipv4(&r.hdr, 24 + 2 + 4 + 8 + 4);

	/* Without QoS the order bit announces no field. */
	make_wifi_data(&f, 0x08, 0x81, 0);
	RFC1042(&f, ETH_P_ARP);
	put_arp(&f);
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_ARP);
	ck_assert_uint_eq(r.hdr.l3_off, 32);

	make_wifi_data(&f, 0x08, 2, 0);
	RFC1042(&f, ETH_P_IPV6);
	put_ipv6(&f, IPPROTO_TCP);
	r = dissect_frame(&f);
	ck_assert_mem_eq(&r.hdr.saddr6, v6_source, sizeof(v6_source));

	/* LLC without an EtherType. */
	make_wifi_data(&f, 0x08, 0, 0);
	PUT(&f, 0x42, 0x42, 3, 0, 0, 0, 8, 0);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS);
	ck_assert_uint_eq(r.hdr.mac_proto, 0);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);
}
END_TEST

START_TEST(wifi_that_stops_at_the_mac)
{
	struct dissected r;
	struct frame f;

	/* Protected: the encrypted bytes only look like LLC. */
	make_wifi_data(&f, 0x88, 0x42, 0);
	RFC1042(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS | FMP_80211_PROTECTED | FMP_80211_NUMBERED);
	expect_addrs(&r.hdr, 1, 3);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);

	/* A-MSDU: the header has only the transmitter. */
	make_wifi_data(&f, 0x88, 0x02, 0x80);
	RFC1042(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags,
			  FMP_80211_TA | FMP_80211_DATA | FMP_80211_AMSDU | FMP_80211_NUMBERED);
	expect_ta(&r, 2);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);

	/* No data, with and without QoS. */
	make_wifi_data(&f, 0x48, 0x01, 0);
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS | FMP_80211_NO_BODY);
	expect_addrs(&r.hdr, 3, 2);
	make_wifi_data(&f, 0xc8, 0x01, 0x80);
	RFC1042(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS | FMP_80211_NO_BODY);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);

	/* A later fragment begins in the middle of a packet. */
	make_wifi_data(&f, 0x08, 0x02, 0);
	RFC1042(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
	f.data[22] |= 1;
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS | FMP_80211_FRAGMENT);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);

	/* The first one says that more follow. */
	f.data[22] &= ~1;
	f.data[1] |= 4;
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags, DATA_FLAGS | FMP_80211_FRAGMENT);
}
END_TEST

START_TEST(wifi_numbers)
{
	struct dissected r;
	struct frame f;

	make_wifi_data(&f, 0x88, 0x01, 0);
	f.data[22] = 0xf3;
	f.data[23] = 0xab;
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.number, 0xabf);
	/* A group has no block acknowledgement. */
	f.data[4] |= 1;
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags & FMP_80211_NUMBERED, 0);
}
END_TEST

START_TEST(wifi_management)
{
	struct dissected r;
	struct frame f;

	/* A beacon, a protected action with HT control. */
	start_wifi(&f, 0x80, 0);
	PUT(&f, A(1), A(2), A(3), 0, 0, 1, 2, 3);
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags, FMP_80211_TA | FMP_80211_SA);
	expect_addrs(&r.hdr, 1, 2);
	expect_ta(&r, 2);
	ck_assert_uint_eq(r.hdr.mac_len, 24);

	start_wifi(&f, 0xd0, 0xc0);
	PUT(&f, A(1), A(2), A(3), 0, 0, 0, 0, 0, 0, 9);
	r = dissect_frame(&f);
	ck_assert_uint_eq(r.wifi.flags, FMP_80211_TA | FMP_80211_SA | FMP_80211_PROTECTED);
	ck_assert_uint_eq(r.hdr.mac_len, 28);
	ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);
}
END_TEST

START_TEST(wifi_control)
{
	const u32 with_ta = BIT(2) | BIT(4) | BIT(5) | BIT(8) | BIT(9) | BIT(10) | BIT(11) |
			    BIT(14) | BIT(15);
	struct dissected r;
	struct frame f;
	u8 subtype;

	for (subtype = 0; subtype < 16; subtype++) {
		start_wifi(&f, subtype << 4 | 4, 0);
		/* The group bit of a transmitter is no part of its address. */
		PUT(&f, A(1), 3, 0, 0, 0, 0, 2, 0, 0);
		r = dissect_frame(&f);
		ck_assert_uint_eq(r.wifi.flags, with_ta & BIT(subtype) ? FMP_80211_TA : 0);
		if (with_ta & BIT(subtype))
			expect_ta(&r, 2);
		ck_assert_uint_eq(r.hdr.l3, FMP_L3_NONE);
	}
	/* An acknowledgement is too short for a transmitter address. */
	start_wifi(&f, 0xd4, 0);
	PUT(&f, A(1));
	ck_assert_uint_eq(dissect_frame(&f).wifi.flags, 0);
}
END_TEST

START_TEST(wifi_that_is_none)
{
	struct frame f;

	/* Another version; the extension type. */
	make_wifi_data(&f, 0x09, 0, 0);
	ck_assert_uint_eq(dissect_frame(&f).wifi.flags, 0);
	make_wifi_data(&f, 0x0c, 0, 0);
	ck_assert_uint_eq(dissect_frame(&f).wifi.flags, 0);
	/* Cut within the fourth address. */
	make_wifi_data(&f, 0x08, 3, 0);
	f.len = 29;
	ck_assert_uint_eq(dissect_frame(&f).wifi.flags, 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("dissect_80211");

	tcase_add_test(tc, wifi_addresses);
	tcase_add_test(tc, wifi_bodies);
	tcase_add_test(tc, wifi_that_stops_at_the_mac);
	tcase_add_test(tc, wifi_numbers);
	tcase_add_test(tc, wifi_management);
	tcase_add_test(tc, wifi_control);
	tcase_add_test(tc, wifi_that_is_none);
	return run_tcase("dissect_80211", tc);
}
