// SPDX-License-Identifier: GPL-2.0
/* Messages that were here before: the table, its bounds, and the lock between processes. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "replay.h"
#include "run.h"
#include "tokens.h"

START_TEST(once_and_not_again)
{
	struct fmpi_replay_key k = make_key(1, 1, 0);

	make_table(16, 8);
	ck_assert_int_eq(fmpi_replay_table_lookup(&table, &k), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_lookup(&table, &k), FMPI_REPLAY_NEW);
	ck_assert_int_eq(add_key(1, 1, 0), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_lookup(&table, &k), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(1, 1, 0), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(1, 2, 0), FMPI_REPLAY_NEW);
	ck_assert_int_eq(add_key(2, 1, 0), FMPI_REPLAY_NEW);
}
END_TEST

/* What is out of date makes room without anything being lost. */
START_TEST(old_ones_make_room)
{
	make_table(16, 8);
	for (unsigned n = 0; n < 1000; n++)
		ck_assert_int_eq(add_key(1, n, n * 10000ll), FMPI_REPLAY_NEW);
	ck_assert_uint_eq(fmpi_replay_table_evicted(&table), 0);
}
END_TEST

/* Whoever looked at its clock a moment ago still takes what has just gone out of date. */
START_TEST(a_clock_behind_another_lets_no_replay_through)
{
	struct fmpi_replay_key k = make_key(1, 1, 0);

	make_table(16, 8);
	ck_assert_int_eq(add_key(1, 1, 0), FMPI_REPLAY_NEW);
	/* Another one takes something at the moment in which it ends. */
	ck_assert_int_eq(add_key(1, 2, 60000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_lookup(&table, &k), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &k, NOW + 59000, NOW + 59000),
			 FMPI_REPLAY_SEEN);
}
END_TEST

static int take_at(unsigned signer, unsigned n, int64_t created, int64_t now, int64_t boot)
{
	struct fmpi_replay_key k = make_key(signer, n, created);

	return (int)fmpi_replay_table_insert(&table, &k, NOW + now, boot);
}

#define DAY (24 * 3600 * 1000ll)

