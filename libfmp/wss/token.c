// SPDX-License-Identifier: GPL-2.0
#include "token.h"

#include <string.h>

#include "xml/names.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

int fmpi_token_decode(const xmlNode *node, const char *text, uint8_t der[FMPI_TOKEN_DER],
		      size_t *len, struct fmp_inspection *v)
{
	if (!text || strlen(text) > FMPI_TOKEN_TEXT)
		return refuse(v, FMP_EVENT_TOKEN, node, "the token is too long or not plain text");
	if (fmpi_base64_decode(text, strlen(text), der, len) != 0 || *len == 0)
		return refuse(v, FMP_EVENT_TOKEN, node, "the token is not Base64");
	return 0;
}

static int check_token(const xmlNode *token, struct fmp_inspection *v)
{
	const char *encoding = fmpi_attribute(token, NULL, "EncodingType");
	const char *type = fmpi_attribute(token, NULL, "ValueType");

	if (encoding && strcmp(encoding, WSSE_BASE64) != 0)
		return refuse(v, FMP_EVENT_TOKEN, token, "the token is not encoded in Base64");
	if (!type || strcmp(type, WSSE_X509V3) != 0)
		return refuse(v, FMP_EVENT_UNSUPPORTED, token,
			      "a token of type %s is not supported, only X509v3",
			      type ? type : "unknown");
	return 0;
}

static int find_signer(struct fmpi_trust *t, const struct fmpi_cert_store *store,
		       const struct fmpi_keyinfo *k, int64_t now_s, struct fmpi_signer *out,
		       struct fmp_inspection *v)
{
	const xmlNode *node = k->token ? k->token : k->node;
	struct fmpi_certificate c = { 0 };
	uint8_t der[FMPI_TOKEN_DER];
	int ret = 0;

	if (k->name == FMPI_KEY_TOKEN || k->name == FMPI_KEY_EMBEDDED) {
		c.der = der;
		if (k->token)
			ret = check_token(node, v);
		if (!ret)
			ret = fmpi_token_decode(node, k->token ? fmpi_text(node) : k->text, der,
						&c.len, v);
	} else {
		ret = fmpi_cert_store_find(store, k, now_s, &c, v);
	}
	if (!ret)
		ret = fmpi_trust_check(t, c.der, c.len, now_s, fmpi_line(node), out, v);
	if (!ret && out->tls_only)
		v->tls_signer = true;
	return ret;
}

int fmpi_token_check_key(const struct fmpi_signedinfo *s, EVP_PKEY *key, const xmlNode *node,
			 struct fmp_inspection *v)
{
	if (!fmpi_signedinfo_is_symmetric(s) &&
	    EVP_PKEY_is_a(key, s->method->key == FMPI_KEY_RSA ? "RSA" : "EC"))
		return 0;
	return refuse(v, FMP_EVENT_ALGORITHM, node,
		      "the token's key does not fit the SignatureMethod");
}

int fmpi_token_signer(struct fmpi_trust *t, const struct fmpi_cert_store *store,
		      const struct fmpi_signer *holder, const struct fmpi_signedinfo *s,
		      int64_t now_s, struct fmpi_signer *out, struct fmp_inspection *v)
{
	const struct fmpi_keyinfo *k = &s->key_info;
	int ret = 0;

	if (k->name != FMPI_KEY_ASSERTION)
		ret = find_signer(t, store, k, now_s, out, v);
	else if (holder)
		*out = *holder;
	else
		ret = refuse(v, FMP_EVENT_TOKEN, k->node, "the Assertion confirms no key");
	if (ret)
		return ret;
	if (holder && EVP_PKEY_eq(out->key, holder->key) != 1)
		return refuse(v, FMP_EVENT_TOKEN, k->node,
			      "the message is not signed by the holder of the Assertion's key");
	return fmpi_token_check_key(s, out->key, k->token ? k->token : k->node, v);
}
