// SPDX-License-Identifier: GPL-2.0
/* libfmp/timeline/dryrun.c: blocks of a timeline, what they kept out, and two policies beside each other. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/dryrun.h>

#include "run.h"

static struct fmp_policy *policy, *other;

static void setup(void)
{
	policy = fmp_policy_default();
	other = fmp_policy_default();
	ck_assert(policy && other);
}

static void teardown(void)
{
	fmp_policy_free(policy);
	fmp_policy_free(other);
}

static struct fmp_dryrun *run_of(const struct fmp_policy *p, const char *text)
{
	struct fmp_dryrun *d;
	struct fmp_error err;

	ck_assert(!fmp_dryrun_new(p, "log", &d, &err));
	for (const char *end; *text; text = end + (*end != '\0')) {
		end = strchrnul(text, '\n');
		ck_assert_msg(!fmp_dryrun_line(d, text, (size_t)(end - text), &err), "%s",
			      err.message);
	}
	return d;
}

static const struct fmp_dryrun_block *nth_block(const struct fmp_dryrun *d, size_t i, size_t of)
{
	const struct fmp_dryrun_block *b;
	size_t n;

	b = fmp_dryrun_blocks(d, &n);
	ck_assert_uint_eq(n, of);
	return &b[i];
}

static struct fmp_dryrun_totals read_totals(struct fmp_dryrun *d)
{
	struct fmp_dryrun_totals t;

	fmp_dryrun_get_totals(d, &t);
	return t;
}

#define ATTACK "1s event 192.0.2.66 crash times=2\n"

START_TEST(kept_out_until_the_end)
{
	struct fmp_dryrun *d = run_of(policy, ATTACK "2s event 192.0.2.66 schema times=5\n"
						     "3s event 192.0.2.66 good times=2\n"
						     "4s event 192.0.2.66 schema unproven\n"
						     "5s event 192.0.2.67 good\n"
						     "11min event 192.0.2.66 schema\n");
	const struct fmp_dryrun_block *b = nth_block(d, 0, 1);

	ck_assert_uint_eq(b->from_ms, 1000);
	ck_assert_uint_eq(b->until_ms, 601000);
	ck_assert_uint_eq(b->bad, 6);
	ck_assert_uint_eq(b->good, 2);
	ck_assert_uint_eq(read_totals(d).bad, 9);
	ck_assert_uint_eq(read_totals(d).good, 3);
	ck_assert_uint_eq(read_totals(d).unproven, 1);
	ck_assert_uint_eq(read_totals(d).kept_out_bad, 6);
	ck_assert_uint_eq(read_totals(d).kept_out_good, 2);
	ck_assert_uint_eq(read_totals(d).end_ms, 660000);
	ck_assert_uint_eq(read_totals(d).sources, 2);
	ck_assert_uint_eq(read_totals(d).blocked, 0);
	fmp_dryrun_free(d);
}
END_TEST

/* A blocked message is not seen: it neither makes an offence later nor prolongs the memory of one. */
START_TEST(kept_out_gathers_nothing)
{
	struct fmp_source_info info;
	struct fmp_dryrun *d = run_of(policy, ATTACK "2s event 192.0.2.66 crash times=50\n");

	ck_assert(!fmp_engine_get(fmp_dryrun_engine(d), &nth_block(d, 0, 1)->source, 2000, &info));
	ck_assert_uint_eq(info.events, 2);
	fmp_dryrun_free(d);
}
END_TEST

START_TEST(observing_lets_all_in)
{
	struct fmp_dryrun *d;

	policy->block.observe = true;
	d = run_of(policy, ATTACK "2s event 192.0.2.66 schema times=5\n");
	ck_assert_uint_eq(nth_block(d, 0, 1)->bad, 0);
	ck_assert_uint_eq(read_totals(d).kept_out_bad, 0);
	fmp_dryrun_free(d);
	policy->block.observe = false;
	policy->block.layers = 0;
	d = run_of(policy, ATTACK "2s event 192.0.2.66 schema times=5\n");
	ck_assert_uint_eq(read_totals(d).kept_out_bad, 0);
	fmp_dryrun_free(d);
}
END_TEST