/* The wall clock is set ahead and back; what runs since the start is not. */
START_TEST(a_clock_that_jumps_ahead_and_back_lets_no_replay_through)
{
	make_table(16, 8);
	ck_assert_int_eq(take_at(1, 1, 0, 0, 0), FMPI_REPLAY_NEW);
	/* Ahead: what is taken then drops nothing that may come again. */
	ck_assert_int_eq(take_at(1, 2, DAY, DAY, 1000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(take_at(1, 3, DAY + 100, DAY + 100, 2000), FMPI_REPLAY_NEW);
	/* And back. */
	ck_assert_int_eq(take_at(1, 1, 0, 3000, 3000), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(take_at(1, 2, DAY, 3000, 3000), FMPI_REPLAY_SEEN);
	/* Good ones of the right time pass. */
	ck_assert_int_eq(take_at(1, 4, 3000, 3000, 3000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(take_at(2, 4, 2000, 3000, 3000), FMPI_REPLAY_NEW);
}
END_TEST

/* Back behind what was forgotten by the right time: nobody can tell any more. */
START_TEST(a_clock_that_goes_back_lets_no_replay_through)
{
	make_table(16, 8);
	ck_assert_int_eq(take_at(1, 1, 0, 0, 0), FMPI_REPLAY_NEW);
	ck_assert_int_eq(take_at(1, 2, 600000, 600000, 600000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(take_at(1, 1, 0, 20000, 620000), FMPI_REPLAY_UNKNOWN);
	ck_assert_int_eq(take_at(1, 2, 600000, 20000, 620000), FMPI_REPLAY_SEEN);
	/* What is of another time than what was forgotten is new. */
	ck_assert_int_eq(take_at(1, 3, 20000, 20000, 620000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(take_at(1, 4, -DAY, -DAY, 620000), FMPI_REPLAY_NEW);
}
END_TEST

/* A day is lost to nobody for what came while the clock was a day ahead. */
START_TEST(what_came_ahead_of_time_keeps_nobody_out)
{
	make_table(64, 8);
	for (unsigned n = 0; n < 6; n++)
		ck_assert_int_eq(take_at(1, n, DAY + n, DAY + n, n), FMPI_REPLAY_NEW);
	for (unsigned n = 10; n < 1000; n++)
		ck_assert_int_eq(take_at(1, n, n * 10000ll, n * 10000ll, n * 10000ll),
				 FMPI_REPLAY_NEW);
	/* They don't come twice, be they there still or gone for want of room. */
	ck_assert_int_ne(take_at(1, 0, DAY, DAY + 10, DAY + 10), FMPI_REPLAY_NEW);
	ck_assert_int_ne(take_at(1, 5, DAY + 5, DAY + 10, DAY + 10), FMPI_REPLAY_NEW);
	ck_assert_int_eq(take_at(1, 2000, DAY + 90000, DAY + 90000, DAY + 90000), FMPI_REPLAY_NEW);
}
END_TEST

/* A table in a file that outlives the system: what is out of date goes, though the boot before lasted a month. */
START_TEST(another_boot_keeps_nothing_longer)
{
	const int64_t month = 30ll * 24 * 3600000;
	struct fmpi_replay_key first = make_key(1, 1, 0), second = make_key(1, 2, 60000),
			       third = make_key(1, 3, 200000);

	make_table(16, 8);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &first, NOW, month), FMPI_REPLAY_NEW);
	/* It is valid for as long as it was, and a little longer, by both clocks. */
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &second, NOW + 50000, 20000),
			 FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_lookup(&table, &first), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &third, NOW + 200000, 170000),
			 FMPI_REPLAY_NEW);
	ck_assert(!remove_key(1, 1));
	ck_assert(!fmpi_replay_table_remove(&table, &second));
	ck_assert(fmpi_replay_table_remove(&table, &third));
	ck_assert_uint_eq(fmpi_replay_table_evicted(&table), 0);
}
END_TEST

/* A nonce whose policy sets no age: on a device whose clock begins in 1970, and where one is ahead of the clock. */
START_TEST(what_is_valid_for_ever_is_counted_on)
{
	struct fmpi_replay_key ever = make_key(1, 1, 0), ahead = make_key(2, 2, 3600000),
			       other = make_key(2, 3, 3600000);

	make_table(4, 1);
	ever.created_ms = 1000;
	ever.until_ms = ahead.until_ms = INT64_MAX;
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &ever, 1000, 900000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &ever, NOW, 900000), FMPI_REPLAY_SEEN);
	/* The one that is ahead makes room: what it was valid for is a window without end, and the next are held to it. */
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &ahead, NOW, 900000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &other, NOW, 900000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_lookup(&table, &ahead), FMPI_REPLAY_UNKNOWN);
	other = make_key(2, 4, 0);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &other, NOW, 900000), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &ever, NOW, 900000), FMPI_REPLAY_SEEN);
}
END_TEST

/* Of a clock that jumps at random no message is ever taken twice, and few are refused for it. */
START_TEST(any_jumps_let_no_replay_through)
{
	enum {
		MESSAGES = 4000
	};
	static struct fmpi_replay_key sent[MESSAGES];
	int64_t wall = 0, boot = 0;
	unsigned n = 0, refused = 0, tried = 0;

	srandom(7);
	make_table(256, 64);
	while (n < MESSAGES) {
		int64_t step = random() % 3000;

		boot += step;
		wall += step;
		if (random() % 40 == 0)
			wall += (random() % 2 ? 1 : -1) * (random() % 600000);
		/* A copy comes while the clock says that it is valid. */
		if (n && random() % 2) {
			const struct fmpi_replay_key *k =
				&sent[n - 1 - random() % (n < 300 ? n : 300)];

			if (k->created_ms > NOW + wall || k->until_ms <= NOW + wall)
				continue;
			tried++;
			ck_assert_int_ne(fmpi_replay_table_insert(&table, k, NOW + wall, boot),
					 FMPI_REPLAY_NEW);
			continue;
		}
		sent[n] = make_key((unsigned)random() % 5, n + refused, wall);
		if (fmpi_replay_table_insert(&table, &sent[n], NOW + wall, boot) == FMPI_REPLAY_NEW)
			n++;
		else
			refused++;
	}
	ck_assert_uint_gt(tried, 200);
	ck_assert_msg(refused < 20 * MESSAGES, "%u refused", refused);
}
END_TEST

