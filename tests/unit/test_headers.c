// SPDX-License-Identifier: GPL-2.0
/* Which header blocks of a signed message reach the service, and that they are the bytes that were signed. */
#include "encrypted_messages.h"
#include "run.h"
#include "tokens.h"

#define NAMED	 ADDRESS("To", "to", "urn:here")
#define UNSIGNED ADDRESS("From", "from", "<wsa:Address>urn:there</wsa:Address>")

static struct fmp_inspection inspect_headers(struct fmp_inspect_config cfg,
					     enum fmp_headers headers, bool xmlsec_only,
					     struct attack_bytes b, int64_t now)
{
	struct fmp_message m = { .bytes = b.p, .len = b.len, .now_s = now };
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.headers = headers;
	cfg.xmlsec_only = xmlsec_only;
	i = make_inspector(&cfg);
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	fmp_inspector_free(i);
	return v;
}

static char *copy_output(struct fmp_inspection *v)
{
	char *text;

	ck_assert_msg(v->accepted, "%s", v->detail);
	text = calloc(1, v->forward_len + 1);
	ck_assert_ptr_nonnull(text);
	memcpy(text, v->forward, v->forward_len);
	fmp_inspection_clear(v);
	return text;
}

static const struct encrypted_row rows[] = {
	{ "signed, then encrypted", BCES, 0,
	  SIGNED_SECRET(KEY(TO_BE("ed")), "@G", NAMED UNSIGNED, G("ed", "@O")),
	  INFO(REF("to", NAMED)), 0, "", 0 },
	{ "encrypted, then signed", BCES, 0,
	  SECRET_SIGNED(KEY(TO_BE("ed")), "", NAMED UNSIGNED, G("ed", ORDER)),
	  INFO_SIGNED(G("ed", ORDER), REF("to", NAMED)), 0, "", FMP_ORDER_ENCRYPT_SIGN },
	{ "encrypted, then signed, a username too", BCES, USERNAME,
	  SECRET_SIGNED(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER), UNSIGNED NAMED,
			G("ed", ORDER)),
	  INFO_SIGNED(G("ed", ORDER), REF("eu", G("eu", USER)) REF("to", NAMED)), 0, "",
	  FMP_ORDER_ENCRYPT_SIGN },
};

/* What is signed is written in its canonical form. */
START_TEST(signed_blocks_are_in_the_output)
{
	const struct encrypted_row *r = &rows[_i / 2];
	struct attack_bytes b = make_encrypted(r);
	bool xmlsec_only = _i % 2;
	struct fmp_inspection v;
	char *text;

	v = inspect_headers(encrypted_config(r), FMP_HEADERS_STRIP, xmlsec_only, b, VECTORS_NOW);
	text = copy_output(&v);
	ck_assert_msg(!strstr(text, "Header") && !strstr(text, "urn:here"), "%s", text);
	free(text);
	v = inspect_headers(encrypted_config(r), FMP_HEADERS_SIGNED, xmlsec_only, b, VECTORS_NOW);
	text = copy_output(&v);
	ck_assert_msg(strstr(text, "\"><env:Header>" NAMED "</env:Header><soapenv:Body"), "%s",
		      text);
	ck_assert_msg(strstr(text, "<customer>") && !strstr(text, "urn:there"), "%s", text);
	free(text);
	v = inspect_headers(encrypted_config(r), FMP_HEADERS_ONLY_SIGNED, xmlsec_only, b,
			    VECTORS_NOW);
	ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_UNSIGNED &&
			      strstr(v.detail, "header block From is not signed"),
		      "%s", v.detail);
	free(b.p);
}
END_TEST

static struct attack_bytes token_bytes(const char *name)
{
	struct bytes b = read_token(name);

	return (struct attack_bytes){ .p = b.p, .len = b.len };
}

