// SPDX-License-Identifier: GPL-2.0
#include "holder_of_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <string.h>

#include <fmp/internal/key_strength.h>
#include "xml/base64.h"
#include "xml/names.h"
#include "wss/token.h"

#define MAX_NUMBER   2048 /* Base64 of 8192 bits, line ends included */
#define MAX_EXPONENT 8

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, fmpi_line(node), __VA_ARGS__)

static int refuse_key(const xmlNode *n, struct fmp_inspection *v)
{
	return refuse(v, n, "the Assertion's KeyInfo is not one key");
}

/* Return: true: exactly two child elements. */
static bool read_pair(const xmlNode *parent, const xmlNode **a, const xmlNode **b)
{
	*a = fmpi_first(parent);
	*b = *a ? fmpi_next(*a) : NULL;
	return *b && !fmpi_next(*b);
}

static bool read_value(const xmlNode *value, struct fmpi_keytext *out)
{
	const xmlNode *key = fmpi_first(value), *a, *b;

	if (!key || fmpi_next(key) || !read_pair(key, &a, &b))
		return false;
	if (fmpi_is(key, NS_DS, "RSAKeyValue")) {
		out->form = FMPI_KEYFORM_RSA;
		out->first = fmpi_is(a, NS_DS, "Modulus") ? fmpi_text(a) : NULL;
		out->second = fmpi_is(b, NS_DS, "Exponent") ? fmpi_text(b) : NULL;
	} else if (fmpi_is(key, NS_DS11, "ECKeyValue")) {
		out->form = FMPI_KEYFORM_EC;
		out->first = fmpi_is(a, NS_DS11, "NamedCurve") ? fmpi_attribute(a, NULL, "URI")
							       : NULL;
		out->second = fmpi_is(b, NS_DS11, "PublicKey") ? fmpi_text(b) : NULL;
	}
	return out->first && out->second;
}

static bool read_data(const xmlNode *data, struct fmpi_keytext *out)
{
	const xmlNode *cert = fmpi_first(data);

	out->form = FMPI_KEYFORM_X509;
	out->second = "";
	if (fmpi_is(cert, NS_DS, "X509Certificate") && !fmpi_next(cert))
		out->first = fmpi_text(cert);
	return out->first != NULL;
}

int fmpi_holder_of_key_read(const xmlNode *key_info, struct fmpi_keytext *out,
			    uint8_t id[FMPI_HOLDER_ID], struct fmp_inspection *v)
{
	uint8_t all[1 + 2 * SHA256_DIGEST_LENGTH];
	const xmlNode *n = fmpi_first(key_info);
	bool good = false;

	*out = (struct fmpi_keytext){ .node = key_info };
	if (n && !fmpi_next(n)) {
		if (fmpi_is(n, NS_DS, "X509Data"))
			good = read_data(n, out);
		else if (fmpi_is(n, NS_DS, "KeyValue"))
			good = read_value(n, out);
	}
	if (!good)
		return refuse_key(key_info, v);
	all[0] = (uint8_t)out->form;
	SHA256((const uint8_t *)out->first, strlen(out->first), all + 1);
	SHA256((const uint8_t *)out->second, strlen(out->second), all + 1 + SHA256_DIGEST_LENGTH);
	SHA256(all, sizeof(all), id);
	return 0;
}

static bool decode_base64(const char *text, uint8_t out[FMPI_BASE64_MAX(MAX_NUMBER)], size_t *len)
{
	size_t n = strlen(text);

	return n <= MAX_NUMBER && fmpi_base64_decode(text, n, out, len) == 0 && *len > 0;
}

static EVP_PKEY *build_key(const char *kind, OSSL_PARAM_BLD *bld)
{
	OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(bld);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
	EVP_PKEY *key = NULL;

	if (params && ctx && EVP_PKEY_fromdata_init(ctx) == 1 &&
	    EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
		key = NULL;
	EVP_PKEY_CTX_free(ctx);
	OSSL_PARAM_free(params);
	return key;
}

static EVP_PKEY *make_rsa_key(const struct fmpi_keytext *t)
{
	uint8_t n[FMPI_BASE64_MAX(MAX_NUMBER)], e[FMPI_BASE64_MAX(MAX_NUMBER)];
	OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
	BIGNUM *bn = NULL, *be = NULL;
	EVP_PKEY *key = NULL;
	size_t n_len, e_len;

	/* An exponent as long as the modulus would make each verification a hundred times as expensive. */
	if (decode_base64(t->first, n, &n_len) && decode_base64(t->second, e, &e_len) &&
	    e_len <= MAX_EXPONENT) {
		bn = BN_bin2bn(n, (int)n_len, NULL);
		be = BN_bin2bn(e, (int)e_len, NULL);
	}
	if (bld && bn && be && OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_N, bn) &&
	    OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_E, be))
		key = build_key("RSA", bld);
	OSSL_PARAM_BLD_free(bld);
	BN_free(bn);
	BN_free(be);
	return key;
}

static EVP_PKEY *make_ec_key(const struct fmpi_keytext *t)
{
	static const struct {
		const char *uri, *group;
	} curves[] = {
		{ "urn:oid:1.2.840.10045.3.1.7", "prime256v1" },
		{ "urn:oid:1.3.132.0.34", "secp384r1" },
		{ "urn:oid:1.3.132.0.35", "secp521r1" },
	};
	uint8_t point[FMPI_BASE64_MAX(MAX_NUMBER)];
	const char *group = NULL;
	OSSL_PARAM_BLD *bld;
	EVP_PKEY *key = NULL;
	size_t len;

	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++)
		if (strcmp(t->first, curves[i].uri) == 0)
			group = curves[i].group;
	if (!group || !decode_base64(t->second, point, &len))
		return NULL;
	bld = OSSL_PARAM_BLD_new();
	if (bld && OSSL_PARAM_BLD_push_utf8_string(bld, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) &&
	    OSSL_PARAM_BLD_push_octet_string(bld, OSSL_PKEY_PARAM_PUB_KEY, point, len))
		key = build_key("EC", bld);
	OSSL_PARAM_BLD_free(bld);
	return key;
}

static EVP_PKEY *get_certificate_key(const struct fmpi_keytext *t, struct fmp_inspection *v)
{
	uint8_t der[FMPI_TOKEN_DER];
	const uint8_t *p = der;
	EVP_PKEY *key = NULL;
	X509 *cert;
	size_t len;

	if (fmpi_token_decode(t->node, t->first, der, &len, v))
		return NULL;
	cert = d2i_X509(NULL, &p, (long)len);
	if (cert && p == der + len)
		key = X509_get_pubkey(cert);
	X509_free(cert);
	return key;
}

int fmpi_holder_of_key_load(const struct fmpi_keytext *t, EVP_PKEY **out, struct fmp_inspection *v)
{
	EVP_PKEY *key = NULL;

	switch (t->form) {
	case FMPI_KEYFORM_X509:
		key = get_certificate_key(t, v);
		break;
	case FMPI_KEYFORM_RSA:
		key = make_rsa_key(t);
		break;
	case FMPI_KEYFORM_EC:
		key = make_ec_key(t);
		break;
	}
	ERR_clear_error();
	if (key && fmp_key_is_usable(key)) {
		*out = key;
		return 0;
	}
	EVP_PKEY_free(key);
	return refuse(v, t->node,
		      "the key in the Assertion is broken, too weak or of an unknown kind");
}
