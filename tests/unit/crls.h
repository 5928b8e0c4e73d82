/* SPDX-License-Identifier: GPL-2.0 */
/* CRLs made on demand, and a trust in the CAs that issue them. */
#ifndef FMP_TEST_CRLS_H
#define FMP_TEST_CRLS_H

#include "trusted.h"

static inline void load_crl_from_until(int64_t from, int64_t until)
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

/* Set the dates and sign again. Return: crl. */
static X509_CRL *set_crl_dates(X509_CRL *crl, EVP_PKEY *key, int64_t from, int64_t until)
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

/* A CRL with up to two revoked certificates. */
static X509_CRL *make_crl2(X509 *issuer, EVP_PKEY *key, X509 *revoked, X509 *too)
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

static X509_CRL *make_crl(X509 *issuer, EVP_PKEY *key, X509 *revoked)
{
	return make_crl2(issuer, key, revoked, NULL);
}

/* Load these CAs and CRLs; frees the CRLs. */
static void load_cas_and_crls(X509 *const cas[], X509_CRL *const lists[])
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

#endif
