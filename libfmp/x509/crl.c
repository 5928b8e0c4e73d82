// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/crl.h>

#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fmp/internal/calendar_time.h>
#include "crl_scope.h"
#include <fmp/internal/pem.h>

struct crl_info {
	X509_CRL *crl;
	ISSUING_DIST_POINT *scope; /* NULL: all certificates of its issuer */
	const X509 *issuer; /* the first CA of that name and key; NULL: none is known yet */
	X509 *not_by; /* the last CA of that name that has not signed it; NULL */
	int64_t from_s, until_s; /* until_s is exclusive, as in OpenSSL */
};

struct fmp_crls {
	char *path;
	STACK_OF(X509) * cas;
	struct crl_info *crls;
	size_t n, n_unclaimed; /* without an issuer */
	STACK_OF(X509) * brought; /* issuers that came with a chain */
};

bool fmpi_asn1_seconds(const ASN1_TIME *at, int64_t *s)
{
	struct tm tm;

	if (!at || !ASN1_TIME_to_tm(at, &tm))
		return false;
	*s = fmp_calendar_seconds(&tm);
	return true;
}

static const X509 *find_signer(X509_CRL *crl, STACK_OF(X509) * cas)
{
	for (int i = 0; i < sk_X509_num(cas); i++) {
		X509 *ca = sk_X509_value(cas, i);

		if (!X509_NAME_cmp(X509_CRL_get_issuer(crl), X509_get_subject_name(ca)) &&
		    X509_CRL_verify(crl, X509_get0_pubkey(ca)) == 1)
			return ca;
	}
	return NULL;
}

static int set_no_memory(const char *path, struct fmp_error *err)
{
	return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
}

static int keep_crl(struct fmp_crls *l, const struct crl_info *new, const char *path,
		    struct fmp_error *err)
{
	struct crl_info *more = realloc(l->crls, (l->n + 1) * sizeof(*more));
	ASN1_INTEGER *none;
	X509_REVOKED *entry;

	if (more)
		l->crls = more;
	none = more ? ASN1_INTEGER_new() : NULL;
	if (!none || !X509_CRL_up_ref(new->crl)) {
		ASN1_INTEGER_free(none);
		return set_no_memory(path, err);
	}
	/* The first lookup sorts the entries: do it here, while no message waits. */
	X509_CRL_get0_by_serial(new->crl, &entry, none);
	ASN1_INTEGER_free(none);
	l->crls[l->n++] = *new;
	return 0;
}

static int add_crl(X509_CRL *crl, void *ctx, const char *path, struct fmp_error *err)
{
	struct fmp_crls *l = ctx;
	struct crl_info new = { .crl = crl };
	int ret;

	if (!fmpi_asn1_seconds(X509_CRL_get0_lastUpdate(crl), &new.from_s) ||
	    !fmpi_asn1_seconds(X509_CRL_get0_nextUpdate(crl), &new.until_s))
		return fmp_error_at(
			err, FMP_ERR_INVALID, path, 0, 0,
			"a revocation list has no validity dates (thisUpdate, nextUpdate)");
	ret = fmpi_crl_scope_read(crl, &new.scope, path, err);
	if (ret)
		return ret;
	new.issuer = find_signer(crl, l->cas);
	ret = keep_crl(l, &new, path, err);
	if (ret)
		ISSUING_DIST_POINT_free(new.scope);
	else
		l->n_unclaimed += !new.issuer;
	return ret;
}

int fmp_crls_load(const char *path, STACK_OF(X509) * cas, struct fmp_crls **out,
		  struct fmp_error *err)
{
	struct fmp_crls *l = calloc(1, sizeof(*l));
	int ret;

	*out = NULL;
	if (!l || !(l->path = strdup(path))) {
		free(l);
		return set_no_memory(path, err);
	}
	l->cas = cas;
	ret = fmp_pem_crls(path, add_crl, l, err);
	ERR_clear_error();
	if (ret)
		fmp_crls_free(l);
	else
		*out = l;
	return ret;
}

