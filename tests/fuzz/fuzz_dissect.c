// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes kernel/dissect.c, compiled as it is, under libFuzzer, ASan and UBSan
 *
 * Input: a byte that says what kind of frame it is, a byte that says how many
 * bytes longer than what follows the frame is announced to be, and the frame.
 *
 * Every prefix of the frame is put into a buffer of its very size, so that a
 * read behind it is seen. What must hold:
 *
 * - an answer on a prefix is final, or asks for more: more than there is, and
 *   no more than the frame has
 * - once it is final, all longer prefixes give the same answer
 * - every offset lies inside the frame, and a header that is known lies in what
 *   was there
 */
#include "dissect.h"

#include <linux/in.h>
#include <linux/ipv6.h>
#include <stdio.h>
#include <stdlib.h>

/* Longer prefixes say nothing new: no header that is asked for ends behind it. */
#define PREFIX_MAX 160

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int line, bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_dissect.c:%d: does not hold: %s\n", line, what);
	abort();
}
#define MUST(x) must(__LINE__, (x), #x)

/* Asks as a driver does. What is not set by the dissector must not matter. */
static u32 ask(struct fmp_hdr *hdr, const u8 *buf, u32 avail, u32 frame_len)
{
	u32 want;

	memset(hdr, 0xa5, sizeof(*hdr));
	want = fmp_dissect_mac(hdr, buf, avail);
	return want ?: fmp_dissect_l3(hdr, buf, avail, frame_len);
}

static bool same_source(const struct fmp_hdr *a, const struct fmp_hdr *b)
{
	switch (a->l3) {
	case FMP_L3_ARP:
	case FMP_L3_IPV4:
		return a->saddr4 == b->saddr4;
	case FMP_L3_IPV6:
		return !memcmp(&a->saddr6, &b->saddr6, sizeof(a->saddr6));
	default:
		return true;
	}
}

static bool same(const struct fmp_hdr *a, const struct fmp_hdr *b)
{
	return !memcmp(a->dst, b->dst, ETH_ALEN) && !memcmp(a->src, b->src, ETH_ALEN) &&
	       a->mac_proto == b->mac_proto && a->l3 == b->l3 && a->l3_off == b->l3_off &&
	       a->l4_off == b->l4_off && (!a->l3_off || a->proto == b->proto) &&
	       (!a->l4_off || a->l4_proto == b->l4_proto) && same_source(a, b);
}

static u32 l3_len(u8 l3)
{
	switch (l3) {
	case FMP_L3_ARP:
		return 28;
	case FMP_L3_IPV4:
		return 20;
	case FMP_L3_IPV6:
		return 40;
	default:
		return 0;
	}
}

/* The transport header, sought in the same prefix. */
static void check_l4(struct fmp_hdr hdr, const u8 *buf, u32 avail)
{
	u16 before = hdr.l4_off;

	if (!hdr.l3_off)
		return;
	hdr.sport = 0;
	hdr.dport = 0;
	fmp_dissect_l4(&hdr, buf, avail);
	MUST(hdr.l4_off <= avail);
	MUST(!hdr.l4_off || hdr.l4_off >= before);
	MUST(hdr.l3 == FMP_L3_IPV6 || !hdr.l4_off || hdr.l4_off == before);
	if (hdr.sport || hdr.dport) {
		MUST(hdr.l4_off);
		MUST(hdr.l4_off + 4U <= avail);
		MUST(!memcmp(&hdr.sport, buf + hdr.l4_off, 2));
		MUST(!memcmp(&hdr.dport, buf + hdr.l4_off + 2, 2));
	}
}

static void check_final(const struct fmp_hdr *hdr, const u8 *buf, u32 avail, u32 frame_len)
{
	MUST(frame_len >= ETH_HLEN && avail >= ETH_HLEN);
	MUST(hdr->l3 == FMP_L3_NONE || hdr->l3_off >= ETH_HLEN);
	MUST(hdr->l3_off + l3_len(hdr->l3) <= avail);
	MUST(hdr->l3_off <= frame_len);
	check_l4(*hdr, buf, avail);
}

static void check_frame(const u8 *frame, u32 len, u32 frame_len)
{
	struct fmp_hdr first, hdr;
	bool final = false;
	u32 n;

	for (n = 0; n <= len; n++) {
		u32 want;
		u8 *buf;

		if (n > PREFIX_MAX)
			n = len;
		buf = malloc(n);
		if (!buf)
			abort();
		memcpy(buf, frame, n);
		want = ask(&hdr, buf, n, frame_len);
		if (want) {
			MUST(!final);
			MUST(want > n);
			/* A frame without a MAC header is the caller's to throw away. */
			MUST(want <= frame_len || want == ETH_HLEN);
		} else {
			check_final(&hdr, buf, n, frame_len);
			MUST(!final || same(&first, &hdr));
			if (!final)
				first = hdr;
			final = true;
		}
		free(buf);
	}
	MUST(final || len < frame_len || frame_len < ETH_HLEN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	check_frame(data + 2, size - 2, size - 2 + data[1]);
	return 0;
}
