// SPDX-License-Identifier: GPL-2.0
/* <algorithms>: what lands where, what is refused and where; and messages with what was left out. */
#include <stddef.h>

#include "policy_text.h"
#include "run.h"
#include "tokens.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

#define GATEWAY \
	"<policy xmlns='urn:fmp:policy:1'><gateway security='BcES' schema='a' trust='b' key='c'>\n"
#define TAIL "</gateway></policy>"

#define BIT FMP_ALGORITHM_BIT

static const struct fmp_policy_algorithms all = FMP_ALGORITHMS_DEFAULT;

/* ---- the policy ---- */

START_TEST(all_by_default_but_cbc)
{
	struct fmp_policy *p = must_load_text(GATEWAY "<algorithms/>" TAIL);

	ck_assert_uint_eq(p->gateway.algorithms.encryption,
			  BIT(FMP_CIPHER_AES128_GCM) | BIT(FMP_CIPHER_AES256_GCM));

	ck_assert_mem_eq(&p->gateway.algorithms, &all, sizeof(all));
	fmp_policy_free(p);
}
END_TEST

START_TEST(lands_in_its_fields)
{
	struct fmp_policy *p = must_load_text(
		GATEWAY "<algorithms signature='ecdsa-sha384 rsa-sha256\n rsa-pss-sha512'"
			" digest=' sha384' encryption='aes256-gcm aes128-cbc'"
			" key-transport='rsa-oaep-sha256'/>" TAIL);
	const struct fmp_policy_algorithms *a = &p->gateway.algorithms;

	ck_assert_uint_eq(a->signature, BIT(FMP_SIGNATURE_ECDSA_SHA384) |
						BIT(FMP_SIGNATURE_RSA_SHA256) |
						BIT(FMP_SIGNATURE_RSA_PSS_SHA512));
	ck_assert_uint_eq(a->digest, BIT(FMP_DIGEST_SHA384));
	ck_assert_uint_eq(a->encryption, BIT(FMP_CIPHER_AES256_GCM) | BIT(FMP_CIPHER_AES128_CBC));
	ck_assert_uint_eq(a->key_transport, BIT(FMP_RSA_OAEP_SHA256));
	fmp_policy_free(p);
}
END_TEST

/* Each name is known to the reader and to the schema, and comes back as it was. */
START_TEST(all_that_is_printed_loads)
{
	struct fmp_policy *p = must_load_text(GATEWAY TAIL), *q;
	char *text = print_policy(p);

	ck_assert_ptr_nonnull(strstr(text,
				     " signature=\"rsa-sha256 rsa-sha384 rsa-sha512 "
				     "rsa-pss-sha256 rsa-pss-sha384 rsa-pss-sha512 ecdsa-sha256 "
				     "ecdsa-sha384 ecdsa-sha512 "
				     "hmac-sha256 hmac-sha384 hmac-sha512 ed25519\""));
	ck_assert_ptr_nonnull(strstr(text, "digest=\"sha256 sha384 sha512\""));
	ck_assert_ptr_nonnull(strstr(text, " encryption=\"aes128-gcm aes256-gcm\""));
	ck_assert_ptr_nonnull(strstr(text, "key-transport=\"rsa-oaep-sha1 rsa-oaep-sha256 "
					   "rsa-oaep-sha384 rsa-oaep-sha512 ecdh-es x25519\""));
	q = must_load_text(text);
	ck_assert_mem_eq(&q->gateway.algorithms, &all, sizeof(all));
	free(text);
	fmp_policy_free(p);
	fmp_policy_free(q);
}
END_TEST

/* What is left out for all is no mistake of a service that needs none of it. */
START_TEST(services_inherit)
{
	struct fmp_policy *p = must_load_text(
		GATEWAY
		"<algorithms signature='ecdsa-sha256' encryption='aes256-gcm'/><services>"
		"<service name='a' path='/a' security='BcV'/>"
		"<service name='b' path='/b'><algorithms encryption='aes128-gcm'/></service>"
		"<client name='c' path='/c' backend='http://h/' security='BcS'>"
		"<algorithms signature='rsa-sha256'/></client></services>" TAIL);
	char *text = print_policy(p);
	struct fmp_policy *q = must_load_text(text);
	const struct fmp_policy_service *s = p->services;

	ck_assert_uint_eq(s[0].demands.algorithms.signature, BIT(FMP_SIGNATURE_ECDSA_SHA256));
	ck_assert_uint_eq(s[1].demands.algorithms.encryption, BIT(FMP_CIPHER_AES128_GCM));
	ck_assert_uint_eq(s[1].demands.algorithms.signature, BIT(FMP_SIGNATURE_ECDSA_SHA256));
	ck_assert_uint_eq(s[2].demands.algorithms.signature, BIT(FMP_SIGNATURE_RSA_SHA256));
	for (unsigned i = 0; i < 3; i++)
		ck_assert_mem_eq(&s[i], &q->services[i], offsetof(struct fmp_policy_service, line));
	free(text);
	fmp_policy_free(p);
	fmp_policy_free(q);
}
END_TEST