/* Whoever has the MAC is kept out with the source that it was blocked with, and so long. */
START_TEST(mac_keeps_out)
{
	struct fmp_dryrun *d;

	policy->block.local_mac_ms = 60000;
	d = run_of(policy, "1s event 192.0.2.66 crash times=2 mac=02:00:5e:00:53:66\n"
			   "2s event 192.0.2.67 good mac=02:00:5e:00:53:66\n"
			   "3s event 192.0.2.68 good mac=02:00:5e:00:53:68\n"
			   "2min event 192.0.2.67 good\n"
			   "2min event 192.0.2.66 good\n"
			   "2min block 02:00:5e:00:53:68 1min\n"
			   "121s event 192.0.2.68 good\n");
	ck_assert_uint_eq(nth_block(d, 0, 2)->good, 2);
	ck_assert_uint_eq(nth_block(d, 0, 2)->mac_until_ms, 61000);
	ck_assert_uint_eq(nth_block(d, 1, 2)->good, 1);
	ck_assert_uint_eq(read_totals(d).kept_out_good, 3);
	fmp_dryrun_free(d);
	/* The layer ip knows no MACs. */
	policy->block.layers = FMP_LAYER_BIT(FMP_LAYER_IP);
	d = run_of(policy, "1s event 192.0.2.66 crash times=2 mac=02:00:5e:00:53:66\n"
			   "2s event 192.0.2.67 good mac=02:00:5e:00:53:66\n");
	ck_assert_uint_eq(read_totals(d).kept_out_good, 0);
	fmp_dryrun_free(d);
}
END_TEST

#define PAIR "1s event 192.0.2.66 crash times=2 mac=02:00:5e:00:53:66\n"

static void pair_policy(void)
{
	policy->block.local_mac_ms = 60000;
	policy->block.local_mac_pair = true;
}

/* Who has the address by another MAC, or later, comes through, and offends anew; the MAC does not. */
START_TEST(pair_keeps_out_its_mac_alone)
{
	struct fmp_dryrun *d;
	struct fmp_addr mac;

	pair_policy();
	d = run_of(policy, PAIR "6s event 192.0.2.66 good times=10 every=1s mac=02:00:5e:00:53:99\n"
				"16s event 192.0.2.67 good mac=02:00:5e:00:53:66\n"
				"2min event 192.0.2.67 good mac=02:00:5e:00:53:66\n"
				"2min event 192.0.2.66 good mac=02:00:5e:00:53:66\n"
				"2min gone 192.0.2.66\n"
				"2min event 192.0.2.66 good\n"
				"3min event 192.0.2.66 crash times=2 mac=02:00:5e:00:53:99\n"
				"4min event 192.0.2.66 good mac=02:00:5e:00:53:66\n"
				"4min event 192.0.2.66 good mac=02:00:5e:00:53:98\n");
	ck_assert(!fmp_addr_parse("02:00:5e:00:53:66", &mac, NULL));
	ck_assert(fmp_addr_equal(&nth_block(d, 0, 2)->pair_mac, &mac));
	ck_assert_uint_eq(nth_block(d, 0, 2)->good, 3);
	ck_assert_uint_eq(nth_block(d, 0, 2)->until_ms, 180000);
	ck_assert(!nth_block(d, 1, 2)->pair_mac.family);
	ck_assert_uint_eq(nth_block(d, 1, 2)->good, 2);
	ck_assert_uint_eq(nth_block(d, 1, 2)->until_ms - nth_block(d, 1, 2)->from_ms, 1200000);
	ck_assert_uint_eq(read_totals(d).kept_out_good, 5);
	ck_assert_uint_eq(read_totals(d).kept_out_bad, 0);
	fmp_dryrun_free(d);
}
END_TEST

/* Whoever has a protected MAC is protected: its address is free from then on. */
START_TEST(pair_of_the_protected)
{
	struct fmp_dryrun *d;

	pair_policy();
	d = run_of(policy, PAIR "2s protect 02:00:5e:00:53:66\n"
				"3s event 192.0.2.66 good mac=02:00:5e:00:53:99\n"
				"4s event 192.0.2.66 good mac=02:00:5e:00:53:66\n"
				"5s event 192.0.2.67 good mac=02:00:5e:00:53:66\n"
				"6s gone 02:00:5e:00:53:66\n"
				"7s event 192.0.2.67 good\n");
	ck_assert_uint_eq(nth_block(d, 0, 1)->until_ms, 2000);
	ck_assert_uint_eq(read_totals(d).kept_out_good, 0);
	fmp_dryrun_free(d);
	/* Nor where the address was blocked by itself all the time. */
	policy->block.local_mac_pair = false;
	d = run_of(policy, PAIR "2s protect 02:00:5e:00:53:66\n"
				"5s event 192.0.2.67 good mac=02:00:5e:00:53:66\n");
	ck_assert_uint_eq(read_totals(d).kept_out_good, 0);
	fmp_dryrun_free(d);
}
END_TEST

