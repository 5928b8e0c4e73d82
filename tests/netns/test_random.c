// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks, limits, unblocks and changes of the protected set by chance: at no time
 * a protected address stands blocked in the kernel, and after it the kernel has
 * what the table says. FMP_RANDOM_COMMANDS and FMP_RANDOM_SEED say how long and which.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../lib/random.h"
#include "harness.h"
#include "suites.h"

#define COMMANDS  10000u
#define SOURCES	  96u /* 10.1.0.x, 10.2.x.0/24, fd01:0:0:x::/64, a third each */
#define PROTECTED 6u
#define MIN	  60000u
#define BATCH	  64u
#define EVERY	  2500u /* commands between two comparisons */
#define BLOCK_MS  (30u * MIN)

struct table {
	struct fmp_decision d[SOURCES]; /* id 0: not blocked */
	struct fmp_protect_entry set[PROTECTED];
	size_t n_set;
	unsigned long long id;
	struct test_random random;
};

static struct fmp_addr nth_source(uint32_t i)
{
	const uint8_t x = (uint8_t)(i / 3 + 1), v6[16] = { 0xfd, 1, [7] = x };

	switch (i % 3) {
	case 0:
		return fmp_addr_ipv4((const uint8_t[]){ 10, 1, 0, x });
	case 1:
		return fmp_addr_mask(fmp_addr_ipv4((const uint8_t[]){ 10, 2, x, 0 }), 24);
	default:
		return fmp_addr_mask(fmp_addr_ipv6(v6), 64);
	}
}

static bool is_protected(const struct table *t, const struct fmp_addr *a)
{
	for (size_t i = 0; i < t->n_set; i++)
		if (fmp_addr_overlaps(&t->set[i].addr, a))
			return true;
	return false;
}

/* What a layer has that it may not have. */
static int no_protected(const struct fmp_rule *r, void *ctx)
{
	CHECK(!is_protected(ctx, &r->addr));
	return 0;
}

/* Another protected set; blocks that it forbids are taken away, as fmpd does it. */
static void protect_some(struct fmp_enforcer *e, struct table *t, unsigned layer)
{
	struct fmp_decision gone[SOURCES];
	struct fmp_layer_result answers[SOURCES * FMP_LAYERS];
	size_t n = 0;

	t->n_set = random_below(&t->random, PROTECTED + 1);
	for (size_t i = 0; i < t->n_set; i++) {
		struct fmp_addr a = nth_source(random_below(&t->random, SOURCES));

		a.bytes[a.family == FMP_FAMILY_IPV4 ? 3 : 15] |= 1;
		a.prefix_len = fmp_addr_max_prefix(a.family);
		t->set[i] = (struct fmp_protect_entry){ a, FMP_PROTECT_MANUAL };
	}
	CHECK_EQ(fmp_enforcer_protect(e, t->set, t->n_set, NULL), 0);
	for (unsigned i = 0; i < SOURCES; i++) {
		if (!t->d[i].id || !is_protected(t, &t->d[i].source))
			continue;
		gone[n] = t->d[i];
		gone[n++].action = FMP_ACTION_UNBLOCK;
		t->d[i].id = 0;
	}
	if (n)
		CHECK_EQ(fmp_enforcer_apply(e, gone, n, answers, NULL), 0);
	CHECK_EQ(fmp_enforcer_dump(e, layer, no_protected, t, NULL), 0);
}

/* Some decisions in one call; the table follows. Return: how many. */
static unsigned decide_some(struct fmp_enforcer *e, struct table *t, unsigned layer)
{
	struct fmp_decision d[2 * BATCH];
	struct fmp_layer_result answers[2 * BATCH * FMP_LAYERS];
	unsigned n = 0, some = 1 + random_below(&t->random, BATCH);

	for (unsigned k = 0; k < some; k++) {
		unsigned i = random_below(&t->random, SOURCES);

		if (t->d[i].id) {
			d[n] = t->d[i];
			d[n++].action = FMP_ACTION_UNBLOCK;
			t->d[i].id = 0;
		}
		if (!random_below(&t->random, 3))
			continue;
		d[n] = block("", "", FMP_LAYER_BIT(layer), ++t->id, BLOCK_MS);
		d[n].source = nth_source(i);
		d[n].dest_port = random_below(&t->random, 4) ? 0 : 80;
		d[n].action_kind = random_below(&t->random, 4) ? FMP_ACTION_KIND_BLOCK
							       : FMP_ACTION_KIND_LIMIT;
		d[n].rate = d[n].action_kind == FMP_ACTION_KIND_LIMIT
				    ? 1 + random_below(&t->random, 100)
				    : 0;
		if (!is_protected(t, &d[n].source))
			t->d[i] = d[n];
		n++;
	}
	if (!n)
		return 1;
	CHECK(fmp_enforcer_apply(e, d, n, answers, NULL) >= 0);
	for (unsigned k = 0; k < n; k++) {
		bool may = d[k].action == FMP_ACTION_UNBLOCK || !is_protected(t, &d[k].source);

		CHECK_EQ(answers[k * FMP_LAYERS + layer].state,
			 may ? FMP_LAYER_RESULT_ENFORCED : FMP_LAYER_RESULT_FAILED);
	}
	return n;
}

static void check_agreement(struct fmp_enforcer *e, struct table *t, unsigned layer)
{
	struct fmp_decision desired[SOURCES];
	struct fmp_reconciled r;
	size_t n = 0;

	for (unsigned i = 0; i < SOURCES; i++)
		if (t->d[i].id)
			desired[n++] = t->d[i];
	CHECK_EQ(fmp_enforcer_dump(e, layer, no_protected, t, NULL), 0);
	CHECK_EQ(fmp_enforcer_reconcile(e, desired, n, false, &r, NULL), 0);
	CHECK_EQ(r.wanted[layer], n);
	/* What has stood for long has less left than it was given: not that is asked here. */
	CHECK_EQ(r.enforced[layer], n);
	CHECK_EQ(r.foreign[layer], 0);
}

static void inv1_inv5_by_chance(unsigned layer)
{
	const char *commands = getenv("FMP_RANDOM_COMMANDS"), *seed = getenv("FMP_RANDOM_SEED");
	unsigned long n = commands ? strtoul(commands, NULL, 10) : COMMANDS, done = 0;
	unsigned long compare = EVERY;
	struct timespec now;
	struct fmp_enforcer *e;
	struct table t = { 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	t.random.state = seed ? strtoull(seed, NULL, 10) : (uint64_t)now.tv_nsec;
	printf("   seed %llu, %lu commands\n", (unsigned long long)t.random.state, n);
	peer_start();
	e = enforcer(layer);
	if (commands)
		alarm(0); /* as long as that takes */
	while (done < n) {
		if (!random_below(&t.random, 20)) {
			protect_some(e, &t, layer);
			done++;
		} else {
			done += decide_some(e, &t, layer);
		}
		if (done >= compare) {
			check_agreement(e, &t, layer);
			compare = done + EVERY;
		}
	}
	check_agreement(e, &t, layer);
	fmp_enforcer_free(e);
}

const struct test random_tests[] = {
	{ "inv1_inv5_by_chance", inv1_inv5_by_chance, FMP_LAYER_IP },
	{ "inv1_inv5_by_chance", inv1_inv5_by_chance, FMP_LAYER_MAC },
};
const size_t n_random_tests = sizeof(random_tests) / sizeof(random_tests[0]);
