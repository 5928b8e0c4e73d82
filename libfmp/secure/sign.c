// SPDX-License-Identifier: GPL-2.0
#include "secure/sign.h"

#include <fmp/error.h>
#include <openssl/err.h>
#include <stdio.h>
#include <xmlsec/openssl/crypto.h>
#include <xmlsec/templates.h>
#include <xmlsec/transforms.h>
#include <xmlsec/xmldsig.h>

#include "inspect/names.h"

static const struct {
	xmlSecTransformId (*method)(void), (*digest)(void);
} algorithms[FMP_SIGNINGS] = {
	[FMP_SIGN_RSA_SHA256] = { xmlSecOpenSSLTransformRsaSha256GetKlass,
				  xmlSecOpenSSLTransformSha256GetKlass },
	[FMP_SIGN_RSA_SHA384] = { xmlSecOpenSSLTransformRsaSha384GetKlass,
				  xmlSecOpenSSLTransformSha384GetKlass },
	[FMP_SIGN_RSA_SHA512] = { xmlSecOpenSSLTransformRsaSha512GetKlass,
				  xmlSecOpenSSLTransformSha512GetKlass },
	[FMP_SIGN_ECDSA_SHA256] = { xmlSecOpenSSLTransformEcdsaSha256GetKlass,
				    xmlSecOpenSSLTransformSha256GetKlass },
	[FMP_SIGN_ECDSA_SHA384] = { xmlSecOpenSSLTransformEcdsaSha384GetKlass,
				    xmlSecOpenSSLTransformSha384GetKlass },
};

static bool add_reference(xmlNode *signature, enum fmp_signing method, const char *id,
			  const char *prefixes)
{
	char uri[FMPI_ID + 1];
	xmlNode *reference, *transform;

	snprintf(uri, sizeof(uri), "#%s", id);
	reference = xmlSecTmplSignatureAddReference(signature, algorithms[method].digest(), NULL,
						    (const xmlChar *)uri, NULL);
	transform = reference ? xmlSecTmplReferenceAddTransform(reference,
								xmlSecTransformExclC14NGetKlass())
			      : NULL;
	return transform &&
	       (!*prefixes ||
		!xmlSecTmplTransformAddC14NInclNamespaces(transform, (const xmlChar *)prefixes));
}

static xmlNode *template(struct fmpi_build *b, enum fmp_signing method,
			 const struct fmpi_signed *what)
{
	xmlNode *s = xmlSecTmplSignatureCreateNsPref(b->security->doc,
						     xmlSecTransformExclC14NGetKlass(),
						     algorithms[method].method(), NULL,
						     (const xmlChar *)"ds");

	if (!s || !xmlAddChild(b->security, s)) {
		xmlFreeNode(s);
		return NULL;
	}
	for (unsigned i = 0; i < what->n; i++)
		if (!add_reference(s, method, what->id[i], i == what->body ? what->prefixes : ""))
			return NULL;
	return s;
}

int fmpi_sign(struct fmpi_build *b, const struct fmpi_signkey *key, const struct fmpi_signed *what,
	      const char *token)
{
	xmlNode *signature = template(b, key->method, what);
	xmlSecDSigCtxPtr ctx = signature ? xmlSecDSigCtxCreate(NULL) : NULL;
	int ret = FMP_ERR_NOMEM;

	if (!ctx)
		return ret;
	ctx->enabledReferenceUris = xmlSecTransformUriTypeSameDocument;
	ctx->signKey = key->key;
	if (xmlSecDSigCtxSign(ctx, signature) == 0 && ctx->status == xmlSecDSigStatusSucceeded)
		ret = 0;
	/* Lent, not given. */
	ctx->signKey = NULL;
	xmlSecDSigCtxDestroy(ctx);
	ERR_clear_error();
	/* Not part of what is signed; xmlsec1 could do nothing with it. */
	if (!ret)
		fmpi_build_reference(b, signature, token, WSSE_X509V3, NULL);
	return ret ? ret : b->failed ? FMP_ERR_NOMEM : 0;
}
