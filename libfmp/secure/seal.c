// SPDX-License-Identifier: GPL-2.0
#include "secure/seal.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wss/agreement.h"
#include "xml/names.h"

#define GCM_IV	     12
#define GCM_TAG	     16
#define MAX_WRAPPED  1024 /* RSA of 8192 bits */
#define TYPE_CONTENT NS_XENC "Content"

struct session {
	uint8_t key[32];
	size_t len;
	const EVP_CIPHER *cipher;
	const char *uri;
};

static bool start_session(enum fmp_sealing how, struct session *s)
{
	bool large = how == FMP_SEAL_AES256_GCM;

	s->len = large ? 32 : 16;
	s->cipher = large ? EVP_aes_256_gcm() : EVP_aes_128_gcm();
	s->uri = large ? NS_XENC11 "aes256-gcm" : NS_XENC11 "aes128-gcm";
	return RAND_priv_bytes(s->key, (int)s->len) == 1;
}

/* XML-Enc 1.1, 5.2.4: IV | content | tag. Return: malloc()ed, NULL without memory. */
static uint8_t *encrypt_content(const struct session *s, const xmlChar *text, size_t n, size_t *len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t *out = malloc(GCM_IV + n + GCM_TAG);
	int a = 0, b = 0;
	bool ok = ctx && out && RAND_bytes(out, GCM_IV) == 1 &&
		  EVP_EncryptInit_ex(ctx, s->cipher, NULL, s->key, out) == 1 &&
		  EVP_EncryptUpdate(ctx, out + GCM_IV, &a, text, (int)n) == 1 &&
		  EVP_EncryptFinal_ex(ctx, out + GCM_IV + a, &b) == 1 &&
		  EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, GCM_TAG, out + GCM_IV + n) == 1;

	EVP_CIPHER_CTX_free(ctx);
	if (!ok) {
		free(out);
		return NULL;
	}
	*len = GCM_IV + n + GCM_TAG;
	return out;
}

/* RSA-OAEP, SHA-256 in both places. */
static bool wrap_key(EVP_PKEY *key, const struct session *s, uint8_t out[MAX_WRAPPED], size_t *len)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	bool ok;

	*len = MAX_WRAPPED;
	ok = ctx && EVP_PKEY_encrypt_init(ctx) > 0 &&
	     EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) > 0 &&
	     EVP_PKEY_CTX_set_rsa_oaep_md(ctx, EVP_sha256()) > 0 &&
	     EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, EVP_sha256()) > 0 &&
	     EVP_PKEY_encrypt(ctx, out, len, s->key, s->len) > 0;
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

/*
 * XML Encryption 1.1, 5.6.4 and 5.4.1: the key that wraps is derived by ConcatKDF with SHA-256; the parties need no
 * names, as the key of ours is used once. Sets what build_agreement() tells of it.
 */
static bool agree_on_key(EVP_PKEY *to, const struct session *s, struct fmpi_agreement *a,
			 uint8_t out[MAX_WRAPPED], size_t *len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t secret[FMP_SHARED_MAX], key[32];
	int n = fmp_key_agree_new(to, a->point, &a->point_len, secret), got = 0;
	bool ok;

	a->wrap_len = s->len;
	a->digest = "SHA256";
	ok = n > 0 && ctx && fmpi_agreement_wrapping_key(a, secret, (size_t)n, key);
	if (ok) {
		EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
		ok = EVP_EncryptInit_ex(ctx, s->len == 32 ? EVP_aes_256_wrap() : EVP_aes_128_wrap(),
					NULL, key, NULL) == 1 &&
		     EVP_EncryptUpdate(ctx, out, &got, s->key, (int)s->len) == 1;
	}
	EVP_CIPHER_CTX_free(ctx);
	OPENSSL_cleanse(secret, sizeof(secret));
	OPENSSL_cleanse(key, sizeof(key));
	*len = (size_t)got;
	return ok;
}

/* Name the recipient's certificate by its SHA-1 thumbprint; this is a name, not a proof. */
static void name_certificate(struct fmpi_build *b, xmlNode *info, const struct fmp_reply_context *r)
{
	uint8_t thumbprint[SHA_DIGEST_LENGTH];
	xmlNode *str = fmpi_build_element(b, info, b->wsse, "SecurityTokenReference", NULL);
	xmlNode *id;

	SHA1(r->certificate, r->certificate_len, thumbprint);
	id = fmpi_build_base64(b, str, b->wsse, "KeyIdentifier", thumbprint, sizeof(thumbprint));
	fmpi_build_attribute(b, id, NULL, "EncodingType", WSSE_BASE64);
	fmpi_build_attribute(b, id, NULL, "ValueType", WSSE_THUMBPRINT);
}

