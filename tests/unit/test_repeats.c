// SPDX-License-Identifier: GPL-2.0
/* A message that its source sends again, as senders do that got no answer: what the policy says of it. */
#include <unistd.h>

#include "replay.h"
#include "run.h"
#include "tokens.h"

static struct fmpi_replay_key with_copy(struct fmpi_replay_key k, uint8_t copy)
{
	memset(k.copy, copy, sizeof(k.copy));
	return k;
}

START_TEST(the_table_knows_what_its_source_repeats)
{
	struct fmpi_replay_key k = with_copy(make_key(1, 1, 0), 7), other = with_copy(k, 8);
	struct fmpi_replay_key unknown = make_key(1, 2, 0);

	make_table(16, 8);
	ck_assert_int_eq(fmpi_replay_table_repeat(&table, &k), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &k, NOW, NOW), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &unknown, NOW, NOW), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_repeat(&table, &unknown), FMPI_REPLAY_SEEN);
	for (unsigned n = 0; n < FMPI_REPLAY_REPEATS; n++) {
		ck_assert_int_eq(fmpi_replay_table_repeat(&table, &other), FMPI_REPLAY_SEEN);
		ck_assert_int_eq(fmpi_replay_table_insert(&table, &k, NOW, NOW), FMPI_REPLAY_SEEN);
		ck_assert_int_eq(fmpi_replay_table_repeat(&table, &k), FMPI_REPLAY_REPEAT);
	}
	ck_assert_int_eq(fmpi_replay_table_repeat(&table, &k), FMPI_REPLAY_SEEN);
	/* An entry that is used again begins anew. */
	ck_assert(fmpi_replay_table_remove(&table, &k));
	ck_assert_int_eq(fmpi_replay_table_insert(&table, &k, NOW, NOW), FMPI_REPLAY_NEW);
	ck_assert_int_eq(fmpi_replay_table_repeat(&table, &k), FMPI_REPLAY_REPEAT);
}
END_TEST

static struct fmp_addr here, there;

static struct fmp_inspector *make_repeating(enum fmp_repeats repeats)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCS);

	cfg.repeats = repeats;
	cfg.replay_entries = 16;
	cfg.replay_per_signer = 16;
	cfg.message_ms = 1000;
	ck_assert_int_eq(fmp_addr_parse("192.0.2.1", &here, NULL), 0);
	ck_assert_int_eq(fmp_addr_parse("192.0.2.2", &there, NULL), 0);
	return make_inspector(&cfg);
}

static void expect_verdict(struct fmp_inspector *i, struct bytes b, const struct fmp_addr *source,
			   bool accepted, enum fmp_event_kind kind)
{
	struct fmp_message m = {
		.bytes = b.p, .len = b.len, .now_s = VECTORS_NOW, .source = source
	};
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.accepted == accepted && v.kind == kind, "%s at %s: %s",
		      fmp_event_kind_name(v.kind), fmp_step_name(v.step), v.detail);
	ck_assert_int_eq(v.lacks, FMP_LACKS_NOTHING);
	fmp_inspection_clear(&v);
}

static const struct {
	enum fmp_repeats repeats;
	bool accepted;
	enum fmp_event_kind kind;
} policies[FMP_REPEATS] = {
	{ FMP_REPEATS_CHARGE, false, FMP_EVENT_REPLAY },
	{ FMP_REPEATS_REFUSE, false, FMP_EVENT_GOOD },
	{ FMP_REPEATS_PASS, true, FMP_EVENT_GOOD },
};

START_TEST(the_policy_says_what_becomes_of_it)
{
	struct fmp_inspector *i = make_repeating(policies[_i].repeats);
	struct bytes b = read_vector("good/wss4j-rsa2048-1k.xml"), longer;
	char *changed;

	expect_verdict(i, b, &here, true, FMP_EVENT_GOOD);
	for (unsigned n = 0; n < 2; n++) {
		expect_verdict(i, b, &there, false, FMP_EVENT_REPLAY);
		expect_verdict(i, b, NULL, false, FMP_EVENT_REPLAY);
		expect_verdict(i, b, &here, policies[_i].accepted, policies[_i].kind);
	}
	/* What is not signed is no part of the message's identity, but must be the same, too. */
	longer = (struct bytes){ .p = malloc(b.len + 1), .len = b.len + 1 };
	ck_assert_ptr_nonnull(longer.p);
	memcpy((char *)longer.p, b.p, b.len);
	((char *)longer.p)[b.len] = '\n';
	expect_verdict(i, longer, &here, false, FMP_EVENT_REPLAY);
	/* Nor is what is signed looked at before. */
	changed = memmem(b.p, b.len, "ABC-", 4);
	ck_assert_ptr_nonnull(changed);
	changed[0] = 'B';
	expect_verdict(i, b, &here, false, FMP_EVENT_REPLAY);
	changed[0] = 'A';
	/* Its other messages are not touched by that. */
	for (unsigned n = 2; n < FMPI_REPLAY_REPEATS; n++)
		expect_verdict(i, b, &here, policies[_i].accepted, policies[_i].kind);
	expect_verdict(i, b, &here, false, FMP_EVENT_REPLAY);
	fmp_inspector_free(i);
	free((void *)longer.p);
	free((void *)b.p);
}
END_TEST

START_TEST(without_a_source_nothing_is_a_repeat)
{
	struct fmp_inspector *i = make_repeating(FMP_REPEATS_PASS);
	struct bytes b = read_vector("good/wss4j-rsa2048-1k.xml");

	expect_verdict(i, b, NULL, true, FMP_EVENT_GOOD);
	expect_verdict(i, b, NULL, false, FMP_EVENT_REPLAY);
	expect_verdict(i, b, &here, false, FMP_EVENT_REPLAY);
	fmp_inspector_free(i);
	free((void *)b.p);
}
END_TEST

/* What is to be removed, as the service was not reached, is what the message inserted. */
START_TEST(a_repeat_that_passed_removes_nothing)
{
	struct fmp_inspector *i = make_repeating(FMP_REPEATS_PASS);
	struct bytes b = read_vector("good/wss4j-rsa2048-1k.xml");
	struct fmp_replay_keys keys;

	expect_verdict(i, b, &here, true, FMP_EVENT_GOOD);
	fmp_inspector_replay_keys(i, &keys);
	ck_assert_uint_eq(keys.n, 1);
	expect_verdict(i, b, &here, true, FMP_EVENT_GOOD);
	fmp_inspector_replay_keys(i, &keys);
	ck_assert_uint_eq(keys.n, 0);
	expect_verdict(i, b, &there, false, FMP_EVENT_REPLAY);
	fmp_inspector_free(i);
	free((void *)b.p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("repeats");

	tcase_add_unchecked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, the_table_knows_what_its_source_repeats);
	tcase_add_loop_test(tc, the_policy_says_what_becomes_of_it, 0, FMP_REPEATS);
	tcase_add_test(tc, without_a_source_nothing_is_a_repeat);
	tcase_add_test(tc, a_repeat_that_passed_removes_nothing);
	return run_tcase("repeats", tc);
}