void fmp_crls_free(struct fmp_crls *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++) {
		ISSUING_DIST_POINT_free(l->crls[i].scope);
		X509_CRL_free(l->crls[i].crl);
		X509_free(l->crls[i].not_by);
	}
	sk_X509_pop_free(l->brought, X509_free);
	free(l->crls);
	free(l->path);
	free(l);
}

static bool has_started(const struct crl_info *l, int64_t now_s)
{
	return l->from_s <= now_s;
}

/* A CA may have one CRL for signers and another for CAs. */
static bool have_same_scope(X509_CRL *a, X509_CRL *b)
{
	const int nid = NID_issuing_distribution_point;
	const ASN1_OCTET_STRING *of_a, *of_b;

	of_a = X509_EXTENSION_get_data(X509_CRL_get_ext(a, X509_CRL_get_ext_by_NID(a, nid, -1)));
	of_b = X509_EXTENSION_get_data(X509_CRL_get_ext(b, X509_CRL_get_ext_by_NID(b, nid, -1)));
	return of_a && of_b ? ASN1_OCTET_STRING_cmp(of_a, of_b) == 0 : of_a == of_b;
}

static bool in_same_series(const struct crl_info *a, const struct crl_info *b)
{
	return a->issuer == b->issuer && have_same_scope(a->crl, b->crl);
}

static bool replaces_crl(const struct crl_info *new, const struct crl_info *old, int64_t now_s)
{
	bool begun = has_started(new, now_s), newer = new->from_s > old->from_s;

	return (begun != has_started(old, now_s) ? begun : newer) && in_same_series(new, old);
}

static bool is_current(const struct fmp_crls *l, const struct crl_info *one, int64_t now_s)
{
	for (size_t i = 0; i < l->n; i++)
		if (replaces_crl(&l->crls[i], one, now_s))
			return false;
	return true;
}

/* The valid one need not be the newest. */
static bool series_is_valid(const struct fmp_crls *l, const struct crl_info *one, int64_t now_s)
{
	for (size_t i = 0; i < l->n; i++)
		if (has_started(&l->crls[i], now_s) && now_s < l->crls[i].until_s &&
		    in_same_series(&l->crls[i], one))
			return true;
	return false;
}

/* Compare the key too: another CA may have the same name. */
static bool is_issued_by(const struct crl_info *one, const X509 *ca)
{
	return one->issuer &&
	       !X509_NAME_cmp(X509_get_subject_name(one->issuer), X509_get_subject_name(ca)) &&
	       EVP_PKEY_eq(X509_get0_pubkey(one->issuer), X509_get0_pubkey(ca)) == 1;
}

/* Return: the next current CRL of this CA, from *i on; NULL: no more. */
static const struct crl_info *next_current(const struct fmp_crls *l, const X509 *ca, int64_t now_s,
					   size_t *i)
{
	while (*i < l->n) {
		const struct crl_info *one = &l->crls[(*i)++];

		if (is_issued_by(one, ca) && is_current(l, one, now_s))
			return one;
	}
	return NULL;
}

/* An entry with reason removeFromCRL (result 2) is not a revocation. */
static bool lists_certificate(const struct crl_info *one, const X509 *cert)
{
	X509_REVOKED *entry;

	return X509_CRL_get0_by_cert(one->crl, &entry, (X509 *)cert) == 1;
}

/* Check one certificate, whose signature by this issuer is verified. */
static int check_certificate(const struct fmp_crls *l, const X509 *cert, const X509 *issuer,
			     int64_t now_s)
{
	int missing = X509_V_ERR_UNABLE_TO_GET_CRL;
	bool is_covered = false;
	const struct crl_info *one;

	for (size_t i = 0; (one = next_current(l, issuer, now_s, &i));) {
		if (!fmpi_crl_scope_covers(one->scope, X509_CRL_get_issuer(one->crl), cert)) {
			if (missing == X509_V_ERR_UNABLE_TO_GET_CRL)
				missing = X509_V_ERR_DIFFERENT_CRL_SCOPE;
			continue;
		}
		if (lists_certificate(one, cert))
			return X509_V_ERR_CERT_REVOKED;
		if (series_is_valid(l, one, now_s))
			is_covered = true;
		else
			missing = has_started(one, now_s) ? X509_V_ERR_CRL_HAS_EXPIRED
							  : X509_V_ERR_CRL_NOT_YET_VALID;
	}
	if (!is_covered)
		return missing;
	/* UINT32_MAX without a key usage extension: allowed. */
	return X509_get_key_usage((X509 *)issuer) & KU_CRL_SIGN ? X509_V_OK
								: X509_V_ERR_KEYUSAGE_NO_CRL_SIGN;
}

