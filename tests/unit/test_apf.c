// SPDX-License-Identifier: GPL-2.0
/*
 * Programs for the Android Packet Filter: an interpreter runs them on random frames beside the module's
 * filter with the same rules, and both must decide the same.
 */
#include <stdio.h>
#include <string.h>

#include <linux/fmp.h>

#include <fmp/internal/apf.h>

#include "apf_oracle.h"
#include "apf_run.h"
#include "frame.h"
#include "run.h"

static const unsigned versions[] = { 4, 6 };
#define N_VERSIONS 2

static const uint8_t here[6] = { 2, 0, 0, 0, 0, 1 };

static struct fmp_apf_program compile_rules(struct fmp_apf_rule *rules, size_t n, unsigned version)
{
	struct fmp_apf_config cfg = { .version = version, .max_size = FMP_APF_SIZE_MAX };
	struct fmp_apf_program p;
	struct fmp_error err;

	if (fmp_apf_compile(rules, n, &cfg, &p, &err))
		ck_abort_msg("%s", err.message);
	return p;
}

static struct apf_machine machine_of(const struct fmp_apf_program *p, unsigned version)
{
	return (struct apf_machine){ .version = version,
				     .program = p->bytes,
				     .program_len = p->len,
				     .ram_len = FMP_APF_SIZE_MAX };
}

static struct fmp_apf_rule rule_of(const struct model_rule *m)
{
	struct fmp_apf_rule rule = { .protect = m->verdict == FMP_VERDICT_PROTECT };
	struct fmp_addr mac = fmp_addr_mac(m->mac);

	rule.addr = m->ip == 4	  ? fmp_addr_ipv4(m->addr)
		    : m->ip == 16 ? fmp_addr_ipv6(m->addr)
				  : mac;
	if (m->ip)
		rule.addr = fmp_addr_mask(rule.addr, m->plen);
	if (m->ip && m->by_mac)
		rule.pair_mac = mac;
	return rule;
}

static struct fmp_apf_rule rule_text(const char *text, bool protect, uint32_t left_s)
{
	struct fmp_apf_rule rule = { .protect = protect, .left_s = left_s };

	ck_assert_int_eq(fmp_addr_parse(text, &rule.addr, NULL), 0);
	return rule;
}

/* ---- beside the module ---- */

static void print_frame(const uint8_t *frame, size_t len)
{
	for (size_t i = 0; i < len && i < 80; i++)
		fprintf(stderr, "%02x", frame[i]);
	fprintf(stderr, ", %zu bytes\n", len);
}

static void compare_frame(struct apf_machine *m, const uint8_t *frame, size_t len)
{
	bool stops = oracle_stops(frame, len);
	enum apf_result result = apf_run(m, frame, len);

	if (result != APF_FAULT && stops == (result == APF_DROP))
		return;
	print_frame(frame, len);
	fmp_apf_disassemble(m->program, m->program_len, stderr);
	ck_abort_msg("the module %s it, the program says %d", stops ? "stops" : "passes", result);
}

/* Observe rules stop nothing, and fmp has no protected pairs. */
static bool has_form(const struct model_rule *rule)
{
	return rule->verdict != FMP_VERDICT_OBSERVE &&
	       !(rule->verdict == FMP_VERDICT_PROTECT && rule->by_mac && rule->ip);
}

static void compare_round(struct test_random *r, unsigned version, unsigned frames)
{
	struct fmp_apf_rule rules[MODEL_RULES_MAX];
	unsigned n = 0, wanted = random_below(r, MODEL_RULES_MAX);
	struct fmp_apf_program p;
	struct apf_machine m;
	uint8_t frame[2048];

	oracle_flush();
	while (n < wanted) {
		struct model_rule rule;

		frame_rule(r, &rule);
		if (!has_form(&rule))
			continue;
		oracle_add(&rule);
		rules[n++] = rule_of(&rule);
	}
	p = compile_rules(rules, n, version);
	m = machine_of(&p, version);
	while (frames--) {
		size_t len = frame_make(r, frame, here);

		if (len > 14)
			compare_frame(&m, frame, len);
	}
	free(p.bytes);
}

