// SPDX-License-Identifier: GPL-2.0
/* A message that its source sends again, as senders do that got no answer: what the policy says of it. */
#include <sys/stat.h>
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

static char users[64];

static void expect_message(struct fmp_inspector *i, const struct fmp_message *m,
			   enum fmp_event_kind kind)
{
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, m, &v), 0);
	ck_assert_msg(v.kind == kind && v.accepted == (kind == FMP_EVENT_GOOD), "%s at %s: %s",
		      fmp_event_kind_name(v.kind), fmp_step_name(v.step), v.detail);
	fmp_inspection_clear(&v);
}

static struct fmp_inspector *make_of_users(void)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BC);
	FILE *f;

	snprintf(users, sizeof(users), "/tmp/fmp-test-repeats-%d", (int)getpid());
	f = fopen(users, "w");
	ck_assert_ptr_nonnull(f);
	fputs("jane:correct horse, battery\n", f);
	fclose(f);
	ck_assert_int_eq(chmod(users, 0600), 0);
	cfg.passwords = users;
	cfg.max_age_ms = 2 * 3600 * 1000;
	cfg.repeats = FMP_REPEATS_PASS;
	cfg.replay_entries = cfg.replay_per_signer = 16;
	ck_assert_int_eq(fmp_addr_parse("192.0.2.1", &here, NULL), 0);
	return make_inspector(&cfg);
}

/* A nonce says nothing of the attachments, the action and the service: the same user's could be others. */
START_TEST(all_of_the_message_is_the_same)
{
	struct fmp_inspector *i = make_of_users();
	struct bytes b = read_token("user-digest");
	char data[] = "part", header[] = "Content-Type: a/b\r\n";
	struct fmp_attachment part = {
		.id = "a", .bytes = data, .len = 4, .header = header, .header_len = strlen(header)
	};
	struct fmp_attachments a = { .part = &part, .n = 1, .unreferenced = true };
	struct fmp_message m = { .bytes = b.p,
				 .len = b.len,
				 .now_s = TOKENS_NOW,
				 .source = &here,
				 .service = "one",
				 .attachments = &a };

	expect_message(i, &m, FMP_EVENT_GOOD);
	expect_message(i, &m, FMP_EVENT_GOOD);
	data[0] = 'P';
	expect_message(i, &m, FMP_EVENT_REPLAY);
	data[0] = 'p';
	header[strlen(header) - 3] = 'c';
	expect_message(i, &m, FMP_EVENT_REPLAY);
	header[strlen(header) - 3] = 'b';
	a.n = 0;
	expect_message(i, &m, FMP_EVENT_REPLAY);
	a.n = 1;
	m.service = "two";
	expect_message(i, &m, FMP_EVENT_REPLAY);
	m.service = "one";
	m.soap_action = "urn:a";
	expect_message(i, &m, FMP_EVENT_REPLAY);
	m.soap_action = NULL;
	/* Of attachments that are still to come nothing is known. */
	a.pending = true;
	expect_message(i, &m, FMP_EVENT_REPLAY);
	a.pending = false;
	expect_message(i, &m, FMP_EVENT_GOOD);
	fmp_inspector_free(i);
	unlink(users);
	free(b.p);
}
END_TEST

/* Its signer is looked at before decryption, and all of it after. */
START_TEST(an_encrypted_message_counts_once)
{
	struct fmp_inspect_config cfg =
		config_for("good/wss4j-sign-then-enc-1k.xml", FMP_SECURITY_BCES);
	struct bytes b = read_vector("good/wss4j-sign-then-enc-1k.xml");
	struct fmp_inspector *i;

	cfg.repeats = FMP_REPEATS_PASS;
	cfg.replay_entries = cfg.replay_per_signer = 16;
	ck_assert_int_eq(fmp_addr_parse("192.0.2.1", &here, NULL), 0);
	i = make_inspector(&cfg);
	for (unsigned n = 0; n <= FMPI_REPLAY_REPEATS; n++)
		expect_verdict(i, b, &here, true, FMP_EVENT_GOOD);
	expect_verdict(i, b, &here, false, FMP_EVENT_REPLAY);
	fmp_inspector_free(i);
	free(b.p);
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
	tcase_add_test(tc, all_of_the_message_is_the_same);
	tcase_add_test(tc, an_encrypted_message_counts_once);
	return run_tcase("repeats", tc);
}
