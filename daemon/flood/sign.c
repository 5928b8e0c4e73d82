// SPDX-License-Identifier: GPL-2.0
#include "sign.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include "keys.h"

#define NS_WSSE "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
#define NS_DS	"http://www.w3.org/2000/09/xmldsig#"
#define X509V3 \
	"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3"
#define BASE64                                    \
	"http://docs.oasis-open.org/wss/2004/01/" \
	"oasis-200401-wss-soap-message-security-1.0#Base64Binary"
#define EXC_C14N   "http://www.w3.org/2001/10/xml-exc-c14n#"
#define RSA_SHA256 "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
#define EC_SHA256  "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"
#define SHA256_URI "http://www.w3.org/2001/04/xmlenc#sha256"

#define VALID_S	      300 /* from Created to Expires */
#define SIGNATURE_MAX 1024
#define EC_HALF	      32 /* bytes of r and of s on P-256 */

struct flood_signer {
	struct flood_keys keys;
	struct flood_text token; /* base64 of the certificate */
};

int flood_signer_new(const char *key, const char *cert, const char *ca, struct flood_signer **out,
		     struct fmp_error *err)
{
	struct flood_signer *s = calloc(1, sizeof(*s));
	unsigned char *der = NULL;
	int len, rc;

	*out = NULL;
	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a signer");
	rc = flood_keys_load(&s->keys, key, cert, ca, err);
	if (rc)
		goto fail;
	len = i2d_X509(s->keys.cert, &der);
	if (len > 0)
		flood_text_base64(&s->token, der, (size_t)len);
	OPENSSL_free(der);
	if (len <= 0 || s->token.failed) {
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the certificate");
		goto fail;
	}
	*out = s;
	return 0;
fail:
	flood_signer_free(s);
	return rc;
}

void flood_signer_free(struct flood_signer *s)
{
	if (!s)
		return;
	flood_keys_clear(&s->keys);
	flood_text_free(&s->token);
	free(s);
}

bool flood_signer_has_key(const struct flood_signer *s)
{
	return s->keys.key != NULL;
}

static void put_timestamp(struct flood_text *t, uint64_t id, int64_t now_s)
{
	flood_text_str(t, "<wsu:Timestamp xmlns:wsu=\"" FLOOD_NS_WSU "\" wsu:Id=\"ts-");
	flood_text_uint(t, id, 0);
	flood_text_str(t, "\"><wsu:Created>");
	flood_text_time(t, now_s);
	flood_text_str(t, "</wsu:Created><wsu:Expires>");
	flood_text_time(t, now_s + VALID_S);
	flood_text_str(t, "</wsu:Expires></wsu:Timestamp>");
}

static void put_reference(struct flood_text *t, const char *prefix, uint64_t id, const void *bytes,
			  size_t len)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	SHA256(bytes, len, digest);
	flood_text_str(t, "<ds:Reference URI=\"#");
	flood_text_str(t, prefix);
	flood_text_uint(t, id, 0);
	flood_text_str(t,
		       "\"><ds:Transforms><ds:Transform Algorithm=\"" EXC_C14N
		       "\"></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"" SHA256_URI
		       "\"></ds:DigestMethod><ds:DigestValue>");
	flood_text_base64(t, digest, sizeof(digest));
	flood_text_str(t, "</ds:DigestValue></ds:Reference>");
}

