// SPDX-License-Identifier: GPL-2.0
#include "secure/sign.h"

#include <fmp/error.h>
#include <fmp/internal/key_agree.h>
#include <fmp/internal/mime.h>
#include <libxml/c14n.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "wss/attachment.h"
#include "xml/names.h"

#define MAX_PREFIXES  32
#define MAX_SIGNATURE 1024 /* bytes; RSA of 8192 bits */

static const struct algorithm {
	const char *method, *digest, *name;
} algorithms[FMP_SIGNINGS] = {
	[FMP_SIGN_RSA_SHA256] = { NS_DSMORE "rsa-sha256", ALG_SHA256, "SHA256" },
	[FMP_SIGN_RSA_SHA384] = { NS_DSMORE "rsa-sha384", ALG_SHA384, "SHA384" },
	[FMP_SIGN_RSA_SHA512] = { NS_DSMORE "rsa-sha512", ALG_SHA512, "SHA512" },
	[FMP_SIGN_ECDSA_SHA256] = { NS_DSMORE "ecdsa-sha256", ALG_SHA256, "SHA256" },
	[FMP_SIGN_ECDSA_SHA384] = { NS_DSMORE "ecdsa-sha384", ALG_SHA384, "SHA384" },
	[FMP_SIGN_ECDSA_SHA512] = { NS_DSMORE "ecdsa-sha512", ALG_SHA512, "SHA512" },
	[FMP_SIGN_ED25519] = { NS_DSMORE21 "eddsa-ed25519", ALG_SHA256, "SHA256" },
};

/* ---- the canonical form ---- */

static int is_inside(void *apex, xmlNode *node, xmlNode *parent)
{
	const xmlNode *n = node;

	/* Namespaces and attributes are no nodes of the tree: use their parent. */
	if (node->type == XML_NAMESPACE_DECL || node->type == XML_ATTRIBUTE_NODE)
		n = parent;
	while (n && n != apex)
		n = n->parent;
	return n != NULL;
}

/* Convert a PrefixList for libxml2; splits @text in place. */
static xmlChar **split_prefixes(char *text, xmlChar **list)
{
	unsigned n = 0;
	char *rest = NULL;

	for (char *p = strtok_r(text, " ", &rest); p && n < MAX_PREFIXES;
	     p = strtok_r(NULL, " ", &rest))
		list[n++] = (xmlChar *)p;
	list[n] = NULL;
	return n ? list : NULL;
}

/* Return: for xmlOutputBufferClose(); NULL without memory. */
static xmlOutputBufferPtr canonicalize_element(xmlNode *apex, const char *prefixes)
{
	xmlChar *list[MAX_PREFIXES + 1];
	char *text = strdup(prefixes);
	xmlOutputBufferPtr out = text ? xmlAllocOutputBuffer(NULL) : NULL;

	if (out && xmlC14NExecute(apex->doc, is_inside, apex, XML_C14N_EXCLUSIVE_1_0,
				  split_prefixes(text, list), 0, out) < 0) {
		xmlOutputBufferClose(out);
		out = NULL;
	}
	free(text);
	return out;
}

/* Return: 0, FMP_ERR_NOMEM. */
static int hash_element(const struct algorithm *a, xmlNode *apex, const char *prefixes,
			uint8_t *digest, unsigned *len)
{
	xmlOutputBufferPtr out = canonicalize_element(apex, prefixes);
	bool good = out && EVP_Digest(xmlOutputBufferGetContent(out), xmlOutputBufferGetSize(out),
				      digest, len, EVP_get_digestbyname(a->name), NULL);

	if (out)
		xmlOutputBufferClose(out);
	return good ? 0 : FMP_ERR_NOMEM;
}

/* ---- what is signed ---- */

static xmlNode *add_method(struct fmpi_build *b, xmlNode *parent, const char *name,
			   const char *algorithm)
{
	xmlNode *n = fmpi_build_element(b, parent, b->ds, name, NULL);

	fmpi_build_attribute(b, n, NULL, "Algorithm", algorithm);
	return n;
}

static void add_prefixes(struct fmpi_build *b, xmlNode *transform, const char *prefixes)
{
	xmlNode *n;
	xmlNs *ec;

	if (!*prefixes || !transform)
		return;
	ec = xmlNewNs(transform, (const xmlChar *)NS_EXC, (const xmlChar *)"ec");
	n = fmpi_build_element(b, transform, ec, "InclusiveNamespaces", NULL);
	fmpi_build_attribute(b, n, NULL, "PrefixList", prefixes);
}

/* Return: ds:Transforms, for what it takes to get what was digested. */
static xmlNode *add_digest(struct fmpi_build *b, xmlNode *info, const struct algorithm *a,
			   const char *uri, const uint8_t *digest, unsigned len)
{
	xmlNode *ref = fmpi_build_element(b, info, b->ds, "Reference", NULL);
	xmlNode *transforms;

	fmpi_build_attribute(b, ref, NULL, "URI", uri);
	transforms = fmpi_build_element(b, ref, b->ds, "Transforms", NULL);
	add_method(b, ref, "DigestMethod", a->digest);
	fmpi_build_base64(b, ref, b->ds, "DigestValue", digest, len);
	return transforms;
}

static int add_reference(struct fmpi_build *b, xmlNode *info, const struct algorithm *a,
			 const char *id, const char *prefixes)
{
	xmlAttr *attr = xmlGetID(info->doc, (const xmlChar *)id);
	uint8_t digest[EVP_MAX_MD_SIZE];
	char uri[FMPI_ID + 1] = "#";
	xmlNode *transforms;
	unsigned len;
	int ret;

	if (!attr)
		return FMP_ERR_NOMEM;
	ret = hash_element(a, attr->parent, prefixes, digest, &len);
	if (ret)
		return ret;
	strcat(uri, id);
	transforms = add_digest(b, info, a, uri, digest, len);
	add_prefixes(b, add_method(b, transforms, "Transform", ALG_EXC_C14N), prefixes);
	return b->failed ? FMP_ERR_NOMEM : 0;
}

