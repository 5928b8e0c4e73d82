// SPDX-License-Identifier: GPL-2.0
/* Whom revocation lists revoke, which of them count, and whom they keep out when they are missing. */
#include <check.h>
#include <openssl/ec.h>
#include <string.h>

#include "lists.h"
#include "run.h"

/* The certificate outlives the list: only the list can be what ends it. */
START_TEST(cache_ends_with_the_revocation_list)
{
	struct recipe r = { .key = leaf_key };
	X509 *c;

	trust_with_list(NOW - 10, NOW + 100);
	c = make("leaf", &r, ca, ca_key);
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(check_at(c, NOW + 99), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	ck_assert_int_eq(verdict.crl_error, 0);
	/* Not for longer than this once, and found out anew each time. */
	for (int i = 101; i < 103; i++) {
		ck_assert_int_eq(check_at(c, NOW + i), 0);
		ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	}
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	X509_free(c);
}
END_TEST

/* Nobody's offence: but a forged one is no better for it, nor is who was on the list. */
START_TEST(whose_list_is_out_of_date_is_not_charged)
{
	struct recipe r = { .key = leaf_key };
	struct fmp_error about = { 0 };
	X509 *c, *forged;

	c = make("leaf", &r, ca, ca_key);
	trust_in((X509 *[]){ ca, NULL }, (X509_CRL *[]){ list_of(ca, ca_key, c), NULL });
	paid(c, NOW, "certificate revoked");
	paid(c, NOW + 101, "certificate revoked");
	X509_free(c);
	trust_with_list(NOW - 10, NOW + 100);
	c = make("leaf", &r, ca, ca_key);
	forged = make("leaf", &r, ca, leaf_key);
	ck_assert(!fmpi_trust_crl_missing(trust, NOW + 99, &about));
	ck_assert(fmpi_trust_crl_missing(trust, NOW + 101, &about));
	ck_assert_msg(strstr(about.message, "CN=test CA is out of date"), "%s", about.message);
	ck_assert(fmpi_trust_crl_missing(trust, NOW - 11, &about));
	ck_assert_msg(strstr(about.message, "CN=test CA is not valid yet"), "%s", about.message);
	ck_assert_str_ne(about.file, "");
	ck_assert_int_eq(check_at(c, NOW + 101), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	paid(forged, NOW + 101, "not trusted");
	spared(forged, NOW + 102, "not trusted");
	ck_assert_int_eq(verdict.crl_error, 0);
	X509_free(c);
	X509_free(forged);
}
END_TEST

START_TEST(ones_become_good_with_the_revocation_list)
{
	struct recipe r = { .key = leaf_key };
	X509 *c;

	trust_with_list(NOW + 30, NOW + 100);
	c = make("leaf", &r, ca, ca_key);
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

/* What else is wrong goes before: else a clock that is behind would be held against who sends, or excuse a forger. */
START_TEST(lists_are_not_all_that_can_be_wrong)
{
	struct recipe r = { .key = leaf_key, .from = NOW + 30 };
	X509 *early = make("leaf", &r, ca, ca_key), *c, *forged;
	EVP_PKEY *other_key = EVP_EC_gen("P-256");
	X509 *other;

	r.from = 0;
	c = make("leaf", &r, ca, ca_key);
	forged = make("leaf", &r, ca, leaf_key);
	r.key = other_key;
	other = make("other CA", &r, NULL, other_key);
	/* None of its CA. */
	trust_in((X509 *[]){ ca, NULL }, (X509_CRL *[]){ list_of(other, other_key, NULL), NULL });
	paid(early, NOW, "certificate is not yet valid");
	ck_assert(verdict.not_yet);
	spared(early, NOW + 29, "certificate is not yet valid");
	ck_assert(verdict.not_yet);
	ck_assert_int_eq(check_at(early, NOW + 30), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_UNABLE_TO_GET_CRL);
	/* One that is still to come. */
	trust_in((X509 *[]){ ca, NULL }, (X509_CRL *[]){ list_of(ca, ca_key, c), NULL });
	paid(forged, NOW - 20, "signature");
	ck_assert(!verdict.not_yet);
	paid(c, NOW - 20, "certificate revoked");
	ck_assert(!verdict.not_yet);
	EVP_PKEY_free(other_key);
	X509_free(other);
	X509_free(early);
	X509_free(c);
	X509_free(forged);
}
END_TEST

/* Of several lists of a CA the newest has the last word, though it may end before the others. */
START_TEST(the_newest_list_counts)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make("leaf", &r, ca, ca_key);

	trust_in((X509 *[]){ ca, NULL },
		 (X509_CRL *[]){
			 from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 200, NOW + 200),
			 from_until(list_of(ca, ca_key, c), ca_key, NOW - 100, NOW + 100), NULL });
	ck_assert_int_eq(check_at(c, NOW - 150), 0);
	paid(c, NOW, "certificate revoked");
	paid(c, NOW + 101, "certificate revoked");
	/* Taken off. */
	trust_in(
		(X509 *[]){ ca, NULL },
		(X509_CRL *[]){ from_until(list_of(ca, ca_key, c), ca_key, NOW - 200, NOW - 100),
				from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 150, NOW + 200),
				NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	/* Once more by one whose CA has not signed it. */
	trust_in((X509 *[]){ ca, NULL },
		 (X509_CRL *[]){
			 from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 200, NOW + 200),
			 from_until(list_of(ca, leaf_key, c), leaf_key, NOW - 150, NOW - 100),
			 NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);
}
END_TEST

/* Be it ended, or the older one not: what has been taken back is not held against anybody. */
START_TEST(older_lists_are_silent)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make("leaf", &r, ca, ca_key);
	X509_CRL *held, *released;

	/* Both have ended. */
	held = from_until(list_of(ca, ca_key, c), ca_key, NOW - 300, NOW - 200);
	released = from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 250, NOW - 100);
	trust_in((X509 *[]){ ca, NULL }, (X509_CRL *[]){ held, released, NULL });
	paid(c, NOW - 275, "certificate revoked");
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	/* Of the two that have ended the newer one counts; there is another that holds. */
	held = from_until(list_of(ca, ca_key, c), ca_key, NOW - 300, NOW - 200);
	released = from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 250, NOW - 100);
	trust_in((X509 *[]){ ca, NULL }, (X509_CRL *[]){ from_until(list_of(ca, ca_key, NULL),
								    ca_key, NOW - 400, NOW + 200),
							 held, released, NULL });
	paid(c, NOW - 275, "certificate revoked");
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	/* The one that holds is the one that it was on. */
	held = from_until(list_of(ca, ca_key, c), ca_key, NOW - 300, NOW + 200);
	released = from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 250, NOW - 100);
	trust_in((X509 *[]){ ca, NULL }, (X509_CRL *[]){ released, held, NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	ck_assert_int_eq(check_at(c, NOW + 200), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	X509_free(c);
}
END_TEST

/* A CA that is on one list, and not on the next. */
START_TEST(a_ca_is_revoked_in_time)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	X509 *middle = make("middle", &ca_of, ca, ca_key), *c = make("leaf", &r, middle, leaf_key);

	trust_in(
		(X509 *[]){ ca, middle, NULL },
		(X509_CRL *[]){
			from_until(list_of(ca, ca_key, middle), ca_key, NOW - 300, NOW - 50),
			from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 100, NOW + 200),
			from_until(list_of(ca, ca_key, middle), ca_key, NOW + 20, NOW + 300),
			from_until(list_of(middle, leaf_key, NULL), leaf_key, NOW - 300, NOW + 300),
			NULL });
	paid(c, NOW - 200, "unable to get local issuer");
	ck_assert_int_eq(check_at(c, NOW - 90), 0);
	ck_assert_int_eq(check_at(c, NOW), 0);
	paid(c, NOW + 20, "unable to get local issuer");
	/* The clock was set back: to when one held, and to when none had begun. */
	ck_assert_int_eq(check_at(c, NOW - 60), 0);
	paid(c, NOW - 400, "unable to get local issuer");
	X509_free(c);
	X509_free(middle);
}
END_TEST

