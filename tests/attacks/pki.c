// SPDX-License-Identifier: GPL-2.0
/* A CA, certificates that it issued, and certificates that only claim so. */
#include "pki.h"

#include <openssl/core_names.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#define DAY 86400

static void add_extension(X509 *x, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;
	X509_EXTENSION *e;

	X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
	e = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
	NEED(e && X509_add_ext(x, e, -1) == 1);
	X509_EXTENSION_free(e);
}

struct wanted {
	const char *subject, *issuer_name;
	EVP_PKEY *key, *by;
	X509 *issuer; /* NULL: itself */
	long from, to; /* days from now */
	bool is_ca;
};

static void set_name(X509_NAME *name, const char *cn)
{
	NEED(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)cn, -1, -1,
					0) == 1);
}

static X509 *issue_certificate(const struct attack_pki *pki, const struct wanted *want)
{
	time_t now = (time_t)pki->now_s;
	X509 *x = X509_new();

	NEED(x && X509_set_version(x, 2) == 1 &&
	     ASN1_INTEGER_set(X509_get_serialNumber(x), 7) == 1 &&
	     X509_time_adj_ex(X509_getm_notBefore(x), (int)want->from, 0, &now) &&
	     X509_time_adj_ex(X509_getm_notAfter(x), (int)want->to, 0, &now) &&
	     X509_set_pubkey(x, want->key) == 1);
	set_name(X509_get_subject_name(x), want->subject);
	set_name(X509_get_issuer_name(x), want->issuer_name);
	add_extension(x, want->issuer ? want->issuer : x, NID_basic_constraints,
		      want->is_ca ? "critical,CA:TRUE" : "critical,CA:FALSE");
	add_extension(x, want->issuer ? want->issuer : x, NID_key_usage,
		      want->is_ca ? "critical,keyCertSign" : "critical,digitalSignature");
	NEED(X509_sign(x, want->by, EVP_sha256()) > 0);
	return x;
}

static char *encode_token(X509 *x)
{
	unsigned char *der = NULL;
	int n = i2d_X509(x, &der);
	char *text = malloc((size_t)n / 3 * 4 + 8);

	NEED(n > 0 && text);
	EVP_EncodeBlock((unsigned char *)text, der, n);
	OPENSSL_free(der);
	return text;
}

static char *encode_pem(X509 *x)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *data, *out;
	long n;

	NEED(bio && PEM_write_bio_X509(bio, x) == 1);
	n = BIO_get_mem_data(bio, &data);
	out = calloc(1, (size_t)n + 1);
	NEED(out);
	memcpy(out, data, (size_t)n);
	BIO_free(bio);
	return out;
}

/* A modulus whose factors nobody knows: it can't sign. */
static EVP_PKEY *make_huge_key(void)
{
	unsigned char n[2048] = { [0] = 1, [2047] = 0x80 }; /* the least byte first */
	unsigned e = 65537;
	OSSL_PARAM params[] = {
		{ OSSL_PKEY_PARAM_RSA_N, OSSL_PARAM_UNSIGNED_INTEGER, n, sizeof(n), 0 },
		OSSL_PARAM_construct_uint(OSSL_PKEY_PARAM_RSA_E, &e),
		OSSL_PARAM_construct_end(),
	};
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
	EVP_PKEY *out = NULL;

	NEED(ctx && EVP_PKEY_fromdata_init(ctx) == 1 &&
	     EVP_PKEY_fromdata(ctx, &out, EVP_PKEY_PUBLIC_KEY, params) == 1);
	EVP_PKEY_CTX_free(ctx);
	return out;
}

static void add_token(struct attack_pki *pki, enum attack_cert which, const struct wanted *want)
{
	X509 *x = issue_certificate(pki, want);

	pki->token[which] = encode_token(x);
	X509_free(x);
}

static void make_idp(struct attack_pki *pki)
{
	EVP_PKEY *key = pki->key[ATTACK_IDP];
	X509 *x = issue_certificate(pki, &(struct wanted){ "idp", "idp", key, key, NULL, -2, 30,
							   false });

	pki->idp = encode_pem(x);
	pki->token[ATTACK_IDP] = encode_token(x);
	X509_free(x);
}

