// SPDX-License-Identifier: GPL-2.0
#include "derived_key.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

#include "xml/base64.h"
#include "xml/names.h"

#define P_SHA1 "/dk/p_sha1"

/* WS-SecureConversation 1.3, 7: of client and service, one behind the other. */
#define DEFAULT_LABEL  "WS-SecureConversationWS-SecureConversation"
#define DEFAULT_LENGTH 32

/* Base64 of the longest EncryptedKey (RSA of 8192 bits), and of the longest Nonce, line ends included. */
#define MAX_KEY_TEXT   2048
#define MAX_NONCE_TEXT 256

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

static int refuse_malformed(const xmlNode *where, struct fmp_inspection *v)
{
	return refuse(v, FMP_EVENT_TOKEN, where, "malformed %s", (const char *)where->name);
}

/* ---- which key ---- */

static bool has_id(const xmlAttr *a, const char *id)
{
	const char *value = a ? fmpi_attribute_value(a) : NULL;

	return value && strcmp(value, id) == 0;
}

xmlNode *fmpi_hmac_key_by_id(const char *id, const struct fmpi_wsse *w)
{
	if (!id)
		return NULL;
	if (w->encrypted_key && has_id(fmpi_attribute_node(w->encrypted_key, NULL, "Id"), id))
		return w->encrypted_key;
	for (unsigned i = 0; i < w->n_derived; i++)
		if (has_id(fmpi_attribute_node(w->derived[i], NS_WSU, "Id"), id))
			return w->derived[i];
	return NULL;
}

static const xmlNode *find_cipher_value(const xmlNode *key)
{
	for (const xmlNode *n = fmpi_first(key); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XENC, "CipherData"))
			return fmpi_first(n);
	return NULL;
}

/* WS-Security 1.1, 7.3: the SHA-1 of the encrypted key's bytes. It is a name, and proves nothing. */
bool fmpi_encrypted_key_is_named(const char *text, const struct fmpi_wsse *w)
{
	uint8_t key[FMPI_BASE64_MAX(MAX_KEY_TEXT)], said[FMPI_BASE64_MAX(64)];
	uint8_t digest[SHA_DIGEST_LENGTH];
	const xmlNode *value = w->encrypted_key ? find_cipher_value(w->encrypted_key) : NULL;
	const char *cipher = value ? fmpi_text(value) : NULL;
	size_t key_len, stated_len;

	if (!text || strlen(text) > 64 || !cipher || strlen(cipher) > MAX_KEY_TEXT ||
	    fmpi_base64_decode(text, strlen(text), said, &stated_len) != 0 ||
	    fmpi_base64_decode(cipher, strlen(cipher), key, &key_len) != 0)
		return false;
	SHA1(key, key_len, digest);
	return stated_len == sizeof(digest) && memcmp(said, digest, stated_len) == 0;
}

xmlNode *fmpi_derived_key_find(const xmlNode *str, const struct fmpi_wsse *w)
{
	const xmlNode *n = fmpi_is(str, NS_WSSE, "SecurityTokenReference") ? fmpi_first(str) : NULL;
	const char *type = n ? fmpi_attribute(n, NULL, "ValueType") : NULL;

	if (!n || fmpi_next(n))
		return NULL;
	if (fmpi_is(n, NS_WSSE, "Reference"))
		return fmpi_hmac_key_by_id(fmp_local_id(fmpi_attribute(n, NULL, "URI")), w);
	if (fmpi_is(n, NS_WSSE, "KeyIdentifier") && type &&
	    strcmp(type, WSSE_ENCRYPTED_KEY_SHA1) == 0 &&
	    fmpi_encrypted_key_is_named(fmpi_text(n), w))
		return w->encrypted_key;
	return NULL;
}

/* ---- reading a token ---- */

/* An xs:unsignedInt with white space around it. Return: false: none, or more than six digits. */
static bool read_number(const xmlNode *n, size_t *out)
{
	static const char blanks[] = " \t\r\n";
	const char *p = fmpi_text(n);
	size_t digits;

	if (!p)
		return false;
	p += strspn(p, blanks);
	p += *p == '+';
	digits = strspn(p, "0123456789");
	if (!digits || digits > 6 || p[digits + strspn(p + digits, blanks)])
		return false;
	*out = (size_t)atol(p);
	return true;
}

struct parts {
	const xmlNode *str, *generation, *offset, *length, *label, *nonce;
};

static int find_parts(const xmlNode *token, struct parts *p, struct fmp_inspection *v)
{
	const char *ns = (const char *)token->ns->href;
	const struct {
		const char *local;
		const xmlNode **at;
	} known[] = {
		{ "Generation", &p->generation }, { "Offset", &p->offset },
		{ "Length", &p->length },	  { "Label", &p->label },
		{ "Nonce", &p->nonce },
	};

	*p = (struct parts){ 0 };
	for (const xmlNode *n = fmpi_first(token); n; n = fmpi_next(n)) {
		const xmlNode **at = fmpi_is(n, NS_WSSE, "SecurityTokenReference") ? &p->str : NULL;

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (fmpi_is(n, ns, known[i].local))
				at = known[i].at;
		if (!at)
			return refuse(v, FMP_EVENT_UNSUPPORTED, n,
				      "%s in a DerivedKeyToken is not supported",
				      (const char *)n->name);
		if (*at)
			return refuse_malformed(token, v);
		*at = n;
	}
	return !fmpi_has_only_elements(token) || !p->str || (p->generation && p->offset)
		       ? refuse_malformed(token, v)
		       : 0;
}

