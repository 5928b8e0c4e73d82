// SPDX-License-Identifier: GPL-2.0
/*
 * The frame that the benchmark sends, without its source addresses
 */
#include "frame.h"

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/string.h>

/**
 * fmpbench_sum_words() - add up words in network order
 * @p: the words
 * @len: number of bytes, even
 *
 * Context: any.
 * Return: the sum.
 */
static u32 fmpbench_sum_words(const void *p, unsigned int len)
{
	u32 sum = 0;
	unsigned int i;

	for (i = 0; i < len; i += 2)
		sum += get_unaligned_be16(p + i);
	return sum;
}

/**
 * fmpbench_ipv4_init() - fill an IPv4 header
 * @ip: the header
 *
 * Context: any.
 * Return: sum of its words.
 */
static u32 fmpbench_ipv4_init(struct iphdr *ip)
{
	ip->version = 4;
	ip->ihl = 5;
	ip->ttl = 64;
	ip->protocol = IPPROTO_UDP;
	put_unaligned_be16(FMPBENCH_FRAME_LEN - ETH_HLEN, &ip->tot_len);
	put_unaligned_be32(FMPBENCH_IPV4_TO, &ip->daddr);
	return fmpbench_sum_words(ip, sizeof(*ip));
}

/**
 * fmpbench_ipv6_init() - fill an IPv6 header
 * @ip: the header
 * @len: number of bytes after it
 *
 * Context: any.
 * Return: sum of the words that UDP's checksum covers.
 */
static u32 fmpbench_ipv6_init(struct ipv6hdr *ip, u16 len)
{
	static const struct in6_addr from = { { { 0xfd, 0x0b } } };
	static const struct in6_addr to = { { { 0xfd, 0x0b, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
						1 } } };

	ip->version = 6;
	ip->hop_limit = 64;
	ip->nexthdr = IPPROTO_UDP;
	put_unaligned_be16(len, &ip->payload_len);
	ip->saddr = from;
	ip->daddr = to;
	return fmpbench_sum_words(&from, sizeof(from)) + fmpbench_sum_words(&to, sizeof(to)) +
	       IPPROTO_UDP + len;
}

/**
 * fmpbench_source_init() - initialize the generator of frames
 * @src: filled
 * @to: destination MAC address
 * @ipv6: UDP over IPv6, otherwise over IPv4
 *
 * The caller sets the range of source addresses.
 *
 * Context: any.
 */
void fmpbench_source_init(struct fmpbench_source *src, const u8 *to, bool ipv6)
{
	struct ethhdr *eth = (struct ethhdr *)src->frame;
	unsigned int off = ETH_HLEN + (ipv6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr));
	u16 len = FMPBENCH_FRAME_LEN - off;
	struct udphdr *udp;

	memset(src, 0, sizeof(*src));
	src->ipv6 = ipv6;
	memcpy(eth->h_dest, to, ETH_ALEN);
	eth->h_source[0] = 0x02;
	eth->h_source[1] = 0xfb;
	put_unaligned_be16(ipv6 ? ETH_P_IPV6 : ETH_P_IP, &eth->h_proto);

	udp = (struct udphdr *)(src->frame + off);
	put_unaligned_be16(FMPBENCH_PORT, &udp->source);
	put_unaligned_be16(FMPBENCH_PORT, &udp->dest);
	put_unaligned_be16(len, &udp->len);
	if (ipv6)
		src->sum = fmpbench_ipv6_init((struct ipv6hdr *)(eth + 1), len) +
			   fmpbench_sum_words(udp, len);
	else
		src->sum = fmpbench_ipv4_init((struct iphdr *)(eth + 1));
}
