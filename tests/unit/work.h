/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is dear of a decryption, counted where it is paid: whoever includes this has the linker
 * put these in front (WORK_LIBS, test_decrypt.mk).
 */
#ifndef FMP_TESTS_WORK_H
#define FMP_TESTS_WORK_H

#include <libxml/parser.h>
#include <openssl/evp.h>

#include "xml/screen.h"
#include "soap/soap.h"

static struct work {
	unsigned private_operations, parses, soap_reads;
	size_t deciphered, parsed;
	size_t built; /* bytes of text in trees of libxml2's */
	unsigned screens;
} work;

int __real_EVP_PKEY_decrypt(EVP_PKEY_CTX *ctx, unsigned char *out, size_t *outlen,
			    const unsigned char *in, size_t inlen);
int __wrap_EVP_PKEY_decrypt(EVP_PKEY_CTX *ctx, unsigned char *out, size_t *outlen,
			    const unsigned char *in, size_t inlen);
int __wrap_EVP_PKEY_decrypt(EVP_PKEY_CTX *ctx, unsigned char *out, size_t *outlen,
			    const unsigned char *in, size_t inlen)
{
	/* OpenSSL gives up at once where there is no number of the modulus' length. */
	work.private_operations +=
		inlen == (size_t)EVP_PKEY_get_size(EVP_PKEY_CTX_get0_pkey(ctx)) && in[0] < 0xff;
	return __real_EVP_PKEY_decrypt(ctx, out, outlen, in, inlen);
}

int __real_EVP_DecryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl,
			     const unsigned char *in, int inl);
int __wrap_EVP_DecryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl,
			     const unsigned char *in, int inl);
int __wrap_EVP_DecryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl,
			     const unsigned char *in, int inl)
{
	work.deciphered += (size_t)inl;
	return __real_EVP_DecryptUpdate(ctx, out, outl, in, inl);
}

xmlDocPtr __real_xmlCtxtReadMemory(xmlParserCtxtPtr ctxt, const char *p, int n, const char *url,
				   const char *encoding, int options);
xmlDocPtr __wrap_xmlCtxtReadMemory(xmlParserCtxtPtr ctxt, const char *p, int n, const char *url,
				   const char *encoding, int options);
xmlDocPtr __wrap_xmlCtxtReadMemory(xmlParserCtxtPtr ctxt, const char *p, int n, const char *url,
				   const char *encoding, int options)
{
	xmlDocPtr doc = __real_xmlCtxtReadMemory(ctxt, p, n, url, encoding, options);
	xmlChar *text = doc ? xmlNodeGetContent((xmlNodePtr)doc) : NULL;

	work.parses++;
	work.parsed += (size_t)n;
	work.built += (size_t)xmlStrlen(text);
	xmlFree(text);
	return doc;
}

int __real_fmpi_screen(const struct fmp_policy_limits *limits, enum fmpi_screen_mode mode,
		       const uint8_t *bytes, size_t len, struct fmpi_shape *shape,
		       struct fmp_inspection *v);
int __wrap_fmpi_screen(const struct fmp_policy_limits *limits, enum fmpi_screen_mode mode,
		       const uint8_t *bytes, size_t len, struct fmpi_shape *shape,
		       struct fmp_inspection *v);
int __wrap_fmpi_screen(const struct fmp_policy_limits *limits, enum fmpi_screen_mode mode,
		       const uint8_t *bytes, size_t len, struct fmpi_shape *shape,
		       struct fmp_inspection *v)
{
	int ret = __real_fmpi_screen(limits, mode, bytes, len, shape, v);

	work.screens++;
	return ret;
}

int __real_fmpi_soap_read(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v);
int __wrap_fmpi_soap_read(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v);
int __wrap_fmpi_soap_read(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v)
{
	work.soap_reads++;
	return __real_fmpi_soap_read(doc, out, v);
}

#endif