static void add_method(struct fmpi_build *b, xmlNode *parent, const char *uri, xmlNode **out)
{
	*out = fmpi_build_element(b, parent, b->xenc, "EncryptionMethod", NULL);
	fmpi_build_attribute(b, *out, NULL, "Algorithm", uri);
}

static void add_value(struct fmpi_build *b, xmlNode *parent, const void *bytes, size_t len)
{
	xmlNode *data = fmpi_build_element(b, parent, b->xenc, "CipherData", NULL);

	fmpi_build_base64(b, data, b->xenc, "CipherValue", bytes, len);
}

static void add_derivation(struct fmpi_build *b, xmlNode *method)
{
	xmlNode *kdf = fmpi_build_element(b, method, b->xenc11, "KeyDerivationMethod", NULL);
	xmlNode *params = fmpi_build_element(b, kdf, b->xenc11, "ConcatKDFParams", NULL);
	xmlNode *digest = fmpi_build_element(b, params, b->ds, "DigestMethod", NULL);

	fmpi_build_attribute(b, kdf, NULL, "Algorithm", NS_XENC11 "ConcatKDF");
	/* Bit strings of no bits. */
	fmpi_build_attribute(b, params, NULL, "AlgorithmID", "00");
	fmpi_build_attribute(b, params, NULL, "PartyUInfo", "00");
	fmpi_build_attribute(b, params, NULL, "PartyVInfo", "00");
	fmpi_build_attribute(b, digest, NULL, "Algorithm", ALG_SHA256);
}

/* XML Signature 1.1, 4.5.2.3: the key that was made for this message. */
static void add_originator(struct fmpi_build *b, xmlNode *method, const struct fmpi_agreement *a)
{
	xmlNode *info = fmpi_build_element(b, method, b->xenc, "OriginatorKeyInfo", NULL);
	xmlNode *value = fmpi_build_element(b, info, b->ds, "KeyValue", NULL), *curve, *key = NULL;
	xmlNs *ds11;

	if (b->failed)
		return;
	ds11 = fmpi_build_prefix(b, value, NS_DS11, "dsig11");
	key = fmpi_build_element(b, value, ds11, "ECKeyValue", NULL);
	curve = fmpi_build_element(b, key, ds11, "NamedCurve", NULL);
	fmpi_build_attribute(b, curve, NULL, "URI",
			     a->point_len == 65	  ? "urn:oid:1.2.840.10045.3.1.7"
			     : a->point_len == 97 ? "urn:oid:1.3.132.0.34"
						  : "urn:oid:1.3.132.0.35");
	fmpi_build_base64(b, key, ds11, "PublicKey", a->point, a->point_len);
}

static void build_agreement(struct fmpi_build *b, const struct fmp_reply_context *r,
			    const struct fmpi_agreement *a, xmlNode *e)
{
	xmlNode *n, *method;

	add_method(b, e, a->wrap_len == 32 ? NS_XENC "kw-aes256" : NS_XENC "kw-aes128", &n);
	n = fmpi_build_element(b, e, b->ds, "KeyInfo", NULL);
	method = fmpi_build_element(b, n, b->xenc, "AgreementMethod", NULL);
	fmpi_build_attribute(b, method, NULL, "Algorithm", NS_XENC11 "ECDH-ES");
	add_derivation(b, method);
	add_originator(b, method, a);
	name_certificate(b, fmpi_build_element(b, method, b->xenc, "RecipientKeyInfo", NULL), r);
}

static void build_transport(struct fmpi_build *b, const struct fmp_reply_context *r, xmlNode *e)
{
	xmlNode *n;

	add_method(b, e, NS_XENC11 "rsa-oaep", &n);
	fmpi_build_attribute(b, fmpi_build_element(b, n, b->ds, "DigestMethod", NULL), NULL,
			     "Algorithm", ALG_SHA256);
	fmpi_build_attribute(b, fmpi_build_element(b, n, b->xenc11, "MGF", NULL), NULL, "Algorithm",
			     NS_XENC11 "mgf1sha256");
	name_certificate(b, fmpi_build_element(b, e, b->ds, "KeyInfo", NULL), r);
}

/* Built inside the Security header, where its namespaces are declared. @a: of wrap_len 0: RSA */
static xmlNode *build_encrypted_key(struct fmpi_build *b, const struct fmp_reply_context *r,
				    const struct fmpi_agreement *a, const uint8_t *wrapped,
				    size_t len, const char *id, const char *data)
{
	xmlNode *e = fmpi_build_element(b, b->security, b->xenc, "EncryptedKey", NULL), *n;
	char uri[FMPI_ID + 1];

	fmpi_build_attribute(b, e, NULL, "Id", id);
	if (a->wrap_len)
		build_agreement(b, r, a, e);
	else
		build_transport(b, r, e);
	add_value(b, e, wrapped, len);
	n = fmpi_build_element(b, e, b->xenc, "ReferenceList", NULL);
	snprintf(uri, sizeof(uri), "#%s", data);
	fmpi_build_attribute(b, fmpi_build_element(b, n, b->xenc, "DataReference", NULL), NULL,
			     "URI", uri);
	return e;
}

