// SPDX-License-Identifier: GPL-2.0
/*
 * The dissector: its result for each number of bytes of a frame
 *
 * The long suite is tests/unit/test_dissect.c in userspace. Here KASAN checks each
 * byte that is read, with thousands of random frames.
 */
#include "frames.h"
#include "suites.h"

#include "../path/dissect.h"

#include <kunit/test.h>
#include <linux/if_vlan.h>
#include <linux/in.h>
#include <linux/random.h>
#include <linux/slab.h>

/* Number of random frames, and the seed that makes them the same each time. */
#define FMP_TEST_RANDOM 5000
#define FMP_TEST_SEED	20261121

/**
 * fmp_test_read() - read the first bytes of a frame
 * @test: the case
 * @hdr: filled
 * @f: the frame
 * @avail: number of bytes; the buffer ends after them
 * @len: length of the frame
 * @wifi: it is an 802.11 frame
 *
 * Return: 0, or the number of bytes that the dissector wants.
 */
static u32 fmp_test_read(struct kunit *test, struct fmp_hdr *hdr, const struct fmp_frame *f,
			 u32 avail, u32 len, bool wifi)
{
	u8 *buf = kmemdup(f->data, avail, GFP_KERNEL);
	struct fmp_80211 more;
	u32 want;

	KUNIT_ASSERT_PTR_NE(test, buf, (u8 *)NULL);
	memset(hdr, 0, sizeof(*hdr));
	if (wifi)
		want = fmp_dissect_80211(hdr, &more, buf, avail, len);
	else
		want = fmp_dissect_mac(hdr, buf, avail);
	if (!want)
		want = fmp_dissect_l3(hdr, buf, avail, len);
	if (!want && hdr->l3_off)
		fmp_dissect_l4(hdr, buf, avail);
	kfree(buf);
	return want;
}

/**
 * fmp_test_prefixes() - check that each part of a frame gives the whole result or wants more
 * @test: the case
 * @f: the frame
 * @wifi: it is an 802.11 frame
 *
 * Return: the header record of the whole frame.
 */
static struct fmp_hdr fmp_test_prefixes(struct kunit *test, const struct fmp_frame *f, bool wifi)
{
	struct fmp_hdr whole, part;
	u32 n, want;

	/* Callers never pass a frame shorter than a MAC header. */
	want = fmp_test_read(test, &whole, f, f->len, f->len, wifi);
	KUNIT_EXPECT_EQ(test, want, f->len < ETH_HLEN && !wifi ? ETH_HLEN : 0);
	for (n = 1; n < f->len && !want; n++) {
		u32 more = fmp_test_read(test, &part, f, n, f->len, wifi);

		if (more) {
			KUNIT_EXPECT_GT(test, more, n);
			KUNIT_EXPECT_LE(test, more, f->len);
			continue;
		}
		KUNIT_EXPECT_EQ(test, part.l3, whole.l3);
		KUNIT_EXPECT_EQ(test, part.l3_off, whole.l3_off);
		KUNIT_EXPECT_EQ(test, memcmp(part.src, whole.src, ETH_ALEN), 0);
		KUNIT_EXPECT_EQ(test, memcmp(&part.saddr6, &whole.saddr6, sizeof(part.saddr6)), 0);
		KUNIT_EXPECT_LE(test, part.l4_off, n);
	}
	return whole;
}

/* Expected fields of a header record. */
struct fmp_expected {
	u8 l3;
	u16 l3_off;
	u16 l4_off;
	bool ports;
};

/**
 * fmp_test_expect() - compare the header record of a frame with the expected one
 * @test: the case
 * @f: the frame
 * @want: expected fields
 */
static void fmp_test_expect(struct kunit *test, const struct fmp_frame *f, struct fmp_expected want)
{
	static const struct in6_addr source6 = { { { 0xfd, 9, [15] = FMP_TEST_SRC } } };
	struct fmp_hdr hdr = fmp_test_prefixes(test, f, false);

	KUNIT_EXPECT_EQ(test, hdr.src[5], FMP_TEST_SRC);
	KUNIT_EXPECT_EQ(test, hdr.dst[5], FMP_TEST_DST);
	KUNIT_EXPECT_EQ(test, hdr.l3, want.l3);
	KUNIT_EXPECT_EQ(test, hdr.l4_off, want.l4_off);
	KUNIT_EXPECT_EQ(test, ntohs(hdr.sport), want.ports ? 1000 : 0);
	KUNIT_EXPECT_EQ(test, ntohs(hdr.dport), want.ports ? 80 : 0);
	if (want.l3 == FMP_L3_NONE)
		return;
	KUNIT_EXPECT_EQ(test, hdr.l3_off, want.l3_off);
	if (want.l3 == FMP_L3_IPV6)
		KUNIT_EXPECT_EQ(test, memcmp(&hdr.saddr6, &source6, sizeof(source6)), 0);
	else
		KUNIT_EXPECT_EQ(test, ntohl(hdr.saddr4), 0x0a090000U + FMP_TEST_SRC);
}

static void dissect_ipv4(struct kunit *test)
{
	struct fmp_frame f;
	u8 words;

	for (words = 0; words <= 10; words++) {
		fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_IP);
		fmp_frame_ipv4(&f, FMP_TEST_SRC, words, 0x4000, IPPROTO_UDP);
		fmp_test_expect(test, &f,
				(struct fmp_expected){ FMP_L3_IPV4, 14, 34 + words * 4, true });
	}
	/* The first fragment has ports, a later one has none. */
	fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_IP);
	fmp_frame_ipv4(&f, FMP_TEST_SRC, 0, 0x2000, IPPROTO_TCP);
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_IPV4, 14, 34, true });
	fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_IP);
	fmp_frame_ipv4(&f, FMP_TEST_SRC, 0, 0x2001, IPPROTO_TCP);
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_IPV4, 14, 0, false });
	/* Wrong version 6, and a header length of 16 bytes. */
	f.data[14] = 0x65;
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_NONE });
	f.data[14] = 0x44;
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_NONE });
}