START_TEST(of_another_stack)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct attack_bytes b = token_bytes("addressing");
	struct fmp_inspection v;
	char *text, *again;

	v = inspect_headers(cfg, FMP_HEADERS_ONLY_SIGNED, false, b, TOKENS_NOW);
	text = copy_output(&v);
	ck_assert_ptr_nonnull(strstr(text, "example.org/orders</"));
	ck_assert_ptr_null(strstr(text, "Security"));
	v = inspect_headers(cfg, FMP_HEADERS_ONLY_SIGNED, true, b, TOKENS_NOW);
	again = copy_output(&v);
	ck_assert_str_eq(text, again);
	free(text);
	free(again);
	free(b.p);

	b = token_bytes("addressing-to-unsigned");
	v = inspect_headers(cfg, FMP_HEADERS_SIGNED, false, b, TOKENS_NOW);
	text = copy_output(&v);
	ck_assert_ptr_null(strstr(text, "example.org/orders</"));
	ck_assert_ptr_nonnull(strstr(text, "MessageID"));
	free(text);
	v = inspect_headers(cfg, FMP_HEADERS_ONLY_SIGNED, false, b, TOKENS_NOW);
	ck_assert_msg(!v.accepted && strstr(v.detail, "To is not signed"), "%s", v.detail);
	free(b.p);

	b = token_bytes("direct");
	v = inspect_headers(cfg, FMP_HEADERS_ONLY_SIGNED, false, b, TOKENS_NOW);
	text = copy_output(&v);
	ck_assert_ptr_null(strstr(text, "Header"));
	free(text);
	free(b.p);
}
END_TEST

/* ---- rules on the content ---- */

static struct fmp_policy_rule sayings[] = {
	{ .name = "plain", .regex = "urn:here" },
	{ .name = "xpath", .xpath = "//*[local-name() = 'To']", .regex = "urn:here" },
	{ .name = "list", .xpath = "//*[local-name() = 'To']", .list = true },
	{ .name = "of the Body", .xpath = "not(*[local-name() = 'customer'])" },
	{ .name = "unsigned", .regex = "urn:there" },
};

/* The refusal of a row's message, output as bytes or as a tree; NULL: it is accepted. */
static void check_row(const struct encrypted_row *r, enum fmp_headers headers, bool tree,
		      struct fmp_policy_rule *of, const char *found_in)
{
	struct fmp_policy_content content = { .rules = of, .n_rules = 1 };
	struct fmp_inspect_config cfg = encrypted_config(r);
	struct attack_bytes b = make_encrypted(r);
	struct fmp_inspection v;

	cfg.content = &content;
	cfg.tree = tree;
	v = inspect_headers(cfg, headers, false, b, VECTORS_NOW);
	if (found_in)
		ck_assert_msg(!v.accepted && v.step == FMP_STEP_CONTENT &&
				      strstr(v.detail, of->name) && strstr(v.detail, found_in),
			      "%s: %s: %s", r->name, of->name, v.detail);
	else
		ck_assert_msg(v.accepted, "%s: %s: %s", r->name, of->name, v.detail);
	fmp_inspection_clear(&v);
	free(b.p);
}

START_TEST(rules_of_another_stack)
{
	static struct fmp_policy_rule id = { .name = "id", .regex = "^urn:uuid:5f4d" };
	struct fmp_policy_content content = { .rules = &id, .n_rules = 1 };
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct attack_bytes b = token_bytes("addressing");
	struct fmp_inspection v;

	cfg.content = &content;
	v = inspect_headers(cfg, FMP_HEADERS_STRIP, false, b, TOKENS_NOW);
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	v = inspect_headers(cfg, FMP_HEADERS_SIGNED, false, b, TOKENS_NOW);
	ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_CONTENT && strstr(v.detail, "MessageID"),
		      "%s", v.detail);
	free(b.p);
}
END_TEST

/* What reaches the service is looked at, and nothing of what doesn't. */
START_TEST(rules_are_tried_on_them)
{
	const struct encrypted_row *r = &rows[_i];

	for (int tree = 0; tree < 2; tree++) {
		for (int n = 0; n < 3; n++)
			check_row(r, FMP_HEADERS_SIGNED, tree, &sayings[n], "To");
		for (int n = 3; n < 5; n++)
			check_row(r, FMP_HEADERS_SIGNED, tree, &sayings[n], NULL);
	}
	check_row(r, FMP_HEADERS_STRIP, false, &sayings[0], NULL);
	/* A service in process has them whatever the policy says of output as bytes. */
	check_row(r, FMP_HEADERS_STRIP, true, &sayings[0], "To");
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("headers");

	/* Once: most of the time went into the keys that it makes. */
	tcase_add_unchecked_fixture(tc, encrypted_setup, encrypted_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, signed_blocks_are_in_the_output, 0, 2 * COUNT(rows));
	tcase_add_test(tc, of_another_stack);
	tcase_add_test(tc, rules_of_another_stack);
	tcase_add_loop_test(tc, rules_are_tried_on_them, 0, COUNT(rows));
	return run_tcase("headers", tc);
}
