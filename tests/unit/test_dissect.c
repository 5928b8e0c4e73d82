// SPDX-License-Identifier: GPL-2.0
/* The module's dissector: Ethernet and IP. */
#include <check.h>
#include <string.h>

#include "dissect_frames.h"
#include "run.h"

#include <linux/in.h>
#include <linux/ipv6.h>

/* ---- Ethernet ---- */

START_TEST(ethernet_with_ipv4)
{
	static const u8 protos[] = { IPPROTO_TCP, IPPROTO_UDP, IPPROTO_SCTP, IPPROTO_DCCP };
	struct fmp_hdr hdr;
	struct frame f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(protos); i++) {
		start_ethernet(&f, ETH_P_IP);
		put_ipv4(&f, 0, 0x4000, protos[i]);
		hdr = dissect_all(&f);
		expect_addrs(&hdr, 0xd, 0x5);
		ck_assert_uint_eq(hdr.mac_len, ETH_HLEN);
		expect_ipv4(&hdr, 14);
		expect_ports(&hdr, 34);
	}
	start_ethernet(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0, IPPROTO_ICMP);
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
		start_ethernet(&f, ETH_P_IP);
		put_ipv4(&f, words, 0, IPPROTO_UDP);
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

	/* The first fragment has the ports. */
	start_ethernet(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0x2000, IPPROTO_UDP);
	hdr = dissect_all(&f);
	expect_ports(&hdr, 34);

	/* A later fragment has data in their place. */
	start_ethernet(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0x2001, IPPROTO_UDP);
	hdr = dissect_all(&f);
	expect_ipv4(&hdr, 14);
	expect_no_ports(&hdr, 0);
}
END_TEST

START_TEST(ipv4_headers_that_are_none)
{
	struct frame f;

	start_ethernet(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
	f.data[14] = 0x44;
	ck_assert_uint_eq(dissect_all(&f).l3, FMP_L3_NONE);
	f.data[14] = 0x65;
	ck_assert_uint_eq(dissect_all(&f).l3, FMP_L3_NONE);

	/* The frame ends within its IP header. */
	start_ethernet(&f, ETH_P_IP);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
	f.len = 33;
	ck_assert_uint_eq(dissect_frame(&f).hdr.l3, FMP_L3_NONE);
	ck_assert_uint_eq(dissect_frame(&f).hdr.l3_off, 0);
}
END_TEST

START_TEST(vlan_tags)
{
	struct fmp_hdr hdr;
	struct frame f;

	start_ethernet(&f, ETH_P_8021Q);
	PUT(&f, 0, 5, 8, 0);
	put_ipv4(&f, 0, 0, IPPROTO_TCP);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.mac_proto, htons(ETH_P_8021Q));
	expect_ipv4(&hdr, 18);
	expect_ports(&hdr, 38);

	start_ethernet(&f, ETH_P_8021AD);
	PUT(&f, 0, 5, 0x81, 0, 0, 6, 8, 0);
	put_ipv4(&f, 0, 0, IPPROTO_TCP);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.mac_proto, htons(ETH_P_8021AD));
	expect_ipv4(&hdr, 22);
	expect_ports(&hdr, 42);

	/* A third tag is not supported. */
	start_ethernet(&f, ETH_P_8021AD);
	PUT(&f, 0, 5, 0x81, 0, 0, 6, 0x81, 0, 0, 7, 8, 0);
	put_ipv4(&f, 0, 0, IPPROTO_TCP);
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

	start_ethernet(&f, ETH_P_ARP);
	put_arp(&f);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.l3, FMP_L3_ARP);
	ck_assert_uint_eq(hdr.saddr4, htonl(0x0a090002));
	ck_assert_uint_eq(hdr.l4_off, 0);

	/* Other hardware, protocol or lengths: not ARP for IPv4 over Ethernet. */
	for (at = 14; at < 20; at++) {
		f.data[at] ^= 0x10;
		ck_assert_uint_eq(dissect_frame(&f).hdr.l3, FMP_L3_NONE);
		f.data[at] ^= 0x10;
	}
}
END_TEST

START_TEST(ethernet_with_a_length)
{
	struct fmp_hdr hdr;
	struct frame f;

	/* The stack does not accept IPv4 in SNAP on Ethernet. */
	start_ethernet(&f, 36);
	PUT(&f, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0);
	put_ipv4(&f, 0, 0, IPPROTO_UDP);
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

	start_ethernet(&f, ETH_P_IPV6);
	put_ipv6(&f, IPPROTO_TCP);
	put_ports(&f);
	hdr = dissect_all(&f);
	ck_assert_uint_eq(hdr.l3, FMP_L3_IPV6);
	ck_assert_mem_eq(&hdr.saddr6, v6_source, sizeof(v6_source));
	expect_ports(&hdr, 54);

	f.data[14] = 0x45;
	ck_assert_uint_eq(dissect_frame(&f).hdr.l3, FMP_L3_NONE);
}
END_TEST

START_TEST(ipv6_extension_headers)
{
	struct fmp_hdr hdr;
	struct frame f;

	/* Hop by hop, routing of 16 bytes, destination, first fragment, AH of 24, UDP. */
	start_ethernet(&f, ETH_P_IPV6);
	put_ipv6(&f, 0);
	PUT(&f, IPPROTO_ROUTING, 0, 1, 4, 0, 0, 0, 0);
	PUT(&f, IPPROTO_DSTOPTS, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	PUT(&f, IPPROTO_FRAGMENT, 0, 1, 4, 0, 0, 0, 0);
	PUT(&f, IPPROTO_AH, 0, 0, 1, 0, 0, 0, 7);
	PUT(&f, IPPROTO_UDP, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	put_ports(&f);
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
		start_ethernet(&f, ETH_P_IPV6);
		put_ipv6(&f, none[i]);
		put_ports(&f);
		hdr = dissect_all(&f);
		expect_no_ports(&hdr, none[i] == IPPROTO_NONE ? 0 : 54);
	}

	/* A later fragment. */
	start_ethernet(&f, ETH_P_IPV6);
	put_ipv6(&f, IPPROTO_FRAGMENT);
	PUT(&f, IPPROTO_UDP, 0, 0, 8, 0, 0, 0, 7);
	put_ports(&f);
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
		start_ethernet(&f, ETH_P_IPV6);
		put_ipv6(&f, IPPROTO_DSTOPTS);
		for (i = 1; i < n; i++)
			PUT(&f, IPPROTO_DSTOPTS, 0, 1, 4, 0, 0, 0, 0);
		PUT(&f, IPPROTO_UDP, 0, 1, 4, 0, 0, 0, 0);
		put_ports(&f);
		hdr = dissect_all(&f);
		if (n == 8)
			expect_ports(&hdr, 54 + 64);
		else
			expect_no_ports(&hdr, 0);
	}
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
	return run_tcase("dissect", tc);
}
