// SPDX-License-Identifier: GPL-2.0
/* Which certificates may sign: made here, so that each lacks just one thing. */
#include <check.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "x509/reject_cache.h"
#include "run.h"
#include "trusted.h"

static int check_leaf(struct recipe r)
{
	X509 *c;
	int ret;

	if (!r.key)
		r.key = leaf_key;
	c = make_certificate("leaf", &r, ca, ca_key);
	ret = check_at(c, NOW);
	X509_free(c);
	return ret;
}

START_TEST(good_certificates)
{
	EVP_PKEY *rsa = EVP_RSA_gen(2048), *ec384 = EVP_EC_gen("P-384");

	ck_assert_int_eq(check_leaf((struct recipe){ 0 }), 0);
	ck_assert_int_eq(check_leaf((struct recipe){ .usage = "digitalSignature" }), 0);
	ck_assert_int_eq(check_leaf((struct recipe){ .usage = "nonRepudiation" }), 0);
	ck_assert_int_eq(check_leaf((struct recipe){ .key = rsa }), 0);
	ck_assert_int_eq(check_leaf((struct recipe){ .key = ec384 }), 0);
	EVP_PKEY_free(rsa);
	EVP_PKEY_free(ec384);
}
END_TEST

#define refused(words, ...)                                                                 \
	do {                                                                                \
		ck_assert_int_eq(check_leaf((struct recipe){ __VA_ARGS__ }), FMPI_REFUSED); \
		ck_assert_msg(strstr(verdict.detail, words), "%s", verdict.detail);         \
	} while (0)

START_TEST(certificates_that_may_not_sign)
{
	EVP_PKEY *small = EVP_RSA_gen(1024), *odd = EVP_EC_gen("secp256k1"),
		 *ed = EVP_PKEY_Q_keygen(NULL, NULL, "ED448");

	refused("key usage", .usage = "keyEncipherment");
	refused("a CA's", .basic = "CA:TRUE");
	refused("expired", .until = NOW - 1);
	refused("not yet valid", .from = NOW + 10);
	refused("has 1024 bits", .key = small);
	ck_assert_int_eq(verdict.kind, FMP_EVENT_TOKEN);
	/* Not weak, so not an attack. */
	refused("curve secp256k1 is not supported", .key = odd);
	ck_assert_int_eq(verdict.kind, FMP_EVENT_UNSUPPORTED);
	refused("of kind ED448", .key = ed);
	ck_assert_int_eq(verdict.kind, FMP_EVENT_UNSUPPORTED);
	refused("not trusted", .digest = EVP_sha1());
	EVP_PKEY_free(small);
	EVP_PKEY_free(odd);
	EVP_PKEY_free(ed);
}
END_TEST

static void require_purposes(const char *purposes)
{
	struct fmp_error err = { 0 };

	fmpi_trust_free(trust);
	ck_assert_int_eq(fmpi_trust_load(ca_path, NULL, &trust, &err), 0);
	ck_assert_msg(fmpi_trust_set_purposes(trust, purposes, &err) == 0, "%s", err.message);
}

static bool is_for_tls_only(struct recipe r)
{
	struct fmpi_signer who = { 0 };
	uint8_t *der = NULL;
	X509 *c;
	int n;

	r.key = leaf_key;
	c = make_certificate("leaf", &r, ca, ca_key);
	n = i2d_X509(c, &der);
	/* Also from the cache. */
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(fmpi_trust_check(trust, der, (size_t)n, NOW, 7, &who, &verdict),
				 0);
	OPENSSL_free(der);
	X509_free(c);
	return who.tls_only;
}

START_TEST(purposes_are_as_the_policy_says)
{
	struct fmp_error err = { 0 };

	for (int any = 0; any < 2; any++) {
		ck_assert(!is_for_tls_only((struct recipe){ 0 }));
		ck_assert(!is_for_tls_only((struct recipe){ .purposes = "emailProtection" }));
		ck_assert(!is_for_tls_only((struct recipe){ .purposes = "clientAuth,1.2.3.4" }));
		ck_assert(is_for_tls_only((struct recipe){ .purposes = "clientAuth" }));
		ck_assert(is_for_tls_only((struct recipe){ .purposes = "serverAuth,clientAuth" }));
		require_purposes("any");
	}
	require_purposes("email 1.2.3.4");
	ck_assert_int_eq(check_leaf((struct recipe){ .purposes = "emailProtection" }), 0);
	ck_assert_int_eq(check_leaf((struct recipe){ .purposes = "serverAuth,1.2.3.4" }), 0);
	ck_assert_int_eq(check_leaf((struct recipe){ .purposes = "anyExtendedKeyUsage" }), 0);
	refused("extended key usage", .purposes = NULL);
	refused("extended key usage", .purposes = "clientAuth,serverAuth");
	refused("extended key usage", .purposes = "1.2.3.40");
	require_purposes("client-auth");
	refused("extended key usage", .purposes = "emailProtection");
	/* Required by the policy, so no warning. */
	ck_assert(!is_for_tls_only((struct recipe){ .purposes = "clientAuth" }));
	ck_assert_int_eq(fmpi_trust_set_purposes(trust, "1.2.x", &err), FMP_ERR_INVALID);
}
END_TEST