#define PLAIN	   ROOT "<gateway security='BcV' schema='a'>\n"
#define SIGNATURES "/policy/gateway/algorithms/@signature"

static const struct bad_policy bad[] = {
	{ GATEWAY "<algorithms signature='rsa-sha256 rsa-sha265'/>" TAIL, FMP_ERR_SCHEMA, 2, 13,
	  SIGNATURES, "names \"rsa-sha265\", which is none of rsa-sha256 rsa-sha384" },
	{ GATEWAY "<algorithms signature='rsa-sha265'/>" TAIL, FMP_ERR_SCHEMA, 2, 13, SIGNATURES,
	  "did you mean 'rsa-sha256'?" },
	{ GATEWAY "<algorithms signature='hmac-sha512-of-a-very-long-name-of-its-own'/>" TAIL,
	  FMP_ERR_SCHEMA, 2, 13, SIGNATURES, "names \"hmac-sha512-of-a-very-long-name\", which" },
	{ GATEWAY "<algorithms digest='sha1'/>" TAIL, FMP_ERR_SCHEMA, 2, 13,
	  "/policy/gateway/algorithms/@digest", "none of sha256 sha384 sha512" },
	{ GATEWAY "<algorithms encryption='aes128gcm'/>" TAIL, FMP_ERR_SCHEMA, 2, 13,
	  "/policy/gateway/algorithms/@encryption", "did you mean 'aes128-gcm'?" },
	{ GATEWAY "<algorithms key-transport='rsa-1_5'/>" TAIL, FMP_ERR_SCHEMA, 2, 13,
	  "/policy/gateway/algorithms/@key-transport", "none of rsa-oaep-sha1 rsa-oaep-sha256" },
	{ GATEWAY "<algorithms encryption=' '/>" TAIL, FMP_ERR_SCHEMA, 2, 13,
	  "/policy/gateway/algorithms/@encryption", "names none: every message would be refused" },
	{ GATEWAY "<algorithms encryption='aes128-cbc aes128-gcm'/>" TAIL, FMP_ERR_CONFLICT, 2, 13,
	  "/policy/gateway/algorithms/@encryption", "CBC and GCM for keys of the same length" },
	{ GATEWAY "<algorithms encryption='aes256-gcm aes128-gcm aes256-cbc'/>" TAIL,
	  FMP_ERR_CONFLICT, 2, 13, "/policy/gateway/algorithms/@encryption", "use GCM alone" },
	{ GATEWAY "<services><service name='a' path='/a'/>\n<service name='b' path='/b'>"
		  "<algorithms encryption='aes128-cbc'/></service></services>" TAIL,
	  FMP_ERR_CONFLICT, 3, 1, "/policy/gateway/services/service[2]",
	  "\"a\" and \"b\" decrypt with one key" },
	{ GATEWAY "<algorithms signatures='rsa-sha256'/>" TAIL, FMP_ERR_SCHEMA, 2, 13,
	  "/policy/gateway/algorithms/@signatures", "did you mean 'signature'?" },
	{ GATEWAY "<algoritms/>" TAIL, FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/algoritms",
	  "did you mean 'algorithms'?" },
	{ GATEWAY "<algorithms/><algorithms/>" TAIL, FMP_ERR_SCHEMA, 2, 14,
	  "/policy/gateway/algorithms[2]", "twice" },
	{ PLAIN "<algorithms signature='rsa-sha256'/>" TAIL, FMP_ERR_CONFLICT, 2, 13, SIGNATURES,
	  "what no message is verified by: that needs security BcS or BcES, or <saml>" },
	{ PLAIN "<algorithms digest='sha256'/>" TAIL, FMP_ERR_CONFLICT, 2, 13,
	  "/policy/gateway/algorithms/@digest", "verified by" },
	{ ROOT "<gateway security='BcS' schema='a' trust='b'>\n"
	       "<algorithms signature='rsa-sha256' encryption='aes256-gcm'/>" TAIL,
	  FMP_ERR_CONFLICT, 2, 36, "/policy/gateway/algorithms/@encryption",
	  "what no message is decrypted by: that needs security BcE, BcES or BcS with a key" },
	{ ROOT "<gateway security='BcS' schema='a' trust='b'>\n"
	       "<algorithms key-transport='rsa-oaep-sha256'/>" TAIL,
	  FMP_ERR_CONFLICT, 2, 13, "/policy/gateway/algorithms/@key-transport", "decrypted by" },
	{ GATEWAY "<services><service name='a' path='/a' security='BcV'>\n"
		  "<algorithms signature='rsa-sha256'/></service></services>" TAIL,
	  FMP_ERR_CONFLICT, 3, 13, SIGNATURES, "verified by" },
};

