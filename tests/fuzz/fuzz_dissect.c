// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes kernel/path/dissect*.c, compiled as they are, under libFuzzer, ASan and UBSan
 *
 * Input: a byte whose lowest bit selects an 802.11 frame, a byte with the number of
 * bytes by which the announced length exceeds the rest of the input, and the frame.
 *
 * Each prefix of the frame is copied to a buffer of its exact size, so that ASan
 * reports a read beyond it; every other one to an odd address. Invariants:
 *
 * - the result of a prefix is final, or wants more bytes: more than were given, and
 *   no more than the frame has
 * - all prefixes longer than that of a final result give the same result, also with
 *   a record that is reused from call to call
 * - addresses and EtherType of an Ethernet frame are those of its bytes
 * - each offset lies inside the frame, and each known header inside the prefix
 */
#include "../../kernel/path/dissect.h"

#include <linux/in.h>
#include <linux/ipv6.h>
#include <stdio.h>
#include <stdlib.h>

/* Longer prefixes give nothing new: all headers that the dissector wants end before. */
#define PREFIX_MAX 160

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_invariant(int line, bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_dissect.c:%d: does not hold: %s\n", line, what);
	abort();
}
#define MUST(x) check_invariant(__LINE__, (x), #x)

/**
 * struct record - result of the dissector
 * @hdr: the header record
 * @wifi: further fields of 802.11
 * @wireless: the frame is one of 802.11
 * @mac_read: the MAC header is in the record
 */
struct record {
	struct fmp_hdr hdr;
	struct fmp_80211 wifi;
	bool wireless;
	bool mac_read;
};

/* Fills the record with garbage: the dissector must set all fields that it uses. */
static void init_record(struct record *rec, bool wireless)
{
	memset(rec, 0xa5, sizeof(*rec));
	rec->wireless = wireless;
	rec->mac_read = false;
}

/* Calls the dissector as a driver does. */
static u32 dissect_next(struct record *rec, const u8 *buf, u32 avail, u32 frame_len)
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

static bool sources_equal(const struct fmp_hdr *a, const struct fmp_hdr *b)
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

static bool wifi_equal(const struct fmp_80211 *a, const struct fmp_80211 *b)
{
	return a->flags == b->flags && !memcmp(a->ta, b->ta, ETH_ALEN);
}

static bool records_equal(const struct record *x, const struct record *y)
{
	const struct fmp_hdr *a = &x->hdr, *b = &y->hdr;

	return !memcmp(a->dst, b->dst, ETH_ALEN) && !memcmp(a->src, b->src, ETH_ALEN) &&
	       a->mac_proto == b->mac_proto && a->mac_len == b->mac_len && a->l3 == b->l3 &&
	       a->l3_off == b->l3_off && a->l4_off == b->l4_off &&
	       (!a->l4_off || a->l4_proto == b->l4_proto) && sources_equal(a, b) &&
	       (!x->wireless || wifi_equal(&x->wifi, &y->wifi));
}

static u32 get_l3_len(u8 l3)
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

/* Reads the transport header in the same prefix. */
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
	MUST(hdr->l3_off + get_l3_len(hdr->l3) <= avail);
	MUST(hdr->l3_off <= frame_len);
	check_l4(*hdr, buf, avail);
	if (!rec->wireless) {
		MUST(!memcmp(hdr->dst, buf, ETH_ALEN));
		MUST(!memcmp(hdr->src, buf + ETH_ALEN, ETH_ALEN));
		MUST(!memcmp(&hdr->mac_proto, buf + 2 * ETH_ALEN, sizeof(hdr->mac_proto)));
		return;
	}
	MUST(!(rec->wifi.flags & FMP_80211_TA) ||
	     !memcmp(rec->wifi.ta + 1, buf + 11, ETH_ALEN - 1));
	MUST(!(rec->wifi.flags & FMP_80211_PROTECTED) || !hdr->l3_off);
	MUST(!(rec->wifi.flags & FMP_80211_AMSDU) || !hdr->l3_off);
}

/* Checks one prefix; @final: a shorter one had a final result, which is in @first. */
static bool check_prefix(struct record *first, struct record *reused, const u8 *buf, u32 n,
			 u32 frame_len, bool final)
{
	struct record rec;
	u32 want, again;

	init_record(&rec, first->wireless);
	want = dissect_next(&rec, buf, n, frame_len);
	again = dissect_next(reused, buf, n, frame_len);
	MUST(want == again);
	if (want) {
		MUST(!final);
		MUST(want > n);
		/* The caller drops an Ethernet frame that is too short for a MAC header. */
		MUST(want <= frame_len || (!rec.wireless && want == ETH_HLEN));
		return false;
	}
	check_final(&rec, buf, n, frame_len);
	MUST(records_equal(&rec, reused));
	MUST(!final || records_equal(first, &rec));
	*first = rec;
	return true;
}

static void check_frame(const u8 *frame, u32 len, u32 frame_len, bool wireless)
{
	struct record first, reused;
	bool final = false;
	u32 n;

	init_record(&first, wireless);
	init_record(&reused, wireless);
	for (n = 0; n <= len; n++) {
		u8 *memory, *buf;

		if (n > PREFIX_MAX)
			n = len;
		memory = malloc(n % 2 + n);
		if (!memory)
			abort();
		buf = memory + n % 2;
		memcpy(buf, frame, n);
		final = check_prefix(&first, &reused, buf, n, frame_len, final);
		free(memory);
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
