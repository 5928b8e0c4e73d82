// SPDX-License-Identifier: GPL-2.0
/*
 * CRLs: which certificates they revoke, which CRL is current, and which signers are refused when
 * one is missing.
 */
#include <check.h>
#include <openssl/ec.h>
#include <string.h>

#include "crls.h"
#include "run.h"

/* The certificate is valid longer than the CRL: only the CRL can end the acceptance. */
START_TEST(cache_ends_with_the_revocation_list)
{
	struct recipe r = { .key = leaf_key };
	X509 *c;

	load_crl_from_until(NOW - 10, NOW + 100);
	c = make_certificate("leaf", &r, ca, ca_key);
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(check_at(c, NOW + 99), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	ck_assert_int_eq(verdict.crl_error, 0);
	/* Accepted once only, and verified again each time. */
	for (int i = 101; i < 103; i++) {
		ck_assert_int_eq(check_at(c, NOW + i), 0);
		ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	}
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	X509_free(c);
}
END_TEST

/* A missing CRL is not an offence, but a forged or revoked certificate still is. */
START_TEST(whose_list_is_out_of_date_is_not_charged)
{
	struct recipe r = { .key = leaf_key };
	struct fmp_error about = { 0 };
	X509 *c, *forged;

	c = make_certificate("leaf", &r, ca, ca_key);
	load_cas_and_crls((X509 *[]){ ca, NULL }, (X509_CRL *[]){ make_crl(ca, ca_key, c), NULL });
	expect_new_refusal(c, NOW, "certificate revoked");
	expect_new_refusal(c, NOW + 101, "certificate revoked");
	X509_free(c);
	load_crl_from_until(NOW - 10, NOW + 100);
	c = make_certificate("leaf", &r, ca, ca_key);
	forged = make_certificate("leaf", &r, ca, leaf_key);
	ck_assert(!fmpi_trust_crl_missing(trust, NOW + 99, &about));
	ck_assert(fmpi_trust_crl_missing(trust, NOW + 101, &about));
	ck_assert_msg(strstr(about.message, "CN=test CA is out of date"), "%s", about.message);
	ck_assert(fmpi_trust_crl_missing(trust, NOW - 11, &about));
	ck_assert_msg(strstr(about.message, "CN=test CA is not valid yet"), "%s", about.message);
	ck_assert_str_ne(about.file, "");
	ck_assert_int_eq(check_at(c, NOW + 101), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	expect_new_refusal(forged, NOW + 101, "not trusted");
	expect_cached_refusal(forged, NOW + 102, "not trusted");
	ck_assert_int_eq(verdict.crl_error, 0);
	X509_free(c);
	X509_free(forged);
}
END_TEST

/* Not cached, but a message may be signed and endorsed by one: what the first check told stays. */
START_TEST(a_signer_without_a_list_is_told_twice)
{
	struct recipe r = { .key = leaf_key };
	struct fmpi_signer first = { 0 }, second = { 0 };
	X509 *c = make_certificate("leaf", &r, ca, ca_key);
	uint8_t *der = NULL;
	int n = i2d_X509(c, &der);

	load_crl_from_until(NOW - 10, NOW + 100);
	ck_assert_int_eq(fmpi_trust_check(trust, der, (size_t)n, NOW + 101, 1, &first, &verdict),
			 0);
	ck_assert_int_eq(fmpi_trust_check(trust, der, (size_t)n, NOW + 101, 1, &second, &verdict),
			 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 0);
	ck_assert_uint_eq(first.der_len, (size_t)n);
	ck_assert_int_eq(memcmp(first.der, der, first.der_len), 0);
	ck_assert_int_eq(EVP_PKEY_eq(first.key, second.key), 1);
	OPENSSL_free(der);
	X509_free(c);
}
END_TEST

START_TEST(ones_become_good_with_the_revocation_list)
{
	struct recipe r = { .key = leaf_key };
	X509 *c;

	load_crl_from_until(NOW + 30, NOW + 100);
	c = make_certificate("leaf", &r, ca, ca_key);
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_NOT_YET_VALID);
	fmpi_trust_refuse_without_crl(&verdict);
	ck_assert(verdict.not_yet && verdict.lacks == FMP_LACKS_CRL);
	ck_assert_int_eq(check_at(c, NOW + 29), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_NOT_YET_VALID);
	ck_assert_int_eq(check_at(c, NOW + 30), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	X509_free(c);
}
END_TEST

/*
 * Other faults come first: otherwise a clock that is behind would be charged to the sender, or
 * would protect a forger.
 */
START_TEST(lists_are_not_all_that_can_be_wrong)
{
	struct recipe r = { .key = leaf_key, .from = NOW + 30 };
	X509 *early = make_certificate("leaf", &r, ca, ca_key), *c, *forged;
	EVP_PKEY *other_key = EVP_EC_gen("P-256");
	X509 *other;

	r.from = 0;
	c = make_certificate("leaf", &r, ca, ca_key);
	forged = make_certificate("leaf", &r, ca, leaf_key);
	r.key = other_key;
	other = make_certificate("other CA", &r, NULL, other_key);
	/* No CRL of its CA. */
	load_cas_and_crls((X509 *[]){ ca, NULL },
			  (X509_CRL *[]){ make_crl(other, other_key, NULL), NULL });
	expect_new_refusal(early, NOW, "certificate is not yet valid");
	ck_assert(verdict.not_yet);
	expect_cached_refusal(early, NOW + 29, "certificate is not yet valid");
	ck_assert(verdict.not_yet);
	ck_assert_int_eq(check_at(early, NOW + 30), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_UNABLE_TO_GET_CRL);
	/* A CRL that has not started. */
	load_cas_and_crls((X509 *[]){ ca, NULL }, (X509_CRL *[]){ make_crl(ca, ca_key, c), NULL });
	expect_new_refusal(forged, NOW - 20, "signature");
	ck_assert(!verdict.not_yet);
	expect_new_refusal(c, NOW - 20, "certificate revoked");
	ck_assert(!verdict.not_yet);
	EVP_PKEY_free(other_key);
	X509_free(other);
	X509_free(early);
	X509_free(c);
	X509_free(forged);
}
END_TEST

/* The newest CRL of a CA is current, even if it expires before the others. */
START_TEST(the_newest_list_counts)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make_certificate("leaf", &r, ca, ca_key);

	load_cas_and_crls(
		(X509 *[]){ ca, NULL },
		(X509_CRL *[]){
			set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 200, NOW + 200),
			set_crl_dates(make_crl(ca, ca_key, c), ca_key, NOW - 100, NOW + 100),
			NULL });
	ck_assert_int_eq(check_at(c, NOW - 150), 0);
	expect_new_refusal(c, NOW, "certificate revoked");
	expect_new_refusal(c, NOW + 101, "certificate revoked");
	/* No longer listed. */
	load_cas_and_crls(
		(X509 *[]){ ca, NULL },
		(X509_CRL *[]){
			set_crl_dates(make_crl(ca, ca_key, c), ca_key, NOW - 200, NOW - 100),
			set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 150, NOW + 200),
			NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	/* Listed again, by a CRL that the CA has not signed. */
	load_cas_and_crls(
		(X509 *[]){ ca, NULL },
		(X509_CRL *[]){
			set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 200, NOW + 200),
			set_crl_dates(make_crl(ca, leaf_key, c), leaf_key, NOW - 150, NOW - 100),
			NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);
}
END_TEST

/* Even if it has expired, or the older one has not: a withdrawn revocation does not count. */
START_TEST(older_lists_are_silent)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make_certificate("leaf", &r, ca, ca_key);
	X509_CRL *held, *released;

	/* Both have expired. */
	held = set_crl_dates(make_crl(ca, ca_key, c), ca_key, NOW - 300, NOW - 200);
	released = set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 250, NOW - 100);
	load_cas_and_crls((X509 *[]){ ca, NULL }, (X509_CRL *[]){ held, released, NULL });
	expect_new_refusal(c, NOW - 275, "certificate revoked");
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	/* The newer of the two expired ones is current; another one is valid. */
	held = set_crl_dates(make_crl(ca, ca_key, c), ca_key, NOW - 300, NOW - 200);
	released = set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 250, NOW - 100);
	load_cas_and_crls((X509 *[]){ ca, NULL },
			  (X509_CRL *[]){ set_crl_dates(make_crl(ca, ca_key, NULL), ca_key,
							NOW - 400, NOW + 200),
					  held, released, NULL });
	expect_new_refusal(c, NOW - 275, "certificate revoked");
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	/* The valid one is the one that lists it. */
	held = set_crl_dates(make_crl(ca, ca_key, c), ca_key, NOW - 300, NOW + 200);
	released = set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 250, NOW - 100);
	load_cas_and_crls((X509 *[]){ ca, NULL }, (X509_CRL *[]){ released, held, NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	ck_assert_int_eq(check_at(c, NOW + 200), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	X509_free(c);
}
END_TEST

/* A CA that is on one CRL and not on the next. */
START_TEST(a_ca_is_revoked_in_time)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	X509 *middle = make_certificate("middle", &ca_of, ca, ca_key),
	     *c = make_certificate("leaf", &r, middle, leaf_key);

	load_cas_and_crls(
		(X509 *[]){ ca, middle, NULL },
		(X509_CRL *[]){
			set_crl_dates(make_crl(ca, ca_key, middle), ca_key, NOW - 300, NOW - 50),
			set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 100, NOW + 200),
			set_crl_dates(make_crl(ca, ca_key, middle), ca_key, NOW + 20, NOW + 300),
			set_crl_dates(make_crl(middle, leaf_key, NULL), leaf_key, NOW - 300,
				      NOW + 300),
			NULL });
	expect_new_refusal(c, NOW - 200, "unable to get local issuer");
	ck_assert_int_eq(check_at(c, NOW - 90), 0);
	ck_assert_int_eq(check_at(c, NOW), 0);
	expect_new_refusal(c, NOW + 20, "unable to get local issuer");
	/*
	 * The clock was set back: to a time when one was valid, and to a time when none had
	 * started.
	 */
	ck_assert_int_eq(check_at(c, NOW - 60), 0);
	expect_new_refusal(c, NOW - 400, "unable to get local issuer");
	X509_free(c);
	X509_free(middle);
}
END_TEST