/* Serialize all content of the Body with white space: a signature may cover these bytes. */
static xmlBufferPtr dump_content(const xmlNode *body)
{
	xmlBufferPtr text = xmlBufferCreate();

	for (xmlNode *n = body->children; text && n; n = n->next) {
		if (xmlNodeDump(text, body->doc, n, 0, 0) < 0) {
			xmlBufferFree(text);
			return NULL;
		}
	}
	return text;
}

static void remove_children(xmlNode *body)
{
	while (body->children) {
		xmlNode *n = body->children;

		xmlUnlinkNode(n);
		xmlFreeNode(n);
	}
}

/* Built inside the Body, where the header's namespaces are not declared. */
static void build_encrypted_data(const struct fmpi_build *b, xmlNode *body, const struct session *s,
				 const uint8_t *bytes, size_t len, const char *id, const char *key,
				 struct fmpi_build *in)
{
	xmlNode *e, *n;

	e = xmlNewDocNode(body->doc, NULL, (const xmlChar *)"EncryptedData", NULL);
	in->failed |= !e;
	if (!e)
		return;
	xmlAddChild(body, e);
	in->xenc = xmlNewNs(e, b->xenc->href, b->xenc->prefix);
	in->ds = xmlNewNs(e, b->ds->href, b->ds->prefix);
	in->wsse = xmlNewNs(e, b->wsse->href, b->wsse->prefix);
	in->wsse11 = xmlNewNs(e, b->wsse11->href, b->wsse11->prefix);
	in->failed |= !in->xenc || !in->ds || !in->wsse || !in->wsse11;
	xmlSetNs(e, in->xenc);
	fmpi_build_attribute(in, e, NULL, "Id", id);
	fmpi_build_attribute(in, e, NULL, "Type", TYPE_CONTENT);
	add_method(in, e, s->uri, &n);
	fmpi_build_reference(in, e, key, NULL, WSSE_ENCRYPTED_KEY);
	add_value(in, e, bytes, len);
}

static int replace_content(struct fmpi_build *b, const struct session *s, xmlNode *body,
			   const char *id, const char *key)
{
	struct fmpi_build in = { 0 };
	xmlBufferPtr text = dump_content(body);
	uint8_t *bytes = NULL;
	size_t len = 0;

	if (text)
		bytes = encrypt_content(s, xmlBufferContent(text), (size_t)xmlBufferLength(text),
					&len);
	xmlBufferFree(text);
	if (!bytes)
		return FMP_ERR_NOMEM;
	remove_children(body);
	build_encrypted_data(b, body, s, bytes, len, id, key, &in);
	free(bytes);
	return in.failed ? FMP_ERR_NOMEM : 0;
}

int fmpi_seal(struct fmpi_build *b, enum fmp_sealing how, const struct fmp_reply_context *r,
	      xmlNode *body, xmlNode **key)
{
	const uint8_t *p = r->certificate;
	uint8_t wrapped[MAX_WRAPPED];
	struct fmpi_agreement a = { 0 };
	char id[FMPI_ID], data[FMPI_ID];
	struct session s;
	EVP_PKEY *to;
	X509 *cert = p ? d2i_X509(NULL, &p, (long)r->certificate_len) : NULL;
	size_t len;
	bool ec;
	int ret = FMP_ERR_INVALID;

	*key = NULL;
	to = cert ? X509_get0_pubkey(cert) : NULL;
	ec = to && EVP_PKEY_is_a(to, "EC") && fmp_key_is_agreeable(to);
	if (!ec && !(to && EVP_PKEY_is_a(to, "RSA")))
		goto out;
	ret = FMP_ERR_NOMEM;
	fmpi_build_name(b, id);
	fmpi_build_name(b, data);
	if (start_session(how, &s) &&
	    (ec ? agree_on_key(to, &s, &a, wrapped, &len) : wrap_key(to, &s, wrapped, &len)))
		ret = replace_content(b, &s, body, data, id);
	OPENSSL_cleanse(&s, sizeof(s));
	if (!ret) {
		*key = build_encrypted_key(b, r, &a, wrapped, len, id, data);
		ret = b->failed ? FMP_ERR_NOMEM : 0;
	}
	/* The caller places it in the header. */
	if (*key)
		xmlUnlinkNode(*key);
out:
	X509_free(cert);
	ERR_clear_error();
	return ret;
}