START_TEST(strangers)
{
	struct recipe r = { .key = leaf_key };
	EVP_PKEY *rogue_key = EVP_EC_gen("P-256");
	/* The name of our CA, but another key. */
	struct recipe rogue = { .key = rogue_key, .usage = "keyCertSign", .basic = "CA:TRUE" };
	X509 *rogue_ca = make_certificate("test CA", &rogue, NULL, rogue_key), *c;

	c = make_certificate("leaf", &r, rogue_ca, rogue_key);
	ck_assert_int_eq(check_at(c, NOW), FMPI_REFUSED);
	X509_free(c);
	c = make_certificate("itself", &r, NULL, leaf_key);
	ck_assert_int_eq(check_at(c, NOW), FMPI_REFUSED);
	X509_free(c);
	X509_free(rogue_ca);
	EVP_PKEY_free(rogue_key);
}
END_TEST

START_TEST(cache_keeps_good_ones_while_they_are_valid)
{
	struct recipe r = { .key = leaf_key, .until = NOW + 100 };
	X509 *c = make_certificate("leaf", &r, ca, ca_key);

	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 0);
	ck_assert_int_eq(check_at(c, NOW + 99), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	ck_assert_int_eq(check_at(c, NOW + 101), FMPI_REFUSED);
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);

	/* Bad ones never enter the cache of good ones. */
	r.usage = "keyEncipherment";
	c = make_certificate("leaf", &r, ca, ca_key);
	ck_assert_int_eq(check_at(c, NOW), FMPI_REFUSED);
	ck_assert_int_eq(check_at(c, NOW), FMPI_REFUSED);
	X509_free(c);
}
END_TEST

/* Beyond 2038, where a time_t of 32 bits ends. */
START_TEST(cache_keeps_those_that_are_valid_for_long)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make_certificate("leaf", &r, ca, ca_key);

	ck_assert(ASN1_TIME_set_string_X509(X509_getm_notAfter(c), "20500101000000Z"));
	ck_assert(X509_sign(c, ca_key, EVP_sha256()));
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(check_at(c, NOW + 1), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	X509_free(c);
}
END_TEST

START_TEST(cache_is_bounded_and_forgets_the_oldest)
{
	struct recipe r = { .key = leaf_key };
	X509 *first = make_certificate("first", &r, ca, ca_key), *c;
	uint64_t hits;

	ck_assert_int_eq(check_at(first, NOW), 0);
	for (unsigned i = 0; i < 64; i++) {
		c = make_certificate("other", &r, ca, ca_key);
		ck_assert_int_eq(check_at(c, NOW), 0);
		X509_free(c);
	}
	hits = fmpi_trust_hits(trust);
	ck_assert_int_eq(check_at(first, NOW), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), hits);
	ck_assert_int_eq(check_at(first, NOW), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), hits + 1);
	X509_free(first);
}
END_TEST

/* ---- the cache of rejected certificates ---- */

START_TEST(refused_ones_are_remembered_for_a_minute)
{
	struct recipe r = { .key = leaf_key, .usage = "keyEncipherment" };
	X509 *usage = make_certificate("leaf", &r, ca, ca_key), *self;

	r.usage = NULL;
	self = make_certificate("itself", &r, NULL, leaf_key);
	expect_new_refusal(usage, NOW, "key usage");
	expect_new_refusal(self, NOW, "self");
	ck_assert(!verdict.not_yet);
	expect_cached_refusal(usage, NOW, "key usage");
	expect_cached_refusal(self, NOW + FMPI_REJECT_CACHE_S - 1, "self");
	expect_new_refusal(usage, NOW + FMPI_REJECT_CACHE_S, "key usage");
	expect_cached_refusal(usage, NOW + FMPI_REJECT_CACHE_S, "key usage");
	/* The clock was set back. */
	expect_new_refusal(usage, NOW - 1, "key usage");
	ck_assert_uint_eq(fmpi_trust_hits(trust), 0);
	X509_free(usage);
	X509_free(self);
}
END_TEST