static X509_CRL *set_scope(X509_CRL *crl, bool of_cas, int64_t from, int64_t until)
{
	ISSUING_DIST_POINT *scope = ISSUING_DIST_POINT_new();

	*(of_cas ? &scope->onlyCA : &scope->onlyuser) = 0xff;
	ck_assert(X509_CRL_add1_ext_i2d(crl, NID_issuing_distribution_point, scope, 1, 0) == 1);
	ISSUING_DIST_POINT_free(scope);
	return set_crl_dates(crl, ca_key, from, until);
}

/* A newer CRL for other certificates withdraws nothing. */
START_TEST(lists_of_cas_and_of_signers)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	X509 *middle = make_certificate("middle", &ca_of, ca, ca_key),
	     *c = make_certificate("leaf", &r, middle, leaf_key);
	X509 *bad = make_certificate("leaf", &r, ca, ca_key),
	     *good = make_certificate("leaf", &r, ca, ca_key);

	load_cas_and_crls(
		(X509 *[]){ ca, middle, NULL },
		(X509_CRL *[]){ set_scope(make_crl(ca, ca_key, middle), true, NOW - 30, NOW + 200),
				set_scope(make_crl(ca, ca_key, bad), false, NOW - 20, NOW + 100),
				set_scope(make_crl(ca, ca_key, middle), true, NOW + 80, NOW + 200),
				make_crl(middle, leaf_key, NULL), NULL });
	expect_new_refusal(c, NOW, "unable to get local issuer");
	expect_new_refusal(bad, NOW, "certificate revoked");
	ck_assert_int_eq(check_at(good, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	expect_new_refusal(bad, NOW + 101, "certificate revoked");
	ck_assert_int_eq(check_at(good, NOW + 101), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	X509_free(good);
	X509_free(bad);
	X509_free(c);
	X509_free(middle);
}
END_TEST

/* CRLs arrive over plain HTTP: one that can't be verified here may be anybody's. */
START_TEST(a_crl_of_an_untrusted_issuer_revokes_nobody)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	EVP_PKEY *untrusted_key = EVP_EC_gen("P-256");
	X509 *middle = make_certificate("middle", &ca_of, ca, ca_key),
	     *c = make_certificate("leaf", &r, middle, leaf_key);
	struct fmp_error about = { 0 };

	/* Its root is missing: neither a foreign CRL nor the root's own can be verified. */
	load_cas_and_crls((X509 *[]){ middle, NULL },
			  (X509_CRL *[]){ make_crl(ca, untrusted_key, middle),
					  make_crl(ca, ca_key, middle),
					  make_crl(middle, leaf_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "the revocation list of /CN=test CA is ignored"), "%s",
		      about.message);
	/* Its root is present. */
	load_cas_and_crls((X509 *[]){ middle, ca, NULL },
			  (X509_CRL *[]){ make_crl(ca, untrusted_key, middle),
					  make_crl(ca, ca_key, NULL),
					  make_crl(middle, leaf_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	/* A signer's own certificate instead of its CA's. */
	load_cas_and_crls((X509 *[]){ c, NULL },
			  (X509_CRL *[]){ make_crl(middle, untrusted_key, c), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_UNABLE_TO_GET_CRL);
	/* Other CRLs are reported too, but first what keeps signers out. */
	load_cas_and_crls((X509 *[]){ ca, NULL },
			  (X509_CRL *[]){ make_crl(ca, untrusted_key, NULL), NULL });
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "no revocation list of /CN=test CA"), "%s",
		      about.message);
	EVP_PKEY_free(untrusted_key);
	X509_free(c);
	X509_free(middle);
}
END_TEST

/* Treated as complete, a delta would release everything that it does not name. */
START_TEST(a_list_of_changes_is_none)
{
	X509_CRL *crl = make_crl(ca, ca_key, NULL);
	ASN1_INTEGER *base = ASN1_INTEGER_new();
	struct fmp_error err = { 0 };
	struct fmpi_trust *t;
	char path[64];
	FILE *f;

	ASN1_INTEGER_set(base, 1);
	ck_assert(X509_CRL_add1_ext_i2d(crl, NID_delta_crl, base, 1, 0) == 1);
	ASN1_INTEGER_free(base);
	snprintf(path, sizeof(path), "/tmp/fmp-test-crl-%d.pem", (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	PEM_write_X509_CRL(f, set_crl_dates(crl, ca_key, NOW - 10, NOW + 100));
	fclose(f);
	X509_CRL_free(crl);
	ck_assert_int_eq(fmpi_trust_load(ca_path, path, &t, &err), FMP_ERR_INVALID);
	ck_assert_msg(strstr(err.message, "delta"), "%s", err.message);
	unlink(path);
}
END_TEST

/* A CRL is current from its start, though the previous one has expired long ago. */
START_TEST(cache_ends_with_any_change_of_the_lists)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make_certificate("leaf", &r, ca, ca_key);

	load_cas_and_crls(
		(X509 *[]){ ca, NULL },
		(X509_CRL *[]){
			set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 300, NOW - 200),
			set_crl_dates(make_crl(ca, ca_key, NULL), ca_key, NOW - 200, NOW + 200),
			set_crl_dates(make_crl(ca, ca_key, c), ca_key, NOW + 50, NOW + 300),
			NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(check_at(c, NOW + 49), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	expect_new_refusal(c, NOW + 50, "certificate revoked");
	X509_free(c);
}
END_TEST

/* ---- CAs that are revoked themselves ---- */

/* test CA -> middle -> low -> leaf */
START_TEST(a_revoked_ca_is_none)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	EVP_PKEY *low_key = EVP_EC_gen("P-256");
	struct recipe r = { .key = leaf_key };
	X509 *middle, *low, *c;

	middle = make_certificate("middle", &ca_of, ca, ca_key);
	ca_of.key = low_key;
	low = make_certificate("low", &ca_of, middle, leaf_key);
	c = make_certificate("leaf", &r, low, low_key);

	load_cas_and_crls((X509 *[]){ ca, middle, low, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, NULL),
					  make_crl(middle, leaf_key, NULL),
					  make_crl(low, low_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(check_at(c, NOW), 0);
	/* The CA that ends the chain; one above it. */
	load_cas_and_crls((X509 *[]){ ca, middle, low, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, NULL),
					  make_crl(middle, leaf_key, low),
					  make_crl(low, low_key, NULL), NULL });
	expect_new_refusal(c, NOW, "unable to get local issuer");
	expect_cached_refusal(c, NOW, "unable to get local issuer");
	load_cas_and_crls((X509 *[]){ low, ca, middle, NULL },
			  (X509_CRL *[]){ make_crl(low, low_key, NULL),
					  make_crl(ca, ca_key, middle), NULL });
	expect_new_refusal(c, NOW, "unable to get local issuer");
	/* That its own CRL has expired does not help it. */
	load_cas_and_crls((X509 *[]){ ca, middle, low, NULL },
			  (X509_CRL *[]){ make_crl(middle, leaf_key, low), NULL });
	expect_new_refusal(c, NOW, "unable to get local issuer");
	/* A root's serial number on its own CRL belongs to one of its signers. */
	load_cas_and_crls((X509 *[]){ ca, low, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, ca), make_crl(low, low_key, NULL),
					  NULL });
	X509_free(c);
	c = make_certificate("leaf", &r, ca, ca_key);
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);
	c = make_certificate("leaf", &r, low, low_key);
	/* A CRL not signed by its issuer is ignored. */
	load_cas_and_crls((X509 *[]){ low, middle, NULL },
			  (X509_CRL *[]){ make_crl(low, low_key, NULL),
					  make_crl(middle, low_key, low), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);
	X509_free(low);
	X509_free(middle);
	EVP_PKEY_free(low_key);
}
END_TEST

/* The signing key counts, not the name. */
START_TEST(cas_of_one_name)
{
	struct recipe ca_of = { .usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	EVP_PKEY *other_key = EVP_EC_gen("P-256"), *middle_key = EVP_EC_gen("P-256");
	struct recipe r = { .key = leaf_key };
	X509 *again, *other, *middle, *cross, *c;

	ca_of.key = other_key;
	again = make_certificate("test CA", &ca_of, NULL, other_key);
	other = make_certificate("other CA", &ca_of, NULL, other_key);
	ca_of.key = middle_key;
	middle = make_certificate("middle", &ca_of, ca, ca_key);
	cross = make_certificate("middle", &ca_of, other, other_key);
	c = make_certificate("leaf", &r, middle, middle_key);
	/* A root of the same name with another key, in either order. */
	load_cas_and_crls((X509 *[]){ again, ca, middle, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, middle),
					  make_crl(middle, middle_key, NULL), NULL });
	expect_new_refusal(c, NOW, "unable to get local issuer");
	load_cas_and_crls((X509 *[]){ ca, again, middle, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, middle),
					  make_crl(middle, middle_key, NULL), NULL });
	expect_new_refusal(c, NOW, "unable to get local issuer");
	load_cas_and_crls((X509 *[]){ ca, again, middle, NULL },
			  (X509_CRL *[]){ make_crl(ca, other_key, middle),
					  make_crl(middle, middle_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	/* One of two certificates of a CA is revoked. */
	load_cas_and_crls((X509 *[]){ ca, other, middle, cross, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, middle),
					  make_crl(middle, middle_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	load_cas_and_crls((X509 *[]){ ca, other, middle, cross, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, middle),
					  make_crl(other, other_key, cross),
					  make_crl(middle, middle_key, NULL), NULL });
	expect_new_refusal(c, NOW, "unable to get local issuer");
	X509_free(c);
	X509_free(cross);
	X509_free(middle);
	X509_free(other);
	X509_free(again);
	EVP_PKEY_free(middle_key);
	EVP_PKEY_free(other_key);
}
END_TEST

/*
 * Another CA may have certified a root too: what becomes of that certificate does not affect the
 * root.
 */
START_TEST(a_root_answers_for_itself)
{
	struct recipe ca_of = { .usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	EVP_PKEY *other_key = EVP_EC_gen("P-256");
	struct recipe r = { .key = leaf_key };
	X509 *other, *cross, *renewed, *next, *c = make_certificate("leaf", &r, ca, ca_key);

	ca_of.key = other_key;
	other = make_certificate("other CA", &ca_of, NULL, other_key);
	ca_of.key = ca_key;
	cross = make_certificate("test CA", &ca_of, other, other_key);
	renewed = make_certificate("test CA", &ca_of, NULL, ca_key);
	load_cas_and_crls((X509 *[]){ ca, other, cross, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, NULL),
					  make_crl(other, other_key, cross), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	/*
	 * A certificate with its own key is not one above it: its CRL lists its signers' numbers.
	 */
	load_cas_and_crls((X509 *[]){ renewed, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, renewed), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	load_cas_and_crls((X509 *[]){ ca, renewed, NULL },
			  (X509_CRL *[]){ make_crl2(ca, ca_key, ca, renewed), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);
	/* A CRL with its issuer's name, but signed with another key, is ignored. */
	ca_of.key = other_key;
	next = make_certificate("test CA", &ca_of, ca, ca_key);
	c = make_certificate("leaf", &r, next, other_key);
	load_cas_and_crls((X509 *[]){ next, NULL },
			  (X509_CRL *[]){ make_crl(next, other_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	load_cas_and_crls((X509 *[]){ next, ca, NULL },
			  (X509_CRL *[]){ make_crl(next, other_key, NULL),
					  make_crl(ca, ca_key, next), NULL });
	expect_new_refusal(c, NOW, "certificate signature failure");
	X509_free(next);
	X509_free(renewed);
	X509_free(cross);
	X509_free(other);
	X509_free(c);
	EVP_PKEY_free(other_key);
}
END_TEST

/* A CA that issues signers needs a CRL, those above it do not. */
START_TEST(a_ca_without_list_is_told_of)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	struct fmp_error about = { 0 };
	X509 *middle = make_certificate("middle", &ca_of, ca, ca_key),
	     *c = make_certificate("leaf", &r, middle, leaf_key);
	X509 *renewed;

	load_cas_and_crls((X509 *[]){ ca, middle, NULL },
			  (X509_CRL *[]){ make_crl(middle, leaf_key, NULL), NULL });
	ck_assert(!fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_int_eq(check_at(c, NOW), 0);
	load_cas_and_crls((X509 *[]){ ca, middle, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, NULL), NULL });
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "no revocation list of /CN=middle"), "%s",
		      about.message);
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_UNABLE_TO_GET_CRL);
	/* A root is not above itself, even if the file has it twice, old and renewed. */
	ca_of.key = ca_key;
	renewed = make_certificate("test CA", &ca_of, NULL, ca_key);
	load_cas_and_crls((X509 *[]){ ca, renewed, NULL },
			  (X509_CRL *[]){ make_crl(middle, leaf_key, NULL), NULL });
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "no revocation list of /CN=test CA"), "%s",
		      about.message);
	X509_free(renewed);
	X509_free(c);
	X509_free(middle);
}
END_TEST

/*
 * A message has several certificates: that of an assertion's issuer is checked after the signer's.
 */
START_TEST(the_next_chain_takes_no_mark_away)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make_certificate("leaf", &r, ca, ca_key);
	struct fmpi_trust *without;
	struct fmp_error err = { 0 };
	struct fmpi_signer who;
	uint8_t *der = NULL;
	int n = i2d_X509(c, &der);

	load_crl_from_until(NOW - 100, NOW - 50);
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(fmpi_trust_load(ca_path, NULL, &without, &err), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(fmpi_trust_check(without, der, (size_t)n, NOW, 7, &who, &verdict),
				 0);
		ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	}
	/* The one without a CRL is not accepted because another one lacks its CRL too. */
	ck_assert_uint_eq(fmpi_trust_hits(without), 1);
	fmpi_trust_free(without);
	OPENSSL_free(der);
	X509_free(c);
}
END_TEST

/* The signers' CA is not in the file: it comes with the token. */
static int check_path(X509 *between, X509 *signer, int64_t at)
{
	struct fmpi_signer who = { 0 };
	uint8_t der[8192], *p = der;

	i2d_X509(between, &p);
	i2d_X509(signer, &p);
	verdict = (struct fmp_inspection){ 0 };
	return fmpi_trust_check_path(trust, der, (size_t)(p - der), FMPI_PATH_ORDERED, at, 1, &who,
				     &verdict);
}

START_TEST(lists_of_a_ca_that_a_token_brings)
{
	EVP_PKEY *sub_key = EVP_EC_gen("P-256"), *other_key = EVP_EC_gen("P-256");
	struct recipe sub = { .key = sub_key,
			      .usage = "critical,keyCertSign,cRLSign",
			      .basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	X509 *between = make_certificate("sub CA", &sub, ca, ca_key), *other, *good, *bad,
	     *of_other;
	struct fmp_error about = { 0 };

	sub.key = other_key;
	other = make_certificate("sub CA", &sub, ca, ca_key);
	good = make_certificate("good", &r, between, sub_key);
	bad = make_certificate("bad", &r, between, sub_key);
	of_other = make_certificate("of other", &r, other, other_key);
	load_cas_and_crls((X509 *[]){ ca, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, NULL),
					  make_crl(between, sub_key, bad), NULL });
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "CN=sub CA is ignored") != NULL, "%s", about.message);
	/* Another CA of that name has none. */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(check_path(other, of_other, NOW), 0);
		ck_assert_int_eq(verdict.crl_error, X509_V_ERR_UNABLE_TO_GET_CRL);
	}
	ck_assert_int_eq(check_path(between, good, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	ck_assert_int_eq(check_path(between, bad, NOW), FMPI_REFUSED);
	ck_assert_msg(strstr(verdict.detail, "revoked") != NULL, "%s", verdict.detail);
	ck_assert(!fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_int_eq(check_path(between, good, NOW + 101), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	ck_assert_int_eq(check_path(other, of_other, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_UNABLE_TO_GET_CRL);
	X509_free(between);
	X509_free(other);
	X509_free(good);
	X509_free(bad);
	X509_free(of_other);
	EVP_PKEY_free(sub_key);
	EVP_PKEY_free(other_key);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("revocation");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, cache_ends_with_the_revocation_list);
	tcase_add_test(tc, lists_of_a_ca_that_a_token_brings);
	tcase_add_test(tc, a_signer_without_a_list_is_told_twice);
	tcase_add_test(tc, ones_become_good_with_the_revocation_list);
	tcase_add_test(tc, whose_list_is_out_of_date_is_not_charged);
	tcase_add_test(tc, lists_are_not_all_that_can_be_wrong);
	tcase_add_test(tc, the_newest_list_counts);
	tcase_add_test(tc, older_lists_are_silent);
	tcase_add_test(tc, a_ca_is_revoked_in_time);
	tcase_add_test(tc, lists_of_cas_and_of_signers);
	tcase_add_test(tc, a_crl_of_an_untrusted_issuer_revokes_nobody);
	tcase_add_test(tc, a_list_of_changes_is_none);
	tcase_add_test(tc, cache_ends_with_any_change_of_the_lists);
	tcase_add_test(tc, a_revoked_ca_is_none);
	tcase_add_test(tc, cas_of_one_name);
	tcase_add_test(tc, a_root_answers_for_itself);
	tcase_add_test(tc, a_ca_without_list_is_told_of);
	tcase_add_test(tc, the_next_chain_takes_no_mark_away);
	return run_tcase("revocation", tc);
}
