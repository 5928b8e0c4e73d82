// SPDX-License-Identifier: GPL-2.0
/* daemon/fmpctl/log/simulate.c: the messages of a simulated attack, and samples at its decisions. */
#include <check.h>

#include "../../daemon/fmpctl/log/simulate.h"
#include "run.h"

static struct fmp_policy *policy;
static struct attack attack;
static struct simulation s;

static void setup(void)
{
	policy = fmp_policy_default();
	attack = (struct attack){
		.kind = FMP_EVENT_SCHEMA, .sources = 1, .every_ms = 1000, .for_ms = 3600000
	};
	ck_assert(policy && !fmp_addr_parse("192.0.2.1", &attack.addr, NULL));
}

static void teardown(void)
{
	simulation_free(&s);
	fmp_policy_free(policy);
}

static const struct sample *run_simulation(void)
{
	struct fmp_error err;

	ck_assert_msg(!simulate(policy, &attack, &s, &err), "%s", err.message);
	ck_assert_uint_gt(s.n, 0);
	return &s.samples[s.n - 1];
}

START_TEST(counts)
{
	const struct sample *last;

	attack.sources = 3;
	attack.good = 30;
	attack.after_ms = 60000;
	last = run_simulation();
	ck_assert_uint_eq(last->at_ms, 3660000);
	ck_assert_uint_eq(last->good, 3 * 1080);
	ck_assert_uint_eq(last->bad, 3 * 2520);
	ck_assert_uint_gt(last->kept_out, 0);
	ck_assert_uint_gt(last->good_lost, 0);
}
END_TEST

/* Each block of the first source has a sample at its start. */
START_TEST(decisions_are_sampled)
{
	const struct fmp_dryrun_block *b;
	size_t n, seen = 0;

	run_simulation();
	b = fmp_dryrun_blocks(s.run, &n);
	ck_assert_uint_gt(n, 2);
	for (size_t i = 0; i < s.n; i++) {
		ck_assert(!i || s.samples[i].at_ms >= s.samples[i - 1].at_ms);
		if (!s.samples[i].decided || s.samples[i].state != FMP_STATE_MALICIOUS)
			continue;
		ck_assert_uint_lt(seen, n);
		ck_assert_uint_eq(s.samples[i].at_ms, b[seen++].from_ms);
	}
	ck_assert_uint_eq(seen, n);
}
END_TEST

START_TEST(quiet_afterwards)
{
	attack.for_ms = 5000;
	attack.after_ms = 300000;
	ck_assert_uint_eq(run_simulation()->bad, 5);
	ck_assert_uint_lt(s.samples[s.n - 1].rank, 3);
	ck_assert_uint_eq(s.samples[s.n - 1].state, FMP_STATE_CLEAN);
}
END_TEST

START_TEST(shortest)
{
	attack.for_ms = attack.every_ms = 1;
	ck_assert_uint_eq(run_simulation()->bad, 1);
}
END_TEST

START_TEST(bounded)
{
	struct fmp_error err;

	attack.sources = 100000;
	attack.for_ms = 100000;
	ck_assert_int_eq(simulate(policy, &attack, &s, &err), FMP_ERR_LIMIT);
	attack.sources = SIMULATE_MESSAGES_MAX + 1;
	ck_assert_int_eq(simulate(policy, &attack, &s, &err), FMP_ERR_LIMIT);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("simulate");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, counts);
	tcase_add_test(tc, decisions_are_sampled);
	tcase_add_test(tc, quiet_afterwards);
	tcase_add_test(tc, shortest);
	tcase_add_test(tc, bounded);
	return run_tcase("simulate", tc);
}
