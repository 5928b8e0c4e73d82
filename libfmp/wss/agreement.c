// SPDX-License-Identifier: GPL-2.0
#include "agreement.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "xml/base64.h"
#include "xml/names.h"
#include "base/hex.h"

#define ALG_ECDH_ES   NS_XENC11 "ECDH-ES"
#define ALG_X25519    NS_DSMORE21 "x25519"
#define ALG_CONCATKDF NS_XENC11 "ConcatKDF"
#define ALG_HKDF      NS_DSMORE21 "hkdf"
/* Base64 of the longest public key as DER, line ends included. */
#define MAX_KEY_TEXT  512

#define BLANKS " \t\r\n"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_DECRYPT, kind, fmpi_line(node), __VA_ARGS__)

static int refuse_malformed(const xmlNode *where, struct fmp_inspection *v)
{
	return refuse(v, FMP_EVENT_DECRYPT, where, "malformed %s", (const char *)where->name);
}

static int refuse_unsupported(const xmlNode *where, struct fmp_inspection *v)
{
	return refuse(v, FMP_EVENT_UNSUPPORTED, where, "%s in %s is not supported",
		      (const char *)where->name, (const char *)where->parent->name);
}

static bool has_algorithm(const xmlNode *n, const char *uri)
{
	const char *alg = fmpi_attribute(n, NULL, "Algorithm");

	return alg && strcmp(alg, uri) == 0;
}

size_t fmpi_key_wrap_length(const char *algorithm)
{
	if (strcmp(algorithm, NS_XENC "kw-aes128") == 0)
		return 16;
	if (strcmp(algorithm, NS_XENC "kw-aes192") == 0)
		return 24;
	return strcmp(algorithm, NS_XENC "kw-aes256") == 0 ? 32 : 0;
}

bool fmpi_agreement_equal(const struct fmpi_agreement *a, const struct fmpi_agreement *b)
{
	return a->wrap_len == b->wrap_len && a->digest == b->digest && a->hkdf == b->hkdf &&
	       a->point_len == b->point_len && a->info_len == b->info_len &&
	       a->salt_len == b->salt_len && memcmp(a->point, b->point, a->point_len) == 0 &&
	       memcmp(a->info, b->info, a->info_len) == 0 &&
	       memcmp(a->salt, b->salt, a->salt_len) == 0;
}

/* ---- derivation ---- */

static int read_digest(const xmlNode *n, bool hmac, const char **out, struct fmp_inspection *v)
{
	static const struct {
		const char *digest, *hmac, *name;
	} known[] = {
		{ ALG_SHA256, NS_DSMORE "hmac-sha256", "SHA256" },
		{ ALG_SHA384, NS_DSMORE "hmac-sha384", "SHA384" },
		{ ALG_SHA512, NS_DSMORE "hmac-sha512", "SHA512" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (has_algorithm(n, hmac ? known[i].hmac : known[i].digest)) {
			*out = known[i].name;
			return 0;
		}
	return refuse(v, FMP_EVENT_ALGORITHM, n, "%s %s of a key derivation is not allowed",
		      (const char *)n->name,
		      fmpi_attribute(n, NULL, "Algorithm") ? fmpi_attribute(n, NULL, "Algorithm")
							   : "without Algorithm");
}

/* Types but strings collapse white space (XML Schema 1.0, part 2, 4.3.6). @n: out: the length without. */
static const char *trim_blanks(const char *text, size_t *n)
{
	text += strspn(text, BLANKS);
	*n = strlen(text);
	while (*n && strchr(BLANKS, text[*n - 1]))
		--*n;
	return text;
}

/* Append an xs:hexBinary to the info. Return: false: it is none, or too long. */
static bool append_hex(struct fmpi_agreement *a, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i += 2) {
		int high = fmpi_hex_digit(text[i]);
		int low = i + 1 == n ? -1 : fmpi_hex_digit(text[i + 1]);

		if (high < 0 || low < 0 || a->info_len == sizeof(a->info))
			return false;
		a->info[a->info_len++] = (uint8_t)(high << 4 | low);
	}
	return true;
}

/*
 * A bit string (XML Encryption 1.1, 5.4.1): the first byte counts the padding bits of the last.
 * Without padding, as every peer sends them, they are concatenated byte by byte.
 */
static int append_bits(const xmlNode *params, const char *name, struct fmpi_agreement *a,
		       struct fmp_inspection *v)
{
	const char *text = fmpi_attribute(params, NULL, name);
	size_t n = 0;

	if (text)
		text = trim_blanks(text, &n);
	if (!n)
		return 0;
	if (text[0] == '0' && text[1] >= '1' && text[1] <= '7')
		return refuse(v, FMP_EVENT_UNSUPPORTED, params,
			      "a %s that is not of whole bytes is not supported", name);
	if (text[0] != '0' || text[1] != '0' || !append_hex(a, text + 2, n - 2))
		return refuse(v, FMP_EVENT_DECRYPT, params,
			      "%s is no bit string, or the parameters are longer than %d bytes",
			      name, FMPI_KDF_INFO);
	return 0;
}

static int read_concat_kdf(const xmlNode *params, struct fmpi_agreement *a,
			   struct fmp_inspection *v)
{
	static const char *const names[] = { "AlgorithmID", "PartyUInfo", "PartyVInfo",
					     "SuppPubInfo", "SuppPrivInfo" };
	const xmlNode *digest = fmpi_first(params);
	int ret = 0;

	if (!fmpi_is(digest, NS_DS, "DigestMethod") || fmpi_next(digest))
		return refuse_malformed(params, v);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !ret; i++)
		ret = append_bits(params, names[i], a, v);
	return ret ? ret : read_digest(digest, false, &a->digest, v);
}