static int check_algorithm(const xmlNode *token, struct fmp_inspection *v)
{
	const char *ns = (const char *)token->ns->href;
	const char *alg = fmpi_attribute(token, NULL, "Algorithm");
	size_t len = 0;

	if (!alg)
		alg = fmpi_attribute(token, ns, "Algorithm");
	if (alg)
		len = strncmp(alg, NS_SC, strlen(NS_SC)) == 0 ? strlen(NS_SC) : strlen(NS_SC13);
	if (!alg || ((strncmp(alg, NS_SC, len) == 0 || strncmp(alg, NS_SC13, len) == 0) &&
		     strcmp(alg + len, P_SHA1) == 0))
		return 0;
	return refuse(v, FMP_EVENT_UNSUPPORTED, token, "key derivation by %s is not supported",
		      alg);
}

static int read_seed(const struct parts *p, struct fmpi_derived_key *out, struct fmp_inspection *v)
{
	const char *label = p->label ? fmpi_text(p->label) : DEFAULT_LABEL;
	const char *nonce = p->nonce ? fmpi_text(p->nonce) : "";
	uint8_t bytes[FMPI_BASE64_MAX(MAX_NONCE_TEXT)];
	size_t len = 0;

	if (!label || strlen(label) > FMPI_DERIVED_LABEL)
		return refuse(v, FMP_EVENT_STRUCTURE, p->label,
			      "a Label of more than %d bytes, or not plain text",
			      FMPI_DERIVED_LABEL);
	if (!nonce || strlen(nonce) > MAX_NONCE_TEXT ||
	    fmpi_base64_decode(nonce, strlen(nonce), bytes, &len) != 0 || len > FMPI_DERIVED_NONCE)
		return refuse(v, FMP_EVENT_STRUCTURE, p->nonce,
			      "a Nonce of more than %d bytes, or not in Base64",
			      FMPI_DERIVED_NONCE);
	out->seed_len = strlen(label) + len;
	memcpy(out->seed, label, strlen(label));
	memcpy(out->seed + strlen(label), bytes, len);
	return 0;
}

static int read_range(const xmlNode *token, const struct parts *p, struct fmpi_derived_key *out,
		      struct fmp_inspection *v)
{
	const xmlNode *from = p->offset ? p->offset : p->generation;
	size_t number = 0;

	out->length = DEFAULT_LENGTH;
	if ((p->length && !read_number(p->length, &out->length)) ||
	    (from && !read_number(from, &number)))
		return refuse(v, FMP_EVENT_TOKEN, token,
			      "Length, Offset or Generation is no number of up to six digits");
	if (out->length < FMPI_DERIVED_MIN || out->length > FMPI_DERIVED_MAX)
		return refuse(v, FMP_EVENT_STRUCTURE, token,
			      "a derived key of %zu bytes, not of %d to %d", out->length,
			      FMPI_DERIVED_MIN, FMPI_DERIVED_MAX);
	out->offset = p->generation ? number * out->length : number;
	if (out->offset + out->length > FMPI_DERIVED_END)
		return refuse(v, FMP_EVENT_STRUCTURE, token,
			      "a derived key that ends behind byte %d", FMPI_DERIVED_END);
	return 0;
}

/* The EncryptedKey is the only token here that holds a secret. */
static int check_source(const xmlNode *token, const xmlNode *str, const struct fmpi_wsse *w,
			struct fmp_inspection *v)
{
	const xmlNode *source = fmpi_derived_key_find(str, w);

	if (source && source == w->encrypted_key)
		return 0;
	if (source == token)
		return refuse(v, FMP_EVENT_TOKEN, str, "a key that is derived from itself");
	return refuse(v, FMP_EVENT_UNSUPPORTED, str,
		      source ? "a key derived from a derived one is not supported"
			     : "a key derived from another token than the header's EncryptedKey "
			       "is not supported");
}

int fmpi_derived_key_read(const xmlNode *token, const struct fmpi_wsse *w,
			  struct fmpi_derived_key *out, struct fmp_inspection *v)
{
	struct parts p;
	int ret = find_parts(token, &p, v);

	*out = (struct fmpi_derived_key){ 0 };
	if (!ret)
		ret = check_algorithm(token, v);
	if (!ret)
		ret = read_range(token, &p, out, v);
	if (!ret)
		ret = read_seed(&p, out, v);
	return ret ? ret : check_source(token, p.str, w, v);
}

/* ---- derivation ---- */

/* RFC 2246, 5: P_SHA-1(secret, seed) = HMAC(A(1) seed) HMAC(A(2) seed) ..., A(i) = HMAC(A(i - 1)). */
int fmpi_derived_key_make(const struct fmpi_derived_key *d, const uint8_t *secret, size_t len,
			  uint8_t out[FMPI_DERIVED_MAX])
{
	uint8_t a[SHA_DIGEST_LENGTH + sizeof(d->seed)], block[SHA_DIGEST_LENGTH];
	size_t a_len = d->seed_len, end = d->offset + d->length;
	int ret = 0;

	memcpy(a, d->seed, d->seed_len);
	for (size_t at = 0; at < end && !ret; at += sizeof(block)) {
		bool good = HMAC(EVP_sha1(), secret, (int)len, a, a_len, block, NULL);

		memcpy(a, block, sizeof(block));
		memcpy(a + sizeof(block), d->seed, d->seed_len);
		a_len = SHA_DIGEST_LENGTH;
		good = good &&
		       HMAC(EVP_sha1(), secret, (int)len, a, a_len + d->seed_len, block, NULL);
		ret = good ? 0 : FMP_ERR_NOMEM;
		for (size_t i = 0; i < sizeof(block); i++)
			if (at + i >= d->offset && at + i < end)
				out[at + i - d->offset] = block[i];
	}
	OPENSSL_cleanse(a, sizeof(a));
	OPENSSL_cleanse(block, sizeof(block));
	return ret;
}
