// SPDX-License-Identifier: GPL-2.0
/* The memory of replays in a file: for the gateway that follows, while the one before goes on. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wss/replay.h"
#include "run.h"

static char dir[32], path[48], fresh[64];

static void setup(void)
{
	strcpy(dir, "/tmp/fmp-replay-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/replays", dir);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
}

static void teardown(void)
{
	unlink(path);
	unlink(fresh);
	ck_assert_int_eq(rmdir(dir), 0);
}

static struct fmpi_replay *open_of(uint32_t entries)
{
	struct fmp_error err = { 0 };
	struct fmpi_replay *r;

	ck_assert_msg(!fmpi_replay_new(path, entries, entries, 0, &r, &err), "%s", err.message);
	return r;
}

static int add_key(struct fmpi_replay *r, uint8_t n)
{
	struct fmpi_replay_key k = { .id = { n }, .created_ms = 1000, .until_ms = 2000 };

	return fmpi_replay_insert(r, &k, 1000);
}

START_TEST(who_follows_knows)
{
	struct fmpi_replay *r = open_of(16), *next;

	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_NEW);
	/* Both at once, as while a policy is changed. */
	next = open_of(16);
	ck_assert_int_eq(add_key(next, 1), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(r, 2), FMPI_REPLAY_NEW);
	fmpi_replay_free(r);
	ck_assert_int_eq(add_key(next, 2), FMPI_REPLAY_SEEN);
	fmpi_replay_free(next);
	r = open_of(16);
	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_SEEN);
	fmpi_replay_free(r);
}
END_TEST

/* What one has forgotten no other knows, be it before or behind a restart. */
START_TEST(who_follows_forgets_too)
{
	const struct fmpi_replay_key k = { .id = { 1 }, .created_ms = 1000 };
	struct fmpi_replay *r = open_of(16), *next = open_of(16);

	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_NEW);
	ck_assert_int_eq(add_key(r, 2), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_remove(r, &k, 1), 0);
	fmpi_replay_free(r);
	ck_assert_int_eq(fmpi_replay_lookup(next, &k), FMPI_REPLAY_NEW);
	fmpi_replay_free(next);
	r = open_of(16);
	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_NEW);
	ck_assert_int_eq(add_key(r, 2), FMPI_REPLAY_SEEN);
	fmpi_replay_free(r);
}
END_TEST

/* What fits is taken along; of a smaller one the oldest is left, and refused all the same. */
START_TEST(another_size_takes_along_what_fits)
{
	struct fmpi_replay *r = open_of(64), *next;
	struct fmpi_replay_key k = { .created_ms = 1000, .until_ms = 2000 };
	unsigned seen = 0;

	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_NEW);
	next = open_of(16);
	ck_assert_int_eq(add_key(next, 1), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(next, 100), FMPI_REPLAY_NEW);
	/* Who has the old one still has all of it: a shorter file would end him by a signal. */
	for (uint8_t n = 2; n < 60; n++)
		ck_assert_int_eq(add_key(r, n), FMPI_REPLAY_NEW);
	ck_assert_int_eq(add_key(next, 1), FMPI_REPLAY_SEEN);
	fmpi_replay_free(r);
	fmpi_replay_free(next);
	/* Larger, smaller, and as large as it is. */
	r = open_of(128);
	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_SEEN);
	ck_assert_int_eq(add_key(r, 100), FMPI_REPLAY_SEEN);
	for (uint8_t n = 2; n < 60; n++)
		ck_assert_int_eq(add_key(r, n), FMPI_REPLAY_NEW);
	fmpi_replay_free(r);
	r = open_of(32);
	for (uint8_t n = 1; n < 60; n++) {
		k.id[0] = n;
		ck_assert_int_ne(fmpi_replay_lookup(r, &k), FMPI_REPLAY_NEW);
		seen += fmpi_replay_lookup(r, &k) == FMPI_REPLAY_SEEN;
	}
	ck_assert_uint_ge(seen, 31);
	k = (struct fmpi_replay_key){ .id = { 77 }, .created_ms = 3000, .until_ms = 4000 };
	ck_assert_int_eq(fmpi_replay_insert(r, &k, 3000), FMPI_REPLAY_NEW);
	fmpi_replay_free(r);
	r = open_of(32);
	ck_assert_int_eq(fmpi_replay_insert(r, &k, 3000), FMPI_REPLAY_SEEN);
	fmpi_replay_free(r);
}
END_TEST