/* Salt and Info, in Base64. */
static int read_base64(const xmlNode *n, size_t max, uint8_t *out, size_t *out_len,
		       struct fmp_inspection *v)
{
	uint8_t bytes[FMPI_BASE64_MAX(2 * FMPI_KDF_INFO)];
	const char *text = fmpi_text(n);
	size_t len = 0;

	if (!text || strlen(text) > 2 * max ||
	    fmpi_base64_decode(text, strlen(text), bytes, &len) != 0 || len > max)
		return refuse(v, FMP_EVENT_DECRYPT, n,
			      "%s of more than %zu bytes, or not in Base64", (const char *)n->name,
			      max);
	memcpy(out, bytes, len);
	*out_len = len;
	return 0;
}

/* Its text, or as PBKDF2 has it (XML Encryption 1.1, 5.4.2), that of Specified. */
static const xmlNode *find_salt(const xmlNode *n)
{
	const xmlNode *inner = fmpi_first(n);

	return fmpi_is(inner, NS_DSMORE21, "Specified") && !fmpi_next(inner) &&
			       fmpi_has_only_elements(n)
		       ? inner
		       : n;
}

/*
 * Apache Santuario counts bytes, others bits, as XML Encryption does elsewhere. What is derived is the
 * same: HKDF gives as many bytes as the key has that wraps.
 */
static int read_key_length(const xmlNode *n, const struct fmpi_agreement *a,
			   struct fmp_inspection *v)
{
	const char *text = fmpi_text(n);
	size_t len = 0, value = 0;

	if (text)
		text = trim_blanks(text, &len);
	if (len && len <= 9 && strspn(text, "0123456789") == len)
		value = (size_t)atol(text);
	if (value != a->wrap_len && value != 8 * a->wrap_len)
		return refuse(v, FMP_EVENT_ALGORITHM, n,
			      "the KeyLength is not that of the key that wraps, %zu bytes",
			      a->wrap_len);
	return 0;
}

/* As Apache Santuario and xmlsec1 write it: PRF, Salt, Info, KeyLength. */
static int read_hkdf(const xmlNode *params, struct fmpi_agreement *a, struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_first(params);
	int ret;

	a->hkdf = true;
	if (!fmpi_is(n, NS_DSMORE21, "PRF"))
		return refuse_malformed(params, v);
	ret = read_digest(n, true, &a->digest, v);
	n = fmpi_next(n);
	if (!ret && fmpi_is(n, NS_DSMORE21, "Salt")) {
		ret = read_base64(find_salt(n), FMPI_KDF_SALT, a->salt, &a->salt_len, v);
		n = fmpi_next(n);
	}
	if (!ret && fmpi_is(n, NS_DSMORE21, "Info")) {
		ret = read_base64(n, FMPI_KDF_INFO, a->info, &a->info_len, v);
		n = fmpi_next(n);
	}
	if (!ret && fmpi_is(n, NS_DSMORE21, "KeyLength")) {
		ret = read_key_length(n, a, v);
		n = fmpi_next(n);
	}
	return !ret && n ? refuse_malformed(params, v) : ret;
}

