// SPDX-License-Identifier: GPL-2.0
#include "frame.h"

#include <string.h>

#define ETH_IPV4  0x0800
#define ETH_IPV6  0x86dd
#define PROTO_TCP 6
#define TCP_MIN	  20u
#define TTL	  64

static uint16_t get_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t get_be32(const uint8_t *p)
{
	return (uint32_t)get_be16(p) << 16 | get_be16(p + 2);
}

static void put_be16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put_be32(uint8_t *p, uint32_t v)
{
	put_be16(p, v >> 16);
	put_be16(p + 2, v & 0xffff);
}

static bool parse_ipv4(const uint8_t *b, size_t len, struct flood_frame *f)
{
	const uint8_t *ip = b + FLOOD_ETH_HEADER;
	size_t ihl, total;

	if (len < FLOOD_ETH_HEADER + 20 || ip[0] >> 4 != 4)
		return false;
	ihl = (size_t)(ip[0] & 15) * 4;
	total = get_be16(ip + 2);
	if (ihl < 20 || total < ihl || FLOOD_ETH_HEADER + total > len || ip[9] != PROTO_TCP ||
	    (get_be16(ip + 6) & 0x3fff))
		return false;
	f->tcp = f->ip + ihl;
	f->end = f->ip + total;
	f->src = fmp_addr_ipv4(ip + 12);
	f->dst = fmp_addr_ipv4(ip + 16);
	return true;
}

static bool parse_ipv6(const uint8_t *b, size_t len, struct flood_frame *f)
{
	const uint8_t *ip = b + FLOOD_ETH_HEADER;
	size_t total;

	if (len < FLOOD_ETH_HEADER + 40 || ip[0] >> 4 != 6)
		return false;
	total = 40 + (size_t)get_be16(ip + 4);
	if (FLOOD_ETH_HEADER + total > len || ip[6] != PROTO_TCP)
		return false;
	f->tcp = f->ip + 40;
	f->end = f->ip + total;
	f->src = fmp_addr_ipv6(ip + 8);
	f->dst = fmp_addr_ipv6(ip + 24);
	return true;
}

bool flood_frame_parse(const uint8_t *b, size_t len, struct flood_frame *f)
{
	const uint8_t *tcp;
	size_t offset;

	memset(f, 0, sizeof(*f));
	if (len < FLOOD_ETH_HEADER)
		return false;
	f->ip = FLOOD_ETH_HEADER;
	if (get_be16(b + 12) == ETH_IPV4 ? !parse_ipv4(b, len, f)
					 : get_be16(b + 12) != ETH_IPV6 || !parse_ipv6(b, len, f))
		return false;
	if (f->end < f->tcp + TCP_MIN)
		return false;
	tcp = b + f->tcp;
	offset = (size_t)(tcp[12] >> 4) * 4;
	if (offset < TCP_MIN || f->tcp + offset > f->end)
		return false;
	f->payload = f->tcp + offset;
	f->sport = get_be16(tcp);
	f->dport = get_be16(tcp + 2);
	f->seq = get_be32(tcp + 4);
	f->flags = tcp[13];
	return true;
}

static uint32_t checksum_add(uint32_t s, const uint8_t *p, size_t n)
{
	for (; n > 1; n -= 2, p += 2)
		s += get_be16(p);
	return n ? s + ((uint32_t)*p << 8) : s;
}

static uint16_t checksum_fold(uint32_t s)
{
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return (uint16_t)~s;
}

/* Fill in lengths and checksums of a packet. @tcp, @end: offsets in the frame */
static void fill_checksums(uint8_t *b, size_t tcp, size_t end)
{
	uint8_t *ip = b + FLOOD_ETH_HEADER;
	size_t tcp_len = end - tcp;
	uint32_t s;

	if (ip[0] >> 4 == 4) {
		put_be16(ip + 2, (unsigned)(end - FLOOD_ETH_HEADER));
		put_be16(ip + 10, 0);
		put_be16(ip + 10, checksum_fold(checksum_add(0, ip, tcp - FLOOD_ETH_HEADER)));
		s = checksum_add(0, ip + 12, 8);
	} else {
		put_be16(ip + 4, (unsigned)tcp_len);
		s = checksum_add(0, ip + 8, 32);
	}
	put_be16(b + tcp + 16, 0);
	s = checksum_add(s + PROTO_TCP + (uint32_t)tcp_len, b + tcp, tcp_len);
	put_be16(b + tcp + 16, checksum_fold(s));
}

size_t flood_frame_cut(const uint8_t *bytes, const struct flood_frame *f, size_t mtu,
		       void (*out)(const uint8_t *bytes, size_t len, void *ctx), void *ctx)
{
	static uint8_t copy[FLOOD_FRAME_MAX];
	size_t headers = f->payload;
	size_t left = f->end - f->payload;
	size_t at = f->payload;
	size_t n = 0;
	size_t room;

	if (mtu + FLOOD_ETH_HEADER <= headers || mtu + FLOOD_ETH_HEADER > sizeof(copy))
		return 0;
	room = mtu + FLOOD_ETH_HEADER - headers;
	do {
		size_t take = left < room ? left : room;

		memcpy(copy, bytes, headers);
		memcpy(copy + headers, bytes + at, take);
		put_be32(copy + f->tcp + 4, f->seq + (uint32_t)(at - f->payload));
		if (take < left) /* only the last segment has PSH and FIN */
			copy[f->tcp + 13] &= (uint8_t) ~(FLOOD_TCP_FIN | FLOOD_TCP_PSH);
		fill_checksums(copy, f->tcp, headers + take);
		out(copy, headers + take, ctx);
		at += take;
		left -= take;
		n++;
	} while (left);
	return n;
}

size_t flood_frame_build(const struct flood_frame_spec *s, uint8_t *buf, size_t size)
{
	bool v4 = s->src.family == FMP_FAMILY_IPV4;
	size_t tcp = FLOOD_ETH_HEADER + (v4 ? 20 : 40);
	size_t end = tcp + TCP_MIN + s->payload_len;
	uint8_t *ip = buf + FLOOD_ETH_HEADER;

	if (!fmp_addr_is_ip(&s->src) || s->src.family != s->dst.family || end > size ||
	    end > FLOOD_FRAME_MAX)
		return 0;
	memset(buf, 0, tcp + TCP_MIN);
	memcpy(buf, s->dst_mac, 6);
	memcpy(buf + 6, s->src_mac, 6);
	put_be16(buf + 12, v4 ? ETH_IPV4 : ETH_IPV6);
	if (v4) {
		ip[0] = 0x45;
		ip[8] = TTL;
		ip[9] = PROTO_TCP;
		put_be16(ip + 6, 0x4000); /* don't fragment */
		memcpy(ip + 12, s->src.bytes, 4);
		memcpy(ip + 16, s->dst.bytes, 4);
	} else {
		ip[0] = 0x60;
		ip[6] = PROTO_TCP;
		ip[7] = TTL;
		memcpy(ip + 8, s->src.bytes, 16);
		memcpy(ip + 24, s->dst.bytes, 16);
	}
	put_be16(buf + tcp, s->sport);
	put_be16(buf + tcp + 2, s->dport);
	put_be32(buf + tcp + 4, s->seq);
	put_be32(buf + tcp + 8, s->ack);
	buf[tcp + 12] = TCP_MIN / 4 << 4;
	buf[tcp + 13] = s->flags;
	put_be16(buf + tcp + 14, 64240);
	if (s->payload_len)
		memcpy(buf + tcp + TCP_MIN, s->payload, s->payload_len);
	fill_checksums(buf, tcp, end);
	return end;
}