/* Its lists may be anything: a worker that can write it may have been taken over. */
START_TEST(another_size_that_is_damaged_does_no_harm)
{
	for (unsigned seed = 1; seed < 100; seed++) {
		struct fmpi_replay *r = open_of(64);

		srandom(seed);
		for (uint8_t n = 1; n < 60; n++)
			(void)add_key(r, n);
		for (unsigned n = 0; n < 200; n++) {
			uint32_t junk = (uint32_t)random() % 100;

			ck_assert(pwrite(fmpi_replay_fd(r), &junk, 4, 64 + random() % 36000) == 4);
		}
		fmpi_replay_free(r);
		r = open_of(32 + seed % 2);
		(void)add_key(r, 100);
		fmpi_replay_free(r);
		unlink(path);
	}
}
END_TEST

START_TEST(another_layout_begins_anew)
{
	struct fmpi_replay *r = open_of(16);
	uint64_t layout = 77;

	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_NEW);
	ck_assert_int_eq(pwrite(fmpi_replay_fd(r), &layout, sizeof(layout), 0), sizeof(layout));
	fmpi_replay_free(r);
	r = open_of(16);
	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_NEW);
	fmpi_replay_free(r);
	r = open_of(16);
	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_SEEN);
	fmpi_replay_free(r);
}
END_TEST

static void expect_refused(int code, const char *words)
{
	struct fmp_error err = { 0 };
	struct fmpi_replay *r;

	ck_assert_int_eq(fmpi_replay_new(path, 16, 16, 0, &r, &err), code);
	ck_assert_ptr_null(r);
	ck_assert_msg(strstr(err.message, words) && strstr(err.message, dir), "%s", err.message);
}

/* A trial says whether it could be made, and makes nothing. */
START_TEST(a_trial_leaves_nothing)
{
	struct fmp_error err = { 0 };
	struct fmpi_replay *r;
	char none[80];

	ck_assert_int_eq(fmpi_replay_check_file(path, 16, &err), 0);
	ck_assert_int_ne(access(path, F_OK), 0);
	r = open_of(16);
	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_check_file(path, 16, &err), 0);
	ck_assert_int_eq(fmpi_replay_check_file(path, 64, &err), 0);
	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_SEEN);
	fmpi_replay_free(r);
	r = open_of(16);
	ck_assert_int_eq(add_key(r, 1), FMPI_REPLAY_SEEN);
	fmpi_replay_free(r);
	snprintf(none, sizeof(none), "%s/none/replays", dir);
	ck_assert_int_eq(fmpi_replay_check_file(none, 16, &err), FMP_ERR_IO);
	ck_assert_int_eq(chmod(path, 0666), 0);
	ck_assert_int_eq(fmpi_replay_check_file(path, 16, &err), FMP_ERR_DENIED);
}
END_TEST

START_TEST(not_ours_alone)
{
	char other[64];
	struct stat st;

	snprintf(other, sizeof(other), "%s/other", dir);
	fmpi_replay_free(open_of(16));
	chmod(path, 0620);
	expect_refused(FMP_ERR_DENIED, "ours alone");
	chmod(path, 0600);
	ck_assert_int_eq(link(path, other), 0);
	expect_refused(FMP_ERR_DENIED, "ours alone");
	/* A name that leads elsewhere; what is there stays as it is. */
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(truncate(other, 7), 0);
	ck_assert_int_eq(symlink(other, path), 0);
	expect_refused(FMP_ERR_IO, "can't open");
	ck_assert_int_eq(stat(other, &st), 0);
	ck_assert_int_eq(st.st_size, 7);
	unlink(path);
	unlink(other);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	expect_refused(FMP_ERR_IO, "can't open");
	rmdir(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	expect_refused(FMP_ERR_DENIED, "ours alone");
}
END_TEST

START_TEST(nowhere_to_be)
{
	snprintf(path, sizeof(path), "%s/no/replays", dir);
	expect_refused(FMP_ERR_IO, "can't make");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("replay-file");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, who_follows_knows);
	tcase_add_test(t, who_follows_forgets_too);
	tcase_add_test(t, another_size_takes_along_what_fits);
	tcase_add_test(t, another_size_that_is_damaged_does_no_harm);
	tcase_add_test(t, another_layout_begins_anew);
	tcase_add_test(t, a_trial_leaves_nothing);
	tcase_add_test(t, not_ours_alone);
	tcase_add_test(t, nowhere_to_be);
	return run_tcase("replay-file", t);
}
