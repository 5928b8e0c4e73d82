// SPDX-License-Identifier: GPL-2.0
/* daemon/fmpctl/log/learn.c: measuring good traffic, and thresholds above it. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- names ---- */

static struct fmp_policy proposed;
static struct fmp_policy_service *proposed_services;
static struct findings found;

/* What is learned under the policy goes to the three above. */
static void propose_from(const char *text)
{
	static struct learn *l;
	struct fmp_error err;

	/* The findings point into it: it stays until the next one. */
	learn_free(l);
	free(proposed_services);
	proposed = *policy;
	ck_assert(!learn_new(policy, "log", &l, &err));
	for (const char *end; *text; text = end + (*end != '\0')) {
		end = strchrnul(text, '\n');
		ck_assert_msg(!learn_line(l, text, (size_t)(end - text), &err), "%s", err.message);
	}
	ck_assert(!learn_propose_gateway(l, 150, &proposed, &proposed_services, &found));
}

/* The state of a name, or of a limit by its setting; FINDING_STATES: it is not mentioned. */
static enum finding_state state_of(const char *name)
{
	for (unsigned i = 0; i < found.n; i++)
		if (!strcmp(found.v[i].name ? found.v[i].name : found.v[i].setting, name))
			return found.v[i].state;
	return FINDING_STATES;
}

#define GOOD(at, source, more, text) \
#at "s event 192.0.2." #source " good " more " text=\"seen " text "\"\n"

START_TEST(header_blocks)
{
	const struct fmp_policy_headers *h = &proposed.gateway.header_blocks;

	policy->gateway.security = FMP_SECURITY_BCS;
	policy->gateway.header_blocks.n = 1;
	policy->gateway.header_blocks.block[0] =
		(struct fmp_policy_header){ .ns = "urn:n", .local = "named", .understood = true };
	propose_from(GOOD(0, 1, "sources=3",
			  "header={urn:a}all:signed:dropped header={urn:n}named:dropped")
			     GOOD(1, 4, "",
				  "header={urn:a}few:signed:dropped header={urn:a}clear:dropped")
				     GOOD(2, 1, "sources=4", "header={urn:a}clear:dropped")
					     GOOD(3, 1, "sources=4",
						  "header={urn:a}mixed:signed:dropped")
						     GOOD(4, 9, "", "header={urn:a}mixed:dropped")
							     GOOD(5, 1, "sources=5",
								  "header={urn:a}reaches:signed"));
	ck_assert_int_eq(state_of("{urn:a}all"), FINDING_PROPOSED);
	ck_assert_int_eq(state_of("{urn:a}few"), FINDING_FEW);
	ck_assert_int_eq(state_of("{urn:a}clear"), FINDING_UNSIGNED);
	ck_assert_int_eq(state_of("{urn:a}mixed"), FINDING_MIXED);
	ck_assert_int_eq(state_of("{urn:a}reaches"), FINDING_STATES);
	ck_assert_int_eq(state_of("{urn:n}named"), FINDING_STATES);
	ck_assert(found.proposed);
	/* Beside what the policy names already. */
	ck_assert_uint_eq(h->n, 2);
	ck_assert_str_eq(h->block[0].local, "named");
	ck_assert(!strcmp(h->block[1].ns, "urn:a") && !strcmp(h->block[1].local, "all") &&
		  h->block[1].understood && h->block[1].forwarded && !h->block[1].required &&
		  h->block[1].is_signed == FMP_HEADER_SIGNED_DEFAULT);
	/* Where nothing is signed, nothing can be demanded. */
	policy->gateway.security = FMP_SECURITY_BC;
	propose_from(GOOD(0, 1, "sources=3", "header={urn:a}clear:dropped"));
	ck_assert_int_eq(state_of("{urn:a}clear"), FINDING_PROPOSED);
	policy->gateway.security = FMP_SECURITY_OS;
	propose_from(GOOD(0, 1, "sources=3", "header={urn:a}clear:dropped"));
	ck_assert_int_eq(state_of("{urn:a}clear"), FINDING_STATES);
	policy->gateway.security = FMP_SECURITY_BCES;
	policy->gateway.headers = FMP_HEADERS_STRIP;
	propose_from(GOOD(0, 1, "sources=3", "header={urn:a}a:signed:dropped"));
	ck_assert_int_eq(state_of("{urn:a}a"), FINDING_STRIPPED);
}
END_TEST