/* However long the policy lets a worker look at one message. */
START_TEST(a_slow_worker_lets_no_replay_through)
{
	struct fmp_policy *policy = fmp_policy_default();
	struct fmpi_replay_key first = make_key(1, 1, 0), other = make_key(1, 2, 110000);
	struct fmp_inspect_config cfg;
	struct fmpi_replay *r;
	struct fmp_error err;

	policy->gateway.worker_timeout_ms = 30000;
	cfg = fmp_inspect_config_from(policy);
	ck_assert_int_eq(fmpi_replay_new(NULL, 16, 8, cfg.message_ms, &r, &err), 0);
	ck_assert_int_eq(fmpi_replay_insert(r, &first, NOW), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_insert(r, &other, NOW + 119000), FMPI_REPLAY_NEW);
	/* Its copy was given to a worker in the last second in which it is taken. */
	ck_assert_int_eq(fmpi_replay_insert(r, &first, NOW + 59000), FMPI_REPLAY_SEEN);
	fmpi_replay_free(r);
	fmp_policy_free(policy);
}
END_TEST

START_TEST(invariant_6_a_flood_of_one_signer_lets_no_replay_through)
{
	make_table(64, 16);
	for (unsigned n = 0; n < 8; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
	for (unsigned n = 0; n < 10000; n++)
		ck_assert_int_eq(add_key(2, n, n / 10 + 1), FMPI_REPLAY_NEW);
	ck_assert_uint_eq(fmpi_replay_table_evicted(&table), 10000 - 16);
	/* None of his passes a second time, remembered or not. */
	for (unsigned n = 0; n < 10000; n++)
		ck_assert_int_ne(add_key(2, n, n / 10 + 1), FMPI_REPLAY_NEW);
	/* The other one has lost nothing: what he sent is known, what is new passes. */
	for (unsigned n = 0; n < 8; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(1, 100, 0), FMPI_REPLAY_NEW);
}
END_TEST

START_TEST(invariant_6_when_all_is_full_the_one_with_most_loses)
{
	make_table(64, 60);
	for (unsigned n = 0; n < 4; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
	for (unsigned n = 0; n < 60; n++)
		ck_assert_int_eq(add_key(2, n, n), FMPI_REPLAY_NEW);
	for (unsigned n = 4; n < 20; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
	ck_assert_uint_eq(fmpi_replay_table_evicted(&table), 16);
	for (unsigned n = 0; n < 20; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(2, 0, 0), FMPI_REPLAY_TOO_OLD);
	ck_assert_int_eq(add_key(2, 15, 15), FMPI_REPLAY_TOO_OLD);
	ck_assert_int_eq(add_key(2, 16, 16), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(2, 1000, 15), FMPI_REPLAY_TOO_OLD);
}
END_TEST

/* Whoever repeats a message without a signer changes nothing that its place depends on. */
START_TEST(invariant_6_a_flood_of_messages_without_a_signer)
{
	struct fmpi_replay_key k;

	make_table(4096, 16);
	ck_assert_int_eq(add_key(1, 0, 0), FMPI_REPLAY_NEW);
	for (unsigned n = 0; n < 10000; n++) {
		k = make_key(2, n, n / 10 + 1);
		memcpy(k.signer, k.id, sizeof(k.id));
		/* One that shares a place with a younger one that was driven out may be refused. */
		(void)fmpi_replay_table_insert(&table, &k, NOW, NOW);
	}
	ck_assert_uint_gt(fmpi_replay_table_evicted(&table), 0);
	for (unsigned n = 0; n < 10000; n++) {
		k = make_key(2, n, n / 10 + 1);
		memcpy(k.signer, k.id, sizeof(k.id));
		ck_assert_int_ne(fmpi_replay_table_lookup(&table, &k), FMPI_REPLAY_NEW);
	}
	/* No signer has lost anything, whatever the times of the others. */
	ck_assert_int_eq(add_key(1, 0, 0), FMPI_REPLAY_SEEN);
	for (unsigned n = 0; n < 1000; n++)
		ck_assert_int_eq(add_key(3 + n, 0, 0), FMPI_REPLAY_NEW);
}
END_TEST

/* Spread over many buckets, each of them small: together they count as one signer's. */
START_TEST(invariant_6_a_flood_without_a_signer_fills_the_table)
{
	struct fmpi_replay_key k;

	make_table(1024, 512);
	for (unsigned n = 0; n < 300; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_NEW);
	for (unsigned n = 0; n < 5000; n++) {
		k = make_key(2, n, n);
		memcpy(k.signer, k.id, sizeof(k.id));
		(void)fmpi_replay_table_insert(&table, &k, NOW, NOW);
	}
	ck_assert_uint_gt(fmpi_replay_table_evicted(&table), 0);
	for (unsigned n = 0; n < 300; n++)
		ck_assert_int_eq(add_key(1, n, n), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(1, 1000, 100), FMPI_REPLAY_NEW);
	/* Nor may signers drive out all that have none. */
	for (unsigned s = 3; s < 6; s++)
		for (unsigned n = 0; n < 600; n++)
			(void)add_key(s, n, n);
	k = make_key(2, 4999, 4999);
	memcpy(k.signer, k.id, sizeof(k.id));
	ck_assert_int_eq(fmpi_replay_table_lookup(&table, &k), FMPI_REPLAY_SEEN);
}
END_TEST

/* A taken-over worker writes what it likes into the memory: nothing may be read or written outside. */
START_TEST(memory_full_of_rubbish)
{
	make_table(32, 8);
	for (unsigned seed = 0; seed < 300; seed++) {
		uint8_t *p = table.memory;

		srand(seed);
		for (size_t n = 0; n < fmpi_replay_table_size(32); n++)
			p[n] = (uint8_t)(seed % 3 ? rand() % 34 : rand());
		for (unsigned n = 0; n < 200; n++) {
			(void)add_key(n % 7, n, n);
			(void)remove_key(n % 5, n - n % 3);
		}
	}
}
END_TEST

/* ---- shared ---- */

START_TEST(processes_share_it_and_a_dead_one_holds_no_lock)
{
	struct fmpi_replay *r;
	struct fmp_error err = { 0 };
	unsigned taken = 0;
	pid_t pid[4], holder;
	int status;

	ck_assert_int_eq(fmpi_replay_new(NULL, 4096, 4096, 0, &r, &err), 0);
	ck_assert_int_ge(fmpi_replay_fd(r), 10);
	for (unsigned p = 0; p < 4; p++) {
		pid[p] = fork();
		if (pid[p])
			continue;
		for (unsigned n = 0; n < 200; n++) {
			struct fmpi_replay_key k = make_key(1, n, n);

			taken += fmpi_replay_insert(r, &k, NOW) == FMPI_REPLAY_NEW;
		}
		_exit((int)taken);
	}
	/* Each message was new to exactly one of them. */
	taken = 0;
	for (unsigned p = 0; p < 4; p++) {
		ck_assert_int_eq(waitpid(pid[p], &status, 0), pid[p]);
		ck_assert(WIFEXITED(status));
		taken += (unsigned)WEXITSTATUS(status);
	}
	ck_assert_uint_eq(taken, 200);

	/* One that is killed inside the lock. */
	holder = fork();
	if (!holder) {
		struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };

		fcntl(fmpi_replay_fd(r), F_SETLKW, &l);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(holder, &status, 0), holder);
	ck_assert(WIFSIGNALED(status));
	{
		struct fmpi_replay_key k = make_key(2, 1, 1);

		ck_assert_int_eq(fmpi_replay_insert(r, &k, NOW), FMPI_REPLAY_NEW);
		ck_assert_int_eq(fmpi_replay_lookup(r, &k), FMPI_REPLAY_SEEN);
	}
	fmpi_replay_free(r);
}
END_TEST

/* Whom another process keeps from its place: it waits where it has to be sure, not before. */
START_TEST(a_look_at_what_is_new_waits_for_nobody)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	struct fmpi_replay_key seen = make_key(1, 1, 1), fresh = make_key(1, 2, 2);
	struct fmp_error err = { 0 };
	struct fmpi_replay *r;
	int ready[2], status;
	pid_t holder;
	char c;

	ck_assert_int_eq(fmpi_replay_new(NULL, 64, 64, 0, &r, &err), 0);
	ck_assert_int_eq(fmpi_replay_insert(r, &seen, NOW), FMPI_REPLAY_NEW);
	ck_assert_int_eq(pipe(ready), 0);
	holder = fork();
	if (!holder) {
		fcntl(fmpi_replay_fd(r), F_SETLKW, &l);
		(void)!write(ready[1], "", 1);
		pause();
		_exit(0);
	}
	ck_assert_int_eq(read(ready[0], &c, 1), 1);
	ck_assert_int_eq(fmpi_replay_lock_owner(r), holder);
	ck_assert_int_eq(fmpi_replay_lookup(r, &fresh), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_lock_owner(r), holder);
	kill(holder, SIGKILL);
	ck_assert_int_eq(waitpid(holder, &status, 0), holder);
	ck_assert_int_eq(fmpi_replay_lookup(r, &seen), FMPI_REPLAY_SEEN);
	close(ready[0]);
	close(ready[1]);
	fmpi_replay_free(r);
}
END_TEST

/* ---- in the pipeline ---- */

static struct fmp_inspector *replay_inspector(enum fmp_security s, uint32_t entries)
{
	struct fmp_inspect_config cfg = token_config(s);

	cfg.replay_entries = cfg.replay_per_signer = entries;
	return make_inspector(&cfg);
}

#define THREADS	 4
#define MESSAGES 20000

static void *take_all(void *arg)
{
	struct fmpi_replay *r = arg;
	uintptr_t taken = 0;

	for (unsigned n = 0; n < MESSAGES; n++) {
		struct fmpi_replay_key k = make_key(1, n, 0);

		taken += fmpi_replay_insert(r, &k, NOW) == FMPI_REPLAY_NEW;
	}
	fmpi_replay_free(r);
	return (void *)taken;
}

START_TEST(threads_share_it)
{
	struct fmpi_replay *r;
	struct fmp_error err = { 0 };
	pthread_t id[THREADS];
	uintptr_t taken = 0;
	void *ret;

	ck_assert_int_eq(fmpi_replay_new(NULL, 2 * MESSAGES, 2 * MESSAGES, 0, &r, &err), 0);
	for (unsigned t = 0; t < THREADS; t++)
		ck_assert_int_eq(pthread_create(&id[t], NULL, take_all, fmpi_replay_ref(r)), 0);
	for (unsigned t = 0; t < THREADS; t++) {
		pthread_join(id[t], &ret);
		taken += (uintptr_t)ret;
	}
	ck_assert_uint_eq(taken, MESSAGES);
	fmpi_replay_free(r);
}
END_TEST

/* Made so that it begins as another's does: who floods drives out none but his own all the same. */
START_TEST(invariant_6_nobody_chooses_whom_he_drives_out)
{
	unsigned spared = 0;

	/* Once in a thousand times they meet by chance. */
	for (unsigned n = 0; n < 4; n++) {
		struct fmpi_replay_key his = make_key(1, 0, 0);
		struct fmp_error err = { 0 };
		struct fmpi_replay *r;

		ck_assert_int_eq(fmpi_replay_new(NULL, 64, 4, 0, &r, &err), 0);
		ck_assert_int_eq(fmpi_replay_insert(r, &his, NOW), FMPI_REPLAY_NEW);
		for (unsigned m = 1; m < 20; m++) {
			struct fmpi_replay_key k = make_key(2, m, m);

			memcpy(k.signer, his.signer, sizeof(k.signer) / 2);
			ck_assert_int_eq(fmpi_replay_insert(r, &k, NOW), FMPI_REPLAY_NEW);
		}
		spared += fmpi_replay_lookup(r, &his) == FMPI_REPLAY_SEEN;
		fmpi_replay_free(r);
	}
	ck_assert_uint_gt(spared, 0);
}
END_TEST

static struct fmp_inspector *encrypt_sign_inspector(uint32_t entries)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCES);

	cfg.order = FMP_ORDER_ENCRYPT_SIGN;
	cfg.replay_entries = cfg.replay_per_signer = entries;
	return make_inspector(&cfg);
}

