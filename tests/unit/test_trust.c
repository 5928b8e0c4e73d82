// SPDX-License-Identifier: GPL-2.0
/* Whose certificates may sign: made here, so that each lacks just one thing. */
#include <check.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inspect/badcert.h"
#include "inspect/trust.h"
#include "run.h"

#define NOW  1795230000
#define YEAR 31536000

static EVP_PKEY *ca_key, *leaf_key;
static X509 *ca;
static char ca_path[64];
static struct fmpi_trust *trust;
static struct fmp_inspection verdict;

struct recipe {
	EVP_PKEY *key;
	const char *usage, *basic;
	const EVP_MD *digest;
	int64_t from, until;
};

static void extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;
	X509_EXTENSION *e;

	X509V3_set_ctx(&ctx, issuer, cert, NULL, NULL, 0);
	e = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
	ck_assert_ptr_nonnull(e);
	X509_add_ext(cert, e, -1);
	X509_EXTENSION_free(e);
}

static X509 *make(const char *name, const struct recipe *r, X509 *issuer, EVP_PKEY *issuer_key)
{
	static long serial;
	X509 *c = X509_new();

	X509_set_version(c, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(c), ++serial);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(c), "CN", MBSTRING_ASC,
				   (const unsigned char *)name, -1, -1, 0);
	X509_set_issuer_name(c, X509_get_subject_name(issuer ? issuer : c));
	ASN1_TIME_set(X509_getm_notBefore(c), r->from ? r->from : NOW - YEAR);
	ASN1_TIME_set(X509_getm_notAfter(c), r->until ? r->until : NOW + YEAR);
	X509_set_pubkey(c, r->key);
	if (r->basic)
		extension(c, issuer ? issuer : c, NID_basic_constraints, r->basic);
	if (r->usage)
		extension(c, issuer ? issuer : c, NID_key_usage, r->usage);
	ck_assert(X509_sign(c, issuer_key, r->digest ? r->digest : EVP_sha256()));
	return c;
}

static void setup(void)
{
	struct fmp_error err = { 0 };
	struct recipe r = { .usage = "critical,keyCertSign,cRLSign", .basic = "critical,CA:TRUE" };
	FILE *f;

	ca_key = r.key = EVP_EC_gen("P-256");
	leaf_key = EVP_EC_gen("P-256");
	ca = make("test CA", &r, NULL, ca_key);
	snprintf(ca_path, sizeof(ca_path), "/tmp/fmp-test-ca-%d.pem", (int)getpid());
	f = fopen(ca_path, "w");
	ck_assert_ptr_nonnull(f);
	PEM_write_X509(f, ca);
	fclose(f);
	ck_assert_msg(fmpi_trust_load(ca_path, NULL, &trust, &err) == 0, "%s", err.message);
}

static void teardown(void)
{
	fmpi_trust_free(trust);
	unlink(ca_path);
	X509_free(ca);
	EVP_PKEY_free(ca_key);
	EVP_PKEY_free(leaf_key);
}

static int check_at(X509 *cert, int64_t now)
{
	uint8_t *der = NULL;
	int n = i2d_X509(cert, &der), ret;
	struct fmpi_signer who = { 0 };

	memset(&verdict, 0, sizeof(verdict));
	ret = fmpi_trust_check(trust, der, (size_t)n, now, 7, &who, &verdict);
	OPENSSL_free(der);
	if (ret) {
		ck_assert_int_eq(ret, FMPI_REFUSED);
		ck_assert_int_eq(verdict.kind, FMP_EVENT_TOKEN);
		ck_assert_int_eq(verdict.line, 7);
	} else {
		ck_assert_int_eq(EVP_PKEY_eq(who.key, X509_get0_pubkey(cert)), 1);
	}
	ck_assert_uint_eq(ERR_peek_error(), 0);
	return ret;
}

