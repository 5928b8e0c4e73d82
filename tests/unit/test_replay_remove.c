// SPDX-License-Identifier: GPL-2.0
/* Messages that reached nobody: their copies pass, and nothing else is forgotten. */
#include <sys/wait.h>
#include <unistd.h>

#include "replay.h"
#include "run.h"
#include "tokens.h"

/* What reached nobody may come again; nothing else is touched by it. */
START_TEST(forgotten_and_taken_again)
{
	static const unsigned orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 }, { 1, 2, 0 } };

	for (unsigned o = 0; o < 4; o++) {
		make_table(16, 8);
		ck_assert(!remove_key(1, 0));
		for (unsigned n = 0; n < 3; n++)
			ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
		ck_assert_int_eq(add_key(2, 1, 0), FMPI_REPLAY_NEW);
		for (unsigned i = 0; i < 3; i++) {
			ck_assert(remove_key(1, orders[o][i]));
			ck_assert(!remove_key(1, orders[o][i]));
			for (unsigned k = i + 1; k < 3; k++)
				ck_assert_int_eq(add_key(1, orders[o][k], orders[o][k]),
						 FMPI_REPLAY_SEEN);
		}
		ck_assert_int_eq(add_key(2, 1, 0), FMPI_REPLAY_SEEN);
		for (unsigned n = 0; n < 3; n++)
			ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
		for (unsigned n = 0; n < 3; n++)
			ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_SEEN);
	}
}
END_TEST

