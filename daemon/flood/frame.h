/* SPDX-License-Identifier: GPL-2.0 */
/* Ethernet frames with TCP: parse, segment to the MTU, build. Pure. */
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

/* A parsed frame; offsets in bytes from its start. */
struct flood_frame {
	struct fmp_addr src, dst;
	uint16_t sport, dport;
	uint32_t seq;
	uint8_t flags; /* FLOOD_TCP_* */
	size_t ip, tcp, payload, end;
};

/* Parses TCP over IPv4 (no fragments) or IPv6 (no extension headers). Checks all lengths. Return: is it such a frame? */
bool flood_frame_parse(const uint8_t *bytes, size_t len, struct flood_frame *f);

/*
 * Makes the frames that segmentation offload would put on the wire: segments of at most mtu (bytes of an IP packet),
 * with checksums.
 * out: called with each frame in order; its bytes are valid during the call only.
 * Return: number of frames; 0 if the mtu has no room for data.
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

/* Return: size of the frame written to buf; 0: it does not fit, or the families differ. */
size_t flood_frame_build(const struct flood_frame_spec *s, uint8_t *buf, size_t size);

#endif
