// SPDX-License-Identifier: GPL-2.0
#include "inspect/token.h"

#include <string.h>

#include "inspect/base64.h"
#include "inspect/names.h"

/* Base64 of the largest certificate, line ends included. */
#define MAX_TEXT (FMPI_MAX_CERTIFICATE / 3 * 4 + 512)

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

int fmpi_token_key(struct fmpi_trust *t, const xmlNode *token, enum fmpi_key_kind kind,
		   int64_t now_s, EVP_PKEY **key, struct fmp_inspection *v)
{
	const char *encoding = fmpi_attribute(token, NULL, "EncodingType");
	const char *type = fmpi_attribute(token, NULL, "ValueType");
	const char *text = fmpi_text(token);
	uint8_t der[FMPI_BASE64_MAX(MAX_TEXT)];
	size_t len;
	int ret;

	if (encoding && strcmp(encoding, WSSE_BASE64) != 0)
		return refuse(v, FMP_EVENT_TOKEN, token, "the token is not encoded in Base64");
	if (!type || strcmp(type, WSSE_X509V3) != 0)
		return refuse(v, FMP_EVENT_TOKEN, token,
			      "the token is not an X.509 v3 certificate");
	if (!text || strlen(text) > MAX_TEXT)
		return refuse(v, FMP_EVENT_TOKEN, token, "the token is too long or not plain text");
	if (fmpi_base64_decode(text, strlen(text), der, &len) != 0 || len == 0)
		return refuse(v, FMP_EVENT_TOKEN, token, "the token is not Base64");

	ret = fmpi_trust_check(t, der, len, now_s, fmpi_line(token), key, v);
	if (ret)
		return ret;
	if (!EVP_PKEY_is_a(*key, kind == FMPI_KEY_RSA ? "RSA" : "EC"))
		return refuse(v, FMP_EVENT_ALGORITHM, token,
			      "the token's key does not fit the SignatureMethod");
	return 0;
}
