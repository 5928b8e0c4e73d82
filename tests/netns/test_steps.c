// SPDX-License-Identifier: GPL-2.0
/* inv5: a comparison of many rules goes on in small steps, and changes go on beside it. */
#include <stdio.h>

#include <enforce/enforcer.h>

#include "harness.h"
#include "suites.h"

enum {
	MANY = 2000,
	CHANGES_MAX = 256 /* of one step, as enforce/reconcile.c has it */
};

static struct fmp_decision d[MANY];
static struct fmp_layer_result answers[MANY * FMP_LAYERS];

/* Many blocks without end in force. */
static struct fmp_enforcer *begin_blocks(unsigned layer)
{
	struct fmp_enforcer *e = enforcer(layer);
	char text[32];

	for (unsigned i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "10.10.%u.%u", i / 256, i % 256);
		d[i] = block(text, "", FMP_LAYER_BIT(layer), i + 1, 0);
	}
	CHECK_EQ(fmp_enforcer_apply(e, d, MANY, answers, NULL), 0);
	return e;
}

static void set_action(struct fmp_enforcer *e, unsigned i, enum fmp_action action, unsigned layer)
{
	d[i].action = action;
	CHECK_EQ(apply(e, &d[i], layer).state, FMP_LAYER_RESULT_ENFORCED);
}

static struct fmp_snapshot *new_snapshot(struct fmp_enforcer *e)
{
	struct fmp_snapshot *s;

	CHECK_EQ(fmp_enforcer_snapshot(e, 0, &s, NULL), 0);
	return s;
}

static void read_all(struct fmp_snapshot *s)
{
	int rc;

	while (!(rc = fmp_snapshot_step(s, 0, NULL)))
		;
	CHECK_EQ(rc, 1);
}

/* Those of d that are to be blocked. */
static void want_all(struct fmp_snapshot *s)
{
	for (unsigned i = 0; i < MANY; i++)
		CHECK_EQ(fmp_snapshot_want(s, &d[i], NULL), 0);
}

static struct fmp_snapshot *read_and_want(struct fmp_enforcer *e)
{
	struct fmp_snapshot *s = new_snapshot(e);

	read_all(s);
	want_all(s);
	return s;
}

static size_t has_rule(struct fmp_enforcer *e, unsigned layer, unsigned i)
{
	struct fmp_rule r;

	return !fmp_enforcer_find(e, layer, &(struct fmp_rule){ .addr = d[i].source }, &r, NULL);
}

/* Each of its tries is torn by a change: what it lacks for that is not taken for missing. */
static void inv5_a_torn_snapshot(unsigned layer)
{
	struct fmp_enforcer *e = begin_blocks(layer);
	struct fmp_snapshot *s = new_snapshot(e);
	struct fmp_reconciled r;

	for (unsigned i = 0; !fmp_snapshot_step(s, 0, NULL); i++)
		/* What goes leaves a hole in front of the place that the dump has come to. */
		set_action(e, i % 100, i / 100 % 2 ? FMP_ACTION_BLOCK : FMP_ACTION_UNBLOCK, layer);
	CHECK(layer == FMP_LAYER_PREMAC || s->layers[layer].torn);
	for (unsigned i = 0; i < 100; i++)
		d[i].action = FMP_ACTION_BLOCK;
	CHECK_EQ(fmp_enforcer_apply(e, d, 100, answers, NULL), 0);
	/* As if the dump had passed over one. */
	s->layers[layer].rules.n--;
	want_all(s);
	while (!fmp_snapshot_compare(s, true, 0, &r, NULL))
		;
	fmp_snapshot_free(s);
	CHECK_EQ(r.wanted[layer], MANY);
	CHECK(r.unverified[layer] > 0);
	if (layer != FMP_LAYER_PREMAC)
		CHECK_EQ(r.enforced[layer], MANY);
	CHECK_EQ(r.missing[layer], 0);
	CHECK_EQ(r.foreign[layer], 0);
	CHECK_EQ(count_blocks(e, layer), MANY);
	fmp_enforcer_free(e);
}

/* All blocks are lost: no step puts more of them back than its share. */
static void inv5_a_repair_goes_in_steps(unsigned layer)
{
	struct fmp_enforcer *e = begin_blocks(layer);
	struct fmp_reconciled r;
	struct fmp_snapshot *s;
	unsigned steps = 0;
	size_t before = 0;
	int rc;

	must("nft flush ruleset");
	s = read_and_want(e);
	do {
		size_t now;

		rc = fmp_snapshot_compare(s, true, 0, &r, NULL);
		now = count_blocks(e, layer);
		CHECK(now - before <= CHANGES_MAX);
		steps += now > before;
		before = now;
	} while (!rc);
	CHECK_EQ(rc, 1);
	CHECK_EQ(before, MANY);
	CHECK_EQ(steps, (MANY + CHANGES_MAX - 1) / CHANGES_MAX);
	CHECK_EQ(r.wanted[layer], MANY);
	CHECK_EQ(r.enforced[layer], 0);
	CHECK_EQ(r.repaired[layer], MANY);
	CHECK_EQ(r.missing[layer], 0);
	fmp_snapshot_free(s);
	fmp_enforcer_free(e);
}