/* Sources that were suspicious at any time do not count, in a proposal or against one, nor do those without a handshake. */
START_TEST(suspicious_sources)
{
	policy->gateway.security = FMP_SECURITY_BC;
	propose_from(
		GOOD(0, 1, "sources=30", "header={urn:e}evil:dropped field=x-real-ip head=9000") GOOD(
			0, 101, "sources=3", "header={urn:a}a:dropped head=200")
			GOOD(0, 201, "sources=30 unproven",
			     "header={urn:u}u:dropped") "1s event 192.0.2.1 wrapping sources=30 times=9\n");
	ck_assert_int_eq(state_of("{urn:e}evil"), FINDING_STATES);
	ck_assert_int_eq(state_of("x-real-ip"), FINDING_STATES);
	ck_assert_int_eq(state_of("{urn:u}u"), FINDING_STATES);
	ck_assert_int_eq(state_of("{urn:a}a"), FINDING_PROPOSED);
	for (unsigned i = 0; i < found.n; i++)
		if (!strcmp(found.v[i].setting, "http/header"))
			ck_assert_uint_eq(found.v[i].value, 1024);
	/* Three are few among many. */
	propose_from(GOOD(0, 1, "sources=3", "header={urn:a}a:dropped field=x-real-ip")
			     GOOD(0, 10, "sources=28", "head=200"));
	ck_assert_int_eq(state_of("{urn:a}a"), FINDING_FEW);
	propose_from(GOOD(0, 1, "sources=3", "header={urn:a}a:dropped field=x-real-ip")
			     GOOD(0, 10, "sources=4", "head=200"));
	ck_assert_int_eq(state_of("{urn:a}a"), FINDING_PROPOSED);
	ck_assert_int_eq(state_of("x-real-ip"), FINDING_FEW);
}
END_TEST

START_TEST(fields_and_limits)
{
	policy->gateway.security = FMP_SECURITY_BC;
	policy->gateway.attachments.allowed = true;
	policy->gateway.fields.n = 1;
	policy->gateway.fields.rule[0] =
		(struct fmp_policy_field_rule){ .name = "X-Gone", .requests = true };
	propose_from(GOOD(0, 1, "sources=3",
			  "head=2000 fields=20 target=100 field=x-real-ip field=-wsru "
			  "parts=2 part=3000 bytes=4000"));
	ck_assert_uint_eq(proposed.gateway.fields.n, 3);
	ck_assert(proposed.gateway.fields.rule[1].keep);
	ck_assert_str_eq(proposed.gateway.fields.rule[1].name, "x-real-ip");
	/* Others than those observed may have been larger: only the largest message is known. */
	ck_assert_int_eq(state_of("http/header"), FINDING_SAMPLED);
	ck_assert_int_eq(state_of("attachments/bytes"), FINDING_SAMPLED);
	ck_assert(!memcmp(&proposed.gateway.http, &policy->gateway.http,
			  sizeof(policy->gateway.http)));
	propose_from(GOOD(0, 1, "sources=3 bytes=5000", "parts=2 part=3000 bytes=4000")
			     GOOD(0, 9, "bytes=20000", "head=1"));
	ck_assert_int_eq(state_of("attachments/parts"), FINDING_SAMPLED);
	ck_assert_uint_eq(proposed.gateway.attachments.parts, policy->gateway.attachments.parts);
	ck_assert_uint_eq(proposed.gateway.attachments.part_bytes, 30 * 1024);
	ck_assert_uint_eq(proposed.gateway.attachments.bytes, 30 * 1024);
	/* Of compressed messages not even the largest is known. */
	policy->gateway.http.compressed = true;
	propose_from(GOOD(0, 1, "sources=3 bytes=5000", "parts=2 part=3000 bytes=4000"));
	ck_assert_int_eq(state_of("attachments/bytes"), FINDING_SAMPLED);
	ck_assert(!memcmp(&proposed.gateway.attachments, &policy->gateway.attachments,
			  sizeof(policy->gateway.attachments)));
	policy->gateway.http.compressed = false;
	/* Never above the policy's. */
	propose_from(GOOD(0, 1, "sources=3",
			  "head=15000 fields=99 target=7999 parts=4000000000 "
			  "part=99999999999 bytes=999999999999999999"));
	ck_assert(!found.proposed);
	ck_assert(!memcmp(&proposed.gateway.http, &policy->gateway.http,
			  sizeof(policy->gateway.http)));
	ck_assert(!memcmp(&proposed.gateway.attachments, &policy->gateway.attachments,
			  sizeof(policy->gateway.attachments)));
}
END_TEST

