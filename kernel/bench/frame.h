/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBENCH_FRAME_H
#define _FMPBENCH_FRAME_H

#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <linux/unaligned.h>

/* Bytes of each frame, from its MAC header on, without its frame check sequence. */
#define FMPBENCH_FRAME_LEN 64

/* Bytes at the first call of the filter: the first burst of a FIFO, enough for IPv6. */
#define FMPBENCH_FIRST_LEN (ETH_HLEN + 40)
/* Source and destination port of each frame. */
#define FMPBENCH_PORT	   9

/* Source number N is 02:fb:NN:NN:NN:NN, 10.0.1.0 + N and fd0b::N. */
#define FMPBENCH_IPV4_FIRST 0x0a000100U
/* Frames go to 10.255.0.1 and fd0b:0:0:1::1. */
#define FMPBENCH_IPV4_TO    0x0aff0001U

/**
 * struct fmpbench_source - generator of frames
 * @frame: the current frame
 * @sum: sum of the words that the checksum covers, without the source's number
 * @state: state of the random generator that chooses the source
 * @first: number of the first source
 * @count: number of sources, chosen at random
 * @stride: difference of the numbers of consecutive sources
 * @ipv6: UDP over IPv6, otherwise over IPv4
 */
struct fmpbench_source {
	u8 frame[FMPBENCH_FRAME_LEN] __aligned(8);
	u32 sum;
	u32 state;
	u32 first;
	u32 count;
	u32 stride;
	bool ipv6;
};

void fmpbench_source_init(struct fmpbench_source *src, const u8 *to, bool ipv6);

/**
 * fmpbench_fold_sum() - fold a sum of words to its checksum
 * @sum: the sum
 *
 * Context: any.
 * Return: the checksum.
 */
static inline u16 fmpbench_fold_sum(u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return ~((sum & 0xffff) + (sum >> 16));
}

/**
 * fmpbench_source_next() - generate the next frame
 * @src: the generator; its frame is overwritten
 *
 * Each frame has another MAC and IP source address, and a correct checksum: with a
 * wrong one the stack would drop it early, at a lower cost.
 *
 * Context: any.
 */
static __always_inline void fmpbench_source_next(struct fmpbench_source *src)
{
	u8 *frame = src->frame;
	u32 n, saddr;

	src->state = src->state * 1664525 + 1013904223;
	n = src->first + (((u64)src->state * src->count) >> 32) * src->stride;
	put_unaligned_be32(n, frame + ETH_ALEN + 2);
	if (src->ipv6) {
		struct ipv6hdr *ip6 = (struct ipv6hdr *)(frame + ETH_HLEN);
		struct udphdr *udp = (struct udphdr *)(ip6 + 1);

		put_unaligned_be32(n, &ip6->saddr.s6_addr32[3]);
		put_unaligned_be16(fmpbench_fold_sum(src->sum + (n >> 16) + (n & 0xffff)),
				   &udp->check);
	} else {
		struct iphdr *ip = (struct iphdr *)(frame + ETH_HLEN);

		saddr = FMPBENCH_IPV4_FIRST + n;
		put_unaligned_be32(saddr, &ip->saddr);
		put_unaligned_be16(fmpbench_fold_sum(src->sum + (saddr >> 16) + (saddr & 0xffff)),
				   &ip->check);
	}
	/* As if a device had written the frame: no byte of it stays in a register. */
	barrier_data(frame);
}

#endif /* _FMPBENCH_FRAME_H */
