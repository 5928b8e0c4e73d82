// SPDX-License-Identifier: GPL-2.0
#include "inspect/token.h"

#include <string.h>

#include "inspect/base64.h"
#include "inspect/names.h"

/* Base64 of the largest certificate, line ends included. */
#define MAX_TEXT (FMPI_MAX_CERTIFICATE / 3 * 4 + 512)

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

static int decode(const xmlNode *node, const char *text, uint8_t der[FMPI_BASE64_MAX(MAX_TEXT)],
		  size_t *len, struct fmp_inspection *v)
{
	if (!text || strlen(text) > MAX_TEXT)
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
		return refuse(v, FMP_EVENT_TOKEN, token,
			      "the token is not an X.509 v3 certificate");
	return 0;
}

int fmpi_token_signer(struct fmpi_trust *t, const struct fmpi_known *known,
		      const struct fmpi_signedinfo *s, int64_t now_s, struct fmpi_signer *out,
		      struct fmp_inspection *v)
{
	const struct fmpi_keyinfo *k = &s->key_info;
	const xmlNode *node = k->token ? k->token : k->node;
	struct fmpi_certificate c = { 0 };
	uint8_t der[FMPI_BASE64_MAX(MAX_TEXT)];
	int ret = 0;

	if (k->name == FMPI_KEY_TOKEN || k->name == FMPI_KEY_EMBEDDED) {
		c.der = der;
		if (k->token)
			ret = check_token(node, v);
		if (!ret)
			ret = decode(node, k->token ? fmpi_text(node) : k->text, der, &c.len, v);
	} else {
		ret = fmpi_known_find(known, k, now_s, &c, v);
	}
	if (!ret)
		ret = fmpi_trust_check(t, c.der, c.len, now_s, fmpi_line(node), out, v);
	if (ret)
		return ret;
	if (!EVP_PKEY_is_a(out->key, s->method->key == FMPI_KEY_RSA ? "RSA" : "EC"))
		return refuse(v, FMP_EVENT_ALGORITHM, node,
			      "the token's key does not fit the SignatureMethod");
	return 0;
}