/* RFC 2392: the Content-ID with what no URL may hold percent-encoded. */
static void make_cid(const char *id, char *out)
{
	static const char hex[] = "0123456789ABCDEF";

	for (out = stpcpy(out, "cid:"); *id; id++) {
		unsigned char c = (unsigned char)*id;

		if (c > ' ' && c < 0x7f && !strchr("%\"<>\\^`{|}#?", c)) {
			*out++ = (char)c;
			continue;
		}
		*out++ = '%';
		*out++ = hex[c >> 4];
		*out++ = hex[c & 15];
	}
	*out = '\0';
}

/* SwA profile 1.1, 5.4.1: the content of a part that no xop:Include names. */
static int add_attachment(struct fmpi_build *b, xmlNode *info, const struct algorithm *a,
			  const struct fmp_attachment *part)
{
	uint8_t digest[EVP_MAX_MD_SIZE];
	char uri[3 * FMP_MIME_ID + 5];
	unsigned len;
	int ret = fmpi_attachment_digest(part, a->name, digest, &len);

	if (ret)
		return ret;
	make_cid(part->id, uri);
	add_method(b, add_digest(b, info, a, uri, digest, len), "Transform",
		   NS_SWA "Attachment-Content-Signature-Transform");
	return b->failed ? FMP_ERR_NOMEM : 0;
}

static int add_attachments(struct fmpi_build *b, xmlNode *info, const struct algorithm *a,
			   const struct fmp_attachments *list)
{
	int ret = 0;

	for (size_t i = 0; list && i < list->n && !ret; i++)
		if (!list->part[i].included)
			ret = add_attachment(b, info, a, &list->part[i]);
	return ret;
}

/* ---- the signature ---- */

/* XML-DSig 1.1, 6.4.3: r and s, each as long as the curve's order; OpenSSL returns DER. */
static bool flatten_ecdsa(EVP_PKEY *key, uint8_t *sig, size_t *len)
{
	const unsigned char *p = sig;
	ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &p, (long)*len);
	int half = (EVP_PKEY_get_bits(key) + 7) / 8;
	bool good = pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), sig, half) == half &&
		    BN_bn2binpad(ECDSA_SIG_get0_s(pair), sig + half, half) == half;

	*len = (size_t)half * 2;
	ECDSA_SIG_free(pair);
	return good;
}

/* RFC 8032, 5.1: it signs a message, not its hash. Return: as sign_info(). */
static int sign_whole(EVP_PKEY *key, xmlNode *info, uint8_t *sig, size_t *len)
{
	xmlOutputBufferPtr out = canonicalize_element(info, "");
	int got = out ? fmp_key_sign_ed25519(key, xmlOutputBufferGetContent(out),
					     xmlOutputBufferGetSize(out), sig)
		      : -1;

	if (out)
		xmlOutputBufferClose(out);
	*len = got > 0 ? (size_t)got : 0;
	return got > 0 ? 0 : FMP_ERR_NOMEM;
}

/* Return: 0; FMP_ERR_NOMEM, also if the key's provider fails. */
static int sign_info(const struct algorithm *a, EVP_PKEY *key, xmlNode *info, uint8_t *sig,
		     size_t *len)
{
	uint8_t digest[EVP_MAX_MD_SIZE];
	unsigned n;
	int ret = hash_element(a, info, "", digest, &n);
	EVP_PKEY_CTX *ctx = ret ? NULL : EVP_PKEY_CTX_new(key, NULL);
	bool good = ctx && EVP_PKEY_sign_init(ctx) > 0 &&
		    EVP_PKEY_CTX_set_signature_md(ctx, EVP_get_digestbyname(a->name)) > 0 &&
		    EVP_PKEY_sign(ctx, sig, len, digest, n) > 0;

	EVP_PKEY_CTX_free(ctx);
	ERR_clear_error();
	if (good && EVP_PKEY_is_a(key, "EC"))
		good = flatten_ecdsa(key, sig, len);
	return good ? 0 : FMP_ERR_NOMEM;
}

int fmpi_sign(struct fmpi_build *b, const struct fmpi_signkey *key, const struct fmpi_signed *what,
	      const char *token)
{
	const struct algorithm *a = &algorithms[key->method];
	xmlNode *signature = fmpi_build_element(b, b->security, b->ds, "Signature", NULL);
	xmlNode *info = fmpi_build_element(b, signature, b->ds, "SignedInfo", NULL);
	uint8_t sig[MAX_SIGNATURE];
	size_t len = sizeof(sig);
	int ret = 0;

	add_method(b, info, "CanonicalizationMethod", ALG_EXC_C14N);
	add_method(b, info, "SignatureMethod", a->method);
	for (unsigned i = 0; i < what->n && !ret && !b->failed; i++)
		ret = add_reference(b, info, a, what->id[i], i == what->body ? what->prefixes : "");
	if (!ret && !b->failed)
		ret = add_attachments(b, info, a, what->attachments);
	if (ret || b->failed)
		return FMP_ERR_NOMEM;
	ret = key->method == FMP_SIGN_ED25519 ? sign_whole(key->key, info, sig, &len)
					      : sign_info(a, key->key, info, sig, &len);
	if (ret)
		return ret;
	fmpi_build_base64(b, signature, b->ds, "SignatureValue", sig, len);
	fmpi_build_reference(b, signature, token, WSSE_X509V3, NULL);
	return b->failed ? FMP_ERR_NOMEM : 0;
}
