// SPDX-License-Identifier: GPL-2.0
#include "token.h"

#include <string.h>

#include "xml/names.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

/* @max: most bytes of text; @der has room for FMPI_BASE64_MAX(max) */
static int decode_text(const xmlNode *node, const char *text, size_t max, uint8_t *der, size_t *len,
		       struct fmp_inspection *v)
{
	if (!text || strlen(text) > max)
		return refuse(v, FMP_EVENT_TOKEN, node, "the token is too long or not plain text");
	if (fmpi_base64_decode(text, strlen(text), der, len) != 0 || *len == 0)
		return refuse(v, FMP_EVENT_TOKEN, node, "the token is not Base64");
	return 0;
}

int fmpi_token_decode(const xmlNode *node, const char *text, uint8_t der[FMPI_TOKEN_DER],
		      size_t *len, struct fmp_inspection *v)
{
	return decode_text(node, text, FMPI_TOKEN_TEXT, der, len, v);
}

/* *kind: FMPI_PATH_ONE, or FMPI_PATH_ORDERED for a PKIPath */
static int check_token(const xmlNode *token, enum fmpi_path_kind *kind, struct fmp_inspection *v)
{
	const char *encoding = fmpi_attribute(token, NULL, "EncodingType");
	const char *type = fmpi_attribute(token, NULL, "ValueType");

	if (encoding && strcmp(encoding, WSSE_BASE64) != 0)
		return refuse(v, FMP_EVENT_TOKEN, token, "the token is not encoded in Base64");
	*kind = type && strcmp(type, WSSE_X509PKIPATH) == 0 ? FMPI_PATH_ORDERED : FMPI_PATH_ONE;
	if (*kind == FMPI_PATH_ONE && (!type || strcmp(type, WSSE_X509V3) != 0))
		return refuse(v, FMP_EVENT_UNSUPPORTED, token,
			      "a token of type %s is not supported, only X509v3 and X509PKIPathv1",
			      type ? type : "unknown");
	return 0;
}

static int check_pkipath(struct fmpi_trust *t, const xmlNode *token, int64_t now_s,
			 struct fmpi_signer *out, struct fmp_inspection *v)
{
	uint8_t bytes[FMPI_BASE64_MAX(FMPI_PATH_TEXT)];
	const uint8_t *der = bytes;
	size_t len = 0;
	int ret = decode_text(token, fmpi_text(token), FMPI_PATH_TEXT, bytes, &len, v);

	if (ret)
		return ret;
	if (!fmpi_path_open(&der, &len))
		return refuse(v, FMP_EVENT_TOKEN, token, "the token is not an X509PKIPathv1");
	return fmpi_trust_check_path(t, der, len, FMPI_PATH_ORDERED, now_s, fmpi_line(token), out,
				     v);
}

/* X509Data with several certificates, in any order: put the signer's behind the others. */
static int check_chain(struct fmpi_trust *t, const struct fmpi_keyinfo *k, int64_t now_s,
		       struct fmpi_signer *out, struct fmp_inspection *v)
{
	uint8_t der[FMPI_PATH_DER + FMPI_TOKEN_DER];
	size_t at = 0, len = 0;
	int ret = 0;

	for (const xmlNode *n = fmpi_first(k->chain); n && !ret; n = fmpi_next(n)) {
		if (n == k->node || !fmpi_is(n, NS_DS, "X509Certificate"))
			continue;
		ret = fmpi_token_decode(n, fmpi_text(n), der + at, &len, v);
		at += len;
		if (!ret && at > FMPI_PATH_DER)
			ret = refuse(v, FMP_EVENT_TOKEN, n, "the certificates are too long");
	}
	if (!ret)
		ret = fmpi_token_decode(k->node, k->text, der + at, &len, v);
	return ret ? ret
		   : fmpi_trust_check_path(t, der, at + len, FMPI_PATH_ANY_ORDER, now_s,
					   fmpi_line(k->node), out, v);
}

static int find_signer(struct fmpi_trust *t, const struct fmpi_cert_store *store,
		       const struct fmpi_keyinfo *k, int64_t now_s, struct fmpi_signer *out,
		       struct fmp_inspection *v)
{
	const xmlNode *node = k->token ? k->token : k->node;
	struct fmpi_certificate c = { 0 };
	enum fmpi_path_kind kind = k->chain ? FMPI_PATH_ANY_ORDER : FMPI_PATH_ONE;
	uint8_t der[FMPI_TOKEN_DER];
	int ret = k->token ? check_token(node, &kind, v) : 0;

	if (k->name == FMPI_KEY_TOKEN || k->name == FMPI_KEY_EMBEDDED) {
		c.der = der;
		if (!ret && kind == FMPI_PATH_ONE)
			ret = fmpi_token_decode(node, k->token ? fmpi_text(node) : k->text, der,
						&c.len, v);
	} else {
		ret = fmpi_cert_store_find(store, k, now_s, &c, v);
	}
	if (!ret && kind == FMPI_PATH_ORDERED)
		ret = check_pkipath(t, node, now_s, out, v);
	else if (!ret && kind == FMPI_PATH_ANY_ORDER)
		ret = check_chain(t, k, now_s, out, v);
	else if (!ret)
		ret = fmpi_trust_check(t, c.der, c.len, now_s, fmpi_line(node), out, v);
	if (!ret && out->tls_only)
		v->tls_signer = true;
	return ret;
}

int fmpi_token_check_key(const struct fmpi_signedinfo *s, EVP_PKEY *key, const xmlNode *node,
			 struct fmp_inspection *v)
{
	static const char *const kinds[] = {
		[FMPI_KEY_RSA] = "RSA",
		[FMPI_KEY_EC] = "EC",
		[FMPI_KEY_ED25519] = "ED25519",
	};

	if (!fmpi_signedinfo_is_symmetric(s) && EVP_PKEY_is_a(key, kinds[s->method->key]))
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
