// SPDX-License-Identifier: GPL-2.0
#include "inspect/revocation.h"

#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <time.h>

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

/* By its key, too: another CA may have the same name. */
static bool has_signed(const X509 *issuer, const X509 *cert)
{
	return issues(issuer, cert) && X509_verify((X509 *)cert, X509_get0_pubkey(issuer)) == 1;
}

static bool names(X509_CRL *crl, const X509 *cert)
{
	X509_REVOKED *entry;

	/* 2: on it to be taken off an older one. */
	return X509_NAME_cmp(X509_CRL_get_issuer(crl), X509_get_issuer_name(cert)) == 0 &&
	       X509_CRL_get0_by_cert(crl, &entry, (X509 *)cert) == 1;
}

static bool has_signed_list(const X509 *issuer, X509_CRL *crl)
{
	return X509_CRL_verify(crl, X509_get0_pubkey(issuer)) == 1;
}

bool fmpi_is_revoked(X509_STORE *store, const X509 *cert, const X509 *issuer)
{
	for (int i = 0; i < count(store); i++) {
		X509_CRL *crl = list(store, i);

		if (crl && names(crl, cert) && (!issuer || has_signed_list(issuer, crl)))
			return true;
	}
	return false;
}

/* By what is known of those who may have issued it: gone are those that are none any more. */
static bool is_gone(X509_STORE *store, const X509 *cert, const bool *gone)
{
	unsigned known = 0, lost = 0;

	/*
	 * A root answers for itself: on its list are the numbers of its signers, and what others have
	 * certified of its key is another certificate.
	 */
	if (X509_self_signed((X509 *)cert, 1) == 1)
		return false;
	for (int i = 0; i < count(store); i++) {
		const X509 *c = certificate(store, i);

		if (!c || !has_signed(c, cert))
			continue;
		if (fmpi_is_revoked(store, cert, c))
			return true;
		known++;
		lost += gone[i];
	}
	return known ? known == lost : fmpi_is_revoked(store, cert, NULL);
}

/* Return: false without memory. */
static bool copy(X509_STORE *to, X509_STORE *from, const bool *gone)
{
	bool all = true;

	for (int i = 0; i < count(from); i++) {
		if (certificate(from, i) && !gone[i])
			all &= X509_STORE_add_cert(to, certificate(from, i)) == 1;
		if (list(from, i))
			all &= X509_STORE_add_crl(to, list(from, i)) == 1;
	}
	return all;
}

X509_STORE *fmpi_unrevoked(X509_STORE *store)
{
	bool *gone = calloc((size_t)count(store) + 1, sizeof(*gone)), more = gone;
	X509_STORE *out = gone ? X509_STORE_new() : NULL;

	/* Who is below one that is gone is gone in the next round. */
	while (more) {
		more = false;
		for (int i = 0; i < count(store); i++)
			if (!gone[i] && certificate(store, i) &&
			    is_gone(store, certificate(store, i), gone))
				gone[i] = more = true;
	}
	if (out && !copy(out, store, gone)) {
		X509_STORE_free(out);
		out = NULL;
	}
	free(gone);
	return out;
}

static bool issues_a_ca(X509_STORE *store, const X509 *ca)
{
	for (int i = 0; i < count(store); i++) {
		const X509 *c = certificate(store, i);

		/* A root that was renewed has issued itself. */
		if (c && issues(ca, c) && X509_self_signed((X509 *)c, 0) != 1)
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

static bool has_begun(const X509_CRL *crl, int64_t now_s)
{
	time_t now = (time_t)now_s;

	return X509_cmp_time(X509_CRL_get0_lastUpdate(crl), &now) < 0;
}

/* Return: when the newest list of that issuer that holds now was made; NULL: none does. */
static const ASN1_TIME *newest_that_holds(X509_STORE *store, const X509 *issuer, int64_t now_s)
{
	const ASN1_TIME *newest = NULL;

	for (int i = 0; i < count(store); i++) {
		X509_CRL *crl = list(store, i);

		if (crl && holds(crl, now_s) &&
		    !X509_NAME_cmp(X509_CRL_get_issuer(crl), X509_get_subject_name(issuer)) &&
		    (!newest || ASN1_TIME_compare(X509_CRL_get0_lastUpdate(crl), newest) > 0) &&
		    has_signed_list(issuer, crl))
			newest = X509_CRL_get0_lastUpdate(crl);
	}
	return newest;
}

bool fmpi_is_revoked_since(X509_STORE *store, const X509 *cert, const X509 *issuer, int64_t now_s)
{
	const ASN1_TIME *newest = newest_that_holds(store, issuer, now_s);

	for (int i = 0; i < count(store); i++) {
		X509_CRL *crl = list(store, i);

		if (crl && has_begun(crl, now_s) && names(crl, cert) &&
		    (!newest || ASN1_TIME_compare(X509_CRL_get0_lastUpdate(crl), newest) > 0) &&
		    has_signed_list(issuer, crl))
			return true;
	}
	return false;
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