START_TEST(wide_blocks)
{
	struct fmp_dryrun *d = run_of(policy, "0 block 198.51.100.0/24 1min\n"
					      "0 block 2001:db8::/32 0\n"
					      "1s event 198.51.100.9 schema\n"
					      "1s event 198.51.101.9 schema\n"
					      "1s event 2001:db8:7::1 http\n"
					      "30s unblock 2001:db8::/32\n"
					      "31s event 2001:db8:7::1 http\n"
					      "61s event 198.51.100.9 schema\n");

	ck_assert_uint_eq(nth_block(d, 0, 2)->bad, 1);
	ck_assert_uint_eq(nth_block(d, 0, 2)->until_ms, 60000);
	ck_assert(nth_block(d, 0, 2)->manual);
	ck_assert_uint_eq(nth_block(d, 1, 2)->bad, 1);
	ck_assert_uint_eq(nth_block(d, 1, 2)->until_ms, 30000);
	ck_assert_uint_eq(read_totals(d).kept_out_bad, 2);
	fmp_dryrun_free(d);
}
END_TEST

/* A limit lets all in here; the block that follows takes its place, and is a block of its own. */
START_TEST(limit_then_block)
{
	struct fmp_dryrun *d;

	policy->suspicious.limit = true;
	policy->suspicious.rate = 10;
	d = run_of(policy, "0 event 192.0.2.66 crash\n"
			   "1s event 192.0.2.66 good\n"
			   "2s event 192.0.2.66 crash\n"
			   "3s event 192.0.2.66 schema times=4\n");
	ck_assert_uint_eq(nth_block(d, 0, 2)->action_kind, FMP_ACTION_KIND_LIMIT);
	ck_assert_uint_gt(nth_block(d, 0, 2)->rate, 0);
	ck_assert_uint_eq(nth_block(d, 0, 2)->until_ms, 2000);
	ck_assert_uint_eq(nth_block(d, 0, 2)->bad + nth_block(d, 0, 2)->good, 0);
	ck_assert_uint_eq(nth_block(d, 1, 2)->action_kind, FMP_ACTION_KIND_BLOCK);
	ck_assert_uint_eq(nth_block(d, 1, 2)->bad, 4);
	fmp_dryrun_free(d);
}
END_TEST

START_TEST(many_sources)
{
	struct fmp_dryrun *d = run_of(policy, "0 event 10.0.0.0 crash sources=5000 times=2\n"
					      "1s event 10.0.0.0 schema sources=5001\n");
	size_t n;

	fmp_dryrun_blocks(d, &n);
	ck_assert_uint_eq(n, 5000);
	ck_assert_uint_eq(read_totals(d).kept_out_bad, 5000);
	fmp_dryrun_free(d);
}
END_TEST

START_TEST(second_block_has_its_own_count)
{
	struct fmp_dryrun *d = run_of(policy, ATTACK "2s event 192.0.2.66 schema\n"
						     "11min event 192.0.2.66 crash times=2\n"
						     "12min event 192.0.2.66 schema times=3\n");

	ck_assert_uint_eq(nth_block(d, 0, 2)->bad, 1);
	ck_assert_uint_eq(nth_block(d, 1, 2)->bad, 3);
	ck_assert_uint_eq(nth_block(d, 1, 2)->until_ms - nth_block(d, 1, 2)->from_ms, 1200000);
	ck_assert_uint_eq(read_totals(d).blocked, 1);
	fmp_dryrun_free(d);
}
END_TEST

START_TEST(invariant1_protected_is_let_be)
{
	struct fmp_addr own;
	struct fmp_dryrun *d;

	ck_assert(!fmp_addr_parse("192.0.2.66", &own, NULL));
	policy->protect = malloc(sizeof(own));
	ck_assert_ptr_nonnull(policy->protect);
	policy->protect[policy->n_protect++] = own;
	d = run_of(policy, ATTACK "2s event 192.0.2.66 schema times=5\n"
				  "3s block 192.0.2.0/24 1min text=\"all of them\"\n"
				  "4s event 192.0.2.66 good\n");
	nth_block(d, 0, 0);
	ck_assert_uint_eq(read_totals(d).exempted, 2);
	ck_assert_uint_eq(read_totals(d).kept_out_bad + read_totals(d).kept_out_good, 0);
	fmp_dryrun_free(d);
}
END_TEST