static int check_leaf(struct recipe r)
{
	X509 *c;
	int ret;

	if (!r.key)
		r.key = leaf_key;
	c = make("leaf", &r, ca, ca_key);
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
		 *ed = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");

	refused("key usage", .usage = "keyEncipherment");
	refused("a CA's", .basic = "CA:TRUE");
	refused("expired", .until = NOW - 1);
	refused("not yet valid", .from = NOW + 10);
	refused("too weak", .key = small);
	refused("too weak", .key = odd);
	refused("too weak", .key = ed);
	refused("not trusted", .digest = EVP_sha1());
	EVP_PKEY_free(small);
	EVP_PKEY_free(odd);
	EVP_PKEY_free(ed);
}
END_TEST

START_TEST(strangers)
{
	struct recipe r = { .key = leaf_key };
	EVP_PKEY *rogue_key = EVP_EC_gen("P-256");
	/* The same name as our CA, but not its key. */
	struct recipe rogue = { .key = rogue_key, .usage = "keyCertSign", .basic = "CA:TRUE" };
	X509 *rogue_ca = make("test CA", &rogue, NULL, rogue_key), *c;

	c = make("leaf", &r, rogue_ca, rogue_key);
	ck_assert_int_eq(check_at(c, NOW), FMPI_REFUSED);
	X509_free(c);
	c = make("itself", &r, NULL, leaf_key);
	ck_assert_int_eq(check_at(c, NOW), FMPI_REFUSED);
	X509_free(c);
	X509_free(rogue_ca);
	EVP_PKEY_free(rogue_key);
}
END_TEST

START_TEST(cache_keeps_good_ones_while_they_are_valid)
{
	struct recipe r = { .key = leaf_key, .until = NOW + 100 };
	X509 *c = make("leaf", &r, ca, ca_key);

	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 0);
	ck_assert_int_eq(check_at(c, NOW + 99), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	ck_assert_int_eq(check_at(c, NOW + 101), FMPI_REFUSED);
	ck_assert_int_eq(check_at(c, NOW), 0);
	X509_free(c);

	/* Bad ones are never remembered as good. */
	r.usage = "keyEncipherment";
	c = make("leaf", &r, ca, ca_key);
	ck_assert_int_eq(check_at(c, NOW), FMPI_REFUSED);
	ck_assert_int_eq(check_at(c, NOW), FMPI_REFUSED);
	X509_free(c);
}
END_TEST

