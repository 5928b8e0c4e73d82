/* SPDX-License-Identifier: GPL-2.0 */
/* Ethernet frames with TCP inside: read, cut to the MTU, made. Pure. */
#ifndef FLOOD_FRAME_H
#define FLOOD_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/source.h>

#define FLOOD_FRAME_MAX	 (14u + 65535u)
#define FLOOD_ETH_HEADER 14u

#define FLOOD_TCP_FIN 0x01
#define FLOOD_TCP_SYN 0x02
#define FLOOD_TCP_RST 0x04
#define FLOOD_TCP_PSH 0x08
#define FLOOD_TCP_ACK 0x10

/* Where things are in a frame, in bytes from its start. */
struct flood_frame {
	struct fmp_addr src, dst;
	uint16_t sport, dport;
	uint32_t seq;
	uint8_t flags; /* FLOOD_TCP_* */
	size_t ip, tcp, payload, end;
};

/* Is it TCP over IPv4 (no fragment) or IPv6 (no extension header)? All lengths are checked. */
bool flood_frame_parse(const uint8_t *bytes, size_t len, struct flood_frame *f);

/*
 * The frames that would have been on the wire: a frame that the kernel hands
 * down for hardware to cut and to sum is cut to mtu (bytes of an IP packet)
 * and has its checksums filled in.
 * out: called with each, in order, its bytes valid during the call only.
 * Return: how many there were; 0 if the mtu has no room for data.
 */
size_t flood_frame_cut(const uint8_t *bytes, const struct flood_frame *f, size_t mtu,
		       void (*out)(const uint8_t *bytes, size_t len, void *ctx), void *ctx);

struct flood_frame_spec {
	uint8_t src_mac[6], dst_mac[6];
	struct fmp_addr src, dst; /* both of one family */
	uint16_t sport, dport;
	uint32_t seq, ack;
	uint8_t flags;
	const void *payload;
	size_t payload_len;
};

/* Return: bytes of the frame written to buf, 0 if it does not fit or families differ. */
size_t flood_frame_build(const struct flood_frame_spec *s, uint8_t *buf, size_t size);

#endif
