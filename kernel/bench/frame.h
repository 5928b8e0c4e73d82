/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBENCH_FRAME_H
#define _FMPBENCH_FRAME_H

#include "../core/compat.h"

#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>

/* Bytes of every frame, from its MAC header on, without a checksum at its end. */
#define FMPBENCH_FRAME_LEN 64

/* What a receiver has of it when it first asks: its FIFO's first burst, room for IPv6. */
#define FMPBENCH_FIRST_LEN (ETH_HLEN + 40)
/* Port that every frame goes to. */
#define FMPBENCH_PORT	   9

/* Source number N is 02:fb:NN:NN:NN:NN, 10.0.1.0 + N and fd0b::N. */
#define FMPBENCH_IPV4_FIRST 0x0a000100U
/* Frames go to 10.255.0.1 and fd0b:0:0:1::1. */
#define FMPBENCH_IPV4_TO    0x0aff0001U

/**
 * struct fmpbench_air - where frames come from
 * @frame: the frame on its way in
 * @sum: of its words that the checksum covers, but for the source's number
 * @state: of the generator that picks the sources
 * @first: number of the first source
 * @count: sources in turn, without order
 * @stride: from one source's number to the next one's
 * @ipv6: UDP over IPv6, otherwise over IPv4
 */
struct fmpbench_air {
	u8 frame[FMPBENCH_FRAME_LEN] __aligned(8);
	u32 sum;
	u32 state;
	u32 first;
	u32 count;
	u32 stride;
	bool ipv6;
};

void fmpbench_air_init(struct fmpbench_air *air, const u8 *to, bool ipv6);

/**
 * fmpbench_fold() - the checksum of a sum of words
 * @sum: the sum
 *
 * Context: any.
 * Return: the checksum.
 */
static inline u16 fmpbench_fold(u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return ~((sum & 0xffff) + (sum >> 16));
}

/**
 * fmpbench_air_next() - let the next frame come in
 * @air: where from; its frame is overwritten
 *
 * Each frame has another source, in MAC and IP address alike, and a right
 * checksum: a wrong one would look like a cheap drop.
 *
 * Context: any.
 */
static __always_inline void fmpbench_air_next(struct fmpbench_air *air)
{
	u8 *frame = air->frame;
	u32 n, saddr;

	air->state = air->state * 1664525 + 1013904223;
	n = air->first + (((u64)air->state * air->count) >> 32) * air->stride;
	put_unaligned_be32(n, frame + ETH_ALEN + 2);
	if (air->ipv6) {
		struct ipv6hdr *ip6 = (struct ipv6hdr *)(frame + ETH_HLEN);
		struct udphdr *udp = (struct udphdr *)(ip6 + 1);

		put_unaligned_be32(n, &ip6->saddr.s6_addr32[3]);
		put_unaligned_be16(fmpbench_fold(air->sum + (n >> 16) + (n & 0xffff)), &udp->check);
	} else {
		struct iphdr *ip = (struct iphdr *)(frame + ETH_HLEN);

		saddr = FMPBENCH_IPV4_FIRST + n;
		put_unaligned_be32(saddr, &ip->saddr);
		put_unaligned_be16(fmpbench_fold(air->sum + (saddr >> 16) + (saddr & 0xffff)),
				   &ip->check);
	}
	/* Somebody else's memory from here on: nothing of it stays in a register. */
	barrier_data(frame);
}

#endif /* _FMPBENCH_FRAME_H */
