// SPDX-License-Identifier: GPL-2.0
/*
 * wifi_send: sends raw 802.11 frames through a device in monitor mode
 *
 * wifi_send DEV HEX...   each HEX is a frame, from its frame control field on, without
 *                        its check sequence; colons are skipped
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/if_ether.h>
#include <linux/if_packet.h>

#define FRAME_MAX 2048

/* Radiotap header with TX flags only: no acknowledgement, own sequence number. */
static const uint8_t radiotap[] = { 0, 0, 10, 0, 0x00, 0x80, 0, 0, 0x18, 0 };

static void die_errno(const char *what)
{
	fprintf(stderr, "wifi_send: %s: %s\n", what, strerror(errno));
	exit(3);
}

static size_t parse_hex(const char *hex, uint8_t *out)
{
	size_t n = 0;
	unsigned int byte;

	while (*hex) {
		if (*hex == ':') {
			hex++;
			continue;
		}
		if (n == FRAME_MAX || sscanf(hex, "%2x", &byte) != 1 || !hex[1]) {
			fprintf(stderr, "wifi_send: not a frame, from here on: %s\n", hex);
			exit(2);
		}
		out[n++] = byte;
		hex += 2;
	}
	return n;
}

int main(int argc, char **argv)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	uint8_t frame[sizeof(radiotap) + FRAME_MAX];
	int fd;

	if (argc < 3) {
		fprintf(stderr, "usage: wifi_send DEV HEX...\n");
		return 2;
	}
	to.sll_ifindex = if_nametoindex(argv[1]);
	if (!to.sll_ifindex)
		die_errno(argv[1]);
	fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
	if (fd < 0)
		die_errno("socket");
	memcpy(frame, radiotap, sizeof(radiotap));
	for (int i = 2; i < argc; i++) {
		size_t len = sizeof(radiotap) + parse_hex(argv[i], frame + sizeof(radiotap));

		if (sendto(fd, frame, len, 0, (struct sockaddr *)&to, sizeof(to)) != (ssize_t)len)
			die_errno("send");
	}
	return 0;
}
