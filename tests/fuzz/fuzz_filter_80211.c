// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes kernel/path/filter_80211.c, compiled as it is with the rules and the dissector, under
 * libFuzzer, ASan and UBSan, beside the model of the filter (model.c)
 *
 * Input: a byte whose lowest bit says that the device reorders, a byte with the number of rules,
 * two bytes for each rule, and an 802.11 frame. The last bytes of its addresses are cut to a
 * small pool, and rules are for addresses of that pool, so that they meet.
 *
 * Each frame is received byte by byte, in buffers of exact size, and as a whole. Invariants:
 *
 * - both ways give the same scope and the same decision
 * - what may be decided completely is decided as the model does with the Ethernet frame that
 *   mac80211 would make, whose source is the transmitter if that one is blocked
 * - what the MAC table alone may block has a blocked address, and no protected one
 * - with FMP_80211_BLOCKED the decision is a block
 */
#include "../../kernel/core/tables.h"
#include "../../kernel/path/dissect.h"
#include "../../kernel/path/filter_80211.h"
#include "model.h"

#include <stdio.h>

#define FRAME_MAX 192
#define RULES_MAX 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static void check_invariant(int line, bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_filter_80211.c:%d: does not hold: %s\n", line, what);
	abort();
}
#define MUST(x) check_invariant(__LINE__, (x), #x)

/**
 * struct seen - result of the filter
 * @evaluated: rules apply to the frame
 * @scope: FMP_80211_ALL, FMP_80211_BLOCKED
 * @decision: the decision
 */
struct seen {
	bool evaluated;
	u8 scope;
	enum fmp_decision decision;
};

static void ignore_rule(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	(void)ts;
	(void)rule;
}

static void ignore_hits(struct fmp_tables *ts, unsigned int n)
{
	(void)ts;
	(void)n;
}

static const struct fmp_tables_ops ops = {
	.expired = ignore_rule,
	.evicted = ignore_rule,
	.first_hit = ignore_rule,
	.hits_lost = ignore_hits,
};

static struct fmp_tables ts;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fmp_max_rules_total = 2 * fmp_max_rules;
	if (fmp_rule_init())
		return 1;
	fmp_tables_init(&ts, &ops);
	fmp_tables_start(&ts);
	return 0;
}

/* An address of the pool: 02:00:00:00:00:0x, 10.0.0.x, fd00::x. */
static u8 cut_to_pool(u8 byte)
{
	return byte & 7;
}

/* Adds a rule to both, unless the address has one. */
static void add_rule(struct model *m, u8 kind, u8 last)
{
	struct model_rule *rule = &m->rule[m->rules];
	struct fmp_rule_spec spec = { .verdict = 1 + (kind >> 4) % FMP_VERDICT_MAX };
	const u64 mac = 0x0200000000000000ULL | (u64)cut_to_pool(last) << 16;
	const u64 ip4 = (u64)(0x0a000000U | cut_to_pool(last >> 3)) << 32;
	bool pair = kind & 2, v6 = kind & 1;
	unsigned int bad;

	memset(rule, 0, sizeof(*rule));
	rule->verdict = spec.verdict;
	if (kind & 4 || pair) {
		rule->by_mac = true;
		rule->mac[0] = 2;
		rule->mac[5] = cut_to_pool(last);
	}
	if (!(kind & 4) || pair) {
		rule->ip = v6 ? 16 : 4;
		rule->plen = v6 ? 128 : 32;
		rule->addr[0] = v6 ? 0xfd : 10;
		rule->addr[rule->ip - 1] = cut_to_pool(last >> 3);
	}
	if (!rule->ip) {
		spec.family = FMP_FAMILY_MAC;
		spec.plen = FMP_PLEN_MAC;
		spec.key.word[0] = cpu_to_be64(mac);
	} else {
		__be64 *word = spec.key.word;

		spec.family = v6 ? FMP_FAMILY_IPV6 : FMP_FAMILY_IPV4;
		spec.plen = rule->plen;
		if (pair) {
			spec.family = v6 ? FMP_FAMILY_PAIR6 : FMP_FAMILY_PAIR4;
			*word++ = cpu_to_be64(mac);
		}
		word[0] = cpu_to_be64(v6 ? 0xfd00000000000000ULL : ip4);
		if (v6)
			word[1] = cpu_to_be64(cut_to_pool(last >> 3));
	}
	/* A block of what is protected is refused; then the model has none either. */
	if (fmp_tables_add(&ts, &spec, 1, true, &bad) == FMP_RULE_ERR_NONE)
		m->rules++;
}

/* Begins or continues with a frame as fmp_rx_header_80211() does. Return: bytes that are wanted. */
static u32 filter_part(struct fmp_rx *rx, struct seen *seen, u32 avail, bool reorders)
{
	struct fmp_80211 wifi;

	if (rx->stage != FMP_STAGE_MAC_DONE) {
		rx->want = fmp_dissect_80211(&rx->hdr, &wifi, rx->buf, avail, rx->frame_len);
		if (rx->want)
			return rx->want;
		seen->evaluated = fmp_80211_is_evaluated(&wifi);
		if (!seen->evaluated)
			return 0;
		seen->scope = fmp_filter_80211_scope(&ts, rx, &wifi, reorders);
		rx->stage = FMP_STAGE_MAC_READ;
	}
	seen->decision = fmp_filter_frame(&ts, rx, avail);
	return seen->decision == FMP_DECISION_MORE ? rx->want : 0;
}

static struct seen filter_frame(const u8 *frame, u32 len, u32 avail, bool reorders)
{
	struct seen seen = { 0 };
	struct fmp_rx rx;
	u32 want;

