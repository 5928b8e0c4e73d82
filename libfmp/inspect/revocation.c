// SPDX-License-Identifier: GPL-2.0
#include "inspect/revocation.h"

#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <time.h>

/* Cross-signed CAs may name each other. */
#define MAX_ABOVE 8

static X509 *certificate(X509_STORE *store, int i)
{
	return X509_OBJECT_get0_X509(sk_X509_OBJECT_value(X509_STORE_get0_objects(store), i));
}

static X509_CRL *list(X509_STORE *store, int i)
{
	return X509_OBJECT_get0_X509_CRL(sk_X509_OBJECT_value(X509_STORE_get0_objects(store), i));
}

static int count(X509_STORE *store)
{
	return sk_X509_OBJECT_num(X509_STORE_get0_objects(store));
}

/* OpenSSL's own question takes no const; it fills caches of the certificate at most. */
static bool issues(const X509 *issuer, const X509 *cert)
{
	return X509_cmp(issuer, cert) != 0 &&
	       X509_check_issued((X509 *)issuer, (X509 *)cert) == X509_V_OK;
}

/* Return: NULL if it is not in the store, or nobody is above it. */
static const X509 *issuer_of(X509_STORE *store, const X509 *cert)
{
	for (int i = 0; i < count(store); i++) {
		const X509 *c = certificate(store, i);

		if (c && issues(c, cert))
			return c;
	}
	return NULL;
}

static bool is_on(X509_CRL *crl, const X509 *cert, const X509 *issuer)
{
	X509_REVOKED *entry;

	/* 2: on it to be taken off an older one. */
	return X509_NAME_cmp(X509_CRL_get_issuer(crl), X509_get_issuer_name(cert)) == 0 &&
	       X509_CRL_get0_by_cert(crl, &entry, (X509 *)cert) == 1 &&
	       (!issuer || X509_CRL_verify(crl, X509_get0_pubkey(issuer)) == 1);
}

bool fmpi_revoked_ca(X509_STORE *store, const X509 *ca)
{
	for (unsigned above = 0; ca && above < MAX_ABOVE; above++) {
		const X509 *issuer = issuer_of(store, ca);

		for (int i = 0; i < count(store); i++) {
			X509_CRL *crl = list(store, i);

			if (crl && is_on(crl, ca, issuer))
				return true;
		}
		ca = issuer;
	}
	return false;
}

static bool issues_a_ca(X509_STORE *store, const X509 *ca)
{
	for (int i = 0; i < count(store); i++) {
		const X509 *c = certificate(store, i);

		if (c && issues(ca, c))
			return true;
	}
	return false;
}

/* As OpenSSL asks: of one that ends at this very second it says that it has. */
static bool holds(const X509_CRL *crl, int64_t now_s)
{
	time_t now = (time_t)now_s;

	return X509_cmp_time(X509_CRL_get0_lastUpdate(crl), &now) < 0 &&
	       X509_cmp_time(X509_CRL_get0_nextUpdate(crl), &now) > 0;
}

static bool is_listed(X509_STORE *store, const X509 *ca, int64_t now_s, bool *old)
{
	*old = false;
	for (int i = 0; i < count(store); i++) {
		X509_CRL *crl = list(store, i);

		if (!crl || X509_NAME_cmp(X509_CRL_get_issuer(crl), X509_get_subject_name(ca)) ||
		    X509_CRL_verify(crl, X509_get0_pubkey(ca)) != 1)
			continue;
		if (holds(crl, now_s))
			return true;
		*old = true;
	}
	return false;
}

X509 *fmpi_unlisted_ca(X509_STORE *store, int64_t now_s, bool *old)
{
	for (int i = 0; i < count(store); i++) {
		X509 *ca = certificate(store, i);

		if (ca && X509_check_ca(ca) && !issues_a_ca(store, ca) &&
		    !is_listed(store, ca, now_s, old))
			return ca;
	}
	return NULL;
}

bool fmpi_is_of_lists(int error)
{
	switch (error) {
	case X509_V_ERR_UNABLE_TO_GET_CRL:
	case X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER:
	case X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE:
	case X509_V_ERR_CRL_SIGNATURE_FAILURE:
	case X509_V_ERR_CRL_NOT_YET_VALID:
	case X509_V_ERR_CRL_HAS_EXPIRED:
	case X509_V_ERR_KEYUSAGE_NO_CRL_SIGN:
	case X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION:
	case X509_V_ERR_DIFFERENT_CRL_SCOPE:
	case X509_V_ERR_CRL_PATH_VALIDATION_ERROR:
		return true;
	default:
		return false;
	}
}