/* Is it signed by this CA, which is not in the file? Each CA that has its name is tried once in a row. */
static bool is_signed_by(struct crl_info *one, X509 *ca)
{
	if (X509_NAME_cmp(X509_CRL_get_issuer(one->crl), X509_get_subject_name(ca)) ||
	    (one->not_by && !X509_cmp(one->not_by, ca)))
		return false;
	if (X509_CRL_verify(one->crl, X509_get0_pubkey(ca)) == 1)
		return true;
	ERR_clear_error();
	X509_free(one->not_by);
	one->not_by = X509_up_ref(ca) ? ca : NULL;
	return false;
}

/*
 * Find the CRLs of a CA that a verified chain brings, and keep the CA with them: all of its CRLs, as one
 * of them may replace another.
 */
static void claim_crls(struct fmp_crls *l, X509 *ca)
{
	bool kept = false;

	for (size_t i = 0; i < l->n; i++) {
		struct crl_info *one = &l->crls[i];

		if (one->issuer || !is_signed_by(one, ca))
			continue;
		if (!kept) {
			if (!l->brought)
				l->brought = sk_X509_new_null();
			/* Without memory they stay unknown: such signers are refused. */
			if (!l->brought || !sk_X509_push(l->brought, ca))
				return;
			X509_up_ref(ca);
			kept = true;
		}
		one->issuer = ca;
		l->n_unclaimed--;
	}
}

int fmp_crls_check(struct fmp_crls *l, STACK_OF(X509) * chain, int n, int64_t now_s)
{
	int last = sk_X509_num(chain) - 1, missing = X509_V_OK;

	for (int i = 0; i < n && i <= last; i++) {
		/* A root is its own issuer. */
		X509 *issuer = sk_X509_value(chain, i < last ? i + 1 : last);
		int error;

		if (l->n_unclaimed)
			claim_crls(l, issuer);
		error = check_certificate(l, sk_X509_value(chain, i), issuer, now_s);
		if (error == X509_V_ERR_CERT_REVOKED)
			return error;
		if (!missing)
			missing = error;
	}
	return missing;
}

int64_t fmp_crls_next_change(const struct fmp_crls *l, int64_t now_s, bool ends)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < l->n; i++) {
		const struct crl_info *one = &l->crls[i];

		if (one->from_s > now_s && one->from_s < first)
			first = one->from_s;
		if (ends && one->until_s > now_s && one->until_s < first)
			first = one->until_s;
	}
	return first;
}

/* X509_check_issued() takes no const pointers; it only fills caches of the certificates. */
static bool is_issuer(const X509 *issuer, const X509 *cert)
{
	return X509_cmp(issuer, cert) != 0 &&
	       X509_check_issued((X509 *)issuer, (X509 *)cert) == X509_V_OK;
}

/* Compare the key too: another CA may have the same name. */
static bool has_signed(const X509 *issuer, const X509 *cert)
{
	return is_issuer(issuer, cert) && X509_verify((X509 *)cert, X509_get0_pubkey(issuer)) == 1;
}

static bool has_revoked(const struct fmp_crls *l, const X509 *ca, const X509 *cert, int64_t now_s)
{
	const struct crl_info *one;

	for (size_t i = 0; (one = next_current(l, ca, now_s, &i));)
		if (lists_certificate(one, cert))
			return true;
	return false;
}