/* However often a message is tried while the service is away: nobody's memory gets any shorter. */
START_TEST(invariant_6_who_tries_again_uses_up_nothing)
{
	make_table(16, 8);
	for (unsigned n = 0; n < 7; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
	for (unsigned n = 0; n < 1000; n++) {
		ck_assert_int_eq(add_key(1, 100 + n % 3, n), FMPI_REPLAY_NEW);
		ck_assert(remove_key(1, 100 + n % 3));
	}
	ck_assert_uint_eq(fmpi_replay_table_evicted(&table), 0);
	ck_assert_int_eq(add_key(1, 7, 7), FMPI_REPLAY_NEW);
	for (unsigned n = 0; n < 8; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_SEEN);
}
END_TEST

/*
 * Against a list of what is taken: whatever is taken and forgotten in whatever order, each message is
 * new or seen as the list says. Nothing is evicted: it would all fit.
 */
START_TEST(as_a_list_would_say)
{
	bool taken[4][16];

	for (unsigned seed = 0; seed < 200; seed++) {
		make_table(64, 64);
		memset(taken, 0, sizeof(taken));
		srand(seed);
		for (unsigned step = 0; step < 400; step++) {
			unsigned s = (unsigned)rand() % 4, n = (unsigned)rand() % 16;

			if (rand() % 2) {
				ck_assert_int_eq(add_key(s, n, n),
						 taken[s][n] ? FMPI_REPLAY_SEEN : FMPI_REPLAY_NEW);
				taken[s][n] = true;
			} else {
				ck_assert_int_eq(remove_key(s, n), taken[s][n]);
				taken[s][n] = false;
			}
		}
		ck_assert_uint_eq(fmpi_replay_table_evicted(&table), 0);
	}
}
END_TEST

/* Wherever one was, those that are left go in the order in which they came. */
START_TEST(the_others_keep_their_order)
{
	for (unsigned gone = 0; gone < 4; gone++) {
		make_table(16, 4);
		for (unsigned n = 0; n < 4; n++)
			ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
		ck_assert(remove_key(1, gone));
		ck_assert_int_eq(add_key(1, 4, 4), FMPI_REPLAY_NEW);
		ck_assert_uint_eq(fmpi_replay_table_evicted(&table), 0);
		for (unsigned n = 5, first = 0; n < 9; n++, first++) {
			ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
			first += first == gone;
			ck_assert_int_eq(add_key(1, first, first), FMPI_REPLAY_TOO_OLD);
			for (unsigned left = first + 1; left <= n; left++)
				ck_assert(left == gone ||
					  add_key(1, left, left) == FMPI_REPLAY_SEEN);
			ck_assert_uint_eq(fmpi_replay_table_evicted(&table), n - 4);
		}
		/* The one that became the first makes room, too. */
		ck_assert(remove_key(1, 5));
		ck_assert_int_eq(add_key(1, 9, 9), FMPI_REPLAY_NEW);
		ck_assert_uint_eq(fmpi_replay_table_evicted(&table), 4);
	}
}
END_TEST

/* What had to be forgotten before its time can't be taken back: nobody knows whether it was obeyed. */
START_TEST(forgetting_lifts_no_floor)
{
	make_table(16, 4);
	for (unsigned n = 0; n < 8; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
	ck_assert(!remove_key(1, 0));
	ck_assert(remove_key(1, 7));
	ck_assert_int_eq(add_key(1, 0, 0), FMPI_REPLAY_TOO_OLD);
	ck_assert_int_eq(add_key(1, 7, 7), FMPI_REPLAY_NEW);
}
END_TEST

/* ---- shared ---- */

/* Of two keys one is still there: both are gone behind it, but whether a copy passes is not sure. */
START_TEST(all_keys_of_a_message)
{
	struct fmpi_replay_key both[2] = { make_key(1, 1, 0), make_key(2, 1, 0) };
	struct fmp_error err = { 0 };
	struct fmpi_replay *r;

	ck_assert_int_eq(fmpi_replay_new(NULL, 16, 8, 0, &r, &err), 0);
	for (unsigned n = 0; n < 2; n++)
		ck_assert_int_eq(fmpi_replay_insert(r, &both[n], NOW), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_remove(r, both, 2), 0);
	ck_assert_int_eq(fmpi_replay_lookup(r, &both[0]), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_insert(r, &both[1], NOW), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_remove(r, both, 2), FMP_ERR_NOTFOUND);
	ck_assert_int_eq(fmpi_replay_lookup(r, &both[1]), FMPI_REPLAY_NEW);
	fmpi_replay_free(r);
}
END_TEST

/* Whoever forgets is one of many: each message is taken once more than it was forgotten, and no other is lost. */
START_TEST(processes_forget_for_each_other)
{
	struct fmpi_replay *r;
	struct fmp_error err = { 0 };
	unsigned left = 0;
	pid_t pid[4];
	int status;

	ck_assert_int_eq(fmpi_replay_new(NULL, 4096, 4096, 0, &r, &err), 0);
	for (unsigned p = 0; p < 4; p++) {
		pid[p] = fork();
		if (pid[p])
			continue;
		for (unsigned n = 0; n < 4000; n++) {
			struct fmpi_replay_key k = make_key(1, n % 100, n % 100);

			if (fmpi_replay_insert(r, &k, NOW) != FMPI_REPLAY_NEW)
				continue;
			left++;
			if (n % 3 && !fmpi_replay_remove(r, &k, 1))
				left--;
		}
		_exit((int)left);
	}
	left = 0;
	for (unsigned p = 0; p < 4; p++) {
		ck_assert_int_eq(waitpid(pid[p], &status, 0), pid[p]);
		ck_assert(WIFEXITED(status));
		left += (unsigned)WEXITSTATUS(status);
	}
	for (unsigned n = 0; n < 100; n++) {
		struct fmpi_replay_key k = make_key(1, n, n);

		left -= fmpi_replay_lookup(r, &k) == FMPI_REPLAY_SEEN;
	}
	ck_assert_uint_eq(left, 0);
	fmpi_replay_free(r);
}
END_TEST

/* ---- in the pipeline ---- */

/* By whichever inspector shares the memory; only what the last message is known by. */
START_TEST(what_reached_nobody_passes_again)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i, *beside;
	struct fmp_replay_keys what;

	cfg.replay_entries = cfg.replay_per_signer = 64;
	i = make_inspector(&cfg);
	cfg.share_replay = i;
	beside = make_inspector(&cfg);
	expect_token(i, "ski", FMP_EVENT_GOOD, "");
	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	fmp_inspector_replay_keys(i, &what);
	ck_assert_uint_eq(what.n, 1);
	ck_assert_int_eq(fmp_inspector_replay_remove(beside, &what), 0);
	ck_assert_int_eq(fmp_inspector_replay_remove(beside, &what), FMP_ERR_NOTFOUND);
	expect_token(i, "ski", FMP_EVENT_REPLAY, "here before");
	expect_token(beside, "direct", FMP_EVENT_GOOD, "");
	expect_token(i, "direct", FMP_EVENT_REPLAY, "here before");
	fmp_inspector_free(beside);
	fmp_inspector_free(i);

	cfg.share_replay = NULL;
	cfg.replay_entries = 0;
	i = make_inspector(&cfg);
	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	fmp_inspector_replay_keys(i, &what);
	ck_assert_uint_eq(what.n, 0);
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("forget");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, forgotten_and_taken_again);
	tcase_add_test(tc, invariant_6_who_tries_again_uses_up_nothing);
	tcase_add_test(tc, as_a_list_would_say);
	tcase_add_test(tc, the_others_keep_their_order);
	tcase_add_test(tc, forgetting_lifts_no_floor);
	tcase_add_test(tc, all_keys_of_a_message);
	tcase_add_test(tc, processes_forget_for_each_other);
	tcase_add_test(tc, what_reached_nobody_passes_again);
	return run_tcase("forget", tc);
}
