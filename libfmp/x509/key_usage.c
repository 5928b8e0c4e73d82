// SPDX-License-Identifier: GPL-2.0
#include "key_usage.h"

#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PURPOSES 32u

struct fmpi_key_usages {
	ASN1_OBJECT *object[MAX_PURPOSES];
	unsigned n;
};

static int add_purpose(struct fmpi_key_usages *p, const char *word, struct fmp_error *err)
{
	static const struct {
		const char *name, *oid;
	} known[] = {
		{ "server-auth", "1.3.6.1.5.5.7.3.1" }, { "client-auth", "1.3.6.1.5.5.7.3.2" },
		{ "code", "1.3.6.1.5.5.7.3.3" },	{ "email", "1.3.6.1.5.5.7.3.4" },
		{ "document", "1.3.6.1.5.5.7.3.36" },
	};
	const char *oid = word;

	if (p->n == MAX_PURPOSES)
		return fmp_error_set(err, FMP_ERR_INVALID, "more than %u purposes of signers",
				     MAX_PURPOSES);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(word, known[i].name) == 0)
			oid = known[i].oid;
	p->object[p->n] = OBJ_txt2obj(oid, 1);
	ERR_clear_error();
	if (!p->object[p->n])
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "the purpose \"%s\" is no extended key usage", word);
	p->n++;
	return 0;
}

int fmpi_key_usages_parse(const char *text, struct fmpi_key_usages **out, struct fmp_error *err)
{
	struct fmpi_key_usages *p = calloc(1, sizeof(*p));
	char *copy = strdup(text), *rest = NULL;
	bool any = false;
	int ret = 0;

	*out = NULL;
	if (!p || !copy)
		ret = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the purposes of signers");
	for (char *word = ret ? NULL : strtok_r(copy, " ", &rest); word && !ret;
	     word = strtok_r(NULL, " ", &rest)) {
		if (strcmp(word, "any") == 0)
			any = true;
		else
			ret = add_purpose(p, word, err);
	}
	free(copy);
	if (ret || any)
		fmpi_key_usages_free(p);
	else
		*out = p;
	return ret;
}

void fmpi_key_usages_free(struct fmpi_key_usages *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->n; i++)
		ASN1_OBJECT_free(p->object[i]);
	free(p);
}

static bool is_wanted(const struct fmpi_key_usages *p, const ASN1_OBJECT *purpose)
{
	if (OBJ_obj2nid(purpose) == NID_anyExtendedKeyUsage)
		return true;
	for (unsigned i = 0; i < p->n; i++)
		if (OBJ_cmp(p->object[i], purpose) == 0)
			return true;
	return false;
}

static bool is_of_tls(const ASN1_OBJECT *purpose)
{
	int nid = OBJ_obj2nid(purpose);

	return nid == NID_server_auth || nid == NID_client_auth;
}

/* Without the extension a certificate is for any purpose, but names none of those required. */
bool fmpi_key_usages_fit(const struct fmpi_key_usages *p, const X509 *cert, bool *tls_only)
{
	EXTENDED_KEY_USAGE *all = X509_get_ext_d2i(cert, NID_ext_key_usage, NULL, NULL);
	int n = sk_ASN1_OBJECT_num(all);
	bool wanted = !p;

	*tls_only = n > 0;
	for (int i = 0; i < n; i++) {
		wanted = wanted || is_wanted(p, sk_ASN1_OBJECT_value(all, i));
		*tls_only = *tls_only && is_of_tls(sk_ASN1_OBJECT_value(all, i));
	}
	EXTENDED_KEY_USAGE_free(all);
	return wanted;
}