static void make_certificates(struct attack_pki *pki)
{
	const char *cn = "Attack test CA";
	EVP_PKEY **key = pki->key, *huge = make_huge_key(), *rogue_ca = EVP_EC_gen("P-256");
	struct wanted ca = { cn, cn, key[ATTACK_CA], key[ATTACK_CA], NULL, -30, 365, true };
	X509 *x = issue_certificate(pki, &ca);

	NEED(rogue_ca);
	pki->ca = encode_pem(x);
	pki->token[ATTACK_CA] = encode_token(x);
	add_token(pki, ATTACK_GOOD,
		  &(struct wanted){ "good", cn, key[ATTACK_GOOD], key[ATTACK_CA], x, -2, 30,
				    false });
	add_token(pki, ATTACK_SECOND,
		  &(struct wanted){ "second", cn, key[ATTACK_SECOND], key[ATTACK_CA], x, -2, 30,
				    false });
	add_token(pki, ATTACK_EXPIRED,
		  &(struct wanted){ "good", cn, key[ATTACK_EXPIRED], key[ATTACK_CA], x, -9, -2,
				    false });
	add_token(pki, ATTACK_ROGUE,
		  &(struct wanted){ "good", cn, key[ATTACK_ROGUE], rogue_ca, x, -2, 30, false });
	add_token(pki, ATTACK_SELF,
		  &(struct wanted){ "good", "good", key[ATTACK_SELF], key[ATTACK_SELF], NULL, -2,
				    30, false });
	make_idp(pki);
	add_token(pki, ATTACK_HUGE,
		  &(struct wanted){ "huge", cn, huge, rogue_ca, x, -2, 30, false });
	X509_free(x);
	EVP_PKEY_free(huge);
	EVP_PKEY_free(rogue_ca);
}

static EVP_PKEY *read_server_key(const char *path)
{
	FILE *f = fopen(path, "re");
	X509 *x = f ? PEM_read_X509(f, NULL, NULL, NULL) : NULL;
	EVP_PKEY *key = x ? X509_get_pubkey(x) : NULL;

	NEED(key);
	X509_free(x);
	fclose(f);
	return key;
}

struct attack_pki *attack_pki_new(const char *server, int64_t now_s)
{
	struct attack_pki *pki = calloc(1, sizeof(*pki));

	NEED(pki);
	pki->now_s = now_s;
	pki->server = read_server_key(server);
	pki->key[ATTACK_CA] = EVP_EC_gen("P-256");
	pki->key[ATTACK_GOOD] = EVP_RSA_gen(2048);
	pki->key[ATTACK_SECOND] = EVP_EC_gen("P-256");
	pki->key[ATTACK_IDP] = EVP_RSA_gen(2048);
	/* With these the signature itself is always right. */
	for (enum attack_cert i = ATTACK_ROGUE; i <= ATTACK_EXPIRED; i++) {
		EVP_PKEY_up_ref(pki->key[ATTACK_GOOD]);
		pki->key[i] = pki->key[ATTACK_GOOD];
	}
	NEED(pki->key[ATTACK_CA] && pki->key[ATTACK_GOOD] && pki->key[ATTACK_SECOND] &&
	     pki->key[ATTACK_IDP]);
	make_certificates(pki);
	return pki;
}

void attack_pki_free(struct attack_pki *pki)
{
	if (!pki)
		return;
	for (int i = 0; i < ATTACK_CERTS; i++) {
		EVP_PKEY_free(pki->key[i]);
		free(pki->token[i]);
	}
	EVP_PKEY_free(pki->server);
	free(pki->ca);
	free(pki->idp);
	free(pki);
}

static void write_pem(const char *pem, const char *path)
{
	FILE *f = fopen(path, "we");

	NEED(f && fputs(pem, f) >= 0 && fclose(f) == 0);
}

void attack_pki_write_ca(const struct attack_pki *pki, const char *path)
{
	write_pem(pki->ca, path);
}

void attack_pki_write_idp(const struct attack_pki *pki, const char *path)
{
	write_pem(pki->idp, path);
}