static int read_derivation(const xmlNode *kdf, struct fmpi_agreement *a, struct fmp_inspection *v)
{
	const xmlNode *params = fmpi_first(kdf);
	bool concat = has_algorithm(kdf, ALG_CONCATKDF);

	if (!concat && !has_algorithm(kdf, ALG_HKDF))
		return refuse(v, FMP_EVENT_UNSUPPORTED, kdf,
			      "key derivation but by ConcatKDF and HKDF is not supported");
	if (!params)
		return refuse(v, FMP_EVENT_UNSUPPORTED, kdf,
			      "a KeyDerivationMethod without parameters is not supported");
	if (fmpi_next(params) || !fmpi_is(params, concat ? NS_XENC11 : NS_DSMORE21,
					  concat ? "ConcatKDFParams" : "HKDFParams"))
		return refuse_malformed(kdf, v);
	return concat ? read_concat_kdf(params, a, v) : read_hkdf(params, a, v);
}

/* ---- the sender's key ---- */

static const struct curve {
	const char *urn; /* of NamedCurve; NULL: X25519 */
	size_t point_len, head_len;
	/* What is in front of the point in a SubjectPublicKeyInfo as DER (RFC 5480, RFC 8410). */
	const char *head;
} curves[] = {
	{ "urn:oid:1.2.840.10045.3.1.7", 65, 26,
	  "\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01"
	  "\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07\x03\x42\x00" },
	{ "urn:oid:1.3.132.0.34", 97, 23,
	  "\x30\x76\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01"
	  "\x06\x05\x2b\x81\x04\x00\x22\x03\x62\x00" },
	{ "urn:oid:1.3.132.0.35", 133, 25,
	  "\x30\x81\x9b\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01"
	  "\x06\x05\x2b\x81\x04\x00\x23\x03\x81\x86\x00" },
	{ NULL, 32, 12, "\x30\x2a\x30\x05\x06\x03\x2b\x65\x6e\x03\x21\x00" },
};

#define CURVES (sizeof(curves) / sizeof(curves[0]))

static int decode_key(const xmlNode *n, uint8_t out[FMPI_BASE64_MAX(MAX_KEY_TEXT)], size_t *len,
		      struct fmp_inspection *v)
{
	const char *text = fmpi_text(n);

	if (!text || strlen(text) > MAX_KEY_TEXT ||
	    fmpi_base64_decode(text, strlen(text), out, len) != 0)
		return refuse(v, FMP_EVENT_DECRYPT, n,
			      "the originator's key is too long or no Base64");
	return 0;
}

static int store_point(const struct curve *c, const xmlNode *n, const uint8_t *p, size_t len,
		       struct fmpi_agreement *a, struct fmp_inspection *v)
{
	if (len != c->point_len || (c->urn && p[0] != 4))
		return refuse(v, FMP_EVENT_DECRYPT, n,
			      "the originator's key is no uncompressed point of its curve");
	memcpy(a->point, p, len);
	a->point_len = len;
	return 0;
}

static int read_ec_key(const xmlNode *value, struct fmpi_agreement *a, struct fmp_inspection *v)
{
	uint8_t bytes[FMPI_BASE64_MAX(MAX_KEY_TEXT)];
	const xmlNode *curve = fmpi_first(value), *key = curve ? fmpi_next(curve) : NULL;
	const char *urn = curve ? fmpi_attribute(curve, NULL, "URI") : NULL;
	size_t len = 0;
	int ret;

	if (!fmpi_is(curve, NS_DS11, "NamedCurve") || !urn || !fmpi_is(key, NS_DS11, "PublicKey") ||
	    fmpi_next(key))
		return refuse(v, FMP_EVENT_ALGORITHM, value,
			      "an ECKeyValue that is not NamedCurve and PublicKey");
	ret = decode_key(key, bytes, &len, v);
	if (ret)
		return ret;
	for (size_t i = 0; i < CURVES; i++)
		if (curves[i].urn && strcmp(curves[i].urn, urn) == 0)
			return store_point(&curves[i], key, bytes, len, a, v);
	return refuse(v, FMP_EVENT_UNSUPPORTED, curve, "curve %s is not supported", urn);
}