/* One of another length, or of another key, is no risk to what is GCM; that it is CBC is one. */
START_TEST(cbc_is_a_risk)
{
	static const struct {
		const char *text, *risk;
	} rows[] = {
		{ GATEWAY TAIL, NULL },
		{ GATEWAY "<algorithms encryption='aes128-gcm aes256-cbc'/>" TAIL,
		  "So few are decrypted: take GCM" },
		{ ROOT "<gateway security='BcE' schema='a' key='c'>"
		       "<algorithms encryption='aes128-cbc'/>" TAIL,
		  "who uses them up stops all" },
		{ GATEWAY "<services><service name='a' path='/a'/><service name='b' path='/b' "
			  "key='d'><algorithms encryption='aes128-cbc'/></service></services>" TAIL,
		  "service \"b\": encryption takes CBC" },
	};

	for (int i = 0; i < COUNT(rows); i++) {
		struct fmp_policy *p = must_load_text(rows[i].text);

		ck_assert_uint_eq(p->n_warnings, rows[i].risk != NULL);
		ck_assert_msg(!rows[i].risk || strstr(p->warnings[0].message, rows[i].risk), "%s",
			      p->warnings[0].message);
		ck_assert(!rows[i].risk || p->warnings[0].line > 0);
		fmp_policy_free(p);
	}
}
END_TEST

START_TEST(errors_say_where_and_what)
{
	check_bad_policy(&bad[_i]);
}
END_TEST

/* No signature is demanded, but those of assertions are verified. */
START_TEST(assertions_are_signed_too)
{
	fmp_policy_free(must_load_text(
		PLAIN "<algorithms signature='rsa-sha256' digest='sha256'/><saml audiences='urn:a' "
		      "bearer='yes'><issuer name='urn:i' trust='i'/></saml>" TAIL));
}
END_TEST

/* ---- messages ---- */

