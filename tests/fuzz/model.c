// SPDX-License-Identifier: GPL-2.0
/*
 * What must become of a frame
 */
#include "model.h"

#include <linux/fmp.h>
#include <string.h>

/**
 * struct parties - whom a frame says it is from
 * @mac: source MAC address
 * @ip: length of its source IP address, 0 if it has none
 * @addr: that address
 */
struct parties {
	const uint8_t *mac;
	uint8_t ip;
	const uint8_t *addr;
};

static unsigned int be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* IPv4, ARP for it, or IPv6, behind no, one or two VLAN tags. */
static void find_parties(struct parties *who, const uint8_t *frame, size_t len)
{
	static const uint8_t arp_of_ipv4[] = { 0, 1, 8, 0, 6, 4 };
	size_t at = 12;
	int tags;

	who->mac = frame + 6;
	who->ip = 0;
	who->addr = frame;
	for (tags = 0; tags < 2 && (be16(frame + at) == 0x8100 || be16(frame + at) == 0x88a8);
	     tags++) {
		at += 4;
		if (at + 2 > len)
			return;
	}
	frame += at;
	len -= at;
	if (be16(frame) == 0x0800 && len >= 22 && frame[2] >= 0x45 && frame[2] <= 0x4f) {
		who->ip = 4;
		who->addr = frame + 14;
	} else if (be16(frame) == 0x86dd && len >= 42 && frame[2] >> 4 == 6) {
		who->ip = 16;
		who->addr = frame + 10;
	} else if (be16(frame) == 0x0806 && len >= 30 && !memcmp(frame + 2, arp_of_ipv4, 6)) {
		who->ip = 4;
		who->addr = frame + 16;
	}
}

static bool prefix_is(const uint8_t *a, const uint8_t *b, unsigned int plen)
{
	unsigned int bytes = plen / 8, bits = plen % 8;

	if (memcmp(a, b, bytes))
		return false;
	return !bits || !((a[bytes] ^ b[bytes]) >> (8 - bits));
}

static bool meant(const struct model_rule *rule, const struct parties *who)
{
	if (rule->by_mac && memcmp(rule->mac, who->mac, 6))
		return false;
	if (!rule->ip)
		return true;
	return rule->ip == who->ip && prefix_is(rule->addr, who->addr, rule->plen);
}

enum model_fate model_judge(const struct model *m, const uint8_t *frame, size_t len)
{
	bool said[FMP_VERDICT_MAX + 1] = { false };
	struct parties who;
	unsigned int i;

	if (!(frame[0] & 1) && memcmp(frame, m->mac, 6))
		return MODEL_FOREIGN;
	find_parties(&who, frame, len);
	for (i = 0; i < m->rules; i++) {
		if (meant(&m->rule[i], &who))
			said[m->rule[i].verdict] = true;
	}
	if (said[FMP_VERDICT_PROTECT])
		return MODEL_PASS;
	if (said[FMP_VERDICT_BLOCK])
		return m->observe ? MODEL_OBSERVED : MODEL_STOP;
	return said[FMP_VERDICT_OBSERVE] ? MODEL_OBSERVED : MODEL_PASS;
}
