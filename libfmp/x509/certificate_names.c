// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/certificate_names.h>

#include <string.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/x509.h>

/* RFC 2253 as OpenSSL has it, but with UTF-8 instead of escaped bytes. */
#define STYLE (XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB)

static void format_name(const X509_NAME *name, char *out, size_t size)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *text;
	long n = -1;

	*out = '\0';
	if (bio && X509_NAME_print_ex(bio, name, 0, STYLE) >= 0)
		n = BIO_get_mem_data(bio, &text);
	if (n > 0 && (size_t)n < size && !memchr(text, '\0', (size_t)n)) {
		memcpy(out, text, (size_t)n);
		out[n] = '\0';
	}
	BIO_free(bio);
}

static void format_serial(const X509 *cert, char *out, size_t size)
{
	BIGNUM *bn = ASN1_INTEGER_to_BN(X509_get0_serialNumber(cert), NULL);
	char *hex = bn ? BN_bn2hex(bn) : NULL;

	*out = '\0';
	if (hex && strlen(hex) < size)
		strcpy(out, hex);
	OPENSSL_free(hex);
	BN_free(bn);
}

void fmp_certificate_names(const X509 *cert, struct fmp_identity *out)
{
	format_name(X509_get_subject_name(cert), out->subject, sizeof(out->subject));
	format_name(X509_get_issuer_name(cert), out->issuer, sizeof(out->issuer));
	format_serial(cert, out->serial, sizeof(out->serial));
	ERR_clear_error();
}
