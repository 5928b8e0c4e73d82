// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that are signed by the key of an EncryptedKey or by a key derived from it, and endorsing
 * signatures: made by WSS4J (tests/interop/wss4j/Symmetric.java), and changed here.
 */
#include "run.h"
#include "tokens.h"

/* 2026-11-27T04:00:00Z: an hour after they were made. */
#define NOW 1795752000

#define PKI "interop/vectors/symmetric/pki/"

static struct fmp_inspect_config symmetric_config(enum fmp_security security,
						  enum fmp_symmetric symmetric)
{
	struct fmp_inspect_config cfg = vector_config(security);

	cfg.trust = tests_path(PKI "ca.crt");
	cfg.crl = tests_path(PKI "crl.pem");
	cfg.key = tests_path("interop/vectors/pki/server.key");
	cfg.symmetric = symmetric;
	return cfg;
}

static struct bytes read_symmetric(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "symmetric/%s.xml", name);
	return read_vector(path);
}

/* Frees the message. */
static void expect_verdict(struct fmp_inspector *i, struct bytes b, const char *name,
			   enum fmp_event_kind kind, bool accepted, const char *words)
{
	struct fmp_inspection v = inspect_at(i, b, NOW);

	ck_assert_msg(v.kind == kind && v.accepted == accepted, "%s: %s at %s: %s", name,
		      fmp_event_kind_name(v.kind), fmp_step_name(v.step), v.detail);
	ck_assert_msg(strstr(v.detail, words) != NULL, "%s: %s", name, v.detail);
	fmp_inspection_clear(&v);
	free(b.p);
}

/* ---- what is taken, by policy ---- */

#define SIGNED	   FMP_SECURITY_BCS
#define BOTH	   FMP_SECURITY_BCES
#define GOOD	   FMP_EVENT_GOOD
#define UNENDORSED FMP_EVENT_UNSUPPORTED, "an endorsing signature is missing"

static const struct {
	const char *name;
	enum fmp_security security;
	enum fmp_symmetric symmetric;
	enum fmp_event_kind kind;
	const char *words;
} rows[] = {
	{ "endorsed", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "endorsed-by-sha1-name", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "endorsed-sha512-key16", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "derived-2005", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "derived-13", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "derived-sha384", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "asymmetric-endorsed", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "both", BOTH, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "both-derived-2005", BOTH, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "both-derived-13", BOTH, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "anonymous", SIGNED, FMP_SYMMETRIC_ENDORSED, UNENDORSED },
	{ "derived-anonymous", SIGNED, FMP_SYMMETRIC_ENDORSED, UNENDORSED },
	{ "both-anonymous", BOTH, FMP_SYMMETRIC_ENDORSED, UNENDORSED },
	{ "anonymous", SIGNED, FMP_SYMMETRIC_SUPPORTED, FMP_EVENT_UNSUPPORTED,
	  "or a signed token" },
	{ "anonymous", SIGNED, FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "derived-anonymous", SIGNED, FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "both-anonymous", BOTH, FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "endorsed", SIGNED, FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "endorsed", SIGNED, FMP_SYMMETRIC_NO, FMP_EVENT_UNSUPPORTED, "symmetric=\"no\"" },
	{ "asymmetric-endorsed", SIGNED, FMP_SYMMETRIC_NO, GOOD, "" },
	{ "hmac-sha1", SIGNED, FMP_SYMMETRIC_ANONYMOUS, FMP_EVENT_UNSUPPORTED, "hmac-sha1" },
	{ "endorsed-revoked", SIGNED, FMP_SYMMETRIC_ENDORSED, FMP_EVENT_TOKEN, "revoked" },
	{ "endorsed-revoked", SIGNED, FMP_SYMMETRIC_ANONYMOUS, FMP_EVENT_TOKEN, "revoked" },
	{ "asymmetric-endorsed-revoked", SIGNED, FMP_SYMMETRIC_ENDORSED, FMP_EVENT_TOKEN,
	  "revoked" },
	{ "both", SIGNED, FMP_SYMMETRIC_ENDORSED, FMP_EVENT_SCHEMA, "" },
};

static void inspect_row(size_t n, bool xmlsec_only)
{
	struct fmp_inspect_config cfg = symmetric_config(rows[n].security, rows[n].symmetric);
	struct fmp_inspector *i;

	cfg.xmlsec_only = xmlsec_only;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric(rows[n].name), rows[n].name, rows[n].kind,
		       rows[n].kind == GOOD, rows[n].words);
	fmp_inspector_free(i);
}

START_TEST(the_policy_says_what_suffices)
{
	inspect_row((size_t)_i, false);
	inspect_row((size_t)_i, true);
}
END_TEST

START_TEST(encrypted_before_it_is_signed)
{
	struct fmp_inspect_config cfg = symmetric_config(BOTH, FMP_SYMMETRIC_ENDORSED);
	struct fmp_inspector *i = make_inspector(&cfg);

	expect_verdict(i, read_symmetric("encrypted-first"), "first", FMP_EVENT_UNSIGNED, false,
		       "");
	fmp_inspector_free(i);
	cfg.order = FMP_ORDER_ENCRYPT_SIGN;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric("encrypted-first"), "first", GOOD, true, "");
	expect_verdict(i, read_symmetric("encrypted-first-derived"), "derived", GOOD, true, "");
	expect_verdict(i, read_symmetric("both"), "both", FMP_EVENT_UNSIGNED, false, "");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(without_a_key)
{
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ENDORSED);
	struct fmp_inspector *i;

	cfg.key = NULL;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric("endorsed"), "endorsed", FMP_EVENT_UNSUPPORTED, false,
		       "no key to decrypt it");
	expect_verdict(i, read_symmetric("asymmetric-endorsed"), "asymmetric", GOOD, true, "");
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("symmetric");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, the_policy_says_what_suffices, 0,
			    (int)(sizeof(rows) / sizeof(rows[0])));
	tcase_add_test(tc, encrypted_before_it_is_signed);
	tcase_add_test(tc, without_a_key);
	return run_tcase("symmetric", tc);
}
