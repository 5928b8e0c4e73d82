// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes kernel/path/dissect*.c, compiled as they are, under libFuzzer, ASan and UBSan
 *
 * Input: a byte whose lowest bit says whether the frame is one of 802.11, a byte
 * that says how many bytes longer than what follows the frame is announced to be,
 * and the frame.
 *
 * Every prefix of the frame is put into a buffer of its very size, so that a
 * read behind it is seen. What must hold:
 *
 * - an answer on a prefix is final, or asks for more: more than there is, and
 *   no more than the frame has
 * - once it is final, all longer prefixes give the same answer, and whoever asked
 *   again and again with the same record got it, too
 * - every offset lies inside the frame, and a header that is known lies in what
 *   was there
 */
#include "../../kernel/path/dissect.h"

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

/**
 * struct record - what is dissected
 * @hdr: the header record
 * @wifi: what 802.11 adds
 * @wireless: the frame is one of 802.11
 * @mac_read: the MAC header is in the record
 */
struct record {
	struct fmp_hdr hdr;
	struct fmp_80211 wifi;
	bool wireless;
	bool mac_read;
};

/* What is not set by the dissector must not matter. */
static void begin(struct record *rec, bool wireless)
{
	memset(rec, 0xa5, sizeof(*rec));
	rec->wireless = wireless;
	rec->mac_read = false;
}

/* Asks as a driver does. */
static u32 ask(struct record *rec, const u8 *buf, u32 avail, u32 frame_len)
{
	u32 want = 0;

	if (!rec->mac_read)
		want = rec->wireless
			       ? fmp_dissect_80211(&rec->hdr, &rec->wifi, buf, avail, frame_len)
			       : fmp_dissect_mac(&rec->hdr, buf, avail);
	if (want)
		return want;
	rec->mac_read = true;
	return fmp_dissect_l3(&rec->hdr, buf, avail, frame_len);
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

static bool same_wifi(const struct fmp_80211 *a, const struct fmp_80211 *b)
{
	return a->flags == b->flags && !memcmp(a->ta, b->ta, ETH_ALEN);
}

static bool same(const struct record *x, const struct record *y)
{
	const struct fmp_hdr *a = &x->hdr, *b = &y->hdr;

	return !memcmp(a->dst, b->dst, ETH_ALEN) && !memcmp(a->src, b->src, ETH_ALEN) &&
	       a->mac_proto == b->mac_proto && a->mac_len == b->mac_len && a->l3 == b->l3 &&
	       a->l3_off == b->l3_off && a->l4_off == b->l4_off &&
	       (!a->l4_off || a->l4_proto == b->l4_proto) && same_source(a, b) &&
	       (!x->wireless || same_wifi(&x->wifi, &y->wifi));
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

static void check_final(const struct record *rec, const u8 *buf, u32 avail, u32 frame_len)
{
	const struct fmp_hdr *hdr = &rec->hdr;

	MUST(rec->wireless || (frame_len >= ETH_HLEN && avail >= ETH_HLEN));
	MUST(hdr->mac_len <= avail && hdr->mac_len <= frame_len);
	MUST(hdr->l3 == FMP_L3_NONE || hdr->l3_off >= hdr->mac_len);
	MUST(hdr->l3_off + l3_len(hdr->l3) <= avail);
	MUST(hdr->l3_off <= frame_len);
	check_l4(*hdr, buf, avail);
	if (!rec->wireless)
		return;
	MUST(!(rec->wifi.flags & FMP_80211_TA) ||
	     !memcmp(rec->wifi.ta + 1, buf + 11, ETH_ALEN - 1));
	MUST(!(rec->wifi.flags & FMP_80211_PROTECTED) || !hdr->l3_off);
	MUST(!(rec->wifi.flags & FMP_80211_AMSDU) || !hdr->l3_off);
}

/* One prefix; final says whether a shorter one was answered, by first. */
static bool check_prefix(struct record *first, struct record *on, const u8 *buf, u32 n,
			 u32 frame_len, bool final)
{
	struct record rec;
	u32 want, again;

	begin(&rec, first->wireless);
	want = ask(&rec, buf, n, frame_len);
	again = ask(on, buf, n, frame_len);
	MUST(want == again);
	if (want) {
		MUST(!final);
		MUST(want > n);
		/* An Ethernet frame without a MAC header is the caller's to throw away. */
		MUST(want <= frame_len || (!rec.wireless && want == ETH_HLEN));
		return false;
	}
	check_final(&rec, buf, n, frame_len);
	MUST(same(&rec, on));
	MUST(!final || same(first, &rec));
	*first = rec;
	return true;
}

static void check_frame(const u8 *frame, u32 len, u32 frame_len, bool wireless)
{
	struct record first, on;
	bool final = false;
	u32 n;

	begin(&first, wireless);
	begin(&on, wireless);
	for (n = 0; n <= len; n++) {
		u8 *buf;

		if (n > PREFIX_MAX)
			n = len;
		buf = malloc(n);
		if (!buf)
			abort();
		memcpy(buf, frame, n);
		final = check_prefix(&first, &on, buf, n, frame_len, final);
		free(buf);
	}
	MUST(final || len < frame_len || (!wireless && frame_len < ETH_HLEN));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	check_frame(data + 2, size - 2, size - 2 + data[1], data[0] & 1);
	return 0;
}
