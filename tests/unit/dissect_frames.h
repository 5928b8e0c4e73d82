/* SPDX-License-Identifier: GPL-2.0 */
/* Frames made by hand, and what the module's dissector says of them. */
#ifndef FMP_TESTS_DISSECT_FRAMES_H
#define FMP_TESTS_DISSECT_FRAMES_H

#include "path/dissect.h"

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

/* Adds bytes to a frame. */
void put(struct frame *f, const void *bytes, u32 n);

#define PUT(f, ...)                              \
	do {                                     \
		const u8 _b[] = { __VA_ARGS__ }; \
		put(f, _b, sizeof(_b));          \
	} while (0)

/* Addresses by their last byte. */
#define A(n) 0x02, 0x00, 0x00, 0x00, 0x00, n

extern const u8 v6_source[16];

/*
 * The whole frame's reading. On the way: a part of it either gives the same or asks for
 * more, never for more than there is; and a frame that ends early is read to its end.
 */
struct reading dissect(const struct frame *f);

/* With what stands behind the network header, for every length of what is there. */
struct fmp_hdr dissect_all(const struct frame *f);

/* Begins a frame to A(0xd) from A(0x5). */
void ethernet(struct frame *f, u16 type);

/* An IPv4 header from 10.9.0.2 with @words words of options, and ports 1000 and 80. */
void ipv4(struct frame *f, u8 words, u16 frag, u8 proto);

/* An IPv6 header from v6_source. */
void ipv6(struct frame *f, u8 next);

/* Ports 1000 and 80. */
void ports(struct frame *f);

/* ARP of 10.9.0.2. */
void arp(struct frame *f);

void expect_addrs(const struct fmp_hdr *hdr, u8 dst, u8 src);
void expect_ipv4(const struct fmp_hdr *hdr, u32 l3_off);
void expect_ports(const struct fmp_hdr *hdr, u32 l4_off);
void expect_no_ports(const struct fmp_hdr *hdr, u32 l4_off);

#endif
