// SPDX-License-Identifier: GPL-2.0
/* libfmp/timeline/timeline: the same log, the same decisions; the log's syntax. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/timeline.h>

#include "../lib/random.h"
#include "run.h"

static struct fmp_policy *policy;

static void setup(void)
{
	policy = fmp_policy_default();
	ck_assert_ptr_nonnull(policy);
}

static void teardown(void)
{
	fmp_policy_free(policy);
}

static struct test_random dice;
static uint64_t random_number(uint32_t below)
{
	return random_below(&dice, below);
}

static int append_line(const char *text, void *ctx)
{
	fprintf(ctx, "%s\n", text);
	return 0;
}

/* A long random log, a table that overflows: the hash seed changes no line. */
START_TEST(invariant7_random_log_replays_the_same)
{
	char *log, *out[2];
	size_t len, out_len[2];
	FILE *f = open_memstream(&log, &len);

	dice.state = 4711 + (uint64_t)_i;
	for (int n = 0; n < 5000; n++)
		fprintf(f, "+%ums event 10.0.%u.%u %s cpu=%ums\n", (unsigned)random_number(200),
			(unsigned)random_number(2), (unsigned)random_number(256),
			fmp_event_kind_name((unsigned)random_number(FMP_EVENT_KINDS)),
			(unsigned)random_number(3));
	fprintf(f, "+1s stats\n");
	fclose(f);
	policy->suspicion.max_sources = 100;
	policy->enforce.max_blocks = 50;
	policy->block.duration_ms = 20000;
	for (uint64_t i = 0; i < 2; i++) {
		f = open_memstream(&out[i], &out_len[i]);
		ck_assert_int_eq(fmp_timeline_play(policy, i * 0xdeadbeefcafe, log, len, "log",
						   append_line, f, NULL),
				 0);
		fclose(f);
	}
	ck_assert_uint_gt(out_len[0], 1000);
	ck_assert_str_eq(out[0], out[1]);
	ck_assert_ptr_null(strstr(out[0], "evicted=0"));
	free(out[0]);
	free(out[1]);
	free(log);
}
END_TEST

/* ---- the log's syntax ---- */

static const struct {
	const char *log;
	unsigned line;
} bad_logs[] = {
	{ "0 event 192.0.2.1", 1 },
	{ "0 event schema", 1 },
	{ "\n0 event 192.0.2.1 scheme", 2 },
	{ "# x\n\n5 wait", 3 },
	{ "5s wait\n4s wait", 2 },
	{ "0 jump 192.0.2.1", 1 },
	{ "0", 1 },
	{ "0 show", 1 },
	{ "0 event 192.0.2.1 schema port=65536", 1 },
	{ "0 event 192.0.2.1 schema prt=1", 1 },
	{ "0 event 192.0.2.1 schema text=x", 1 },
	{ "0 event 192.0.2.1 schema text=\"x", 1 },
	{ "0 event 192.0.2.1 schema times=10000 sources=10000", 1 },
	{ "0 block 192.0.2.1 layers=ip,radio", 1 },
	{ "0 event 192.0.2.1 schema mac=192.0.2.2", 1 },
	{ "0 own", 1 },
	{ "0 own 192.0.2.0/24", 1 },
	{ "0 neighbour 192.0.2.1", 1 },
	{ "0 neighbour 192.0.2.1 192.0.2.2", 1 },
	{ "0 neighbour 02:00:5e:00:53:01 02:00:5e:00:53:01", 1 },
	{ "0 link 02:00:5e:00:53:01", 1 },
	{ "0 point 192.0.2.1", 1 },
	{ "0 gateway 192.0.2.0/24", 1 },
	{ "0 protect 0.0.0.0/0", 1 },
	{ "99999999999999999d wait", 1 },
	{ "18446744073709551615ms wait", 1 },
};

START_TEST(timeline_refuses)
{
	struct fmp_error err = { 0 };
	const char *log = bad_logs[_i].log;

	ck_assert_int_eq(fmp_timeline_play(policy, 0, log, strlen(log), "x.log", append_line,
					   stdout, &err),
			 FMP_ERR_SYNTAX);
	ck_assert_str_eq(err.file, "x.log");
	ck_assert_uint_eq(err.line, bad_logs[_i].line);
}
END_TEST

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

int main(void)
{
	TCase *t = tcase_create("timeline");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, invariant7_random_log_replays_the_same, 0, 3);
	tcase_add_loop_test(t, timeline_refuses, 0, COUNT(bad_logs));
	return run_tcase("timeline", t);
}
