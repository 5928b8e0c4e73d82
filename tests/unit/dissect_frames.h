/* SPDX-License-Identifier: GPL-2.0 */
/* Hand-made frames, and the result of the module's dissector for them. */
#ifndef FMP_TESTS_DISSECT_FRAMES_H
#define FMP_TESTS_DISSECT_FRAMES_H

#include "path/dissect.h"

/* Result of the dissector for the first bytes of a frame. */
struct dissected {
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
void put_bytes(struct frame *f, const void *bytes, u32 n);

#define PUT(f, ...)                              \
	do {                                     \
		const u8 _b[] = { __VA_ARGS__ }; \
		put_bytes(f, _b, sizeof(_b));    \
	} while (0)

/* Addresses by their last byte. */
#define A(n) 0x02, 0x00, 0x00, 0x00, 0x00, n

extern const u8 v6_source[16];

/*
 * Dissects the whole frame. Checks that each part of it gives the same result or wants more
 * bytes, but not more than the frame has, and that a truncated frame gets a final result.
 */
struct dissected dissect_frame(const struct frame *f);

/* Dissects the transport header too, and checks that for all numbers of bytes. */
struct fmp_hdr dissect_all(const struct frame *f);

/* Starts a frame to A(0xd) from A(0x5). */
void start_ethernet(struct frame *f, u16 type);

/* Adds an IPv4 header from 10.9.0.2 with @words option words, and ports 1000 and 80. */
void put_ipv4(struct frame *f, u8 words, u16 frag, u8 proto);

/* Adds an IPv6 header from v6_source. */
void put_ipv6(struct frame *f, u8 next);

/* Adds ports 1000 and 80. */
void put_ports(struct frame *f);

/* Adds an ARP request of 10.9.0.2. */
void put_arp(struct frame *f);

void expect_addrs(const struct fmp_hdr *hdr, u8 dst, u8 src);
void expect_ipv4(const struct fmp_hdr *hdr, u32 l3_off);
void expect_ports(const struct fmp_hdr *hdr, u32 l4_off);
void expect_no_ports(const struct fmp_hdr *hdr, u32 l4_off);

#endif