/* Compare with the forms that the curves have as DER: no parser meets what a stranger sends. */
static int read_der_key(const xmlNode *n, struct fmpi_agreement *a, bool x25519,
			struct fmp_inspection *v)
{
	uint8_t der[FMPI_BASE64_MAX(MAX_KEY_TEXT)];
	size_t len = 0;
	int ret = decode_key(n, der, &len, v);

	if (ret)
		return ret;
	for (size_t i = 0; i < CURVES; i++) {
		const struct curve *c = &curves[i];

		if (x25519 == !c->urn && len == c->head_len + c->point_len &&
		    memcmp(der, c->head, c->head_len) == 0)
			return store_point(c, n, der + c->head_len, c->point_len, a, v);
	}
	return refuse(v, FMP_EVENT_UNSUPPORTED, n,
		      "the originator's key is none of P-256, P-384, P-521, X25519 as DER");
}

static int read_originator(const xmlNode *info, bool x25519, struct fmpi_agreement *a,
			   struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_first(info), *value;

	if (!n || fmpi_next(n))
		return refuse_malformed(info, v);
	if (fmpi_is(n, NS_DS11, "DEREncodedKeyValue"))
		return read_der_key(n, a, x25519, v);
	value = fmpi_is(n, NS_DS, "KeyValue") ? fmpi_first(n) : NULL;
	if (!value || fmpi_next(value))
		return refuse_unsupported(n, v);
	if (fmpi_is(value, NS_DS11, "DEREncodedKeyValue"))
		return read_der_key(value, a, x25519, v);
	return fmpi_is(value, NS_DS11, "ECKeyValue") && !x25519 ? read_ec_key(value, a, v)
								: refuse_unsupported(value, v);
}

/* ---- AgreementMethod ---- */

/* RecipientKeyInfo names our certificate, as KeyInfo does under RSA: it is not read. */
static int read_method(const xmlNode *method, bool x25519, struct fmpi_agreement *a,
		       struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_first(method);
	int ret;

	if (!fmpi_is(n, NS_XENC11, "KeyDerivationMethod"))
		return n ? refuse_unsupported(n, v) : refuse_malformed(method, v);
	ret = read_derivation(n, a, v);
	n = fmpi_next(n);
	if (!ret && !fmpi_is(n, NS_XENC, "OriginatorKeyInfo"))
		return refuse(v, FMP_EVENT_UNSUPPORTED, method,
			      "key agreement without OriginatorKeyInfo is not supported");
	if (!ret)
		ret = read_originator(n, x25519, a, v);
	n = ret ? NULL : fmpi_next(n);
	if (fmpi_is(n, NS_XENC, "RecipientKeyInfo"))
		n = fmpi_next(n);
	return !ret && n ? refuse_malformed(method, v) : ret;
}

int fmpi_agreement_read(const xmlNode *method, const xmlNode *key_info, unsigned allowed,
			struct fmpi_agreement *out, struct fmp_inspection *v)
{
	const char *wrap = fmpi_attribute(method, NULL, "Algorithm");
	const xmlNode *n = key_info ? fmpi_first(key_info) : NULL;
	bool x25519, ecdh;

	*out = (struct fmpi_agreement){ .wrap_len = fmpi_key_wrap_length(wrap) };
	if (!fmpi_is(n, NS_XENC, "AgreementMethod") || fmpi_next(n))
		return refuse(v, FMP_EVENT_UNSUPPORTED, method,
			      "key transport %s but by one AgreementMethod is not supported", wrap);
	x25519 = has_algorithm(n, ALG_X25519);
	ecdh = has_algorithm(n, ALG_ECDH_ES);
	if (!(allowed & FMP_ALGORITHM_BIT(x25519 ? FMP_KEY_X25519 : FMP_KEY_ECDH_ES)) ||
	    (!x25519 && !ecdh))
		return refuse(
			v, FMP_EVENT_UNSUPPORTED, n,
			"this key agreement is not supported: it is not of the kind of our key");
	return read_method(n, x25519, out, v);
}
