// SPDX-License-Identifier: GPL-2.0
#include "signature.h"

#include <libxml/valid.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <xmlsec/buffer.h>
#include <xmlsec/openssl/crypto.h>
#include <xmlsec/openssl/evp.h>
#include <xmlsec/xmldsig.h>
#include <xmlsec/xmlsec.h>

#include "algorithm.h"
#include "dsig.h"
#include "xml/names.h"
#include "pss.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

/* Register only these Ids with xmlsec1, so that a Reference cannot resolve to anything else. */
static int register_ids(const struct fmpi_signedinfo *s, struct fmp_inspection *v)
{
	for (unsigned i = 0; i < s->n_references; i++) {
		xmlNode *n = s->target[i];
		xmlAttr *a = fmpi_signedinfo_id(s, i);
		const xmlChar *id = (const xmlChar *)fmpi_attribute_value(a);

		/* Another signature of the message may have registered it. */
		if (xmlGetID(n->doc, id) == a)
			continue;
		if (!xmlAddID(NULL, n->doc, id, a) || xmlGetID(n->doc, id) != a)
			return refuse(v, FMP_EVENT_WRAPPING, n,
				      "the Id of a signed element stands twice");
	}
	return 0;
}

static xmlSecKeyPtr wrap_key(EVP_PKEY *key)
{
	xmlSecKeyPtr out = xmlSecKeyCreate();
	xmlSecKeyDataPtr data;

	if (!out)
		return NULL;
	EVP_PKEY_up_ref(key);
	data = xmlSecOpenSSLEvpKeyAdopt(key);
	if (!data) {
		EVP_PKEY_free(key);
		xmlSecKeyDestroy(out);
		return NULL;
	}
	if (xmlSecKeySetValue(out, data) < 0) {
		xmlSecKeyDataDestroy(data);
		xmlSecKeyDestroy(out);
		return NULL;
	}
	return out;
}

static bool allow_transforms(xmlSecDSigCtxPtr ctx, const struct fmpi_signedinfo *s)
{
	static xmlSecTransformId (*const digest[])(void) = {
		xmlSecOpenSSLTransformSha256GetKlass,
		xmlSecOpenSSLTransformSha384GetKlass,
		xmlSecOpenSSLTransformSha512GetKlass,
	};
	static xmlSecTransformId (*const method[])(void) = {
		xmlSecOpenSSLTransformRsaSha256GetKlass,
		xmlSecOpenSSLTransformRsaSha384GetKlass,
		xmlSecOpenSSLTransformRsaSha512GetKlass,
		xmlSecOpenSSLTransformEcdsaSha256GetKlass,
		xmlSecOpenSSLTransformEcdsaSha384GetKlass,
		xmlSecOpenSSLTransformEcdsaSha512GetKlass,
	};
	xmlSecTransformId c14n = xmlSecTransformExclC14NGetKlass();

	if (xmlSecDSigCtxEnableReferenceTransform(ctx, c14n) < 0 ||
	    xmlSecDSigCtxEnableSignatureTransform(ctx, c14n) < 0)
		return false;
	if (s->enveloped &&
	    xmlSecDSigCtxEnableReferenceTransform(ctx, xmlSecTransformEnvelopedGetKlass()) < 0)
		return false;
	for (size_t i = 0; i < sizeof(digest) / sizeof(digest[0]); i++)
		if (xmlSecDSigCtxEnableReferenceTransform(ctx, digest[i]()) < 0)
			return false;
	for (size_t i = 0; i < sizeof(method) / sizeof(method[0]); i++)
		if (xmlSecDSigCtxEnableSignatureTransform(ctx, method[i]()) < 0)
			return false;
	for (size_t i = 0; i < fmpi_n_signature_methods; i++)
		if (fmpi_signature_methods[i].pss &&
		    xmlSecDSigCtxEnableSignatureTransform(
			    ctx, fmpi_pss_klass(fmpi_signature_methods[i].uri)) < 0)
			return false;
	return true;
}

static xmlSecDSigReferenceCtxPtr get_reference(xmlSecDSigCtxPtr ctx, unsigned i)
{
	return xmlSecPtrListGetItem(&ctx->signedInfoReferences, (xmlSecSize)i);
}

