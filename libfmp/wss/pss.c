// SPDX-License-Identifier: GPL-2.0
#include "pss.h"

#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <string.h>
#include <xmlsec/buffer.h>
#include <xmlsec/openssl/crypto.h>
#include <xmlsec/openssl/evp.h>

#include "algorithm.h"

/* The layout of xmlsec1's own transforms: its base, then private data. */
struct pss {
	xmlSecTransform base;
	EVP_MD_CTX *md;
};

/* One for each RSA-PSS method of algorithm.c; fmpi_pss_register() fails if there are more. */
static struct slot {
	struct _xmlSecTransformKlass klass;
	const struct fmpi_signature_method *method;
	xmlSecTransformId id; /* of the class above, or of xmlsec1's own, which it has from 1.3 on */
} slots[3];
static size_t n_slots;

static struct pss *get_pss(xmlSecTransformPtr t)
{
	return (struct pss *)t;
}

static const char *get_digest(xmlSecTransformPtr t)
{
	for (size_t i = 0; i < n_slots; i++)
		if (&slots[i].klass == t->id)
			return slots[i].method->digest;
	return NULL;
}

static int pss_initialize(xmlSecTransformPtr t)
{
	get_pss(t)->md = EVP_MD_CTX_new();
	return get_pss(t)->md ? 0 : -1;
}

static void pss_finalize(xmlSecTransformPtr t)
{
	EVP_MD_CTX_free(get_pss(t)->md);
	get_pss(t)->md = NULL;
}

static int pss_set_key_requirements(xmlSecTransformPtr t, xmlSecKeyReqPtr req)
{
	req->keyId = xmlSecOpenSSLKeyDataRsaId;
	req->keyType = xmlSecKeyDataTypePublic;
	req->keyUsage = xmlSecKeyUsageVerify;
	return t->operation == xmlSecTransformOperationVerify ? 0 : -1;
}

static int pss_set_key(xmlSecTransformPtr t, xmlSecKeyPtr key)
{
	EVP_PKEY *pkey = xmlSecOpenSSLEvpKeyDataGetEvp(xmlSecKeyGetValue(key));
	EVP_PKEY_CTX *ctx = NULL;

	if (!pkey || t->operation != xmlSecTransformOperationVerify ||
	    EVP_DigestVerifyInit_ex(get_pss(t)->md, &ctx, get_digest(t), NULL, NULL, pkey, NULL) !=
		    1 ||
	    EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) <= 0 ||
	    EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) <= 0)
		return -1;
	return 0;
}

static int pss_execute(xmlSecTransformPtr t, int last, xmlSecTransformCtxPtr ctx)
{
	xmlSecSize n = xmlSecBufferGetSize(&t->inBuf);

	if (t->status == xmlSecTransformStatusNone)
		t->status = xmlSecTransformStatusWorking;
	if (n > 0) {
		if (t->status != xmlSecTransformStatusWorking ||
		    EVP_DigestVerifyUpdate(get_pss(t)->md, xmlSecBufferGetData(&t->inBuf), n) !=
			    1 ||
		    xmlSecBufferRemoveHead(&t->inBuf, n) < 0)
			return -1;
	}
	if (last && t->status == xmlSecTransformStatusWorking)
		t->status = xmlSecTransformStatusFinished;
	return 0;
}

static int pss_verify(xmlSecTransformPtr t, const xmlSecByte *data, xmlSecSize len,
		      xmlSecTransformCtxPtr ctx)
{
	if (t->status != xmlSecTransformStatusFinished)
		return -1;
	t->status = EVP_DigestVerifyFinal(get_pss(t)->md, data, len) == 1
			    ? xmlSecTransformStatusOk
			    : xmlSecTransformStatusFail;
	return 0;
}

static const struct _xmlSecTransformKlass pattern = {
	.klassSize = sizeof(xmlSecTransformKlass),
	.objSize = sizeof(struct pss),
	.name = BAD_CAST "rsa-pss",
	.usage = xmlSecTransformUsageSignatureMethod,
	.initialize = pss_initialize,
	.finalize = pss_finalize,
	.setKeyReq = pss_set_key_requirements,
	.setKey = pss_set_key,
	.verify = pss_verify,
	.getDataType = xmlSecTransformDefaultGetDataType,
	.pushBin = xmlSecTransformDefaultPushBin,
	.popBin = xmlSecTransformDefaultPopBin,
	.execute = pss_execute,
};

static int fill_slot(struct slot *s, const struct fmpi_signature_method *m)
{
	s->method = m;
	s->id = xmlSecTransformIdListFindByHref(xmlSecTransformIdsGet(), BAD_CAST m->uri,
						xmlSecTransformUsageSignatureMethod);
	if (s->id != xmlSecTransformIdUnknown)
		return 0;
	s->klass = pattern;
	s->klass.href = BAD_CAST m->uri;
	s->id = &s->klass;
	return xmlSecTransformIdsRegister(s->id);
}

int fmpi_pss_register(void)
{
	n_slots = 0;
	for (size_t i = 0; i < fmpi_n_signature_methods; i++) {
		const struct fmpi_signature_method *m = &fmpi_signature_methods[i];

		if (!m->pss)
			continue;
		if (n_slots == sizeof(slots) / sizeof(slots[0]))
			return -1;
		if (fill_slot(&slots[n_slots++], m) < 0)
			return -1;
	}
	return 0;
}

xmlSecTransformId fmpi_pss_klass(const char *uri)
{
	for (size_t i = 0; i < n_slots; i++)
		if (strcmp(slots[i].method->uri, uri) == 0)
			return slots[i].id;
	return NULL;
}
