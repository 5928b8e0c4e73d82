// SPDX-License-Identifier: GPL-2.0
/*
 * frames: sends UDP frames from many sources
 *
 * frames DEV DST-MAC FIRST-IPV4 COUNT   one frame from each of COUNT addresses that
 *                                       begin with FIRST-IPV4, to 203.0.113.1
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
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

int main(int argc, char **argv)
{
	/* 28 bytes of IPv4 and UDP, padded to the minimum length of Ethernet. */
	unsigned char f[ETH_ZLEN] = { 0 };
	unsigned char *ip = f + ETH_HLEN;
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_halen = ETH_ALEN };
	unsigned int m[ETH_ALEN];
	uint32_t first;
	uint16_t sum;
	int fd;

	if (argc != 5 ||
	    sscanf(argv[2], "%x:%x:%x:%x:%x:%x", m, m + 1, m + 2, m + 3, m + 4, m + 5) != 6 ||
	    inet_pton(AF_INET, argv[3], &first) != 1) {
		fprintf(stderr, "usage: frames DEV DST-MAC FIRST-IPV4 COUNT\n");
		return 2;
	}
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	to.sll_ifindex = (int)if_nametoindex(argv[1]);
	if (fd < 0 || !to.sll_ifindex)
		die_errno(argv[1]);
	for (int i = 0; i < ETH_ALEN; i++)
		f[i] = (unsigned char)m[i];
	memcpy(f + 6, "\x02\x00\x00\x00\x00\x99\x08\x00", 8);
	memcpy(ip, "\x45\x00\x00\x1c\x00\x00\x40\x00\x40\x11\x00\x00", 12);
	memcpy(ip + 16, "\xcb\x00\x71\x01\x00\x09\x00\x09\x00\x08", 10);
	for (uint32_t i = 0; i < strtoul(argv[4], NULL, 10); i++) {
		uint32_t src = htonl(ntohl(first) + i);

		memcpy(ip + 12, &src, sizeof(src));
		memset(ip + 10, 0, 2);
		sum = compute_checksum(ip, 20);
		memcpy(ip + 10, &sum, sizeof(sum));
		/* Retry while the queue is full. */
		while (sendto(fd, f, sizeof(f), 0, (struct sockaddr *)&to, sizeof(to)) < 0) {
			if (errno != ENOBUFS)
				die_errno("send");
		}
	}
	return 0;
}