/* Is the certificate revoked, or are all of its known issuers excluded? */
static bool is_excluded(const struct fmp_crls *l, const X509 *cert, const bool *excluded,
			int64_t now_s)
{
	unsigned n_issuers = 0, n_excluded = 0;

	/*
	 * A root is never excluded: its own CRL lists its signers by number, and what other CAs
	 * have certified about its key is another certificate.
	 */
	if (X509_self_signed((X509 *)cert, 1) == 1)
		return false;
	for (int i = 0; i < sk_X509_num(l->cas); i++) {
		const X509 *c = sk_X509_value(l->cas, i);

		if (!has_signed(c, cert))
			continue;
		if (has_revoked(l, c, cert, now_s))
			return true;
		n_issuers++;
		n_excluded += excluded[i];
	}
	return n_issuers && n_issuers == n_excluded;
}

STACK_OF(X509) * fmp_crls_unrevoked(const struct fmp_crls *l, int64_t now_s)
{
	int n = sk_X509_num(l->cas);
	STACK_OF(X509) *out = sk_X509_new_reserve(NULL, n);
	bool *excluded = calloc((size_t)n + 1, sizeof(*excluded)), more = out && excluded;

	/* A CA below an excluded one is excluded in the next round. */
	while (more) {
		more = false;
		for (int i = 0; i < n; i++)
			if (!excluded[i] &&
			    is_excluded(l, sk_X509_value(l->cas, i), excluded, now_s))
				excluded[i] = more = true;
	}
	for (int i = 0; out && excluded && i < n; i++)
		if (!excluded[i])
			sk_X509_push(out, sk_X509_value(l->cas, i));
	if (!excluded) {
		sk_X509_free(out);
		out = NULL;
	}
	free(excluded);
	ERR_clear_error();
	return out;
}

static bool issues_ca(STACK_OF(X509) * cas, const X509 *ca)
{
	for (int i = 0; i < sk_X509_num(cas); i++) {
		X509 *c = sk_X509_value(cas, i);

		/* A renewed root has issued itself. */
		if (is_issuer(ca, c) && X509_self_signed(c, 0) != 1)
			return true;
	}
	return false;
}

static bool set_problem(const struct fmp_crls *l, const X509_NAME *whose, const char *which,
			const char *what, struct fmp_error *out)
{
	char name[128];

	X509_NAME_oneline(whose, name, sizeof(name));
	fmp_error_at(out, FMP_ERR_NOTFOUND, l->path, 0, 0, "%s revocation list of %s%s", which,
		     name, what);
	return true;
}

/* Return: true: this CA has no valid CRL. */
static bool lacks_crl(const struct fmp_crls *l, const X509 *ca, int64_t now_s,
		      struct fmp_error *out)
{
	const X509_NAME *name = X509_get_subject_name(ca);
	const struct crl_info *one, *last = NULL;

	for (size_t i = 0; (one = next_current(l, ca, now_s, &i)); last = one)
		if (series_is_valid(l, one, now_s))
			return false;
	if (!last)
		return set_problem(l, name, "no", ": its signers are refused", out);
	if (!has_started(last, now_s))
		return set_problem(l, name, "the", " is not valid yet: its signers are refused",
				   out);
	return set_problem(l, name, "the", " is out of date: its signers are refused", out);
}

bool fmp_crls_missing(const struct fmp_crls *l, STACK_OF(X509) * cas, int64_t now_s,
		      struct fmp_error *out)
{
	for (int i = 0; i < sk_X509_num(cas); i++) {
		X509 *ca = sk_X509_value(cas, i);

		if (X509_check_ca(ca) && !issues_ca(cas, ca) && lacks_crl(l, ca, now_s, out))
			return true;
	}
	for (size_t i = 0; l->n_unclaimed && i < l->n; i++)
		if (!l->crls[i].issuer)
			return set_problem(l, X509_CRL_get_issuer(l->crls[i].crl), "the",
					   " is ignored: no CA that is trusted has signed it", out);
	return false;
}

bool fmp_is_crl_error(int error)
{
	switch (error) {
	case X509_V_ERR_UNABLE_TO_GET_CRL:
	case X509_V_ERR_CRL_NOT_YET_VALID:
	case X509_V_ERR_CRL_HAS_EXPIRED:
	case X509_V_ERR_KEYUSAGE_NO_CRL_SIGN:
	case X509_V_ERR_DIFFERENT_CRL_SCOPE:
		return true;
	default:
		return false;
	}
}