START_TEST(decides_as_the_module)
{
	struct test_random r = { 7 };

	oracle_init();
	for (unsigned i = 0; i < 400; i++)
		compare_round(&r, versions[_i], 400);
	oracle_exit();
}
END_TEST

/* A length that the address has: whole ones more often than others. */
static unsigned make_plen(struct test_random *r, unsigned bits)
{
	switch (random_below(r, 4)) {
	case 0:
		return 1 + random_below(r, bits);
	case 1:
		return bits - random_below(r, 9);
	default:
		return bits;
	}
}

/* Addresses near each other and far from each other. */
static void make_address(struct test_random *r, uint8_t *addr, unsigned len)
{
	for (unsigned i = 0; i < len; i++)
		addr[i] = random_once_in(r, 3) ? (uint8_t)random_u64(r)
					       : (uint8_t)(random_below(r, 3) * 127);
}

static void make_rule(struct test_random *r, struct model_rule *rule)
{
	unsigned kind = random_below(r, 8);

	*rule = (struct model_rule){ .verdict = random_once_in(r, 5) ? FMP_VERDICT_PROTECT
								     : FMP_VERDICT_BLOCK };
	if (kind < 2) {
		rule->by_mac = true;
		make_address(r, rule->mac, 6);
		rule->mac[0] &= 0xfe;
		return;
	}
	rule->ip = kind < 5 ? 4 : 16;
	make_address(r, rule->addr, rule->ip);
	rule->plen = (uint8_t)make_plen(r, rule->ip * 8);
	for (unsigned bit = rule->plen; bit < rule->ip * 8u; bit++)
		rule->addr[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
}

/* Write an address at the edge of a rule: its first or last, or the one before or behind it. */
static void edge_address(struct test_random *r, uint8_t *to, const uint8_t *addr, unsigned len,
			 unsigned plen)
{
	int step = (int)random_below(r, 3) - 1;

	memcpy(to, addr, len);
	if (random_once_in(r, 2))
		for (unsigned bit = plen; bit < len * 8; bit++)
			to[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	for (unsigned i = len; step && i--;) {
		to[i] = (uint8_t)(to[i] + step);
		if (to[i] != (step > 0 ? 0 : 0xff))
			break;
	}
}

static size_t edge_frame(struct test_random *r, uint8_t *frame, const struct model_rule *rules,
			 unsigned n)
{
	const struct model_rule *ip = &rules[random_below(r, n)], *mac = &rules[random_below(r, n)];
	size_t at = 12;

	memset(frame, 0, 100);
	if (mac->by_mac)
		edge_address(r, frame + 6, mac->mac, 6, 48);
	for (unsigned tags = random_once_in(r, 4) ? random_below(r, 4) : 0; tags--; at += 4)
		memcpy(frame + at, random_once_in(r, 2) ? "\x81\0" : "\x88\xa8", 2);
	if (ip->ip == 16) {
		memcpy(frame + at, "\x86\xdd\x60", 3);
		edge_address(r, frame + at + 10, ip->addr, 16, ip->plen);
	} else if (ip->ip && random_once_in(r, 3)) {
		memcpy(frame + at, "\x08\x06\0\x01\x08\0\x06\x04", 8);
		edge_address(r, frame + at + 16, ip->addr, 4, ip->plen);
	} else if (ip->ip) {
		memcpy(frame + at, "\x08\0\x45", 3);
		edge_address(r, frame + at + 14, ip->addr, 4, ip->plen);
	}
	return random_once_in(r, 8) ? 15 + random_below(r, 60) : 60 + random_below(r, 40);
}

START_TEST(finds_the_edges_of_many_rules)
{
	struct test_random r = { 11 };
	uint8_t frame[100];

	oracle_init();
	for (unsigned round = 0; round < 60; round++) {
		unsigned n = 1 + random_below(&r, round % 4 ? 30 : 600);
		struct model_rule *rules = calloc(n, sizeof(*rules));
		struct fmp_apf_rule *apf = calloc(n, sizeof(*apf));
		struct fmp_apf_program p;
		struct apf_machine m;

		oracle_flush();
		for (unsigned i = 0; i < n; i++) {
			make_rule(&r, &rules[i]);
			oracle_add(&rules[i]);
			apf[i] = rule_of(&rules[i]);
		}
		p = compile_rules(apf, n, versions[_i]);
		m = machine_of(&p, versions[_i]);
		for (unsigned i = 0; i < 3000; i++)
			compare_frame(&m, frame, edge_frame(&r, frame, rules, n));
		free(p.bytes);
		free(apf);
		free(rules);
	}
	oracle_exit();
}
END_TEST

/* ---- time ---- */

static size_t frame_from(uint8_t *frame, const char *ip)
{
	struct fmp_addr a;

	ck_assert_int_eq(fmp_addr_parse(ip, &a, NULL), 0);
	memset(frame, 0, 64);
	frame[6] = 2;
	memcpy(frame + 12, a.family == FMP_FAMILY_IPV6 ? "\x86\xdd\x60" : "\x08\0\x45", 3);
	if (a.family == FMP_FAMILY_IPV6)
		memcpy(frame + 22, a.bytes, 16);
	else
		memcpy(frame + 26, a.bytes, 4);
	return 64;
}

static enum apf_result run_at(struct apf_machine *m, uint32_t age_s, const char *ip)
{
	uint8_t frame[64];
	size_t len = frame_from(frame, ip);

	m->age_s = age_s;
	return apf_run(m, frame, len);
}

START_TEST(ends_each_block_in_time)
{
	struct fmp_apf_rule rules[] = {
		rule_text("192.0.2.0/24", false, 600), rule_text("192.0.2.7", false, 0),
		rule_text("192.0.2.8", false, 90000),  rule_text("192.0.2.9", false, 60),
		rule_text("192.0.2.10", true, 0),
	};
	struct fmp_apf_program p = compile_rules(rules, 5, versions[_i]);
	struct apf_machine m = machine_of(&p, versions[_i]);

	ck_assert_int_eq(run_at(&m, 0, "192.0.2.1"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 599, "192.0.2.1"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 600, "192.0.2.1"), APF_PASS);
	ck_assert_int_eq(run_at(&m, UINT32_MAX, "192.0.2.7"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 89999, "192.0.2.8"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 90000, "192.0.2.8"), APF_PASS);
	/* The prefix around it blocks longer. */
	ck_assert_int_eq(run_at(&m, 599, "192.0.2.9"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 600, "192.0.2.9"), APF_PASS);
	ck_assert_int_eq(run_at(&m, 0, "192.0.2.10"), APF_PASS);
	free(p.bytes);
}
END_TEST

/* A blocked MAC whose frames a protected address may save: its time ends too. */
START_TEST(ends_a_marked_mac_in_time)
{
	struct fmp_apf_rule rules[] = {
		rule_text("02:00:00:00:00:00", false, 100),
		rule_text("192.0.2.10", true, 0),
		rule_text("192.0.2.11", false, 0),
	};
	struct fmp_apf_program p = compile_rules(rules, 3, versions[_i]);
	struct apf_machine m = machine_of(&p, versions[_i]);

	ck_assert_int_eq(run_at(&m, 99, "192.0.2.1"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 99, "192.0.2.10"), APF_PASS);
	ck_assert_int_eq(run_at(&m, 99, "2001:db8::1"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 100, "192.0.2.1"), APF_PASS);
	ck_assert_int_eq(run_at(&m, 100, "192.0.2.11"), APF_DROP);
	free(p.bytes);
}
END_TEST

/* Each end costs a test of the time: of many, those near each other become one, never a later one. */
START_TEST(rounds_many_ends_down)
{
	struct fmp_apf_rule rules[40];
	char text[32];

	for (unsigned i = 0; i < 40; i++) {
		snprintf(text, sizeof(text), "192.0.2.%u", i);
		rules[i] = rule_text(text, false, 1000 + 37 * i);
	}
	struct fmp_apf_program p = compile_rules(rules, 40, versions[_i]);
	struct apf_machine m = machine_of(&p, versions[_i]);

	ck_assert_uint_lt(p.len, 500);
	for (unsigned i = 0; i < 40; i++) {
		uint32_t end = rules[i].left_s;

		snprintf(text, sizeof(text), "192.0.2.%u", i);
		ck_assert_int_eq(run_at(&m, end, text), APF_PASS);
		ck_assert_int_eq(run_at(&m, end - end / 8 - 1, text), APF_DROP);
	}
	free(p.bytes);
}
END_TEST

/* ---- room ---- */

static struct fmp_apf_rule *make_hosts(unsigned n)
{
	struct fmp_apf_rule *rules = calloc(n, sizeof(*rules));
	struct test_random r = { 3 };

	for (unsigned i = 0; i < n; i++) {
		uint32_t addr = (uint32_t)random_u64(&r);

		rules[i].addr = fmp_addr_ipv4(&addr);
	}
	return rules;
}

START_TEST(refuses_what_does_not_fit)
{
	struct fmp_apf_config cfg = { .version = versions[_i], .max_size = FMP_APF_SIZE_V4 };
	struct fmp_apf_rule *rules = make_hosts(1000);
	struct fmp_apf_program p;
	struct fmp_error err;

	ck_assert_int_eq(fmp_apf_compile(rules, 1000, &cfg, &p, &err), FMP_ERR_LIMIT);
	ck_assert_ptr_null(p.bytes);
	ck_assert_ptr_nonnull(strstr(err.message, "1000 blocks need "));
	ck_assert_ptr_nonnull(strstr(err.message, "and there are 1024"));
	free(rules);
}
END_TEST

/* Those with the least time left are left out, as the module evicts them; no protected address ever is. */
START_TEST(leaves_out_what_ends_first)
{
	struct fmp_apf_config cfg = { .version = versions[_i],
				      .max_size = FMP_APF_SIZE_V4,
				      .truncate = true };
	struct fmp_apf_rule *rules = make_hosts(1000);
	struct fmp_apf_program p;
	uint32_t kept = UINT32_MAX, left_out = 0;

	for (unsigned i = 0; i < 1000; i++)
		rules[i].left_s = i % 10 ? i : 0;
	rules[0] = rule_text("192.0.2.0/24", false, 0);
	rules[1] = rule_text("192.0.2.10", true, 0);
	ck_assert_int_eq(fmp_apf_compile(rules, 1000, &cfg, &p, NULL), 0);
	ck_assert(p.len <= FMP_APF_SIZE_V4 - (versions[_i] == 6 ? 36 : 0) && p.len > 900);
	ck_assert_uint_eq(p.n_blocks + p.n_left_out, 999);
	ck_assert_uint_gt(p.n_blocks, 50);
	for (unsigned i = 0; i < 1000; i++) {
		uint32_t left = rules[i].left_s ? rules[i].left_s : UINT32_MAX;

		if (rules[i].left_out && left > left_out)
			left_out = left;
		if (!rules[i].left_out && left < kept)
			kept = left;
	}
	ck_assert_uint_ge(kept, left_out);
	ck_assert(!rules[1].left_out);

	struct apf_machine m = machine_of(&p, versions[_i]);

	ck_assert_int_eq(run_at(&m, 0, "192.0.2.10"), APF_PASS);
	ck_assert_int_eq(run_at(&m, 0, "192.0.2.11"), APF_DROP);
	free(p.bytes);
	free(rules);
}
END_TEST

/* The sizes that the manual names; and few instructions for each frame. */
START_TEST(is_small_and_fast)
{
	static const unsigned numbers[] = { 1, 10, 100 },
			      most[][3] = { { 91, 183, 1170 }, { 97, 174, 960 } };

	for (unsigned i = 0; i < 3; i++) {
		struct fmp_apf_rule *rules = make_hosts(numbers[i]);
		struct fmp_apf_program p = compile_rules(rules, numbers[i], versions[_i]);
		struct apf_machine m = machine_of(&p, versions[_i]);
		unsigned steps = 0;
		char text[FMP_ADDR_STRLEN];

		for (unsigned k = 0; k < numbers[i]; k++) {
			ck_assert_int_eq(
				run_at(&m, 0, fmp_addr_format(&rules[k].addr, text, sizeof(text))),
				APF_DROP);
			steps = m.steps > steps ? m.steps : steps;
		}
		printf("APFv%u: %u blocks, %zu bytes, %u steps\n", versions[_i], numbers[i], p.len,
		       steps);
		ck_assert_uint_le(p.len, most[_i][i]);
		ck_assert_uint_le(steps, 28);
		free(p.bytes);
		free(rules);
	}
}
END_TEST

START_TEST(a_list_without_blocks_passes_all)
{
	struct fmp_apf_rule rule = rule_text("192.0.2.10", true, 0);

	for (unsigned n = 0; n < 2; n++) {
		struct fmp_apf_program p = compile_rules(&rule, n, versions[_i]);
		struct apf_machine m = machine_of(&p, versions[_i]);

		ck_assert_uint_ge(p.len, 1);
		ck_assert_uint_le(p.len, 4);
		ck_assert_int_eq(run_at(&m, 0, "192.0.2.10"), APF_PASS);
		free(p.bytes);
	}
}
END_TEST

START_TEST(takes_prefixes_of_any_length)
{
	static const char *const texts[] = { "0.0.0.0/0", "128.0.0.0/1", "::/0", "8000::/1",
					     "2001:db8::/127" };

	for (unsigned i = 0; i < 5; i++) {
		struct fmp_apf_rule rules[] = { rule_text(texts[i], false, 0),
						rule_text("192.0.2.10", true, 0),
						rule_text("2001:db8::1", true, 0) };
		struct fmp_apf_program p = compile_rules(rules, 3, versions[_i]);
		struct apf_machine m = machine_of(&p, versions[_i]);

		ck_assert_int_eq(run_at(&m, 0, "192.0.2.10"), APF_PASS);
		ck_assert_int_eq(run_at(&m, 0, "192.0.2.11"), i < 2 ? APF_DROP : APF_PASS);
		ck_assert_int_eq(run_at(&m, 0, "64.0.2.11"), i < 1 ? APF_DROP : APF_PASS);
		ck_assert_int_eq(run_at(&m, 0, "2001:db8::1"), APF_PASS);
		ck_assert_int_eq(run_at(&m, 0, "2001:db8::"),
				 i == 2 || i == 4 ? APF_DROP : APF_PASS);
		ck_assert_int_eq(run_at(&m, 0, "8001::"), i == 2 || i == 3 ? APF_DROP : APF_PASS);
		free(p.bytes);
	}
}
END_TEST

/* One of each length around the next, each with a later end, so that none is left out. */
START_TEST(holds_prefixes_in_each_other)
{
	static const uint8_t ones[16] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	struct fmp_apf_rule rules[33];
	struct fmp_apf_program p;
	struct apf_machine m;

	for (unsigned ipv6 = 0; ipv6 < 2; ipv6++) {
		for (unsigned i = 0; i <= 32; i++)
			rules[i] = (struct fmp_apf_rule){ .addr = fmp_addr_mask(
								  ipv6 ? fmp_addr_ipv6(ones)
								       : fmp_addr_ipv4(ones),
								  (uint8_t)i),
							  .left_s = i < 32 ? 1u << i : 0 };
		p = compile_rules(rules, 33, versions[_i]);
		m = machine_of(&p, versions[_i]);
		ck_assert_int_eq(run_at(&m, 0, ipv6 ? "::1" : "1.2.3.4"), APF_DROP);
		ck_assert_int_eq(run_at(&m, 1, ipv6 ? "::1" : "1.2.3.4"), APF_PASS);
		ck_assert_int_eq(run_at(&m, 255, ipv6 ? "ff7f::" : "255.127.0.0"), APF_DROP);
		ck_assert_int_eq(run_at(&m, 256, ipv6 ? "ff7f::" : "255.127.0.0"), APF_PASS);
		ck_assert_int_eq(run_at(&m, UINT32_MAX, ipv6 ? "ffff:ffff::" : "255.255.255.255"),
				 APF_DROP);
		free(p.bytes);
	}
}
END_TEST

/* A pair may have a prefix in which an address is protected, and nothing else blocks. */
START_TEST(spares_a_protected_address_in_a_pair)
{
	struct fmp_apf_rule rules[] = { rule_text("192.0.2.0/24", false, 0),
					rule_text("192.0.2.10", true, 0) };
	struct fmp_apf_program p;
	struct apf_machine m;

	ck_assert_int_eq(fmp_addr_parse("02:00:00:00:00:00", &rules[0].pair_mac, NULL), 0);
	p = compile_rules(rules, 2, versions[_i]);
	m = machine_of(&p, versions[_i]);
	ck_assert_int_eq(run_at(&m, 0, "192.0.2.9"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 0, "192.0.2.10"), APF_PASS);
	free(p.bytes);
}
END_TEST

START_TEST(refuses_bad_input)
{
	struct fmp_apf_rule rules[] = { rule_text("192.0.2.10", true, 0) };
	struct fmp_apf_config cfg = { .version = 5, .max_size = 1000 };
	struct fmp_apf_program p;

	ck_assert_int_eq(fmp_apf_compile(rules, 1, &cfg, &p, NULL), FMP_ERR_INVALID);
	cfg = (struct fmp_apf_config){ .version = 6, .max_size = 52 };
	ck_assert_int_eq(fmp_apf_compile(rules, 1, &cfg, &p, NULL), FMP_ERR_INVALID);
	cfg.max_size = FMP_APF_SIZE_MAX + 1;
	ck_assert_int_eq(fmp_apf_compile(rules, 1, &cfg, &p, NULL), FMP_ERR_INVALID);
	cfg.max_size = 1000;
	ck_assert_int_eq(fmp_apf_compile(rules, FMP_APF_RULES_MAX + 1, &cfg, &p, NULL),
			 FMP_ERR_LIMIT);
	/* A protected pair, and a pair of two MACs. */
	rules[0].pair_mac = fmp_addr_mac(here);
	ck_assert_int_eq(fmp_apf_compile(rules, 1, &cfg, &p, NULL), FMP_ERR_INVALID);
	rules[0].protect = false;
	ck_assert_int_eq(fmp_apf_compile(rules, 1, &cfg, &p, NULL), 0);
	free(p.bytes);
	rules[0].addr = rules[0].pair_mac;
	ck_assert_int_eq(fmp_apf_compile(rules, 1, &cfg, &p, NULL), FMP_ERR_INVALID);
	rules[0] = (struct fmp_apf_rule){ 0 };
	ck_assert_int_eq(fmp_apf_compile(rules, 1, &cfg, &p, NULL), FMP_ERR_INVALID);
}
END_TEST

/* ---- counters, text ---- */

START_TEST(counts_what_it_drops)
{
	struct fmp_apf_rule rules[] = { rule_text("192.0.2.1", false, 0),
					rule_text("192.0.2.2", false, 60),
					rule_text("2001:db8::/32", false, 0) };
	struct fmp_apf_program p = compile_rules(rules, 3, 6);
	struct apf_machine m = machine_of(&p, 6);

	ck_assert_int_eq(run_at(&m, 0, "192.0.2.1"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 0, "192.0.2.2"), APF_DROP);
	ck_assert_int_eq(run_at(&m, 60, "192.0.2.2"), APF_PASS);
	ck_assert_int_eq(run_at(&m, 0, "2001:db8::7"), APF_DROP);
	ck_assert_uint_eq(m.counter[2], 4);
	ck_assert_uint_eq(m.counter[FMP_APF_COUNTER_MAC], 0);
	ck_assert_uint_eq(m.counter[FMP_APF_COUNTER_IPV4], 2);
	ck_assert_uint_eq(m.counter[FMP_APF_COUNTER_IPV6], 1);
	free(p.bytes);
	rules[0] = rule_text("02:00:00:00:00:00", false, 0);
	p = compile_rules(rules, 1, 6);
	m = machine_of(&p, 6);
	ck_assert_int_eq(run_at(&m, 0, "192.0.2.1"), APF_DROP);
	ck_assert_uint_eq(m.counter[FMP_APF_COUNTER_MAC], 1);
	free(p.bytes);
}
END_TEST

static char *list_program(const uint8_t *bytes, size_t len)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	fmp_apf_disassemble(bytes, len, to);
	fclose(to);
	return text;
}

START_TEST(prints_a_program)
{
	struct fmp_apf_rule rule = rule_text("02:00:00:00:00:07", false, 0);
	struct fmp_apf_program p = compile_rules(&rule, 1, 4);
	char *text = list_program(p.bytes, p.len);

	ck_assert_str_eq(text, "    0: li    r0, 6\n"
			       "    2: jbsne r0, 0x020000000007, PASS\n"
			       "   11: jmp   DROP\n");
	free(text);
	free(p.bytes);
	p = compile_rules(&rule, 1, 6);
	text = list_program(p.bytes, p.len);
	ck_assert_str_eq(text, "    0: data  0\n"
			       "    3: li    r0, 6\n"
			       "    5: jbseq r0, 0x020000000007, 15\n"
			       "   14: pass\n"
			       "   15: drop  7\n");
	free(text);
	free(p.bytes);
}
END_TEST

/* All bytes are read, whatever they are. */
START_TEST(prints_any_bytes)
{
	struct test_random r = { 5 };

	for (unsigned i = 0; i < 5000; i++) {
		size_t len = random_below(&r, 40);
		uint8_t *bytes = malloc(len ? len : 1);
		char *text;

		for (size_t k = 0; k < len; k++)
			bytes[k] = (uint8_t)random_u64(&r);
		text = list_program(bytes, len);
		ck_assert(!len || text[strlen(text) - 1] == '\n');
		free(text);
		free(bytes);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("apf");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, decides_as_the_module, 0, N_VERSIONS);
	tcase_add_loop_test(tc, finds_the_edges_of_many_rules, 0, N_VERSIONS);
	tcase_add_loop_test(tc, ends_each_block_in_time, 0, N_VERSIONS);
	tcase_add_loop_test(tc, ends_a_marked_mac_in_time, 0, N_VERSIONS);
	tcase_add_loop_test(tc, rounds_many_ends_down, 0, N_VERSIONS);
	tcase_add_loop_test(tc, refuses_what_does_not_fit, 0, N_VERSIONS);
	tcase_add_loop_test(tc, leaves_out_what_ends_first, 0, N_VERSIONS);
	tcase_add_loop_test(tc, is_small_and_fast, 0, N_VERSIONS);
	tcase_add_loop_test(tc, a_list_without_blocks_passes_all, 0, N_VERSIONS);
	tcase_add_loop_test(tc, takes_prefixes_of_any_length, 0, N_VERSIONS);
	tcase_add_loop_test(tc, holds_prefixes_in_each_other, 0, N_VERSIONS);
	tcase_add_loop_test(tc, spares_a_protected_address_in_a_pair, 0, 2);
	tcase_add_test(tc, refuses_bad_input);
	tcase_add_test(tc, counts_what_it_drops);
	tcase_add_test(tc, prints_a_program);
	tcase_add_test(tc, prints_any_bytes);
	return run_tcase("apf", tc);
}