/* Their /64 holds the protected one: they are blocked one by one, and kept out one by one. */
START_TEST(neighbours_of_the_protected)
{
	struct fmp_addr own;
	struct fmp_dryrun *d;

	ck_assert(!fmp_addr_parse("2001:db8::1", &own, NULL));
	policy->protect = malloc(sizeof(own));
	ck_assert_ptr_nonnull(policy->protect);
	policy->protect[policy->n_protect++] = own;
	d = run_of(policy, "0 event 2001:db8::66 crash times=3\n"
			   "1s event 2001:db8::77 crash\n"
			   "1s event 2001:db8::1 crash times=2\n");
	ck_assert_uint_eq(nth_block(d, 0, 1)->source.prefix_len, 128);
	ck_assert_uint_eq(nth_block(d, 0, 1)->bad, 1);
	ck_assert_uint_eq(read_totals(d).kept_out_bad, 1);
	ck_assert_uint_eq(read_totals(d).exempted, 1);
	fmp_dryrun_free(d);
}
END_TEST

START_TEST(errors_name_the_line)
{
	struct fmp_dryrun *d = run_of(policy, ATTACK);
	struct fmp_error err;

	ck_assert_int_eq(fmp_dryrun_line(d, "2s event 192.0.2.66 nonsense", 28, &err),
			 FMP_ERR_SYNTAX);
	ck_assert_uint_eq(err.line, 2);
	ck_assert_str_eq(err.file, "log");
	fmp_dryrun_free(d);
}
END_TEST

struct found {
	unsigned n;
	struct fmp_dryrun_difference diff[8];
};

static int collect_difference(const struct fmp_dryrun_difference *diff, void *ctx)
{
	struct found *f = ctx;

	ck_assert_uint_lt(f->n, 8);
	f->diff[f->n++] = *diff;
	return 0;
}

START_TEST(compared)
{
	/* Blocked by both alike; by the first only; longer by the first; endless by both. */
	static const char log[] = "0 event 192.0.2.1 crash times=4\n"
				  "0 event 192.0.2.2 crash times=2\n"
				  "0 event 192.0.2.3 crash times=2\n"
				  "1s event 192.0.2.3 crash times=4\n"
				  "2s event 192.0.2.2 good times=7\n"
				  "2s block 192.0.2.4 0\n"
				  "3s event 192.0.2.4 schema\n";
	struct found f = { 0 };
	struct fmp_dryrun *a, *b;

	other->suspicion.malicious = 200;
	a = run_of(policy, log);
	b = run_of(other, log);
	ck_assert(!fmp_dryrun_compare(a, b, collect_difference, &f));
	ck_assert_uint_eq(f.n, 2);
	ck_assert_uint_eq(f.diff[0].source.bytes[3], 2);
	ck_assert_uint_eq(f.diff[0].side[0].blocks, 1);
	ck_assert_uint_eq(f.diff[0].side[0].good, 7);
	ck_assert_uint_eq(f.diff[0].side[0].blocked_ms, 600000);
	ck_assert_uint_eq(f.diff[0].side[1].blocks, 0);
	ck_assert_uint_eq(f.diff[1].source.bytes[3], 3);
	ck_assert_uint_eq(f.diff[1].side[0].from_ms, 0);
	ck_assert_uint_eq(f.diff[1].side[1].from_ms, 1000);
	fmp_dryrun_free(b);

	f.n = 0;
	ck_assert(!fmp_dryrun_compare(a, a, collect_difference, &f));
	ck_assert_uint_eq(f.n, 0);
	fmp_dryrun_free(a);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("dryrun");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, kept_out_until_the_end);
	tcase_add_test(tc, kept_out_gathers_nothing);
	tcase_add_test(tc, observing_lets_all_in);
	tcase_add_test(tc, mac_keeps_out);
	tcase_add_test(tc, pair_keeps_out_its_mac_alone);
	tcase_add_test(tc, pair_of_the_protected);
	tcase_add_test(tc, wide_blocks);
	tcase_add_test(tc, limit_then_block);
	tcase_add_test(tc, many_sources);
	tcase_add_test(tc, second_block_has_its_own_count);
	tcase_add_test(tc, invariant1_protected_is_let_be);
	tcase_add_test(tc, neighbours_of_the_protected);
	tcase_add_test(tc, errors_name_the_line);
	tcase_add_test(tc, compared);
	return run_tcase("dryrun", tc);
}