static void put_signed_info(struct flood_text *t, bool ec, uint64_t id,
			    const struct flood_text *timestamp, const struct flood_text *body)
{
	flood_text_str(t, "<ds:SignedInfo xmlns:ds=\"" NS_DS
			  "\"><ds:CanonicalizationMethod Algorithm=\"" EXC_C14N
			  "\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"");
	flood_text_str(t, ec ? EC_SHA256 : RSA_SHA256);
	flood_text_str(t, "\"></ds:SignatureMethod>");
	put_reference(t, "ts-", id, timestamp->data, timestamp->len);
	put_reference(t, "body-", id, body->data, body->len);
	flood_text_str(t, "</ds:SignedInfo>");
}

/* Convert the DER of OpenSSL to r and s side by side, as XML signatures have them (xmldsig-core1 6.4.3). */
static int ec_flatten(unsigned char *sig, size_t *len)
{
	const unsigned char *at = sig;
	ECDSA_SIG *rs = d2i_ECDSA_SIG(NULL, &at, (long)*len);
	int ok = rs && BN_bn2binpad(ECDSA_SIG_get0_r(rs), sig, EC_HALF) == EC_HALF &&
		 BN_bn2binpad(ECDSA_SIG_get0_s(rs), sig + EC_HALF, EC_HALF) == EC_HALF;

	ECDSA_SIG_free(rs);
	*len = 2 * EC_HALF;
	return ok ? 0 : -1;
}

static int make_value(const struct flood_signer *s, const struct flood_text *info,
		      unsigned char *sig, size_t *len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int ok = ctx && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, s->keys.key) == 1 &&
		 EVP_DigestSign(ctx, sig, len, (unsigned char *)info->data, info->len) == 1;

	EVP_MD_CTX_free(ctx);
	if (!ok)
		return -1;
	return s->keys.ec ? ec_flatten(sig, len) : 0;
}

/* Make a random value of the right size, smaller than any modulus, so that only verification can refuse it. */
static void forge_value(const struct flood_signer *s, struct flood_random *random,
			unsigned char *sig, size_t *len)
{
	size_t i;

	*len = s->keys.ec ? 2 * EC_HALF : (size_t)s->keys.size;
	for (i = 0; i < *len; i++)
		sig[i] = (unsigned char)flood_random_below(random, 256);
	sig[0] &= 0x7f;
	if (s->keys.ec)
		sig[EC_HALF] &= 0x7f;
}

static void put_header(const struct flood_signer *s, uint64_t id,
		       const struct flood_text *timestamp, const struct flood_text *info,
		       const unsigned char *sig, size_t sig_len, struct flood_text *out)
{
	flood_text_str(
		out,
		"<wsse:Security xmlns:wsse=\"" NS_WSSE
		"\" soapenv:mustUnderstand=\"1\"><wsse:BinarySecurityToken xmlns:wsu=\"" FLOOD_NS_WSU
		"\" EncodingType=\"" BASE64 "\" ValueType=\"" X509V3 "\" wsu:Id=\"token-");
	flood_text_uint(out, id, 0);
	flood_text_str(out, "\">");
	flood_text_add(out, s->token.data, s->token.len);
	flood_text_str(out, "</wsse:BinarySecurityToken>");
	flood_text_add(out, timestamp->data, timestamp->len);
	flood_text_str(out, "<ds:Signature xmlns:ds=\"" NS_DS "\">");
	flood_text_add(out, info->data, info->len);
	flood_text_str(out, "<ds:SignatureValue>");
	flood_text_base64(out, sig, sig_len);
	flood_text_str(out, "</ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference>"
			    "<wsse:Reference ValueType=\"" X509V3 "\" URI=\"#token-");
	flood_text_uint(out, id, 0);
	flood_text_str(out, "\"/></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>"
			    "</wsse:Security>");
}

int flood_sign(const struct flood_signer *s, const struct flood_text *body, uint64_t id,
	       int64_t now_s, bool forge, struct flood_random *random, struct flood_text *out,
	       struct fmp_error *err)
{
	unsigned char sig[SIGNATURE_MAX];
	size_t sig_len = sizeof(sig);
	struct flood_text timestamp = { 0 };
	struct flood_text info = { 0 };
	int rc = 0;

	put_timestamp(&timestamp, id, now_s);
	if (!timestamp.failed)
		put_signed_info(&info, s->keys.ec, id, &timestamp, body);
	if (timestamp.failed || info.failed) {
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a signature");
		goto out;
	}
	if (forge)
		forge_value(s, random, sig, &sig_len);
	else if (!s->keys.key || make_value(s, &info, sig, &sig_len)) {
		rc = fmp_error_set(err, FMP_ERR_INVALID, "the key does not sign");
		goto out;
	}
	put_header(s, id, &timestamp, &info, sig, sig_len, out);
	if (out->failed)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a signature");
out:
	flood_text_free(&timestamp);
	flood_text_free(&info);
	return rc;
}
