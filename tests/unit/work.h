/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is dear of a decryption, counted where it is paid: whoever includes this has the linker
 * put these in front (WORK_LIBS, test_decrypt.mk).
 */
#ifndef FMP_TESTS_WORK_H
#define FMP_TESTS_WORK_H

#include <libxml/parser.h>
#include <openssl/evp.h>

static struct work {
	unsigned private_operations, parses;
	size_t deciphered, parsed;
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
	work.parses++;
	work.parsed += (size_t)n;
	return __real_xmlCtxtReadMemory(ctxt, p, n, url, encoding, options);
}

#endif