START_TEST(signed_messages_pass_once)
{
	static const char *const files[] = { "direct", "ski", "pss-sha256", "ec384" };
	struct fmp_inspector *i = replay_inspector(FMP_SECURITY_BCS, 64);

	for (size_t n = 0; n < 4; n++)
		expect_token(i, files[n], FMP_EVENT_GOOD, "");
	for (size_t n = 0; n < 4; n++)
		expect_token(i, files[n], FMP_EVENT_REPLAY, "here before");
	fmp_inspector_free(i);

	i = replay_inspector(FMP_SECURITY_BCES, 64);
	expect_token(i, "pss-then-enc", FMP_EVENT_GOOD, "");
	expect_token(i, "pss-then-enc", FMP_EVENT_REPLAY, "here before");
	fmp_inspector_free(i);

	i = encrypt_sign_inspector(64);
	expect_token(i, "enc-then-ec384", FMP_EVENT_GOOD, "");
	expect_token(i, "enc-then-ec384", FMP_EVENT_REPLAY, "here before");
	fmp_inspector_free(i);

	i = replay_inspector(FMP_SECURITY_BCS, 0);
	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);
}
END_TEST

/* The same signed parts in another wrapping are the same message. */
START_TEST(a_copy_in_other_clothes)
{
	static const char *const edits[][2] = {
		{ "<soapenv:Header>", "<soapenv:Header><x xmlns='urn:x'/>" },
		{ "<soapenv:Body ", "\n<!-- --><soapenv:Body " },
		{ "</ds:SignatureValue>", "\n</ds:SignatureValue>" },
		{ "<ds:KeyInfo ", "<ds:KeyInfo a='1' " },
	};
	struct fmp_inspector *i = replay_inspector(FMP_SECURITY_BCS, 64);

	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	for (size_t n = 0; n < sizeof(edits) / sizeof(edits[0]); n++)
		expect_bytes(i, edit_bytes(read_token("direct"), edits[n][0], edits[n][1]),
			     edits[n][1], FMP_EVENT_REPLAY, "here before");
	/* A comment is not signed, and would make another text of what is looked for. */
	expect_bytes(i,
		     edit_bytes(read_token("direct"), "</ds:DigestValue>",
				"<!-- --></ds:DigestValue>"),
		     "comment", FMP_EVENT_SIGNATURE, "malformed");
	fmp_inspector_free(i);
}
END_TEST

