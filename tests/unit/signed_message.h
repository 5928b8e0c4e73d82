/* SPDX-License-Identifier: GPL-2.0 */
/* Messages signed by keys and tokens of any kind. What is signed is written in its canonical form. */
#ifndef FMP_TESTS_SIGNED_MESSAGE_H
#define FMP_TESTS_SIGNED_MESSAGE_H

#include <openssl/ecdsa.h>
#include <openssl/rsa.h>
#include <stdarg.h>

#include "trusted.h"
#include "vectors.h"
#include "xml/names.h"

#define ENVELOPE_11  "<s:Envelope xmlns:s=\"" NS_SOAP11 "\">"
#define XMLNS_WSU    " xmlns:wsu=\"" NS_WSU "\""
#define XMLNS_WSSE   " xmlns:wsse=\"" NS_WSSE "\""
#define ECHO_BODY(x) "<s:Body xmlns:s=\"" NS_SOAP11 "\"" XMLNS_WSU " wsu:Id=\"b\">" x "</s:Body>"
#define ECHO_PAYLOAD "<e:echo xmlns:e=\"urn:echo\">a</e:echo>"
#define ECHO_TIMESTAMP                                                   \
	"<wsu:Timestamp" XMLNS_WSU                                       \
	" wsu:Id=\"ts\"><wsu:Created>2026-11-21T02:59:00Z</wsu:Created>" \
	"<wsu:Expires>2026-11-21T03:05:00Z</wsu:Expires></wsu:Timestamp>"
#define EXC_METHOD(name) "<ds:" name " Algorithm=\"" ALG_EXC_C14N "\"></ds:" name ">"

/** struct signing - a signed message; NULL: what is usual */
struct signing {
	EVP_PKEY *key;
	const char *method, *digest; /* URI; name for OpenSSL, NULL: of the text */
	const char *token; /* in front of the Timestamp */
	const char *key_info; /* its content */
	const char *more; /* References */
	const char *body; /* that is signed */
};

static char *base64_text(const void *p, size_t n)
{
	char *out = malloc(n / 3 * 4 + 5);

	ck_assert_ptr_nonnull(out);
	EVP_EncodeBlock((unsigned char *)out, p, (int)n);
	return out;
}

/* A string that the test need not free: there are few. */
static const char *append_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *append_text(const char *format, ...)
{
	static char *kept[1024];
	static unsigned next;
	char **slot = &kept[next++ % 1024];
	va_list args;

	free(*slot);
	va_start(args, format);
	ck_assert_int_ge(vasprintf(slot, format, args), 0);
	va_end(args);
	return *slot;
}

static inline const char *base64_of(const void *p, size_t n)
{
	char *text = base64_text(p, n);
	const char *out = append_text("%s", text);

	free(text);
	return out;
}

static inline const char *certificate_text(X509 *cert)
{
	unsigned char *der = NULL;
	int n = i2d_X509(cert, &der);
	const char *out = base64_of(der, (size_t)n);

	OPENSSL_free(der);
	return out;
}

static inline const char *digest_text(const char *text)
{
	unsigned char digest[32];

	ck_assert(EVP_Digest(text, strlen(text), digest, NULL, EVP_sha256(), NULL));
	return base64_of(digest, 32);
}

static inline const char *reference_with(const char *id, const char *transform,
					 const char *signed_text)
{
	return append_text(
		"<ds:Reference URI=\"#%s\"><ds:Transforms>%s</ds:Transforms><ds:DigestMethod "
		"Algorithm=\"" ALG_SHA256 "\"></ds:DigestMethod><ds:DigestValue>%s"
		"</ds:DigestValue></ds:Reference>",
		id, transform, digest_text(signed_text));
}

static inline const char *reference_text(const char *id, const char *signed_text)
{
	return reference_with(id, EXC_METHOD("Transform"), signed_text);
}

