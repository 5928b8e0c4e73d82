// SPDX-License-Identifier: GPL-2.0
/*
 * Scope of CRLs. OpenSSL matches it only inside its full revocation check, which verifies the CRL's
 * signature each time: half a millisecond per megabyte, paid for each forged certificate. So the
 * scope is checked here.
 */
#include "crl_scope.h"

#include <openssl/x509.h>

static int refuse_crl(const char *path, struct fmp_error *err, const char *why)
{
	return fmp_error_at(err, FMP_ERR_INVALID, path, 0, 0, "a revocation list %s", why);
}

/* Is it a critical extension of a CRL or an entry that is not supported here? */
static bool is_unsupported(X509_EXTENSION *e)
{
	int nid = OBJ_obj2nid(X509_EXTENSION_get_object(e));

	return X509_EXTENSION_get_critical(e) && nid != NID_issuing_distribution_point &&
	       nid != NID_authority_key_identifier && nid != NID_crl_number &&
	       nid != NID_crl_reason && nid != NID_invalidity_date;
}

static int check_extensions(X509_CRL *crl, const char *path, struct fmp_error *err)
{
	/* OpenSSL would treat a delta CRL as a complete one. */
	if (X509_CRL_get_ext_by_NID(crl, NID_delta_crl, -1) >= 0)
		return refuse_crl(path, err,
				  "is a delta with changes only: give the complete list");
	for (int i = 0; i < X509_CRL_get_ext_count(crl); i++)
		if (is_unsupported(X509_CRL_get_ext(crl, i)))
			return refuse_crl(path, err,
					  "has a critical extension that is not supported");
	return 0;
}

static int check_entry(const X509_REVOKED *entry, const char *path, struct fmp_error *err)
{
	for (int i = 0; i < X509_REVOKED_get_ext_count(entry); i++) {
		X509_EXTENSION *e = X509_REVOKED_get_ext(entry, i);

		if (OBJ_obj2nid(X509_EXTENSION_get_object(e)) == NID_certificate_issuer)
			return refuse_crl(
				path, err,
				"names other issuers in its entries (indirect): give the list of each CA itself");
		if (is_unsupported(e))
			return refuse_crl(
				path, err,
				"has an entry with a critical extension that is not supported");
	}
	return 0;
}

static int check_point(const ISSUING_DIST_POINT *p, const char *path, struct fmp_error *err)
{
	if (p->indirectCRL > 0)
		return refuse_crl(
			path, err,
			"is indirect, with certificates of other issuers: give the list of each CA itself");
	if (p->onlyattr > 0)
		return refuse_crl(path, err, "covers attribute certificates only");
	if (p->onlysomereasons)
		return refuse_crl(path, err, "covers some reasons only: give one that covers all");
	return 0;
}

int fmpi_crl_scope_read(X509_CRL *crl, ISSUING_DIST_POINT **out, const char *path,
			struct fmp_error *err)
{
	STACK_OF(X509_REVOKED) *entries = X509_CRL_get_REVOKED(crl);
	int found, ret = check_extensions(crl, path, err);

	*out = NULL;
	for (int i = 0; !ret && i < sk_X509_REVOKED_num(entries); i++)
		ret = check_entry(sk_X509_REVOKED_value(entries, i), path, err);
	if (ret)
		return ret;
	*out = X509_CRL_get_ext_d2i(crl, NID_issuing_distribution_point, &found, NULL);
	/* -1: no extension: the CRL covers all certificates. */
	if (!*out)
		return found == -1 ? 0 : refuse_crl(path, err, "has a scope that is not readable");
	ret = check_point(*out, path, err);
	if (!ret && (*out)->distpoint && (*out)->distpoint->type == 1 &&
	    !DIST_POINT_set_dpname((*out)->distpoint, X509_CRL_get_issuer(crl)))
		ret = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	if (ret) {
		ISSUING_DIST_POINT_free(*out);
		*out = NULL;
	}
	return ret;
}

static bool has_name(const GENERAL_NAMES *names, const X509_NAME *name)
{
	for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
		const GENERAL_NAME *g = sk_GENERAL_NAME_value(names, i);

		if (g->type == GEN_DIRNAME && X509_NAME_cmp(g->d.directoryName, name) == 0)
			return true;
	}
	return false;
}

static bool share_name(const GENERAL_NAMES *a, const GENERAL_NAMES *b)
{
	for (int i = 0; i < sk_GENERAL_NAME_num(a); i++)
		for (int j = 0; j < sk_GENERAL_NAME_num(b); j++)
			if (GENERAL_NAME_cmp(sk_GENERAL_NAME_value(a, i),
					     sk_GENERAL_NAME_value(b, j)) == 0)
				return true;
	return false;
}

/* Type 1 is a name relative to the issuer, completed in dpname; type 0 is a list of full names. */
static bool have_same_point(const DIST_POINT_NAME *a, const DIST_POINT_NAME *b)
{
	if (a->type == 1 && b->type == 1)
		return a->dpname && b->dpname && X509_NAME_cmp(a->dpname, b->dpname) == 0;
	if (a->type == 1)
		return a->dpname && has_name(b->name.fullname, a->dpname);
	if (b->type == 1)
		return b->dpname && has_name(a->name.fullname, b->dpname);
	return share_name(a->name.fullname, b->name.fullname);
}

/* A point with another CRL issuer, or for some reasons only, says nothing about this CRL. */
static bool is_named(const DIST_POINT *p, const DIST_POINT_NAME *point, const X509_NAME *issuer)
{
	if (p->reasons || (p->CRLissuer && !has_name(p->CRLissuer, issuer)))
		return false;
	if (!p->distpoint)
		return true;
	if (p->distpoint->type == 1 && !DIST_POINT_set_dpname(p->distpoint, issuer))
		return false;
	return have_same_point(p->distpoint, point);
}

bool fmpi_crl_scope_covers(const ISSUING_DIST_POINT *scope, const X509_NAME *issuer,
			   const X509 *cert)
{
	CRL_DIST_POINTS *points;
	bool is_ca, found = false;

	if (!scope)
		return true;
	is_ca = X509_get_extension_flags((X509 *)cert) & EXFLAG_CA;
	if (is_ca ? scope->onlyuser > 0 : scope->onlyCA > 0)
		return false;
	if (!scope->distpoint)
		return true;
	points = X509_get_ext_d2i(cert, NID_crl_distribution_points, NULL, NULL);
	for (int i = 0; !found && i < sk_DIST_POINT_num(points); i++)
		found = is_named(sk_DIST_POINT_value(points, i), scope->distpoint, issuer);
	CRL_DIST_POINTS_free(points);
	return found;
}