static void dissect_ipv6(struct kunit *test)
{
	struct fmp_frame f;

	fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_IPV6);
	fmp_frame_ipv6(&f, FMP_TEST_SRC, IPPROTO_HOPOPTS);
	FMP_PUT(&f, IPPROTO_ROUTING, 0, 1, 4, 0, 0, 0, 0);
	FMP_PUT(&f, IPPROTO_DSTOPTS, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	FMP_PUT(&f, IPPROTO_FRAGMENT, 0, 1, 4, 0, 0, 0, 0);
	FMP_PUT(&f, IPPROTO_UDP, 0, 0, 1, 0, 0, 0, 7);
	FMP_PUT(&f, 1000 >> 8, 1000 & 0xff, 0, 80, 0, 8, 0, 0);
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_IPV6, 14, 94, true });
	/* Make it a later fragment. */
	f.data[54 + 8 + 16 + 8 + 2] = 1;
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_IPV6, 14, 0, false });
}

static void dissect_vlan_and_arp(struct kunit *test)
{
	struct fmp_frame f;

	fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_8021AD);
	FMP_PUT(&f, 0, 5, 0x81, 0, 0, 6, 8, 0);
	fmp_frame_ipv4(&f, FMP_TEST_SRC, 0, 0, IPPROTO_TCP);
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_IPV4, 22, 42, true });

	fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_8021Q);
	FMP_PUT(&f, 0, 5, 8, 6);
	fmp_frame_arp(&f, FMP_TEST_SRC);
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_ARP, 18, 0, false });

	fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_8021AD);
	FMP_PUT(&f, 0, 5, 0x81, 0, 0, 6, 0x81, 0, 0, 7, 8, 0);
	fmp_frame_ipv4(&f, FMP_TEST_SRC, 0, 0, IPPROTO_TCP);
	fmp_test_expect(test, &f, (struct fmp_expected){ FMP_L3_NONE });
}

static void dissect_wifi_data(struct kunit *test)
{
	struct fmp_frame f = {};
	struct fmp_hdr hdr;

	/* QoS data from the distribution system: destination, transmitter, source. */
	FMP_PUT(&f, 0x88, 0x02, 0, 0);
	FMP_PUT(&f, 0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 3, 0, 0, 0, 0);
	FMP_PUT(&f, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0);
	fmp_frame_ipv4(&f, FMP_TEST_SRC, 0, 0, IPPROTO_UDP);
	hdr = fmp_test_prefixes(test, &f, true);
	KUNIT_EXPECT_EQ(test, hdr.dst[5], 1);
	KUNIT_EXPECT_EQ(test, hdr.src[5], 3);
	KUNIT_EXPECT_EQ(test, hdr.l3, FMP_L3_IPV4);
	KUNIT_EXPECT_EQ(test, hdr.l3_off, 34);
	/* A protected frame is read up to its MAC header only. */
	f.data[1] |= 0x40;
	hdr = fmp_test_prefixes(test, &f, true);
	KUNIT_EXPECT_EQ(test, hdr.src[5], 3);
	KUNIT_EXPECT_EQ(test, hdr.l3, FMP_L3_NONE);
}

/**
 * fmp_test_random() - make a random frame that is partly valid
 * @rnd: random generator
 * @f: filled
 * @wifi: make an 802.11 frame
 */
static void fmp_test_random(struct rnd_state *rnd, struct fmp_frame *f, bool wifi)
{
	static const u16 types[] = { ETH_P_IP, ETH_P_IPV6, ETH_P_ARP, ETH_P_8021Q, ETH_P_8021AD };
	u32 flips = prandom_u32_state(rnd) % 8;

	fmp_frame_mac(f, FMP_TEST_SRC, types[prandom_u32_state(rnd) % ARRAY_SIZE(types)]);
	if (wifi)
		prandom_bytes_state(rnd, f->data, ETH_HLEN);
	if (prandom_u32_state(rnd) % 2)
		fmp_frame_ipv4(f, FMP_TEST_SRC, prandom_u32_state(rnd) % 11, 0, IPPROTO_UDP);
	else
		fmp_frame_ipv6(f, FMP_TEST_SRC, prandom_u32_state(rnd) % 61);
	prandom_bytes_state(rnd, f->data + f->len, 32);
	f->len += 32;
	while (flips--)
		f->data[prandom_u32_state(rnd) % f->len] ^= BIT(prandom_u32_state(rnd) % 8);
	f->len = 1 + prandom_u32_state(rnd) % f->len;
}

static void dissect_random_frames(struct kunit *test)
{
	struct fmp_frame *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct rnd_state rnd;
	int i;

	KUNIT_ASSERT_PTR_NE(test, f, (struct fmp_frame *)NULL);
	prandom_seed_state(&rnd, FMP_TEST_SEED);
	for (i = 0; i < FMP_TEST_RANDOM; i++) {
		fmp_test_random(&rnd, f, i % 2);
		fmp_test_prefixes(test, f, i % 2);
	}
}

static struct kunit_case fmp_dissect_cases[] = {
	KUNIT_CASE(dissect_ipv4),	   KUNIT_CASE(dissect_ipv6),
	KUNIT_CASE(dissect_vlan_and_arp),  KUNIT_CASE(dissect_wifi_data),
	KUNIT_CASE(dissect_random_frames), {},
};

struct kunit_suite fmp_dissect_suite = {
	.name = "fmp-dissect",
	.test_cases = fmp_dissect_cases,
};