static inline const char *signature_text(const struct signing *s, const char *info)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	EVP_PKEY_CTX *pss = NULL;
	unsigned char sig[1024], flat[256];
	const unsigned char *p = sig;
	size_t n = sizeof(sig);
	ECDSA_SIG *pair;
	int half;

	ck_assert_int_eq(EVP_DigestSignInit(ctx, &pss,
					    s->digest ? EVP_get_digestbyname(s->digest) : NULL,
					    NULL, s->key),
			 1);
	if (strstr(s->method, "MGF1"))
		ck_assert(EVP_PKEY_CTX_set_rsa_padding(pss, RSA_PKCS1_PSS_PADDING) > 0 &&
			  EVP_PKEY_CTX_set_rsa_pss_saltlen(pss, RSA_PSS_SALTLEN_DIGEST) > 0);
	ck_assert_int_eq(EVP_DigestSign(ctx, sig, &n, (const unsigned char *)info, strlen(info)),
			 1);
	EVP_MD_CTX_free(ctx);
	if (!EVP_PKEY_is_a(s->key, "EC"))
		return base64_of(sig, n);
	pair = d2i_ECDSA_SIG(NULL, &p, (long)n);
	half = (EVP_PKEY_get_bits(s->key) + 7) / 8;
	BN_bn2binpad(ECDSA_SIG_get0_r(pair), flat, half);
	BN_bn2binpad(ECDSA_SIG_get0_s(pair), flat + half, half);
	ECDSA_SIG_free(pair);
	return base64_of(flat, 2 * (size_t)half);
}

static inline struct bytes signed_message(const struct signing *s)
{
	const char *body = s->body ? s->body : ECHO_BODY(ECHO_PAYLOAD);
	const char *info = append_text(
		"<ds:SignedInfo xmlns:ds=\"" NS_DS "\">" EXC_METHOD(
			"CanonicalizationMethod") "<ds:SignatureMethod Algorithm=\"%s\">"
						  "</ds:SignatureMethod>%s%s%s</ds:SignedInfo>",
		s->method, reference_text("b", body), reference_text("ts", ECHO_TIMESTAMP),
		s->more ? s->more : "");
	struct bytes b;
	int n = asprintf(&b.p,
			 ENVELOPE_11 "<s:Header><wsse:Security" XMLNS_WSSE ">%s" ECHO_TIMESTAMP
				     "<ds:Signature xmlns:ds=\"" NS_DS
				     "\">%s<ds:SignatureValue>%s</ds:SignatureValue><ds:KeyInfo>%s"
				     "</ds:KeyInfo></ds:Signature></wsse:Security></s:Header>%s"
				     "</s:Envelope>",
			 s->token ? s->token : "", info, signature_text(s, info), s->key_info,
			 body);

	ck_assert_int_gt(n, 0);
	b.len = (size_t)n;
	return b;
}

static char echo_schema[64];

static inline void signed_setup(void)
{
	FILE *f;

	setup();
	snprintf(echo_schema, sizeof(echo_schema), "/tmp/fmp-test-echo-%d.xsd", (int)getpid());
	f = fopen(echo_schema, "w");
	ck_assert_ptr_nonnull(f);
	fputs("<xs:schema xmlns:xs=\"" NS_XSD "\" targetNamespace=\"urn:echo\" "
	      "elementFormDefault=\"qualified\"><xs:element name=\"echo\"><xs:complexType>"
	      "<xs:simpleContent><xs:extension base=\"xs:string\"><xs:anyAttribute "
	      "processContents=\"skip\"/></xs:extension></xs:simpleContent></xs:complexType>"
	      "</xs:element></xs:schema>",
	      f);
	fclose(f);
	vectors_setup();
}

static inline void signed_teardown(void)
{
	unlink(echo_schema);
	teardown();
	vectors_teardown();
}

static inline struct fmp_inspect_config signed_config(enum fmp_security security)
{
	struct fmp_inspect_config cfg = vector_config(security);

	cfg.schema = echo_schema;
	cfg.trust = ca_path;
	return cfg;
}

/* Frees the message. */
static inline void expect_signed(const struct fmp_inspect_config *cfg, struct bytes b,
				 const char *name, enum fmp_event_kind kind, const char *words)
{
	struct fmp_inspector *i = make_inspector(cfg);
	struct fmp_message m = { .bytes = b.p, .len = b.len, .now_s = NOW };
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.kind == kind && v.accepted == (kind == FMP_EVENT_GOOD), "%s: %s at %s: %s",
		      name, fmp_event_kind_name(v.kind), fmp_step_name(v.step), v.detail);
	ck_assert_msg(strstr(v.detail, words) != NULL, "%s: %s", name, v.detail);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	free(b.p);
}

#endif
