/* SPDX-License-Identifier: GPL-2.0 */
/* A CA, certificates made on demand, and a trust in the CA. */
#ifndef FMP_TEST_TRUSTED_H
#define FMP_TEST_TRUSTED_H

#include <check.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "x509/trust.h"

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
	/* Extended key usage, subject alternative names, name constraints, CRL distribution points. */
	const char *purposes, *names, *constraints, *points;
	const EVP_MD *digest;
	int64_t from, until;
};

static void add_extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;
	X509_EXTENSION *e;

	X509V3_set_ctx(&ctx, issuer, cert, NULL, NULL, 0);
	e = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
	ck_assert_ptr_nonnull(e);
	X509_add_ext(cert, e, -1);
	X509_EXTENSION_free(e);
}

static X509 *make_certificate(const char *name, const struct recipe *r, X509 *issuer,
			      EVP_PKEY *issuer_key)
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
		add_extension(c, issuer ? issuer : c, NID_basic_constraints, r->basic);
	if (r->usage)
		add_extension(c, issuer ? issuer : c, NID_key_usage, r->usage);
	if (r->purposes)
		add_extension(c, issuer ? issuer : c, NID_ext_key_usage, r->purposes);
	if (r->names)
		add_extension(c, issuer ? issuer : c, NID_subject_alt_name, r->names);
	if (r->constraints)
		add_extension(c, issuer ? issuer : c, NID_name_constraints, r->constraints);
	if (r->points)
		add_extension(c, issuer ? issuer : c, NID_crl_distribution_points, r->points);
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
	ca = make_certificate("test CA", &r, NULL, ca_key);
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

static inline int check_at(X509 *cert, int64_t now)
{
	uint8_t *der = NULL;
	int n = i2d_X509(cert, &der), ret;
	struct fmpi_signer who = { 0 };

	memset(&verdict, 0, sizeof(verdict));
	ret = fmpi_trust_check(trust, der, (size_t)n, now, 7, &who, &verdict);
	OPENSSL_free(der);
	if (ret) {
		ck_assert_int_eq(ret, FMPI_REFUSED);
		ck_assert(verdict.kind == FMP_EVENT_TOKEN || verdict.kind == FMP_EVENT_UNSUPPORTED);
		ck_assert_int_eq(verdict.line, 7);
	} else {
		ck_assert_int_eq(EVP_PKEY_eq(who.key, X509_get0_pubkey(cert)), 1);
	}
	ck_assert_uint_eq(ERR_peek_error(), 0);
	return ret;
}

/* The refusal comes from the cache: no chain is verified. */
static inline void expect_cached_refusal(X509 *c, int64_t now, const char *words)
{
	uint64_t before = fmpi_trust_reject_hits(trust);

	ck_assert_int_eq(check_at(c, now), FMPI_REFUSED);
	ck_assert_msg(strstr(verdict.detail, words), "%s", verdict.detail);
	ck_assert_uint_eq(fmpi_trust_reject_hits(trust), before + 1);
}

static inline void expect_new_refusal(X509 *c, int64_t now, const char *words)
{
	uint64_t before = fmpi_trust_reject_hits(trust);

	ck_assert_int_eq(check_at(c, now), FMPI_REFUSED);
	ck_assert_msg(strstr(verdict.detail, words), "%s", verdict.detail);
	ck_assert_uint_eq(fmpi_trust_reject_hits(trust), before);
}

#endif
