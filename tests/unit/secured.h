/* SPDX-License-Identifier: GPL-2.0 */
/* Who makes answers secure, and whom they are for. */
#ifndef FMP_TEST_SECURED_H
#define FMP_TEST_SECURED_H

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <fmp/secure.h>

#include "run.h"
#include "tokens.h"

#define S11 "http://schemas.xmlsoap.org/soap/envelope/"
#define ENVELOPE(ns, header, body)                                                    \
	"<?xml version='1.0'?>\n<e:Envelope xmlns:e='" ns "'>" header "<e:Body>" body \
	"</e:Body></e:Envelope>"

static struct fmp_policy_answers make_answers(enum fmp_signing sign, enum fmp_sealing encrypt)
{
	struct fmp_policy_answers a = {
		.sign = sign, .encrypt = encrypt, .timestamp_ms = 300000, .faults = true
	};

	strcpy(a.certificate, tests_path("interop/vectors/pki/server.crt"));
	strcpy(a.key, tests_path("interop/vectors/pki/server.key"));
	return a;
}

static struct fmp_securer *new_securer(const struct fmp_policy_answers *a)
{
	struct fmp_policy_limits limits = vector_limits();
	struct fmp_error err = { 0 };
	struct fmp_securer *s = NULL;

	ck_assert_msg(!fmp_securer_new(a, &limits, NULL, &s, &err), "%s: %s", err.file,
		      err.message);
	return s;
}

/* Who asks is who answers: there is one private key in the vectors. */
static struct fmp_reply_context requester_of(const char *certificate)
{
	static unsigned char *der;
	static const char value[] = "\x01\x02\xfd\xfe";
	FILE *f = fopen(tests_path(certificate), "r");
	X509 *cert = PEM_read_X509(f, NULL, NULL, NULL);
	int len;

	fclose(f);
	OPENSSL_free(der);
	der = NULL;
	len = i2d_X509(cert, &der);
	X509_free(cert);
	return (struct fmp_reply_context){ .certificate = der,
					   .certificate_len = (size_t)len,
					   .signature = value,
					   .signature_len = 4,
					   .message_id = "urn:uuid:1&2" };
}

static inline struct fmp_reply_context make_reply_context(void)
{
	return requester_of("interop/vectors/pki/server.crt");
}

#endif
