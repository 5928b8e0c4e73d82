// SPDX-License-Identifier: GPL-2.0
/*
 * Frames and rules from few addresses
 */
#include "frame.h"

#include <linux/fmp.h>
#include <string.h>

/* Number of addresses of each kind. */
#define POOL 24

static void pool_mac(struct test_random *r, uint8_t *mac)
{
	static const uint8_t start[] = { 2, 'f', 'u', 'z', 0 };

	memcpy(mac, start, sizeof(start));
	mac[5] = random_below(r, POOL);
}

static void pool_ipv4(struct test_random *r, uint8_t *addr)
{
	addr[0] = 10;
	addr[1] = random_below(r, 4);
	addr[2] = 0;
	addr[3] = random_below(r, POOL);
}

static void pool_ipv6(struct test_random *r, uint8_t *addr)
{
	memset(addr, 0, 16);
	addr[0] = 0xfd;
	addr[1] = random_below(r, 4);
	addr[7] = random_below(r, 2);
	addr[15] = random_below(r, POOL);
}

static size_t put_u16(uint8_t *p, unsigned int value)
{
	p[0] = value >> 8;
	p[1] = value;
	return 2;
}

static size_t put_arp(struct test_random *r, uint8_t *p)
{
	static const uint8_t start[] = { 0, 1, 8, 0, 6, 4, 0, 1 };

	memcpy(p, start, sizeof(start));
	pool_mac(r, p + 8);
	pool_ipv4(r, p + 14);
	memset(p + 18, 0, 6);
	pool_ipv4(r, p + 24);
	return 28;
}

/* The payload has no valid checksum; it does not matter whether the stack drops it. */
static size_t put_ipv4(struct test_random *r, uint8_t *p, size_t payload)
{
	static const uint8_t protocol[] = { 17, 6, 1, 50 };
	unsigned int words = random_once_in(r, 8) ? random_below(r, 16) : 5;
	size_t len = words < 5 ? 20 : words * 4;
	uint32_t sum = 0;

	memset(p, 0, len);
	p[0] = 0x40 | words;
	put_u16(p + 2, len + payload);
	put_u16(p + 4, random_u64(r));
	if (random_once_in(r, 8))
		put_u16(p + 6, random_u64(r) & 0x3fff);
	p[8] = 64;
	p[9] = protocol[random_below(r, 4)];
	pool_ipv4(r, p + 12);
	pool_ipv4(r, p + 16);
	for (size_t i = 0; i < len; i += 2)
		sum += p[i] << 8 | p[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	put_u16(p + 10, ~(sum + (sum >> 16)));
	return len;
}

static size_t put_ipv6(struct test_random *r, uint8_t *p, size_t payload)
{
	static const uint8_t next[] = { 17, 6, 58, 0, 43, 44, 60, 59, 51 };
	unsigned int ext = random_once_in(r, 3) ? random_below(r, 11) : 0;
	size_t len = 40;

	memset(p, 0, 40);
	p[0] = 0x60;
	put_u16(p + 4, ext * 8 + payload);
	p[6] = next[ext ? 3 + random_below(r, 5) : random_below(r, 3)];
	p[7] = 64;
	pool_ipv6(r, p + 8);
	pool_ipv6(r, p + 24);
	while (ext--) {
		memset(p + len, 0, 8);
		p[len] = next[random_below(r, 9)];
		p[len + 1] = random_once_in(r, 10) ? random_below(r, 4) : 0;
		len += 8;
	}
	return len;
}

static size_t put_network(struct test_random *r, uint8_t *p, size_t payload)
{
	switch (random_below(r, 8)) {
	case 0:
	case 1:
	case 2:
		put_u16(p - 2, 0x0800);
		return put_ipv4(r, p, payload);
	case 3:
	case 4:
	case 5:
		put_u16(p - 2, 0x86dd);
		return put_ipv6(r, p, payload);
	case 6:
		put_u16(p - 2, 0x0806);
		return put_arp(r, p);
	default:
		put_u16(p - 2, random_u64(r));
		return 0;
	}
}

static size_t put_tags(struct test_random *r, uint8_t *p)
{
	unsigned int tags = random_once_in(r, 5) ? 1 + random_below(r, 3) : 0;
	size_t len = 0;

	while (tags--) {
		put_u16(p + len - 2, random_once_in(r, 2) ? 0x8100 : 0x88a8);
		put_u16(p + len, random_u64(r));
		len += 4;
	}
	return len;
}

static size_t mutate_frame(struct test_random *r, uint8_t *buf, size_t len)
{
	size_t head = len < 100 ? len : 100;

	switch (random_below(r, 4)) {
	case 0:
		buf[random_below(r, head)] ^= 1 << random_below(r, 8);
		break;
	case 1:
		buf[random_below(r, head)] = random_u64(r);
		break;
	case 2:
		len = FRAME_MIN + random_below(r, len - FRAME_MIN + 1);
		break;
	default:
		for (unsigned int i = random_below(r, head), n = random_below(r, 8); n && i < head;
		     n--)
			buf[i++] = random_u64(r);
	}
	return len;
}

size_t frame_make(struct test_random *r, uint8_t *buf, const uint8_t *dst)
{
	size_t payload = random_once_in(r, 32) ? random_below(r, 1300) : 8 + random_below(r, 64);
	size_t len = FRAME_MIN;
	unsigned int mutations = random_once_in(r, 2) ? random_below(r, 4) : 0;

	memcpy(buf, dst, 6);
	if (random_once_in(r, 8))
		memset(buf, 0xff, 6);
	else if (random_once_in(r, 8))
		pool_mac(r, buf);
	pool_mac(r, buf + 6);
	len += put_tags(r, buf + len);
	len += put_network(r, buf + len, payload);
	for (size_t i = 0; i < payload; i += 8) {
		uint64_t bits = random_u64(r);

		memcpy(buf + len + i, &bits, 8);
	}
	len += payload;
	while (mutations--)
		len = mutate_frame(r, buf, len);
	return len;
}

static void cut_prefix(uint8_t *addr, unsigned int len, unsigned int plen)
{
	for (unsigned int bit = plen; bit < len * 8; bit++)
		addr[bit / 8] &= ~(0x80 >> bit % 8);
}

void frame_rule(struct test_random *r, struct model_rule *rule)
{
	unsigned int kind = random_below(r, 8);

	memset(rule, 0, sizeof(*rule));
	/* All verdicts, mostly blocks. */
	rule->verdict = random_once_in(r, 3) ? 1 + random_below(r, FMP_VERDICT_MAX)
					     : FMP_VERDICT_BLOCK;
	if (kind < 2 || kind >= 6) {
		rule->by_mac = true;
		pool_mac(r, rule->mac);
	}
	if (kind == 2 || kind == 3 || kind == 6) {
		rule->ip = 4;
		rule->plen = 32;
		pool_ipv4(r, rule->addr);
	} else if (kind == 4 || kind == 5 || kind == 7) {
		rule->ip = 16;
		rule->plen = 128;
		pool_ipv6(r, rule->addr);
	}
	if (rule->ip && !rule->by_mac && random_once_in(r, 3)) {
		rule->plen = rule->ip == 4 ? 14 + random_below(r, 19) : 40 + random_below(r, 89);
		cut_prefix(rule->addr, rule->ip, rule->plen);
	}
}
