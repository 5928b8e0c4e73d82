// SPDX-License-Identifier: GPL-2.0
#include "packet.h"

#include <stdbool.h>

#define ETHER_IPV4   0x0800u
#define ETHER_IPV6   0x86ddu
#define ETHER_VLAN   0x8100u
#define ETHER_QINQ   0x88a8u
#define PROTO_TCP    6u
#define VLAN_TAGS    2 /* outer and inner */
#define IPV6_HEADERS 8 /* at most so many extension headers are skipped */

struct cursor {
	const uint8_t *p;
	size_t left;
};

static uint16_t get_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t get_be32(const uint8_t *p)
{
	return (uint32_t)get_be16(p) << 16 | get_be16(p + 2);
}

static bool skip_bytes(struct cursor *c, size_t n)
{
	if (c->left < n)
		return false;
	c->p += n;
	c->left -= n;
	return true;
}

/* Read the link header. Return: the EtherType; 0: too short. */
static unsigned read_ether_type(enum packet_link link, struct cursor *c)
{
	/* Length of the header, and offset of the EtherType in it. */
	static const struct {
		size_t len, at;
	} heads[] = {
		[PACKET_ETHERNET] = { 14, 12 },
		[PACKET_COOKED] = { 16, 14 },
		[PACKET_COOKED2] = { 20, 0 },
	};
	const uint8_t *head = c->p;
	unsigned type;

	if (link == PACKET_LOOPBACK && !skip_bytes(c, 4))
		return 0;
	if (link == PACKET_LOOPBACK || link == PACKET_RAW) {
		if (!c->left)
			return 0;
		return *c->p >> 4 == 4 ? ETHER_IPV4 : *c->p >> 4 == 6 ? ETHER_IPV6 : 0;
	}
	if (!skip_bytes(c, heads[link].len))
		return 0;
	type = get_be16(head + heads[link].at);
	for (int i = 0; i < VLAN_TAGS && (type == ETHER_VLAN || type == ETHER_QINQ); i++) {
		if (c->left < 4)
			return 0;
		type = get_be16(c->p + 2);
		skip_bytes(c, 4);
	}
	return type;
}

/* Limit the cursor to the payload length that IP gives; sets *cut if less was captured. */
static void limit_payload(struct cursor *c, size_t payload, bool *cut)
{
	*cut = c->left < payload;
	if (c->left > payload)
		c->left = payload; /* drop padding of the link */
}

static enum packet_kind parse_ipv4(struct cursor *c, struct packet *out, bool *cut)
{
	const uint8_t *h = c->p;
	size_t head, total;

	if (c->left < 20 || h[0] >> 4 != 4)
		return PACKET_CUT;
	head = (h[0] & 15u) * 4u;
	total = get_be16(h + 2);
	if (h[9] != PROTO_TCP)
		return PACKET_OTHER;
	if (get_be16(h + 6) & 0x3fff)
		return PACKET_FRAGMENT;
	/* With segmentation offload the total length may be 0: take all that was captured. */
	if (!total)
		total = c->left;
	if (head < 20 || total < head || !skip_bytes(c, head))
		return PACKET_CUT;
	limit_payload(c, total - head, cut);
	out->source = fmp_addr_ipv4(h + 12);
	out->dest = fmp_addr_ipv4(h + 16);
	return PACKET_TCP;
}

/* Skip the extension headers. @next: the first one */
static enum packet_kind skip_ipv6_headers(struct cursor *c, unsigned next)
{
	for (int i = 0; i < IPV6_HEADERS; i++) {
		size_t n;

		if (next == PROTO_TCP)
			return PACKET_TCP;
		if (next == 44)
			return PACKET_FRAGMENT;
		/* Hop by hop, routing, destination options. */
		if (next != 0 && next != 43 && next != 60)
			return PACKET_OTHER;
		if (c->left < 8)
			return PACKET_CUT;
		next = c->p[0];
		n = (c->p[1] + 1u) * 8u;
		if (!skip_bytes(c, n))
			return PACKET_CUT;
	}
	return PACKET_OTHER;
}

static enum packet_kind parse_ipv6(struct cursor *c, struct packet *out, bool *cut)
{
	const uint8_t *h = c->p;
	size_t payload;

	if (!skip_bytes(c, 40) || h[0] >> 4 != 6)
		return PACKET_CUT;
	payload = get_be16(h + 4);
	limit_payload(c, payload ? payload : c->left, cut);
	out->source = fmp_addr_ipv6(h + 8);
	out->dest = fmp_addr_ipv6(h + 24);
	return skip_ipv6_headers(c, h[6]);
}

static enum packet_kind parse_tcp(struct cursor *c, struct packet *out)
{
	const uint8_t *h = c->p;
	size_t head;

	if (c->left < 20)
		return PACKET_CUT;
	head = (size_t)(h[12] >> 4) * 4;
	if (head < 20 || !skip_bytes(c, head))
		return PACKET_CUT;
	out->source_port = get_be16(h);
	out->dest_port = get_be16(h + 2);
	out->seq = get_be32(h + 4);
	out->ack = get_be32(h + 8);
	out->flags = h[13];
	out->payload = c->p;
	out->len = c->left;
	return PACKET_TCP;
}

enum packet_kind packet_parse(enum packet_link link, const void *bytes, size_t len,
			      struct packet *out)
{
	struct cursor c = { bytes, len };
	enum packet_kind kind = PACKET_OTHER;
	bool cut = false;

	out->mac = (struct fmp_addr){ 0 };
	if (link == PACKET_ETHERNET && len >= 12)
		out->mac = fmp_addr_mac((const uint8_t *)bytes + 6);
	switch (read_ether_type(link, &c)) {
	case ETHER_IPV4:
		kind = parse_ipv4(&c, out, &cut);
		break;
	case ETHER_IPV6:
		kind = parse_ipv6(&c, out, &cut);
		break;
	}
	if (kind == PACKET_TCP)
		kind = parse_tcp(&c, out);
	return kind == PACKET_TCP && cut ? PACKET_CUT : kind;
}
