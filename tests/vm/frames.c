// SPDX-License-Identifier: GPL-2.0
/*
 * frames: sends UDP frames from many sources
 *
 * frames DEV DST-MAC FIRST-ADDRESS COUNT   one frame from each of COUNT addresses that
 *                                          begin with FIRST-ADDRESS, of IPv4 or IPv6, to
 *                                          203.0.113.1 or 2001:db8::1
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void die_errno(const char *what)
{
	fprintf(stderr, "frames: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Sum of 16-bit words; the buffer has an even length. */
static uint16_t compute_checksum(const unsigned char *p, size_t len)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < len; i += 2)
		sum += p[i] << 8 | p[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons((uint16_t)~sum);
}

/* Writes 28 bytes of IPv4 and UDP from an address. */
static void put_ipv4(unsigned char *ip, uint32_t src)
{
	uint16_t sum;

	memcpy(ip, "\x45\x00\x00\x1c\x00\x00\x40\x00\x40\x11\x00\x00", 12);
	memcpy(ip + 12, &src, sizeof(src));
	memcpy(ip + 16, "\xcb\x00\x71\x01\x00\x09\x00\x09\x00\x08", 10);
	sum = compute_checksum(ip, 20);
	memcpy(ip + 10, &sum, sizeof(sum));
}

/* Writes 48 bytes of IPv6 and UDP; the checksum stays 0, nothing here reads it. */
static void put_ipv6(unsigned char *ip, const struct in6_addr *src)
{
	memcpy(ip, "\x60\x00\x00\x00\x00\x08\x11\x40", 8);
	memcpy(ip + 8, src, sizeof(*src));
	memcpy(ip + 24, "\x20\x01\x0d\xb8", 4);
	ip[39] = 1;
	memcpy(ip + 40, "\x00\x09\x00\x09\x00\x08", 6);
}

int main(int argc, char **argv)
{
	/* The longer of both, not shorter than Ethernet's minimum. */
	unsigned char f[ETH_HLEN + 48] = { 0 };
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_halen = ETH_ALEN };
	unsigned int m[ETH_ALEN];
	struct in6_addr first6;
	uint32_t first, last;
	bool is6;
	int fd;

	if (argc != 5 ||
	    sscanf(argv[2], "%x:%x:%x:%x:%x:%x", m, m + 1, m + 2, m + 3, m + 4, m + 5) != 6)
		goto usage;
	is6 = strchr(argv[3], ':');
	if (inet_pton(is6 ? AF_INET6 : AF_INET, argv[3], is6 ? (void *)&first6 : &first) != 1)
		goto usage;
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	to.sll_ifindex = (int)if_nametoindex(argv[1]);
	if (fd < 0 || !to.sll_ifindex)
		die_errno(argv[1]);
	for (int i = 0; i < ETH_ALEN; i++)
		f[i] = (unsigned char)m[i];
	memcpy(f + 6, is6 ? "\x02\x00\x00\x00\x00\x99\x86\xdd" : "\x02\x00\x00\x00\x00\x99\x08\x00",
	       8);
	if (is6)
		memcpy(&first, &first6.s6_addr[12], sizeof(first));
	for (uint32_t i = 0; i < strtoul(argv[4], NULL, 10); i++) {
		last = htonl(ntohl(first) + i);
		if (is6) {
			memcpy(&first6.s6_addr[12], &last, sizeof(last));
			put_ipv6(f + ETH_HLEN, &first6);
		} else {
			put_ipv4(f + ETH_HLEN, last);
		}
		/* Retry while the queue is full. */
		while (sendto(fd, f, is6 ? sizeof(f) : ETH_ZLEN, 0, (struct sockaddr *)&to,
			      sizeof(to)) < 0) {
			if (errno != ENOBUFS)
				die_errno("send");
		}
	}
	return 0;

usage:
	fprintf(stderr, "usage: frames DEV DST-MAC FIRST-ADDRESS COUNT\n");
	return 2;
}
