// SPDX-License-Identifier: GPL-2.0
/*
 * Compare what should be in force, by the decision table, with a snapshot of what the kernel has, and repair the
 * difference, in turns of the event loop.
 */
#include "plane_private.h"

#include <fmp/internal/evtimer.h>

#include "../common/clock.h"
#include "../common/log.h"

/* Blocks added in one step: well below a millisecond. */
#define WANT_STEP    256u
/* After a comparison that failed. */
#define TRY_AGAIN_MS 1000u

static uint32_t subtract_floor(uint32_t a, uint32_t b)
{
	return a > b ? a - b : 0;
}

/*
 * The layer has all rules that it should have: results that say otherwise are out of date. They may be refusals, rules
 * lost in a reboot, or decisions of when the policy only observed. While it observes, no rule should be there.
 */
static void set_enforced(struct fmpd_plane *p, unsigned layer)
{
	bool observe = p->policy->block.observe;
	const struct fmp_layer_result is = { .state = observe ? FMP_LAYER_RESULT_OBSERVED
							      : FMP_LAYER_RESULT_ENFORCED };
	struct fmpd_record *r;

	for (r = fmpd_table_first(p->table); r; r = fmpd_table_next(r)) {
		unsigned holds = observe ? r->d.layers : fmpd_record_capable_layers(r);

		if (r->states[layer] == FMP_LAYER_RESULT_FAILED)
			holds |= FMP_LAYER_BIT(layer);
		if (!(holds & FMP_LAYER_BIT(layer)) || r->states[layer] == is.state)
			continue;
		fmpd_table_set_result(p->table, r, layer, &is);
		if (!fmpd_record_failed_layers(r))
			fmpd_record_clear_retry(r);
	}
}

/* Failed results stay in the table until the layer accepts the rule: subtract them, so that they count once. */
static void store_result(struct fmpd_plane *p, const struct fmp_reconciled *was, uint64_t now_ms)
{
	const struct fmpd_rule_counts *rules = fmpd_table_rule_counts(p->table);

	p->compared = *was;
	p->compared_ms = now_ms;
	p->stale = p->outdated;
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		if (was->reachable[l] && !was->missing[l] && !was->unverified[l])
			set_enforced(p, l);
		p->missing[l] = subtract_floor(was->missing[l], rules[l].failed);
		p->stray[l] = subtract_floor(was->stray[l], rules[l].unended);
	}
}

void plane_get_reconciled(const struct fmpd_plane *p, struct fmp_reconciled *out)
{
	const struct fmpd_rule_counts *rules = fmpd_table_rule_counts(p->table);

	*out = p->compared;
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		bool there = fmp_enforcer_layers(p->enforcer) & FMP_LAYER_BIT(l);

		out->foreign[l] = out->stray[l] = there ? p->stray[l] + rules[l].unended : 0;
		out->wanted[l] = there && !p->policy->block.observe ? rules[l].wanted : 0;
		out->missing[l] = p->missing[l] + rules[l].failed;
		/* Not compared yet: count the results of the layers only. */
		if (!p->compared_ms) {
			out->reachable[l] = there;
			out->missing[l] = subtract_floor(rules[l].wanted, rules[l].enforced);
		}
		out->enforced[l] = subtract_floor(out->wanted[l], out->missing[l]);
	}
}

/* Add some more blocks of the table to the snapshot. Return: 1 all are added, 0, FMP_ERR_NOMEM. */
static int add_wanted(struct fmpd_plane *p, struct fmp_error *err)
{
	for (size_t n = 0; n < WANT_STEP; n++) {
		struct fmpd_record *r =
			p->policy->block.observe
				? NULL
				: fmpd_table_cursor_next(p->table, FMPD_CURSOR_COMPARE);
		struct fmp_decision d;

		if (!r)
			return 1;
		d = fmpd_record_decision(r);
		/* Compare the time left as of when the snapshot was begun. */
		d.mac_ms = fmpd_record_mac_left_ms(r, p->snapshot_ms);
		d.duration_ms = fmpd_record_left_ms(r, p->snapshot_ms);
		if (fmp_snapshot_want(p->snapshot, &d, err))
			return FMP_ERR_NOMEM;
	}
	return 0;
}