/* So it goes with those that nobody wants any more. */
static void inv5_foreign_ones_go_in_steps(unsigned layer)
{
	struct fmp_enforcer *e = begin_blocks(layer);
	size_t before = MANY;
	struct fmp_reconciled r;
	struct fmp_snapshot *s = new_snapshot(e);
	int rc;

	read_all(s);
	do {
		size_t now;

		rc = fmp_snapshot_compare(s, true, 0, &r, NULL);
		now = count_blocks(e, layer);
		CHECK(before - now <= CHANGES_MAX);
		before = now;
	} while (!rc);
	CHECK_EQ(rc, 1);
	CHECK_EQ(before, 0);
	CHECK_EQ(r.foreign[layer], MANY);
	CHECK_EQ(r.repaired[layer], MANY);
	CHECK_EQ(r.stray[layer], 0);
	fmp_snapshot_free(s);
	fmp_enforcer_free(e);
}

/*
 * Decisions between two steps of a repair: what is unblocked is not put back, behind its turn and
 * in front of it; what is blocked stays; what is protected is not touched.
 */
static void inv1_inv5_decisions_beside_a_repair(unsigned layer)
{
	struct fmp_enforcer *e = begin_blocks(layer);
	struct fmp_decision more = block("10.11.0.1", "", FMP_LAYER_BIT(layer), MANY + 1, 0);
	const struct fmp_protect_entry set = { addr("10.10.4.0"), FMP_PROTECT_MANUAL };
	const unsigned protected = 4 * 256, last = MANY - 1;
	struct fmp_reconciled r;
	struct fmp_snapshot *s;

	must("nft flush ruleset");
	s = read_and_want(e);
	while (!count_blocks(e, layer))
		CHECK_EQ(fmp_snapshot_compare(s, true, 0, &r, NULL), 0);
	CHECK(has_rule(e, layer, 0) && !has_rule(e, layer, last));
	set_action(e, 0, FMP_ACTION_UNBLOCK, layer);
	set_action(e, last, FMP_ACTION_UNBLOCK, layer);
	set_action(e, last - 1, FMP_ACTION_UNBLOCK, layer);
	set_action(e, last - 1, FMP_ACTION_BLOCK, layer);
	CHECK_EQ(apply(e, &more, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	while (!fmp_snapshot_compare(s, true, 0, &r, NULL))
		;
	CHECK(!has_rule(e, layer, 0) && !has_rule(e, layer, last) &&
	      !has_rule(e, layer, protected));
	CHECK(has_rule(e, layer, last - 1));
	/* Of those the three, and one more. */
	CHECK_EQ(count_blocks(e, layer), MANY - 2);
	CHECK_EQ(r.foreign[layer], 0);
	CHECK_EQ(r.missing[layer], 1);
	fmp_snapshot_free(s);
	fmp_enforcer_free(e);
}

/* More than it takes note of is changed: it says so, and changes nothing. */
static void inv6_too_much_beside_a_comparison(unsigned layer)
{
	struct fmp_enforcer *e = begin_blocks(layer);
	struct fmp_snapshot *s = read_and_want(e);
	struct fmp_reconciled r;

	for (unsigned i = 0; !s->overrun; i++) {
		for (unsigned k = 0; k < MANY; k++)
			d[k].action = i % 2 ? FMP_ACTION_BLOCK : FMP_ACTION_UNBLOCK;
		CHECK_EQ(fmp_enforcer_apply(e, d, MANY, answers, NULL), 0);
		CHECK(i * MANY < 100000);
	}
	CHECK_EQ(fmp_snapshot_compare(s, true, 0, &r, NULL), FMP_ERR_AGAIN);
	CHECK_EQ(fmp_snapshot_compare(s, true, 0, &r, NULL), FMP_ERR_AGAIN);
	fmp_snapshot_free(s);
	fmp_enforcer_free(e);
}

const struct test step_tests[] = {
	EACH_LAYER(inv5_a_torn_snapshot),
	NFT_LAYERS(inv5_a_repair_goes_in_steps),
	EACH_LAYER(inv5_foreign_ones_go_in_steps),
	NFT_LAYERS(inv1_inv5_decisions_beside_a_repair),
	NFT_LAYERS(inv6_too_much_beside_a_comparison),
};
const size_t n_step_tests = sizeof(step_tests) / sizeof(step_tests[0]);
