// SPDX-License-Identifier: GPL-2.0
/* Hand-made frames: complete, in part, and truncated. */
#include "dissect_frames.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void put_bytes(struct frame *f, const void *bytes, u32 n)
{
	memcpy(f->data + f->len, bytes, n);
	f->len += n;
}

const u8 v6_source[16] = { 0xfd, 9, [15] = 0x42 };

/* Copies the first bytes to the heap, so that ASan reports a read beyond them. */
static struct dissected read_part(const struct frame *f, u32 avail, u32 frame_len)
{
	struct dissected r;
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

struct dissected dissect_frame(const struct frame *f)
{
	struct dissected whole = read_part(f, f->len, f->len);
	u32 n;

	ck_assert_uint_eq(whole.want, 0);
	for (n = 0; n < f->len; n++) {
		struct dissected part = read_part(f, n, f->len);

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

struct fmp_hdr dissect_all(const struct frame *f)
{
	struct fmp_hdr hdr = dissect_frame(f).hdr;
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

void start_ethernet(struct frame *f, u16 type)
{
	memset(f, 0, sizeof(*f));
	PUT(f, A(0xd), A(0x5), type >> 8, type & 0xff);
}

void put_ipv4(struct frame *f, u8 words, u16 frag, u8 proto)
{
	u32 i;

	PUT(f, 0x45 + words, 0, 0, 28 + words * 4, 0, 1, frag >> 8, frag & 0xff, 64, proto, 0, 0);
	PUT(f, 10, 9, 0, 2, 10, 9, 0, 1);
	for (i = 0; i < words; i++)
		PUT(f, 1, 1, 1, 1);
	PUT(f, 1000 >> 8, 1000 & 0xff, 0, 80, 0, 8, 0, 0);
}

void put_ipv6(struct frame *f, u8 next)
{
	PUT(f, 0x60, 0, 0, 0, 0, 8, next, 64);
	put_bytes(f, v6_source, sizeof(v6_source));
	put_bytes(f, v6_source, sizeof(v6_source));
}

void put_ports(struct frame *f)
{
	PUT(f, 1000 >> 8, 1000 & 0xff, 0, 80, 0, 8, 0, 0);
}

void put_arp(struct frame *f)
{
	PUT(f, 0, 1, 8, 0, 6, 4, 0, 1, A(0x5), 10, 9, 0, 2, A(0), 10, 9, 0, 1);
}

void expect_addrs(const struct fmp_hdr *hdr, u8 dst, u8 src)
{
	const u8 d[] = { A(dst) }, s[] = { A(src) };

	ck_assert_mem_eq(hdr->dst, d, ETH_ALEN);
	ck_assert_mem_eq(hdr->src, s, ETH_ALEN);
}

void expect_ipv4(const struct fmp_hdr *hdr, u32 l3_off)
{
	ck_assert_uint_eq(hdr->l3, FMP_L3_IPV4);
	ck_assert_uint_eq(hdr->l3_off, l3_off);
	ck_assert_uint_eq(hdr->saddr4, htonl(0x0a090002));
}

void expect_ports(const struct fmp_hdr *hdr, u32 l4_off)
{
	ck_assert_uint_eq(hdr->l4_off, l4_off);
	ck_assert_uint_eq(hdr->sport, htons(1000));
	ck_assert_uint_eq(hdr->dport, htons(80));
}

void expect_no_ports(const struct fmp_hdr *hdr, u32 l4_off)
{
	ck_assert_uint_eq(hdr->l4_off, l4_off);
	ck_assert_uint_eq(hdr->sport, 0);
	ck_assert_uint_eq(hdr->dport, 0);
}