/* Return: 1 done, 0 there is more, or why it failed. */
static int run_step(struct fmpd_plane *p, struct fmp_reconciled *is, struct fmp_error *err)
{
	int rc = p->snapshot ? 0 : plane_snapshot_begin(p, !p->verifying, err);

	if (rc)
		return rc;
	switch (p->phase) {
	case PLANE_READ_LAYERS:
		rc = fmp_snapshot_step(p->snapshot, fmpd_now_ms(), err);
		if (rc != 1)
			return rc;
		fmpd_plane_flush(p);
		fmpd_table_expire_macs(p->table, p->snapshot_ms);
		fmpd_table_cursor_rewind(p->table, FMPD_CURSOR_COMPARE);
		p->phase = PLANE_ADD_WANTED;
		return 0;
	case PLANE_ADD_WANTED:
		rc = add_wanted(p, err);
		if (rc == 1)
			p->phase = PLANE_COMPARE;
		return rc < 0 ? rc : 0;
	case PLANE_COMPARE:
		return fmp_snapshot_compare(p->snapshot, !p->verifying, fmpd_now_ms(), is, err);
	}
	return 1;
}

static void log_repaired(struct fmpd_plane *p, const struct fmp_reconciled *was)
{
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		if (!(fmp_enforcer_layers(p->enforcer) & FMP_LAYER_BIT(l)))
			continue;
		p->repaired += was->repaired[l];
		if (!was->reachable[l])
			fmpd_log(FMPD_WARNING, "reconcile", "layer %s can't be dumped",
				 fmp_layer_name(l));
		else if (was->repaired[l])
			fmpd_log(FMPD_WARNING, "reconcile",
				 "layer %s: %u of %u rules were in force, %u did not belong; "
				 "%u repaired",
				 fmp_layer_name(l), was->enforced[l], was->wanted[l],
				 was->foreign[l], was->repaired[l]);
	}
}

/* @rc: 0, or why the comparison failed. */
static void end_comparison(struct fmpd_plane *p, int rc, const struct fmp_reconciled *is,
			   const struct fmp_error *err)
{
	uint64_t now = fmpd_now_ms();
	bool compared = p->verifying;

	plane_snapshot_drop(p);
	p->comparing = p->verifying = false;
	if (!rc)
		store_result(p, is, now);
	if (!rc && !compared) {
		p->reconciled_ms = now;
		p->reconcile_cpu_ms = p->compare_cpu_ns / 1000000;
		log_repaired(p, is);
	}
	if (rc && !compared) {
		fmpd_log_error(FMPD_ERROR, "reconcile", "table and kernel can't be compared", err);
		if (now + TRY_AGAIN_MS < p->reconcile_due_ms)
			p->reconcile_due_ms = now + TRY_AGAIN_MS;
	}
	if (compared && p->hooks.on_verified)
		p->hooks.on_verified(p->hooks.ctx, p->verifications, rc, err);
	plane_rearm_timer(p);
}

/* Tens of thousands of rules take a second: do it in steps, so that events do not wait. */
static void on_compare_turn(evutil_socket_t fd, short what, void *ctx)
{
	struct fmp_reconciled is = { 0 };
	struct fmpd_plane *p = ctx;
	uint64_t began = fmpd_cpu_ns();
	struct fmp_error err;
	int rc = run_step(p, &is, &err);

	p->compare_cpu_ns += fmpd_cpu_ns() - began;
	if (!rc && !fmp_evtimer_arm(p->compare_turn, 0))
		return;
	if (!rc)
		rc = fmp_error_set(&err, FMP_ERR_NOMEM, "no memory for an event");
	end_comparison(p, rc < 0 ? rc : 0, &is, &err);
}

void plane_compare_begin(struct fmpd_plane *p, bool verify)
{
	struct fmp_error err;

	p->comparing = true;
	p->verifying = verify;
	p->verifications += verify;
	p->compare_cpu_ns = 0;
	plane_flush_flows_later(p);
	/* A snapshot may be left from start-up. Drop it for a verification, which is about the present, and if others have
	 * changed something since, for it would hide that change from the repair. */
	if (verify || p->outdated)
		plane_snapshot_drop(p);
	if (!p->compare_turn)
		p->compare_turn = evtimer_new(p->base, on_compare_turn, p);
	if (p->compare_turn && !fmp_evtimer_arm(p->compare_turn, 0))
		return;
	(void)fmp_error_set(&err, FMP_ERR_NOMEM, "no memory for an event");
	end_comparison(p, FMP_ERR_NOMEM, NULL, &err);
}

uint64_t fmpd_plane_verify(struct fmpd_plane *p)
{
	p->verify_due = true;
	plane_rearm_timer(p);
	return p->verifications + 1;
}
