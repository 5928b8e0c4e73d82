// SPDX-License-Identifier: GPL-2.0
/*
 * A clock that is known to be behind: what it says is of the future is refused, and nobody's
 * offence. What is wrong whatever the time is remains somebody's.
 */
#include <stdlib.h>
#include <unistd.h>

#include "run.h"
#include "tokens.h"

static struct fmp_inspection inspect_message(struct fmp_inspector *i, struct bytes b, int64_t now_s,
					     bool unset)
{
	struct fmp_message m = { .bytes = b.p, .len = b.len, .now_s = now_s, .clock_unset = unset };
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert(!v.accepted || v.kind == FMP_EVENT_GOOD);
	return v;
}

/* A message from the future by a clock that is set, and by one that is not. Frees the message. */
static void expect_waived(struct fmp_inspector *i, struct bytes b, int64_t now_s, const char *words)
{
	struct fmp_inspection v = inspect_message(i, b, now_s, false);

	ck_assert_msg(!v.accepted && !v.lacks && v.kind == FMP_EVENT_TIMESTAMP, "%s", v.detail);
	ck_assert_msg(strncmp(v.detail, words, strlen(words)) == 0, "%s", v.detail);
	v = inspect_message(i, b, now_s, true);
	ck_assert_msg(!v.accepted && v.lacks == FMP_LACKS_TIME && v.kind == FMP_EVENT_GOOD, "%s",
		      v.detail);
	ck_assert_int_eq(v.step, FMP_STEP_TIMESTAMP);
	ck_assert_msg(strncmp(v.detail, "the clock of this device is not set: ", 37) == 0 &&
			      strstr(v.detail, words),
		      "%s", v.detail);
	ck_assert_ptr_null(v.forward);
	free(b.p);
}

static void expect_charged(struct fmp_inspector *i, struct bytes b, int64_t now_s,
			   enum fmp_event_kind kind)
{
	struct fmp_inspection v = inspect_message(i, b, now_s, true);

	ck_assert_msg(!v.accepted && !v.lacks && v.kind == kind, "%s: %s",
		      fmp_event_kind_name(v.kind), v.detail);
	free(b.p);
}

START_TEST(signed_message)
{
	static const char good[] = "good/wss4j-rsa2048-1k.xml";
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);
	struct bytes b;

	expect_waived(i, read_vector(good), VECTORS_NOW - 86400,
		      "the Timestamp is from the future");
	expect_waived(i, read_vector(good), -1, "the clock is out of range");
	/* Behind, so this is older still. */
	expect_charged(i, read_vector(good), VECTORS_NOW + 21 * 31536000LL, FMP_EVENT_TIMESTAMP);
	expect_charged(i, edit_bytes(read_vector(good), "<wsu:Created>2026", "<wsu:Created>2O26"),
		       0, FMP_EVENT_TIMESTAMP);
	expect_charged(i,
		       edit_bytes(read_vector(good), "<wsu:Timestamp ",
				  "<wsu:Timestamp/><wsu:Timestamp "),
		       0, FMP_EVENT_WRAPPING);
	/* A message that passes all the same is as good as ever. */
	b = read_vector(good);
	{
		struct fmp_inspection v = inspect_message(i, b, VECTORS_NOW, true);

		ck_assert_msg(v.accepted && !v.lacks, "%s", v.detail);
		fmp_inspection_clear(&v);
	}
	free(b.p);
	fmp_inspector_free(i);
}
END_TEST

START_TEST(users)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCV);
	char file[] = "/tmp/fmp-test-unset-XXXXXX";
	int fd = mkstemp(file);
	struct fmp_inspector *i;

	ck_assert_int_eq(write(fd, "jane:correct horse, battery\n", 28), 28);
	close(fd);
	cfg.passwords = file;
	cfg.max_age_ms = 2 * 3600 * 1000;
	i = make_inspector(&cfg);
	unlink(file);
	expect_waived(i, read_token("user-digest"), TOKENS_NOW - 86400,
		      "the UsernameToken is from the future");
	expect_charged(i, read_token("user-digest"), TOKENS_NOW + 86400 * 365, FMP_EVENT_TIMESTAMP);
	fmp_inspector_free(i);
}
END_TEST

START_TEST(assertions)
{
	struct fmp_policy_saml saml = token_saml();
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCV);
	struct fmp_inspector *i;

	cfg.saml = &saml;
	i = make_inspector(&cfg);
	expect_waived(i, read_token("saml-bearer"), TOKENS_NOW - 86400,
		      "the Assertion is from the future");
	expect_waived(i, read_token("saml-bearer"), -1, "the clock is out of range");
	expect_waived(i,
		      edit_bytes(read_token("saml-bearer"),
				 "<saml2:Conditions NotBefore=\"2026-11-22T01",
				 "<saml2:Conditions NotBefore=\"2026-11-22T04"),
		      TOKENS_NOW, "the Assertion is not valid yet");
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("unset");

	tcase_add_unchecked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_add_test(tc, signed_message);
	tcase_add_test(tc, users);
	tcase_add_test(tc, assertions);
	return run_tcase("unset", tc);
}
