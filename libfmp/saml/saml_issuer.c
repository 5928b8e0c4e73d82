// SPDX-License-Identifier: GPL-2.0
#include "saml_issuer.h"

#include <stdlib.h>
#include <string.h>

#include "holder_of_key.h"
#include "xml/names.h"
#include "wss/signature.h"
#include "wss/token.h"

#define MAX_HOLDERS 32u

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

struct issuer {
	char *name;
	struct fmpi_trust *trust;
};

/* Cache of confirmed holder-of-key keys, looked up by the text of their KeyInfo. */
struct holder {
	uint8_t text[FMPI_HOLDER_ID];
	EVP_PKEY *key; /* NULL: free */
	uint8_t id[FMPI_KEY_ID];
	uint64_t used;
};

struct fmpi_issuers {
	struct issuer *issuer;
	unsigned n;
	struct holder holder[MAX_HOLDERS];
	uint64_t tick;
};

int fmpi_issuers_load(const struct fmp_policy_saml *saml, struct fmpi_issuers **out,
		      struct fmp_error *err)
{
	struct fmpi_issuers *s = calloc(1, sizeof(*s));
	int ret = 0;

	*out = NULL;
	if (s)
		s->issuer = calloc(saml->n_issuers, sizeof(*s->issuer));
	if (!s || !s->issuer) {
		free(s);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the issuers");
	}
	for (; s->n < saml->n_issuers && !ret; s->n++) {
		struct issuer *i = &s->issuer[s->n];

		i->name = strdup(saml->issuers[s->n].name);
		ret = i->name ? fmpi_trust_load(saml->issuers[s->n].trust, NULL, &i->trust, err)
			      : fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the issuers");
	}
	if (ret)
		fmpi_issuers_free(s);
	else
		*out = s;
	return ret;
}

void fmpi_issuers_free(struct fmpi_issuers *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->n; i++) {
		fmpi_trust_free(s->issuer[i].trust);
		free(s->issuer[i].name);
	}
	for (unsigned i = 0; i < MAX_HOLDERS; i++)
		EVP_PKEY_free(s->holder[i].key);
	free(s->issuer);
	free(s);
}

/* saml-core leaves KeyInfo open; issuers write KeyInfo (X509Data (X509Certificate)). */
static int read_certificate(const xmlNode *key_info, const xmlNode **out, struct fmp_inspection *v)
{
	const xmlNode *data = fmpi_first(key_info), *cert;

	cert = fmpi_is(data, NS_DS, "X509Data") && !fmpi_next(data) ? fmpi_first(data) : NULL;
	if (!fmpi_is(cert, NS_DS, "X509Certificate") || fmpi_next(cert))
		return refuse(v, FMP_EVENT_TOKEN, key_info,
			      "the Assertion's signature does not carry one certificate");
	*out = cert;
	return 0;
}

static int check_issuer(const struct fmpi_issuers *s, const struct fmpi_assertion *a,
			const xmlNode *key_info, int64_t now_s, struct fmpi_signer *who,
			struct fmp_inspection *v)
{
	uint8_t der[FMPI_TOKEN_DER];
	const xmlNode *cert = NULL;
	unsigned i = 0;
	size_t len;
	int ret;

	while (i < s->n && strcmp(s->issuer[i].name, a->issuer) != 0)
		i++;
	if (i == s->n)
		return refuse(v, FMP_EVENT_TOKEN, a->node, "the issuer %s is not known here",
			      a->issuer);
	ret = read_certificate(key_info, &cert, v);
	if (!ret)
		ret = fmpi_token_decode(cert, fmpi_text(cert), der, &len, v);
	if (!ret)
		ret = fmpi_trust_check(s->issuer[i].trust, der, len, now_s, fmpi_line(cert), who,
				       v);
	return ret;
}

int fmpi_issuers_verify(struct fmpi_issuers *s, struct fmpi_dsig *dsig,
			const struct fmp_policy_algorithms *allowed, const struct fmpi_assertion *a,
			int64_t now_s, size_t budget, struct fmp_inspection *v)
{
	struct fmpi_signedinfo info;
	struct fmpi_signer who;
	const xmlNode *key_info;
	struct fmpi_signed_bytes signed_bytes = { 0 };
	int ret;

	ret = fmpi_signedinfo_enveloped(a->signature, a->node, "ID", allowed, &info, &key_info, v);
	info.budget = budget;
	if (!ret)
		ret = check_issuer(s, a, key_info, now_s, &who, v);
	if (!ret)
		ret = fmpi_token_check_key(&info, who.key, key_info, v);
	if (ret)
		return ret;
	if (dsig)
		ret = fmpi_dsig_verify(dsig, a->signature, &info, who.key, &signed_bytes, v);
	if (!dsig || ret == FMP_ERR_UNSUPPORTED)
		ret = fmpi_signature_verify(a->signature, &info, who.key, &signed_bytes, v);
	free(signed_bytes.body.p);
	return ret;
}

static struct holder *find_holder(struct fmpi_issuers *s, const uint8_t text[FMPI_HOLDER_ID])
{
	for (unsigned i = 0; i < MAX_HOLDERS; i++)
		if (s->holder[i].key && memcmp(s->holder[i].text, text, FMPI_HOLDER_ID) == 0)
			return &s->holder[i];
	return NULL;
}

static struct holder *find_oldest_holder(struct fmpi_issuers *s)
{
	struct holder *h = &s->holder[0];

	for (unsigned i = 1; i < MAX_HOLDERS; i++)
		if (s->holder[i].used < h->used)
			h = &s->holder[i];
	return h;
}

static int store_holder(struct holder *h, const struct fmpi_assertion *a, struct fmp_inspection *v)
{
	EVP_PKEY *key;
	int ret = fmpi_holder_of_key_load(&a->key, &key, v);

	if (ret)
		return ret;
	EVP_PKEY_free(h->key);
	*h = (struct holder){ .key = key };
	memcpy(h->text, a->key_id, FMPI_HOLDER_ID);
	if (fmpi_key_identify(key, h->id))
		return 0;
	EVP_PKEY_free(key);
	h->key = NULL;
	return FMP_ERR_NOMEM;
}

static void use_holder(struct fmpi_issuers *s, struct holder *h, struct fmpi_signer *out)
{
	h->used = ++s->tick;
	*out = (struct fmpi_signer){ .key = h->key };
	memcpy(out->id, h->id, sizeof(out->id));
}

bool fmpi_issuers_lookup_holder(struct fmpi_issuers *s, const struct fmpi_assertion *a,
				struct fmpi_signer *out)
{
	struct holder *h = find_holder(s, a->key_id);

	if (h)
		use_holder(s, h, out);
	return h;
}

int fmpi_issuers_load_holder(struct fmpi_issuers *s, const struct fmpi_assertion *a,
			     struct fmpi_signer *out, struct fmp_inspection *v)
{
	struct holder *h;
	int ret;

	if (fmpi_issuers_lookup_holder(s, a, out))
		return 0;
	h = find_oldest_holder(s);
	ret = store_holder(h, a, v);
	if (!ret)
		use_holder(s, h, out);
	return ret;
}