static const struct row {
	const char *file;
	enum fmp_security security;
	struct fmp_policy_algorithms uses; /* a list that it does not use is 0 */
} rows[] = {
#define SIGNED(file, s, d)                                                \
	{                                                                 \
		file, FMP_SECURITY_BCS,                                   \
		{                                                         \
			BIT(FMP_SIGNATURE_##s), BIT(FMP_DIGEST_##d), 0, 0 \
		}                                                         \
	}
#define SECRET(file, c, k)                                               \
	{                                                                \
		file, FMP_SECURITY_BCE,                                  \
		{                                                        \
			0, 0, BIT(FMP_CIPHER_##c), BIT(FMP_RSA_OAEP_##k) \
		}                                                        \
	}
	SIGNED("direct", RSA_SHA256, SHA256),
	SIGNED("rsa-sha384", RSA_SHA384, SHA384),
	SIGNED("rsa-sha512", RSA_SHA512, SHA512),
	SIGNED("pss-sha256", RSA_PSS_SHA256, SHA256),
	SIGNED("pss-sha384", RSA_PSS_SHA384, SHA384),
	SIGNED("pss-sha512", RSA_PSS_SHA512, SHA512),
	SIGNED("ec384-ski", ECDSA_SHA256, SHA256),
	SIGNED("ec384", ECDSA_SHA384, SHA384),
	SECRET("enc-gcm128-mgf1p", AES128_GCM, SHA1),
	SECRET("enc-gcm256-oaep256-mgf1sha1", AES256_GCM, SHA256),
	SECRET("enc-cbc256-mgf1p-sha256", AES256_CBC, SHA256),
	SECRET("enc-cbc128-oaep384", AES128_CBC, SHA384),
	SECRET("enc-gcm256-oaep512", AES256_GCM, SHA512),
	{ "pss-then-enc",
	  FMP_SECURITY_BCES,
	  { BIT(FMP_SIGNATURE_RSA_PSS_SHA256), BIT(FMP_DIGEST_SHA256), BIT(FMP_CIPHER_AES256_GCM),
	    BIT(FMP_RSA_OAEP_SHA256) } },
};

static void expect_under(const struct row *row, const struct fmp_policy_algorithms *a,
			 const char *words)
{
	struct fmp_inspect_config cfg = token_config(row->security);
	struct fmp_inspector *i;

	cfg.algorithms = a;
	i = make_inspector(&cfg);
	expect_token(i, row->file, *words ? FMP_EVENT_ALGORITHM : FMP_EVENT_GOOD, words);
	fmp_inspector_free(i);
}

/* With nothing but what it uses a message passes; without one of that it is refused. */
START_TEST(what_was_left_out_is_refused)
{
	static const struct {
		size_t offset;
		const char *words;
	} lists[] = {
		{ offsetof(struct fmp_policy_algorithms, signature), "SignatureMethod " },
		{ offsetof(struct fmp_policy_algorithms, digest), "DigestMethod " },
		{ offsetof(struct fmp_policy_algorithms, encryption), "data encryption " },
		{ offsetof(struct fmp_policy_algorithms, key_transport), "key transport " },
	};
	const struct row *row = &rows[_i];

	expect_under(row, &row->uses, "");
	for (int l = 0; l < COUNT(lists); l++) {
		struct fmp_policy_algorithms a =
			row->uses.encryption & FMP_CIPHERS_CBC ? *vector_cbc() : all;
		unsigned *list = (unsigned *)((char *)&a + lists[l].offset);
		unsigned used = *(const unsigned *)((const char *)&row->uses + lists[l].offset);

		*list &= ~used;
		expect_under(row, &a, used ? lists[l].words : "");
		if (used)
			expect_under(row, &a, " is left out by the policy");
	}
}
END_TEST

/* By the keys, whatever their files are called. */
START_TEST(one_key_has_one_family)
{
	struct fmp_policy_algorithms mixed = all;
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCE);
	struct fmp_inspector *gcm = make_inspector(&cfg), *cbc, *short_cbc;
	struct fmp_error err;

	cfg.algorithms = vector_cbc();
	cbc = make_inspector(&cfg);
	ck_assert(fmp_inspector_shares_session_keys(gcm, cbc));
	ck_assert(!fmp_inspector_shares_session_keys(gcm, gcm));
	mixed.encryption = BIT(FMP_CIPHER_AES128_CBC) | BIT(FMP_CIPHER_AES256_GCM);
	cfg.algorithms = &mixed;
	short_cbc = make_inspector(&cfg);
	ck_assert(fmp_inspector_shares_session_keys(gcm, short_cbc));
	fmp_inspector_free(gcm);
	fmp_inspector_free(cbc);
	fmp_inspector_free(short_cbc);
	mixed.encryption |= BIT(FMP_CIPHER_AES256_CBC);
	ck_assert_int_eq(fmp_inspector_new(&cfg, &gcm, &err), FMP_ERR_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "CBC and GCM"));
}
END_TEST

START_TEST(assertions_too)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCV);
	struct fmp_policy_saml saml = token_saml();
	struct fmp_policy_algorithms a = all;
	struct fmp_inspector *i;

	a.signature &= ~BIT(FMP_SIGNATURE_RSA_SHA256);
	cfg.saml = &saml;
	cfg.algorithms = &a;
	i = make_inspector(&cfg);
	expect_token(i, "saml-bearer", FMP_EVENT_ALGORITHM, "rsa-sha256 is left out by the policy");
	fmp_inspector_free(i);
	a = all;
	a.digest = BIT(FMP_DIGEST_SHA384);
	i = make_inspector(&cfg);
	expect_token(i, "saml-bearer", FMP_EVENT_ALGORITHM, "sha256 is left out by the policy");
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("algorithms");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, all_by_default_but_cbc);
	tcase_add_test(tc, lands_in_its_fields);
	tcase_add_test(tc, cbc_is_a_risk);
	tcase_add_test(tc, one_key_has_one_family);
	tcase_add_test(tc, all_that_is_printed_loads);
	tcase_add_test(tc, services_inherit);
	tcase_add_loop_test(tc, errors_say_where_and_what, 0, COUNT(bad));
	tcase_add_test(tc, assertions_are_signed_too);
	tcase_add_loop_test(tc, what_was_left_out_is_refused, 0, COUNT(rows));
	tcase_add_test(tc, assertions_too);
	return run_tcase("algorithms", tc);
}