/* Only what was accepted is remembered: nobody can spoil a message by sending a bad one before. */
START_TEST(refused_messages_are_not_remembered)
{
	struct fmp_inspector *i = replay_inspector(FMP_SECURITY_BCS, 64);

	expect_bytes(i, edit_bytes(read_token("direct"), "<qty>1</qty>", "<qty>2</qty>"),
		     "tampered", FMP_EVENT_SIGNATURE, "digest of Body");
	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("replay");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, once_and_not_again);
	tcase_add_test(tc, old_ones_make_room);
	tcase_add_test(tc, a_clock_behind_another_lets_no_replay_through);
	tcase_add_test(tc, a_clock_that_jumps_ahead_and_back_lets_no_replay_through);
	tcase_add_test(tc, a_clock_that_goes_back_lets_no_replay_through);
	tcase_add_test(tc, what_came_ahead_of_time_keeps_nobody_out);
	tcase_add_test(tc, another_boot_keeps_nothing_longer);
	tcase_add_test(tc, what_is_valid_for_ever_is_counted_on);
	tcase_add_test(tc, any_jumps_let_no_replay_through);
	tcase_add_test(tc, a_slow_worker_lets_no_replay_through);
	tcase_add_test(tc, invariant_6_a_flood_of_one_signer_lets_no_replay_through);
	tcase_add_test(tc, invariant_6_when_all_is_full_the_one_with_most_loses);
	tcase_add_test(tc, invariant_6_a_flood_of_messages_without_a_signer);
	tcase_add_test(tc, invariant_6_a_flood_without_a_signer_fills_the_table);
	tcase_add_test(tc, memory_full_of_rubbish);
	tcase_add_test(tc, processes_share_it_and_a_dead_one_holds_no_lock);
	tcase_add_test(tc, a_look_at_what_is_new_waits_for_nobody);
	tcase_add_test(tc, threads_share_it);
	tcase_add_test(tc, invariant_6_nobody_chooses_whom_he_drives_out);
	tcase_add_test(tc, signed_messages_pass_once);
	tcase_add_test(tc, a_copy_in_other_clothes);
	tcase_add_test(tc, refused_messages_are_not_remembered);
	return run_tcase("replay", tc);
}