static X509_CRL *only(X509_CRL *crl, bool of_cas, int64_t from, int64_t until)
{
	ISSUING_DIST_POINT *scope = ISSUING_DIST_POINT_new();

	*(of_cas ? &scope->onlyCA : &scope->onlyuser) = 0xff;
	ck_assert(X509_CRL_add1_ext_i2d(crl, NID_issuing_distribution_point, scope, 1, 0) == 1);
	ISSUING_DIST_POINT_free(scope);
	return from_until(crl, ca_key, from, until);
}

/* What is newer, but of others, takes nothing back. */
START_TEST(lists_of_cas_and_of_signers)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	X509 *middle = make("middle", &ca_of, ca, ca_key), *c = make("leaf", &r, middle, leaf_key);
	X509 *bad = make("leaf", &r, ca, ca_key), *good = make("leaf", &r, ca, ca_key);

	trust_in((X509 *[]){ ca, middle, NULL },
		 (X509_CRL *[]){ only(list_of(ca, ca_key, middle), true, NOW - 30, NOW + 200),
				 only(list_of(ca, ca_key, bad), false, NOW - 20, NOW + 100),
				 only(list_of(ca, ca_key, middle), true, NOW + 80, NOW + 200),
				 list_of(middle, leaf_key, NULL), NULL });
	paid(c, NOW, "unable to get local issuer");
	paid(bad, NOW, "certificate revoked");
	ck_assert_int_eq(check_at(good, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	paid(bad, NOW + 101, "certificate revoked");
	ck_assert_int_eq(check_at(good, NOW + 101), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	X509_free(good);
	X509_free(bad);
	X509_free(c);
	X509_free(middle);
}
END_TEST

/* Lists come over plain HTTP: what nobody here can verify may be anybody's. */
START_TEST(a_list_of_a_stranger_revokes_nobody)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	EVP_PKEY *stranger_key = EVP_EC_gen("P-256");
	X509 *middle = make("middle", &ca_of, ca, ca_key), *c = make("leaf", &r, middle, leaf_key);
	struct fmp_error about = { 0 };

	/* Its root is not there: neither a stranger's list nor the root's own can be told. */
	trust_in((X509 *[]){ middle, NULL },
		 (X509_CRL *[]){ list_of(ca, stranger_key, middle), list_of(ca, ca_key, middle),
				 list_of(middle, leaf_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "the revocation list of /CN=test CA is ignored"), "%s",
		      about.message);
	/* Its root is. */
	trust_in((X509 *[]){ middle, ca, NULL },
		 (X509_CRL *[]){ list_of(ca, stranger_key, middle), list_of(ca, ca_key, NULL),
				 list_of(middle, leaf_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	/* A signer's own certificate in the place of its CA's. */
	trust_in((X509 *[]){ c, NULL }, (X509_CRL *[]){ list_of(middle, stranger_key, c), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_UNABLE_TO_GET_CRL);
	/* What has to do with others is told, too, but first what keeps signers out. */
	trust_in((X509 *[]){ ca, NULL }, (X509_CRL *[]){ list_of(ca, stranger_key, NULL), NULL });
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "no revocation list of /CN=test CA"), "%s",
		      about.message);
	EVP_PKEY_free(stranger_key);
	X509_free(c);
	X509_free(middle);
}
END_TEST

/* Taken for the whole it would release all that it does not name. */
START_TEST(a_list_of_changes_is_none)
{
	X509_CRL *crl = list_of(ca, ca_key, NULL);
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
	PEM_write_X509_CRL(f, from_until(crl, ca_key, NOW - 10, NOW + 100));
	fclose(f);
	X509_CRL_free(crl);
	ck_assert_int_eq(fmpi_trust_load(ca_path, path, &t, &err), FMP_ERR_INVALID);
	ck_assert_msg(strstr(err.message, "delta"), "%s", err.message);
	unlink(path);
}
END_TEST

/* What a list says from then on, and that one has ended long ago. */
START_TEST(cache_ends_with_any_change_of_the_lists)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make("leaf", &r, ca, ca_key);

	trust_in((X509 *[]){ ca, NULL },
		 (X509_CRL *[]){
			 from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 300, NOW - 200),
			 from_until(list_of(ca, ca_key, NULL), ca_key, NOW - 200, NOW + 200),
			 from_until(list_of(ca, ca_key, c), ca_key, NOW + 50, NOW + 300), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(check_at(c, NOW + 49), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	paid(c, NOW + 50, "certificate revoked");
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

	middle = make("middle", &ca_of, ca, ca_key);
	ca_of.key = low_key;
	low = make("low", &ca_of, middle, leaf_key);
	c = make("leaf", &r, low, low_key);

	trust_in((X509 *[]){ ca, middle, low, NULL },
		 (X509_CRL *[]){ list_of(ca, ca_key, NULL), list_of(middle, leaf_key, NULL),
				 list_of(low, low_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(check_at(c, NOW), 0);
	/* The one that the chain ends with; one above it. */
	trust_in((X509 *[]){ ca, middle, low, NULL },
		 (X509_CRL *[]){ list_of(ca, ca_key, NULL), list_of(middle, leaf_key, low),
				 list_of(low, low_key, NULL), NULL });
	paid(c, NOW, "unable to get local issuer");
	spared(c, NOW, "unable to get local issuer");
	trust_in((X509 *[]){ low, ca, middle, NULL },
		 (X509_CRL *[]){ list_of(low, low_key, NULL), list_of(ca, ca_key, middle), NULL });
	paid(c, NOW, "unable to get local issuer");
	/* Its own list being too old does not help it. */
	trust_in((X509 *[]){ ca, middle, low, NULL },
		 (X509_CRL *[]){ list_of(middle, leaf_key, low), NULL });
	paid(c, NOW, "unable to get local issuer");
	/* A root's number on its own list is that of one of its signers. */
	trust_in((X509 *[]){ ca, low, NULL },
		 (X509_CRL *[]){ list_of(ca, ca_key, ca), list_of(low, low_key, NULL), NULL });
	X509_free(c);
	c = make("leaf", &r, ca, ca_key);
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);
	c = make("leaf", &r, low, low_key);
	/* A list that its issuer has not signed is none. */
	trust_in((X509 *[]){ low, middle, NULL },
		 (X509_CRL *[]){ list_of(low, low_key, NULL), list_of(middle, low_key, low),
				 NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);
	X509_free(low);
	X509_free(middle);
	EVP_PKEY_free(low_key);
}
END_TEST

/* What counts is who has signed, not who is called so. */
START_TEST(cas_of_one_name)
{
	struct recipe ca_of = { .usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	EVP_PKEY *other_key = EVP_EC_gen("P-256"), *middle_key = EVP_EC_gen("P-256");
	struct recipe r = { .key = leaf_key };
	X509 *again, *other, *middle, *cross, *c;

	ca_of.key = other_key;
	again = make("test CA", &ca_of, NULL, other_key);
	other = make("other CA", &ca_of, NULL, other_key);
	ca_of.key = middle_key;
	middle = make("middle", &ca_of, ca, ca_key);
	cross = make("middle", &ca_of, other, other_key);
	c = make("leaf", &r, middle, middle_key);
	/* A root of the same name with another key, in either order. */
	trust_in((X509 *[]){ again, ca, middle, NULL },
		 (X509_CRL *[]){ list_of(ca, ca_key, middle), list_of(middle, middle_key, NULL),
				 NULL });
	paid(c, NOW, "unable to get local issuer");
	trust_in((X509 *[]){ ca, again, middle, NULL },
		 (X509_CRL *[]){ list_of(ca, ca_key, middle), list_of(middle, middle_key, NULL),
				 NULL });
	paid(c, NOW, "unable to get local issuer");
	trust_in((X509 *[]){ ca, again, middle, NULL },
		 (X509_CRL *[]){ list_of(ca, other_key, middle), list_of(middle, middle_key, NULL),
				 NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	/* Of two certificates of a CA one is revoked. */
	trust_in((X509 *[]){ ca, other, middle, cross, NULL },
		 (X509_CRL *[]){ list_of(ca, ca_key, middle), list_of(middle, middle_key, NULL),
				 NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	trust_in((X509 *[]){ ca, other, middle, cross, NULL },
		 (X509_CRL *[]){ list_of(ca, ca_key, middle), list_of(other, other_key, cross),
				 list_of(middle, middle_key, NULL), NULL });
	paid(c, NOW, "unable to get local issuer");
	X509_free(c);
	X509_free(cross);
	X509_free(middle);
	X509_free(other);
	X509_free(again);
	EVP_PKEY_free(middle_key);
	EVP_PKEY_free(other_key);
}
END_TEST

/* Of a root others may have made a certificate, too: what becomes of that is not what becomes of the root. */
START_TEST(a_root_answers_for_itself)
{
	struct recipe ca_of = { .usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	EVP_PKEY *other_key = EVP_EC_gen("P-256");
	struct recipe r = { .key = leaf_key };
	X509 *other, *cross, *renewed, *next, *c = make("leaf", &r, ca, ca_key);

	ca_of.key = other_key;
	other = make("other CA", &ca_of, NULL, other_key);
	ca_of.key = ca_key;
	cross = make("test CA", &ca_of, other, other_key);
	renewed = make("test CA", &ca_of, NULL, ca_key);
	trust_in((X509 *[]){ ca, other, cross, NULL },
		 (X509_CRL *[]){ list_of(ca, ca_key, NULL), list_of(other, other_key, cross),
				 NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	/* Nor is one of its own key one above it: on its list are its signers' numbers. */
	trust_in((X509 *[]){ renewed, NULL }, (X509_CRL *[]){ list_of(ca, ca_key, renewed), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	trust_in((X509 *[]){ ca, renewed, NULL },
		 (X509_CRL *[]){ list_of2(ca, ca_key, ca, renewed), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);
	/* One that has its issuer's name, but was signed with another key than its own, is none. */
	ca_of.key = other_key;
	next = make("test CA", &ca_of, ca, ca_key);
	c = make("leaf", &r, next, other_key);
	trust_in((X509 *[]){ next, NULL }, (X509_CRL *[]){ list_of(next, other_key, NULL), NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	trust_in((X509 *[]){ next, ca, NULL },
		 (X509_CRL *[]){ list_of(next, other_key, NULL), list_of(ca, ca_key, next), NULL });
	paid(c, NOW, "certificate signature failure");
	X509_free(next);
	X509_free(renewed);
	X509_free(cross);
	X509_free(other);
	X509_free(c);
	EVP_PKEY_free(other_key);
}
END_TEST

/* Of a CA that issues signers a list is wanted, not of those above it. */
START_TEST(a_ca_without_list_is_told_of)
{
	struct recipe ca_of = { .key = leaf_key,
				.usage = "critical,keyCertSign,cRLSign",
				.basic = "critical,CA:TRUE" };
	struct recipe r = { .key = leaf_key };
	struct fmp_error about = { 0 };
	X509 *middle = make("middle", &ca_of, ca, ca_key), *c = make("leaf", &r, middle, leaf_key);
	X509 *renewed;

	trust_in((X509 *[]){ ca, middle, NULL },
		 (X509_CRL *[]){ list_of(middle, leaf_key, NULL), NULL });
	ck_assert(!fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_int_eq(check_at(c, NOW), 0);
	trust_in((X509 *[]){ ca, middle, NULL }, (X509_CRL *[]){ list_of(ca, ca_key, NULL), NULL });
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "no revocation list of /CN=middle"), "%s",
		      about.message);
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_UNABLE_TO_GET_CRL);
	/* Nor is a root above itself, where it is there as it was and renewed. */
	ca_of.key = ca_key;
	renewed = make("test CA", &ca_of, NULL, ca_key);
	trust_in((X509 *[]){ ca, renewed, NULL },
		 (X509_CRL *[]){ list_of(middle, leaf_key, NULL), NULL });
	ck_assert(fmpi_trust_crl_missing(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "no revocation list of /CN=test CA"), "%s",
		      about.message);
	X509_free(renewed);
	X509_free(c);
	X509_free(middle);
}
END_TEST

/* A message has several: the issuer's of an assertion is looked at behind the signer's. */
START_TEST(the_next_chain_takes_no_mark_away)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make("leaf", &r, ca, ca_key);
	struct fmpi_trust *without;
	struct fmp_error err = { 0 };
	struct fmpi_signer who;
	uint8_t *der = NULL;
	int n = i2d_X509(c, &der);

	trust_with_list(NOW - 100, NOW - 50);
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(fmpi_trust_load(ca_path, NULL, &without, &err), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(fmpi_trust_check(without, der, (size_t)n, NOW, 7, &who, &verdict),
				 0);
		ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	}
	/* Nor is the one without lists forgotten for the other's want of them. */
	ck_assert_uint_eq(fmpi_trust_hits(without), 1);
	fmpi_trust_free(without);
	OPENSSL_free(der);
	X509_free(c);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("revocation");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, cache_ends_with_the_revocation_list);
	tcase_add_test(tc, ones_become_good_with_the_revocation_list);
	tcase_add_test(tc, whose_list_is_out_of_date_is_not_charged);
	tcase_add_test(tc, lists_are_not_all_that_can_be_wrong);
	tcase_add_test(tc, the_newest_list_counts);
	tcase_add_test(tc, older_lists_are_silent);
	tcase_add_test(tc, a_ca_is_revoked_in_time);
	tcase_add_test(tc, lists_of_cas_and_of_signers);
	tcase_add_test(tc, a_list_of_a_stranger_revokes_nobody);
	tcase_add_test(tc, a_list_of_changes_is_none);
	tcase_add_test(tc, cache_ends_with_any_change_of_the_lists);
	tcase_add_test(tc, a_revoked_ca_is_none);
	tcase_add_test(tc, cas_of_one_name);
	tcase_add_test(tc, a_root_answers_for_itself);
	tcase_add_test(tc, a_ca_without_list_is_told_of);
	tcase_add_test(tc, the_next_chain_takes_no_mark_away);
	return run_tcase("revocation", tc);
}
