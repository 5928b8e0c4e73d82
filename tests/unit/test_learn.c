// SPDX-License-Identifier: GPL-2.0
/* daemon/fmpctl/log/learn.c: measuring good traffic, and thresholds above it. */
#include <check.h>
#include <string.h>

#include <fmp/dryrun.h>

#include "../../daemon/fmpctl/log/learn.h"
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

static struct learned learn_from(const char *text)
{
	struct fmp_error err;
	struct learned seen;
	struct learn *l;

	ck_assert(!learn_new(policy, "log", &l, &err));
	for (const char *end; *text; text = end + (*end != '\0')) {
		end = strchrnul(text, '\n');
		ck_assert_msg(!learn_line(l, text, (size_t)(end - text), &err), "%s", err.message);
	}
	learn_get(l, &seen);
	learn_free(l);
	return seen;
}

#define TRAFFIC                                           \
	"0 event 192.0.2.1 good bytes=5000\n"             \
	"1s event 192.0.2.1 schema times=3 every=1s\n"    \
	"5s event 192.0.2.2 good sources=3 bytes=100\n"   \
	"6s event 192.0.2.9 crash times=4 bytes=900000\n" \
	"7s event 192.0.2.2 schema unproven times=50\n"   \
	"8s event 192.0.2.9 good unproven bytes=800000\n" \
	"20min event 192.0.2.1 good bytes=10\n"

START_TEST(seen)
{
	struct learned s = learn_from(TRAFFIC);

	ck_assert_uint_eq(s.good, 5);
	ck_assert_uint_eq(s.bad, 3 + 4 + 50 + 1);
	ck_assert_uint_eq(s.sources, 4);
	ck_assert_uint_eq(s.left_out, 1);
	ck_assert_uint_eq(s.bytes, 5000);
	/* Three times 10, decayed for a second or two. */
	ck_assert_uint_ge(s.peak, 28);
	ck_assert_uint_le(s.peak, 30);
	ck_assert_uint_eq(s.peak_source.bytes[3], 1);
}
END_TEST

/* The peak is measured at the time of the event, however late the next line is; also for several events of one line. */
START_TEST(peaks_do_not_decay)
{
	ck_assert_uint_eq(learn_from("0 event 192.0.2.1 good\n0 event 192.0.2.1 crash times=5\n"
				     "10h event 192.0.2.1 good\n")
				  .peak,
			  300);
	ck_assert_uint_eq(learn_from("0 event 192.0.2.1 crash times=2 every=10h\n"
				     "30h event 192.0.2.1 good\n")
				  .peak,
			  60);
}
END_TEST

START_TEST(all_bad_counts_where_nothing_is_good)
{
	struct learned s = learn_from("0 event 192.0.2.1 login\n0 event 192.0.2.2 login times=2\n");

	ck_assert_uint_eq(s.sources, 2);
	ck_assert_uint_eq(s.left_out, 0);
	ck_assert_uint_eq(s.peak_source.bytes[3], 2);
}
END_TEST

/* Replayed under the proposal, no counted source is suspicious. */
START_TEST(proposal_fits)
{
	struct learned s = learn_from(TRAFFIC);
	struct proposal p = learn_propose(policy, &s, 150);
	struct fmp_source_info info;
	struct fmp_error err;
	struct fmp_dryrun *d;

	ck_assert_uint_gt(p.suspicious, s.peak);
	ck_assert_uint_gt(p.malicious, p.suspicious);
	ck_assert_uint_eq(p.body_bytes, 8 * 1024);
	policy->suspicion.suspicious = p.suspicious;
	policy->suspicion.malicious = p.malicious;
	ck_assert(!fmp_dryrun_new(policy, "log", &d, &err));
	ck_assert(!fmp_dryrun_line(d, "0 event 192.0.2.1 schema times=3", 32, &err));
	ck_assert(!fmp_engine_get(fmp_dryrun_engine(d), &s.peak_source, 0, &info));
	ck_assert_uint_eq(info.state, FMP_STATE_CLEAN);
	fmp_dryrun_free(d);
}
END_TEST

START_TEST(proposal_is_bounded)
{
	struct learned s = { .sources = 1 };
	struct proposal p = learn_propose(policy, &s, 150);

	/* Without bad messages: one message of the worst kind does not block. */
	ck_assert_uint_eq(p.malicious, policy->suspicion.rank[FMP_EVENT_CRASH] + 1);
	ck_assert_uint_lt(p.suspicious, p.malicious);
	ck_assert_uint_ge(p.suspicious, 1);
	ck_assert_uint_eq(p.body_bytes, 0);
	s.peak = UINT32_MAX;
	s.bytes = UINT32_MAX;
	p = learn_propose(policy, &s, 99999);
	ck_assert_uint_eq(p.malicious, 1000000);
	ck_assert_uint_lt(p.suspicious, 1000000);
	ck_assert_uint_eq(p.body_bytes, 256u << 20);
	/* The log has the size of compressed bodies: no limit is proposed. */
	policy->gateway.http.compressed = true;
	ck_assert_uint_eq(learn_propose(policy, &s, 150).body_bytes, 0);
	s.sources = 0;
	ck_assert_uint_eq(learn_propose(policy, &s, 150).malicious, 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("learn");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, seen);
	tcase_add_test(tc, peaks_do_not_decay);
	tcase_add_test(tc, all_bad_counts_where_nothing_is_good);
	tcase_add_test(tc, proposal_fits);
	tcase_add_test(tc, proposal_is_bounded);
	return run_tcase("learn", tc);
}
