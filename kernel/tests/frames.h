/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames for the suites, built byte by byte
 */
#ifndef _FMP_TESTS_FRAMES_H
#define _FMP_TESTS_FRAMES_H

#include <linux/if_ether.h>
#include <linux/in6.h>
#include <linux/string.h>
#include <linux/types.h>

/* Longest frame of the suites. */
#define FMP_FRAME_MAX 192

/* Last bytes of the receiver's and the sender's address 02:00:00:00:00:x. */
#define FMP_TEST_DST 0x0d
#define FMP_TEST_SRC 0x05

/**
 * struct fmp_frame - a frame under construction
 * @data: its bytes
 * @len: number of bytes
 */
struct fmp_frame {
	u8 data[FMP_FRAME_MAX];
	u32 len;
};

/**
 * fmp_frame_put() - append bytes
 * @f: the frame
 * @bytes: the bytes
 * @n: number of bytes
 */
static inline void fmp_frame_put(struct fmp_frame *f, const u8 *bytes, u32 n)
{
	memcpy(f->data + f->len, bytes, n);
	f->len += n;
}

/* Append constant bytes. */
#define FMP_PUT(f, ...)                                     \
	do {                                                \
		static const u8 _bytes[] = { __VA_ARGS__ }; \
		fmp_frame_put(f, _bytes, sizeof(_bytes));   \
	} while (0)

/**
 * fmp_frame_be16() - append a number in network order
 * @f: the frame
 * @v: the number
 */
static inline void fmp_frame_be16(struct fmp_frame *f, u16 v)
{
	const u8 b[] = { v >> 8, v & 0xff };

	fmp_frame_put(f, b, sizeof(b));
}

/**
 * fmp_frame_mac() - start a frame with an Ethernet header
 * @f: the frame
 * @src: last byte of the source address
 * @type: EtherType
 */
static inline void fmp_frame_mac(struct fmp_frame *f, u8 src, u16 type)
{
	memset(f, 0, sizeof(*f));
	FMP_PUT(f, 0x02, 0, 0, 0, 0, FMP_TEST_DST, 0x02, 0, 0, 0, 0);
	fmp_frame_put(f, &src, 1);
	fmp_frame_be16(f, type);
}

/* Frame control of data frames, with QoS, and its flags. */
#define FMP_FC_DATA	 0x08
#define FMP_FC_QOS	 0x88
#define FMP_FC_TO_DS	 0x01
#define FMP_FC_FROM_DS	 0x02
#define FMP_FC_MORE_FRAG 0x04
#define FMP_FC_PROTECTED 0x40

/**
 * fmp_frame_80211() - start a frame with an 802.11 header of three addresses, LLC and SNAP
 * @f: the frame
 * @fc0: first byte of the frame control field
 * @fc1: its second byte
 * @ta: last byte of the transmitter's address
 * @addr3: last byte of the third address
 * @number: sequence number
 * @type: EtherType
 *
 * The receiver's address is 02:00:00:00:00:0d, the others are 02:00:00:00:00:x.
 */
static inline void fmp_frame_80211(struct fmp_frame *f, u8 fc0, u8 fc1, u8 ta, u8 addr3, u16 number,
				   u16 type)
{
	const u8 fc[] = { fc0, fc1, 0, 0 };
	const u8 seq[] = { number << 4, number >> 4 };

	memset(f, 0, sizeof(*f));
	fmp_frame_put(f, fc, sizeof(fc));
	FMP_PUT(f, 0x02, 0, 0, 0, 0, FMP_TEST_DST, 0x02, 0, 0, 0, 0);
	fmp_frame_put(f, &ta, 1);
	FMP_PUT(f, 0x02, 0, 0, 0, 0);
	fmp_frame_put(f, &addr3, 1);
	fmp_frame_put(f, seq, sizeof(seq));
	if (fc0 & 0x80)
		FMP_PUT(f, 0, 0);
	FMP_PUT(f, 0xaa, 0xaa, 3, 0, 0, 0);
	fmp_frame_be16(f, type);
}

/**
 * fmp_frame_ipv4() - append an IPv4 header and 8 bytes that begin with ports 1000 and 80
 * @f: the frame
 * @src: last byte of the source address 10.9.0.x
 * @words: number of option words
 * @frag: flags and fragment offset
 * @proto: IPPROTO_*
 */
static inline void fmp_frame_ipv4(struct fmp_frame *f, u8 src, u8 words, u16 frag, u8 proto)
{
	const u8 head[] = { 0x45 + words,
			    0,
			    0,
			    28 + words * 4,
			    0,
			    1,
			    frag >> 8,
			    frag & 0xff,
			    64,
			    proto,
			    0,
			    0,
			    10,
			    9,
			    0,
			    src };

	fmp_frame_put(f, head, sizeof(head));
	FMP_PUT(f, 10, 9, 0, 1);
	while (words--)
		FMP_PUT(f, 1, 1, 1, 1);
	FMP_PUT(f, 1000 >> 8, 1000 & 0xff, 0, 80, 0, 8, 0, 0);
}

/**
 * fmp_frame_ipv6() - append an IPv6 header from fd09::x
 * @f: the frame
 * @src: last byte of the source address
 * @next: next header
 */
static inline void fmp_frame_ipv6(struct fmp_frame *f, u8 src, u8 next)
{
	const u8 head[] = { 0x60, 0, 0, 0, 0, 8, next, 64 };

	fmp_frame_put(f, head, sizeof(head));
	FMP_PUT(f, 0xfd, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	fmp_frame_put(f, &src, 1);
	FMP_PUT(f, 0xfd, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
}

/**
 * fmp_frame_arp() - append an ARP request of 10.9.0.x
 * @f: the frame
 * @src: last byte of the sender's addresses
 */
static inline void fmp_frame_arp(struct fmp_frame *f, u8 src)
{
	FMP_PUT(f, 0, 1, 8, 0, 6, 4, 0, 1, 0x02, 0, 0, 0, 0);
	fmp_frame_put(f, &src, 1);
	FMP_PUT(f, 10, 9, 0);
	fmp_frame_put(f, &src, 1);
	FMP_PUT(f, 0, 0, 0, 0, 0, 0, 10, 9, 0, 1);
}

#endif /* _FMP_TESTS_FRAMES_H */