static bool names_target(const xmlChar *uri, const struct fmpi_signedinfo *s, unsigned i)
{
	const char *id = fmpi_attribute_value(fmpi_signedinfo_id(s, i));

	return uri && uri[0] == '#' && strcmp((const char *)uri + 1, id) == 0;
}

static int check_result(xmlSecDSigCtxPtr ctx, const xmlNode *signature,
			const struct fmpi_signedinfo *s, struct fmp_inspection *v)
{
	for (unsigned i = 0; i < s->n_references; i++) {
		xmlSecDSigReferenceCtxPtr r = get_reference(ctx, i);

		/* xmlsec1 has parsed the URI by itself: compare. */
		if (!r || !names_target(r->uri, s, i))
			return refuse(v, FMP_EVENT_WRAPPING, s->target[i],
				      "the Reference is not to this %s",
				      (const char *)s->target[i]->name);
		if (r->status != xmlSecDSigStatusSucceeded)
			return refuse(v, FMP_EVENT_SIGNATURE, s->target[i],
				      "the digest of %s does not match",
				      (const char *)s->target[i]->name);
	}
	if (ctx->status != xmlSecDSigStatusSucceeded ||
	    xmlSecPtrListGetSize(&ctx->signedInfoReferences) != s->n_references)
		return refuse(v, FMP_EVENT_SIGNATURE, signature,
			      "the signature value does not match");
	return 0;
}

static int copy_bytes(xmlSecDSigCtxPtr ctx, unsigned index, struct fmpi_buffer *out)
{
	xmlSecBufferPtr bytes = xmlSecDSigReferenceCtxGetPreDigestBuffer(get_reference(ctx, index));

	return bytes && fmpi_buffer_add(out, xmlSecBufferGetData(bytes), xmlSecBufferGetSize(bytes))
		       ? 0
		       : FMP_ERR_NOMEM;
}

static int copy_all_bytes(xmlSecDSigCtxPtr ctx, const struct fmpi_signedinfo *s,
			  struct fmpi_signed_bytes *out)
{
	int ret = s->body < s->n_references ? copy_bytes(ctx, s->body, &out->body) : 0;

	for (unsigned i = 0; i < s->n_references && !ret; i++)
		if (fmpi_signedinfo_is_forwarded(s, i))
			ret = copy_bytes(ctx, i, &out->blocks);
	if (ret) {
		free(out->body.p);
		free(out->blocks.p);
		*out = (struct fmpi_signed_bytes){ 0 };
	}
	return ret;
}

int fmpi_signature_verify(xmlNode *signature, const struct fmpi_signedinfo *s, EVP_PKEY *key,
			  struct fmpi_signed_bytes *out, struct fmp_inspection *v)
{
	xmlSecDSigCtxPtr ctx;
	int ret = fmpi_signedinfo_check_length(s, key, v);

	*out = (struct fmpi_signed_bytes){ 0 };
	if (!ret && fmpi_dsig_is_needed(s))
		ret = refuse(v, FMP_EVENT_UNSUPPORTED, signature,
			     "the signature can't be verified by xmlsec1");
	/* xmlsec1 digests all targets before it verifies the value: bound their size first. */
	if (!ret)
		ret = fmpi_dsig_check_size(s, v);
	if (!ret)
		ret = register_ids(s, v);
	if (ret)
		return ret;
	ctx = xmlSecDSigCtxCreate(NULL);
	if (!ctx)
		return FMP_ERR_NOMEM;
	ctx->enabledReferenceUris = xmlSecTransformUriTypeSameDocument;
	ctx->flags = XMLSEC_DSIG_FLAGS_STORE_SIGNEDINFO_REFERENCES;
	/* With signKey set, xmlsec1 does not read KeyInfo. */
	ctx->signKey = wrap_key(key);
	ret = FMP_ERR_NOMEM;
	if (!ctx->signKey || !allow_transforms(ctx, s))
		goto out;
	if (xmlSecDSigCtxVerify(ctx, signature) < 0) {
		ret = refuse(v, FMP_EVENT_SIGNATURE, signature, "the signature can't be verified");
		goto out;
	}
	ret = check_result(ctx, signature, s, v);
	if (!ret)
		ret = copy_all_bytes(ctx, s, out);
out:
	xmlSecDSigCtxDestroy(ctx);
	ERR_clear_error();
	return ret;
}
