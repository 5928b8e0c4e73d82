// SPDX-License-Identifier: GPL-2.0
/*
 * The model: the expected result of a frame
 */
#include "model.h"

#include <linux/fmp.h>
#include <string.h>

/**
 * struct frame_source - source addresses of a frame
 * @mac: source MAC address
 * @ip: length of its source IP address, 0 if it has none
 * @addr: its source IP address
 */
struct frame_source {
	const uint8_t *mac;
	uint8_t ip;
	const uint8_t *addr;
};

static unsigned int read_be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* Supports IPv4, ARP for IPv4 and IPv6, after up to two VLAN tags. */
static void find_source(struct frame_source *src, const uint8_t *frame, size_t len)
{
	static const uint8_t arp_of_ipv4[] = { 0, 1, 8, 0, 6, 4 };
	size_t at = 12;
	int tags;

	src->mac = frame + 6;
	src->ip = 0;
	src->addr = frame;
	for (tags = 0;
	     tags < 2 && (read_be16(frame + at) == 0x8100 || read_be16(frame + at) == 0x88a8);
	     tags++) {
		at += 4;
		if (at + 2 > len)
			return;
	}
	frame += at;
	len -= at;
	if (read_be16(frame) == 0x0800 && len >= 22 && frame[2] >= 0x45 && frame[2] <= 0x4f) {
		src->ip = 4;
		src->addr = frame + 14;
	} else if (read_be16(frame) == 0x86dd && len >= 42 && frame[2] >> 4 == 6) {
		src->ip = 16;
		src->addr = frame + 10;
	} else if (read_be16(frame) == 0x0806 && len >= 30 && !memcmp(frame + 2, arp_of_ipv4, 6)) {
		src->ip = 4;
		src->addr = frame + 16;
	}
}

static bool prefix_matches(const uint8_t *a, const uint8_t *b, unsigned int plen)
{
	unsigned int bytes = plen / 8, bits = plen % 8;

	if (memcmp(a, b, bytes))
		return false;
	return !bits || !((a[bytes] ^ b[bytes]) >> (8 - bits));
}

static bool rule_matches(const struct model_rule *rule, const struct frame_source *src)
{
	if (rule->by_mac && memcmp(rule->mac, src->mac, 6))
		return false;
	if (!rule->ip)
		return true;
	return rule->ip == src->ip && prefix_matches(rule->addr, src->addr, rule->plen);
}

enum model_result model_evaluate(const struct model *m, const uint8_t *frame, size_t len)
{
	bool matched[FMP_VERDICT_MAX + 1] = { false };
	struct frame_source src;
	unsigned int i;

	if (!(frame[0] & 1) && memcmp(frame, m->mac, 6))
		return MODEL_FOREIGN;
	find_source(&src, frame, len);
	for (i = 0; i < m->rules; i++) {
		if (rule_matches(&m->rule[i], &src))
			matched[m->rule[i].verdict] = true;
	}
	if (matched[FMP_VERDICT_PROTECT])
		return MODEL_PASS;
	if (matched[FMP_VERDICT_BLOCK])
		return m->observe ? MODEL_OBSERVED : MODEL_STOP;
	return matched[FMP_VERDICT_OBSERVE] ? MODEL_OBSERVED : MODEL_PASS;
}