START_TEST(refused_ones_become_good_in_time)
{
	struct recipe r = { .key = leaf_key, .from = NOW + 20 };
	X509 *early = make_certificate("early", &r, ca, ca_key), *late;

	expect_new_refusal(early, NOW, "not yet valid");
	ck_assert(verdict.not_yet);
	expect_cached_refusal(early, NOW + 19, "not yet valid");
	ck_assert(verdict.not_yet);
	ck_assert_int_eq(check_at(early, NOW + 20), 0);
	ck_assert_int_eq(check_at(early, NOW + 21), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	X509_free(early);

	/* A good one that expires is cached as bad from then on. */
	r = (struct recipe){ .key = leaf_key, .until = NOW + 100 };
	late = make_certificate("late", &r, ca, ca_key);
	ck_assert_int_eq(check_at(late, NOW), 0);
	expect_new_refusal(late, NOW + 101, "expired");
	expect_cached_refusal(late, NOW + 102, "expired");
	ck_assert_int_eq(check_at(late, NOW + 50), 0);
	X509_free(late);
}
END_TEST

START_TEST(no_number_of_refused_ones_drives_out_a_good_one)
{
	struct recipe r = { .key = leaf_key }, bad = { .key = leaf_key, .usage = "keyAgreement" };
	X509 *good = make_certificate("good", &r, ca, ca_key),
	     *first = make_certificate("first", &bad, ca, ca_key);

	ck_assert_int_eq(check_at(good, NOW), 0);
	expect_new_refusal(first, NOW, "key usage");
	for (unsigned i = 0; i < 2 * FMPI_REJECT_CACHE_ENTRIES; i++) {
		X509 *c = make_certificate("other", &bad, ca, ca_key);

		expect_new_refusal(c, NOW, "key usage");
		/* Used all the time, it stays; this one is not. */
		if (i < FMPI_REJECT_CACHE_ENTRIES)
			expect_cached_refusal(first, NOW, "key usage");
		X509_free(c);
	}
	expect_new_refusal(first, NOW, "key usage");
	ck_assert_int_eq(check_at(good, NOW), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	X509_free(good);
	X509_free(first);
}
END_TEST

START_TEST(what_is_no_certificate_is_not_remembered)
{
	struct fmpi_signer who;
	uint8_t der[64] = { 0x30, 0x3e };

	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(fmpi_trust_check(trust, der, sizeof(der), NOW, 7, &who, &verdict),
				 FMPI_REFUSED);
	ck_assert_uint_eq(fmpi_trust_reject_hits(trust), 0);
}
END_TEST

static void expect_load_error(const char *content, int code)
{
	struct fmp_error err = { 0 };
	struct fmpi_trust *t;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/fmp-test-bad-%d.pem", (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(content, f);
	fclose(f);
	ck_assert_int_eq(fmpi_trust_load(path, NULL, &t, &err), code);
	ck_assert_ptr_null(t);
	ck_assert_str_eq(err.file, path);
	ck_assert_str_ne(err.message, "");
	unlink(path);
}

START_TEST(files_that_are_no_bundle)
{
	struct fmp_error err = { 0 };
	struct fmpi_trust *t;

	expect_load_error("", FMP_ERR_NOTFOUND);
	expect_load_error("hello\n", FMP_ERR_NOTFOUND);
	expect_load_error("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
			  FMP_ERR_SYNTAX);
	ck_assert_int_eq(fmpi_trust_load("/nonexistent/ca.pem", NULL, &t, &err), FMP_ERR_IO);
	ck_assert_int_ne(err.sys_errno, 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("trust");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, good_certificates);
	tcase_add_test(tc, certificates_that_may_not_sign);
	tcase_add_test(tc, purposes_are_as_the_policy_says);
	tcase_add_test(tc, strangers);
	tcase_add_test(tc, cache_keeps_good_ones_while_they_are_valid);
	tcase_add_test(tc, cache_keeps_those_that_are_valid_for_long);
	tcase_add_test(tc, cache_is_bounded_and_forgets_the_oldest);
	tcase_add_test(tc, refused_ones_are_remembered_for_a_minute);
	tcase_add_test(tc, refused_ones_become_good_in_time);
	tcase_add_test(tc, no_number_of_refused_ones_drives_out_a_good_one);
	tcase_add_test(tc, what_is_no_certificate_is_not_remembered);
	tcase_add_test(tc, files_that_are_no_bundle);
	return run_tcase("trust", tc);
}