	fmp_rx_begin(&rx, NULL, len);
	memset(&rx.hdr, 0xa5, sizeof(rx.hdr));
	do {
		u8 *buf = malloc(avail + 1);

		/* An odd address; ASan sees what is read behind it. */
		memcpy(buf + 1, frame, avail);
		rx.buf = buf + 1;
		rcu_read_lock_bh();
		want = filter_part(&rx, &seen, avail, reorders);
		rcu_read_unlock_bh();
		free(buf);
		MUST(!want || (want > avail && want <= len));
		avail = want;
	} while (want);
	return seen;
}

/* Verdict bit of a MAC address in the model. */
static bool mac_has(const struct model *m, const u8 *mac, u8 verdict)
{
	for (unsigned int i = 0; i < m->rules; i++) {
		if (!m->rule[i].ip && m->rule[i].verdict == verdict &&
		    !memcmp(m->rule[i].mac, mac, ETH_ALEN))
			return true;
	}
	return false;
}

static bool ip_protects(const struct model *m)
{
	for (unsigned int i = 0; i < m->rules; i++) {
		if (m->rule[i].ip && m->rule[i].verdict == FMP_VERDICT_PROTECT)
			return true;
	}
	return false;
}

/* The decision for the Ethernet frame that mac80211 would make of a frame in the clear. */
static enum model_result evaluate_ethernet(const struct model *m, const u8 *frame, u32 len,
					   const u8 *src)
{
	static const u8 rfc1042[] = { 0xaa, 0xaa, 3, 0, 0, 0 },
			bridge[] = { 0xaa, 0xaa, 3, 0, 0, 0xf8 };
	u32 head = 24 + ((frame[1] & 3) == 3 ? 6 : 0);
	u8 eth[FRAME_MAX] = { 0 };

	if (frame[0] & 0x80)
		head += 2 + (frame[1] & 0x80 ? 4 : 0);
	memcpy(eth, m->mac, ETH_ALEN);
	memcpy(eth + 6, src, ETH_ALEN);
	if (len < head + 8 || (memcmp(frame + head, rfc1042, 6) && memcmp(frame + head, bridge, 6)))
		return model_evaluate(m, eth, ETH_HLEN);
	memcpy(eth + 12, frame + head + 6, len - head - 6);
	return model_evaluate(m, eth, 12 + len - head - 6);
}

static enum model_result result_of(enum fmp_decision decision)
{
	if (decision == FMP_DECISION_PASS)
		return MODEL_PASS;
	return decision == FMP_DECISION_OBSERVE ? MODEL_OBSERVED : MODEL_STOP;
}

static void check_frame(const struct model *m, const u8 *frame, u32 len, bool reorders)
{
	struct seen whole = filter_frame(frame, len, len, reorders);
	const u8 *ta = frame + 10, *sa = ta;
	bool blocked, protected, amsdu;

	for (u32 n = 0; n < len && n < FMP_RX_80211_HEADER_MAX; n++) {
		struct seen part = filter_frame(frame, len, n, reorders);

		MUST(part.evaluated == whole.evaluated && part.scope == whole.scope);
		MUST(part.decision == whole.decision);
	}
	if (!whole.evaluated)
		return;
	MUST((frame[0] & 0x4f) == 0x08);
	if (frame[1] & 2)
		sa = frame + (frame[1] & 1 ? 24 : 16);
	amsdu = frame[0] & 0x80 && frame[(frame[1] & 3) == 3 ? 30 : 24] & 0x80;
	blocked = mac_has(m, ta, FMP_VERDICT_BLOCK) ||
		  (!amsdu && mac_has(m, sa, FMP_VERDICT_BLOCK));
	protected = !amsdu && mac_has(m, sa, FMP_VERDICT_PROTECT);
	if (whole.scope & FMP_80211_BLOCKED) {
		MUST(blocked && !protected && !ip_protects(m));
		MUST(whole.decision == FMP_DECISION_BLOCK_MAC);
	}
	if (!(whole.scope & FMP_80211_ALL))
		return;
	MUST(!(frame[1] & 0x44) && !(frame[22] & 0x0f) && !amsdu);
	MUST(reorders || !(frame[0] & 0x80) || frame[4] & 1);
	if (!protected && mac_has(m, ta, FMP_VERDICT_BLOCK))
		sa = ta;
	MUST(result_of(whole.decision) == evaluate_ethernet(m, frame, len, sa));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct model m = { .mac = { 2, 0, 0, 0, 0, 7 } };
	u8 frame[FRAME_MAX];
	unsigned int rules;
	bool reorders;

	if (size < 2)
		return 0;
	reorders = data[0] & 1;
	rules = data[1] % (RULES_MAX + 1);
	data += 2;
	size -= 2;
	if (size < 2 * rules)
		return 0;
	for (unsigned int i = 0; i < rules; i++)
		add_rule(&m, data[2 * i], data[2 * i + 1]);
	data += 2 * rules;
	size -= 2 * rules;
	size = min(size, sizeof(frame) - 16);
	memcpy(frame, data, size);
	for (unsigned int at = 10; at + ETH_ALEN <= size && at <= 24; at += at == 16 ? 8 : 6) {
		if (at == 24 && (frame[1] & 3) != 3)
			break;
		memset(frame + at, 0, ETH_ALEN - 1);
		frame[at] = 2;
		frame[at + 5] = cut_to_pool(frame[at + 5]);
	}
	if (size >= 4 + ETH_ALEN)
		check_frame(&m, frame, size, reorders);
	fmp_tables_flush(&ts, FMP_VERDICT_UNSPEC);
	return 0;
}