START_TEST(services_have_their_own)
{
	struct fmp_policy_service two[2] = { { .name = "a", .path = "/a" },
					     { .name = "b", .path = "/b" } };

	two[0].demands = two[1].demands = policy->gateway;
	two[0].demands.security = two[1].demands.security = FMP_SECURITY_BC;
	policy->services = two;
	policy->n_services = 2;
	propose_from(GOOD(0, 1, "sources=3", "service=a header={urn:a}a:dropped")
			     GOOD(0, 1, "sources=3", "service=other header={urn:a}o:dropped")
				     GOOD(0, 1, "sources=3", "header={urn:a}n:dropped"));
	ck_assert_uint_eq(proposed_services[0].demands.header_blocks.n, 1);
	ck_assert_uint_eq(proposed_services[1].demands.header_blocks.n, 0);
	ck_assert_uint_eq(two[0].demands.header_blocks.n, 0);
	ck_assert_uint_eq(proposed.gateway.header_blocks.n, 0);
	ck_assert_uint_eq(found.n, 1);
	ck_assert_str_eq(found.v[0].service, "a");
	policy->services = NULL;
	policy->n_services = 0;
}
END_TEST

/* Services that share a path share their attachments: a policy where they differ is refused. */
START_TEST(services_share_attachments)
{
	struct fmp_policy_service three[3] = { { .name = "a", .path = "/a" },
					       { .name = "b", .path = "/a" },
					       { .name = "c", .path = "/c" } };
	const struct fmp_policy_attachments *a[3];

	for (unsigned i = 0; i < 3; i++) {
		three[i].demands = policy->gateway;
		three[i].demands.attachments.allowed = true;
	}
	policy->services = three;
	policy->n_services = 3;
	propose_from(GOOD(0, 1, "sources=3 bytes=5000", "service=b parts=1 part=3000 bytes=3000"));
	for (unsigned i = 0; i < 3; i++)
		a[i] = &proposed_services[i].demands.attachments;
	ck_assert_uint_eq(a[1]->bytes, 8 * 1024);
	ck_assert_uint_eq(a[0]->bytes, a[1]->bytes);
	ck_assert_uint_eq(a[0]->part_bytes, a[1]->part_bytes);
	ck_assert(!memcmp(a[2], &three[2].demands.attachments, sizeof(*a[2])));
	policy->services = NULL;
	policy->n_services = 0;
}
END_TEST

/* A flood of names, or of sources, is bounded, and displaces no name that several send. */
START_TEST(names_are_bounded)
{
	static char text[200 * 2000];
	size_t n = 0;

	policy->gateway.security = FMP_SECURITY_BC;
	n += (size_t)snprintf(text + n, sizeof(text) - n, "%s",
			      GOOD(0, 1, "sources=3", "header={urn:a}a:dropped"));
	for (int i = 0; i < 1000; i++)
		n += (size_t)snprintf(
			text + n, sizeof(text) - n,
			"1s event 192.0.2.4 good text=\"seen header={urn:f}f%d:dropped "
			"service=s%d\"\n",
			i, i % 2 ? 0 : i);
	n += (size_t)snprintf(text + n, sizeof(text) - n, "%s",
			      GOOD(2, 1, "sources=9000", "field=x-real-ip"));
	ck_assert_uint_lt(n, sizeof(text));
	propose_from(text);
	ck_assert_uint_le(found.n, LEARN_FINDINGS_MAX);
	ck_assert_int_eq(state_of("x-real-ip"), FINDING_PROPOSED);
	/* Of all those sources too few sent it. */
	ck_assert_int_eq(state_of("{urn:a}a"), FINDING_FEW);
}
END_TEST

/* A log may have been written by anybody. */
START_TEST(malformed_observations)
{
	policy->gateway.security = FMP_SECURITY_BC;
	propose_from(GOOD(
		0, 1, "sources=3",
		"header={urn:a}* header={urn:a} header={}a header=a header={urn:a}:dropped "
		"header={urn:a}1:dropped header={urn:{a}b:dropped field=A field=a/b field=* head=-1 "
		"head=99999999999999999999 head=1x service=01234567890123456789012345678901234567890"));
	ck_assert_uint_eq(found.n, 0);
	propose_from(GOOD(
		0, 1, "sources=3",
		"header={urn:a}*:dropped header={urn:a}:dropped header={}a:dropped header=a:dropped "
		"header={urn:a}1:dropped header={urn:{a}b:dropped field=A field=a/b field=*"));
	ck_assert_uint_eq(found.n, 0);
	/* A client chose the namespace "urn:a}B:signed:dropped:x", to have {urn:a}B taken for signed. */
	policy->gateway.security = FMP_SECURITY_BCS;
	propose_from(GOOD(0, 1, "sources=3",
			  "header={urn:a}B:signed:dropped:x}C:dropped "
			  "header={urn:a}D:signed:dropped}E"));
	ck_assert_uint_eq(found.n, 0);
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
	tcase_add_test(tc, header_blocks);
	tcase_add_test(tc, suspicious_sources);
	tcase_add_test(tc, fields_and_limits);
	tcase_add_test(tc, services_have_their_own);
	tcase_add_test(tc, services_share_attachments);
	tcase_add_test(tc, names_are_bounded);
	tcase_add_test(tc, malformed_observations);
	return run_tcase("learn", tc);
}