/* Beyond 2038, where a time_t of 32 bits ends. */
START_TEST(cache_keeps_those_that_are_valid_for_long)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make("leaf", &r, ca, ca_key);

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
	X509 *first = make("first", &r, ca, ca_key), *c;
	uint64_t hits;

	ck_assert_int_eq(check_at(first, NOW), 0);
	for (unsigned i = 0; i < 64; i++) {
		c = make("other", &r, ca, ca_key);
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

/* ---- what is known to be bad ---- */

/* A second look costs no chain. */
static void spared(X509 *c, int64_t now, const char *words)
{
	uint64_t before = fmpi_trust_bad_hits(trust);

	ck_assert_int_eq(check_at(c, now), FMPI_REFUSED);
	ck_assert_msg(strstr(verdict.detail, words), "%s", verdict.detail);
	ck_assert_uint_eq(fmpi_trust_bad_hits(trust), before + 1);
}

static void paid(X509 *c, int64_t now, const char *words)
{
	uint64_t before = fmpi_trust_bad_hits(trust);

	ck_assert_int_eq(check_at(c, now), FMPI_REFUSED);
	ck_assert_msg(strstr(verdict.detail, words), "%s", verdict.detail);
	ck_assert_uint_eq(fmpi_trust_bad_hits(trust), before);
}

START_TEST(refused_ones_are_remembered_for_a_minute)
{
	struct recipe r = { .key = leaf_key, .usage = "keyEncipherment" };
	X509 *usage = make("leaf", &r, ca, ca_key), *self;

	r.usage = NULL;
	self = make("itself", &r, NULL, leaf_key);
	paid(usage, NOW, "key usage");
	paid(self, NOW, "self");
	ck_assert(!verdict.not_yet);
	spared(usage, NOW, "key usage");
	spared(self, NOW + FMPI_BADCERT_S - 1, "self");
	paid(usage, NOW + FMPI_BADCERT_S, "key usage");
	spared(usage, NOW + FMPI_BADCERT_S, "key usage");
	/* The clock was set back. */
	paid(usage, NOW - 1, "key usage");
	ck_assert_uint_eq(fmpi_trust_hits(trust), 0);
	X509_free(usage);
	X509_free(self);
}
END_TEST

START_TEST(refused_ones_become_good_in_time)
{
	struct recipe r = { .key = leaf_key, .from = NOW + 20 };
	X509 *early = make("early", &r, ca, ca_key), *late;

	paid(early, NOW, "not yet valid");
	ck_assert(verdict.not_yet);
	spared(early, NOW + 19, "not yet valid");
	ck_assert(verdict.not_yet);
	ck_assert_int_eq(check_at(early, NOW + 20), 0);
	ck_assert_int_eq(check_at(early, NOW + 21), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	X509_free(early);

	/* A good one that ends is known to be bad from then on. */
	r = (struct recipe){ .key = leaf_key, .until = NOW + 100 };
	late = make("late", &r, ca, ca_key);
	ck_assert_int_eq(check_at(late, NOW), 0);
	paid(late, NOW + 101, "expired");
	spared(late, NOW + 102, "expired");
	ck_assert_int_eq(check_at(late, NOW + 50), 0);
	X509_free(late);
}
END_TEST

START_TEST(no_number_of_refused_ones_drives_out_a_good_one)
{
	struct recipe r = { .key = leaf_key }, bad = { .key = leaf_key, .usage = "keyAgreement" };
	X509 *good = make("good", &r, ca, ca_key), *first = make("first", &bad, ca, ca_key);

	ck_assert_int_eq(check_at(good, NOW), 0);
	paid(first, NOW, "key usage");
	for (unsigned i = 0; i < 2 * FMPI_BADCERT_ENTRIES; i++) {
		X509 *c = make("other", &bad, ca, ca_key);

		paid(c, NOW, "key usage");
		/* In use all the time, it stays; this one is not. */
		if (i < FMPI_BADCERT_ENTRIES)
			spared(first, NOW, "key usage");
		X509_free(c);
	}
	paid(first, NOW, "key usage");
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
	ck_assert_uint_eq(fmpi_trust_bad_hits(trust), 0);
}
END_TEST

/* ---- revocation lists and time ---- */

static void trust_with_list(int64_t from, int64_t until)
{
	struct fmp_error err = { 0 };
	ASN1_TIME *a = ASN1_TIME_set(NULL, from), *b = ASN1_TIME_set(NULL, until);
	X509_CRL *crl = X509_CRL_new();
	char path[64];
	FILE *f;

	X509_CRL_set_version(crl, 1);
	X509_CRL_set_issuer_name(crl, X509_get_subject_name(ca));
	X509_CRL_set1_lastUpdate(crl, a);
	X509_CRL_set1_nextUpdate(crl, b);
	ck_assert(X509_CRL_sign(crl, ca_key, EVP_sha256()));
	snprintf(path, sizeof(path), "/tmp/fmp-test-crl-%d.pem", (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	PEM_write_X509_CRL(f, crl);
	fclose(f);
	fmpi_trust_free(trust);
	ck_assert_msg(fmpi_trust_load(ca_path, path, &trust, &err) == 0, "%s", err.message);
	unlink(path);
	X509_CRL_free(crl);
	ASN1_TIME_free(a);
	ASN1_TIME_free(b);
}

/* Dated anew. Return: crl. */
static X509_CRL *from_until(X509_CRL *crl, EVP_PKEY *key, int64_t from, int64_t until)
{
	ASN1_TIME *a = ASN1_TIME_set(NULL, from), *b = ASN1_TIME_set(NULL, until);

	X509_CRL_set1_lastUpdate(crl, a);
	X509_CRL_set1_nextUpdate(crl, b);
	ck_assert(X509_CRL_sign(crl, key, EVP_sha256()));
	ASN1_TIME_free(a);
	ASN1_TIME_free(b);
	return crl;
}

static void add_revoked(X509_CRL *crl, const X509 *revoked)
{
	X509_REVOKED *entry = X509_REVOKED_new();

	X509_REVOKED_set_serialNumber(entry, (ASN1_INTEGER *)X509_get0_serialNumber(revoked));
	X509_REVOKED_set_revocationDate(entry, (ASN1_TIME *)X509_CRL_get0_lastUpdate(crl));
	X509_CRL_add0_revoked(crl, entry);
}

/* Of one or two. */
static X509_CRL *list_of2(X509 *issuer, EVP_PKEY *key, X509 *revoked, X509 *too)
{
	ASN1_TIME *a = ASN1_TIME_set(NULL, NOW - 10), *b = ASN1_TIME_set(NULL, NOW + 100);
	X509_CRL *crl = X509_CRL_new();

	X509_CRL_set_version(crl, 1);
	X509_CRL_set_issuer_name(crl, X509_get_subject_name(issuer));
	X509_CRL_set1_lastUpdate(crl, a);
	X509_CRL_set1_nextUpdate(crl, b);
	if (revoked)
		add_revoked(crl, revoked);
	if (too)
		add_revoked(crl, too);
	ck_assert(X509_CRL_sign(crl, key, EVP_sha256()));
	ASN1_TIME_free(a);
	ASN1_TIME_free(b);
	return crl;
}

static X509_CRL *list_of(X509 *issuer, EVP_PKEY *key, X509 *revoked)
{
	return list_of2(issuer, key, revoked, NULL);
}

/* Of these CAs and lists. Takes the lists. */
static void trust_in(X509 *const cas[], X509_CRL *const lists[])
{
	struct fmp_error err = { 0 };
	char path[64], crl[64];
	FILE *f, *g;

	snprintf(path, sizeof(path), "/tmp/fmp-test-cas-%d.pem", (int)getpid());
	snprintf(crl, sizeof(crl), "/tmp/fmp-test-crls-%d.pem", (int)getpid());
	f = fopen(path, "w");
	g = fopen(crl, "w");
	ck_assert(f && g);
	for (; *cas; cas++)
		PEM_write_X509(f, *cas);
	for (; *lists; lists++) {
		PEM_write_X509_CRL(g, *lists);
		X509_CRL_free(*lists);
	}
	fclose(f);
	fclose(g);
	fmpi_trust_free(trust);
	ck_assert_msg(fmpi_trust_load(path, crl, &trust, &err) == 0, "%s", err.message);
	unlink(path);
	unlink(crl);
}

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
	ck_assert_int_eq(verdict.unlisted, 0);
	/* Not for longer than this once, and found out anew each time. */
	for (int i = 101; i < 103; i++) {
		ck_assert_int_eq(check_at(c, NOW + i), 0);
		ck_assert_int_eq(verdict.unlisted, X509_V_ERR_CRL_HAS_EXPIRED);
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
	paid(c, NOW + 101, "CRL has expired");
	X509_free(c);
	trust_with_list(NOW - 10, NOW + 100);
	c = make("leaf", &r, ca, ca_key);
	forged = make("leaf", &r, ca, leaf_key);
	ck_assert(!fmpi_trust_unlisted(trust, NOW + 99, &about));
	ck_assert(fmpi_trust_unlisted(trust, NOW + 101, &about));
	ck_assert_msg(strstr(about.message, "CN=test CA is out of date"), "%s", about.message);
	ck_assert_str_ne(about.file, "");
	ck_assert_int_eq(check_at(c, NOW + 101), 0);
	ck_assert_int_eq(verdict.unlisted, X509_V_ERR_CRL_HAS_EXPIRED);
	paid(forged, NOW + 101, "not trusted");
	spared(forged, NOW + 102, "not trusted");
	ck_assert_int_eq(verdict.unlisted, 0);
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
	ck_assert_int_eq(verdict.unlisted, X509_V_ERR_CRL_NOT_YET_VALID);
	fmpi_trust_refuse_unlisted(&verdict);
	ck_assert(verdict.not_yet && verdict.lacks == FMP_LACKS_LISTS);
	ck_assert_int_eq(check_at(c, NOW + 29), 0);
	ck_assert_int_eq(verdict.unlisted, X509_V_ERR_CRL_NOT_YET_VALID);
	ck_assert_int_eq(check_at(c, NOW + 30), 0);
	ck_assert_int_eq(verdict.unlisted, 0);
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
	ck_assert_int_eq(verdict.unlisted, X509_V_ERR_UNABLE_TO_GET_CRL);
	/* One that is still to come. */
	trust_in((X509 *[]){ ca, NULL }, (X509_CRL *[]){ list_of(ca, ca_key, c), NULL });
	paid(forged, NOW - 20, "signature");
	ck_assert(!verdict.not_yet);
	paid(c, NOW - 20, "CRL is not yet valid");
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
	paid(c, NOW + 101, "revoked on a list that is newer");
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
	/* Who issued it need not be trusted for what it says of it. */
	trust_in((X509 *[]){ low, NULL }, (X509_CRL *[]){ list_of(low, low_key, NULL),
							  list_of(middle, leaf_key, low), NULL });
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
	trust_in((X509 *[]){ next, NULL },
		 (X509_CRL *[]){ list_of(next, other_key, NULL), list_of(ca, ca_key, next), NULL });
	paid(c, NOW, "unable to get local issuer");
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
	ck_assert(!fmpi_trust_unlisted(trust, NOW, &about));
	ck_assert_int_eq(check_at(c, NOW), 0);
	trust_in((X509 *[]){ ca, middle, NULL }, (X509_CRL *[]){ list_of(ca, ca_key, NULL), NULL });
	ck_assert(fmpi_trust_unlisted(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "no revocation list of /CN=middle"), "%s",
		      about.message);
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.unlisted, X509_V_ERR_UNABLE_TO_GET_CRL);
	/* Nor is a root above itself, where it is there as it was and renewed. */
	ca_of.key = ca_key;
	renewed = make("test CA", &ca_of, NULL, ca_key);
	trust_in((X509 *[]){ ca, renewed, NULL },
		 (X509_CRL *[]){ list_of(middle, leaf_key, NULL), NULL });
	ck_assert(fmpi_trust_unlisted(trust, NOW, &about));
	ck_assert_msg(strstr(about.message, "no revocation list of /CN=test CA"), "%s",
		      about.message);
	X509_free(renewed);
	X509_free(c);
	X509_free(middle);
}
END_TEST

static void unusable(const char *content, int code)
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

	unusable("", FMP_ERR_NOTFOUND);
	unusable("hello\n", FMP_ERR_NOTFOUND);
	unusable("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", FMP_ERR_SYNTAX);
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
	tcase_add_test(tc, strangers);
	tcase_add_test(tc, cache_keeps_good_ones_while_they_are_valid);
	tcase_add_test(tc, cache_keeps_those_that_are_valid_for_long);
	tcase_add_test(tc, cache_is_bounded_and_forgets_the_oldest);
	tcase_add_test(tc, refused_ones_are_remembered_for_a_minute);
	tcase_add_test(tc, refused_ones_become_good_in_time);
	tcase_add_test(tc, no_number_of_refused_ones_drives_out_a_good_one);
	tcase_add_test(tc, what_is_no_certificate_is_not_remembered);
	tcase_add_test(tc, cache_ends_with_the_revocation_list);
	tcase_add_test(tc, ones_become_good_with_the_revocation_list);
	tcase_add_test(tc, whose_list_is_out_of_date_is_not_charged);
	tcase_add_test(tc, lists_are_not_all_that_can_be_wrong);
	tcase_add_test(tc, the_newest_list_counts);
	tcase_add_test(tc, cache_ends_with_any_change_of_the_lists);
	tcase_add_test(tc, a_revoked_ca_is_none);
	tcase_add_test(tc, cas_of_one_name);
	tcase_add_test(tc, a_root_answers_for_itself);
	tcase_add_test(tc, a_ca_without_list_is_told_of);
	tcase_add_test(tc, files_that_are_no_bundle);
	return run_tcase("trust", tc);
}
