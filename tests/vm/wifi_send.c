// SPDX-License-Identifier: GPL-2.0
/*
 * wifi_send: sends 802.11 frames as they are, through a device in monitor mode
 *
 * wifi_send DEV HEX...   one frame each, from its frame control field on, without
 *                        check sequence; colons are skipped
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

/* Radiotap: one field, the flags of transmission: no acknowledgement, own sequence number. */
static const uint8_t radiotap[] = { 0, 0, 10, 0, 0x00, 0x80, 0, 0, 0x18, 0 };

static void die(const char *what)
{
	fprintf(stderr, "wifi_send: %s: %s\n", what, strerror(errno));
	exit(3);
}

static size_t bytes(const char *hex, uint8_t *out)
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
		die(argv[1]);
	fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
	if (fd < 0)
		die("socket");
	memcpy(frame, radiotap, sizeof(radiotap));
	for (int i = 2; i < argc; i++) {
		size_t len = sizeof(radiotap) + bytes(argv[i], frame + sizeof(radiotap));

		if (sendto(fd, frame, len, 0, (struct sockaddr *)&to, sizeof(to)) != (ssize_t)len)
			die("send");
	}
	return 0;
}
