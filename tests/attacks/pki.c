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
	const char *basic, *names, *constraints; /* NULL: by is_ca; none */
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
		      want->basic   ? want->basic
		      : want->is_ca ? "critical,CA:TRUE"
				    : "critical,CA:FALSE");
	if (want->names)
		add_extension(x, want->issuer, NID_subject_alt_name, want->names);
	if (want->constraints)
		add_extension(x, want->issuer, NID_name_constraints, want->constraints);
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

/* A certificate of a new CA and one that it issued. */
static X509 *issue_pair(struct attack_pki *pki, X509 *by, EVP_PKEY *by_key, EVP_PKEY **new_key,
			enum attack_cert ca, struct wanted of_ca, enum attack_cert leaf,
			struct wanted of_leaf)
{
	char issuer[64];
	X509 *x, *below;

	X509_NAME_get_text_by_NID(X509_get_subject_name(by), NID_commonName, issuer,
				  sizeof(issuer));
	*new_key = EVP_EC_gen("P-256");
	NEED(*new_key);
	of_ca.issuer_name = issuer;
	of_ca.key = *new_key;
	of_ca.by = by_key;
	of_ca.issuer = by;
	of_ca.from = of_leaf.from = -2;
	of_ca.to = of_leaf.to = 30;
	x = issue_certificate(pki, &of_ca);
	pki->token[ca] = encode_token(x);
	of_leaf.issuer_name = of_ca.subject;
	of_leaf.key = pki->key[ATTACK_GOOD];
	of_leaf.by = *new_key;
	of_leaf.issuer = x;
	if (leaf != ATTACK_BELOW_SHORT) {
		below = issue_certificate(pki, &of_leaf);
		pki->token[leaf] = encode_token(below);
		X509_free(below);
	}
	return x;
}

static void make_paths(struct attack_pki *pki, X509 *ca)
{
	EVP_PKEY *key[5], *ca_key = pki->key[ATTACK_CA];
	X509 *x[5];

	x[0] = issue_pair(pki, ca, ca_key, &key[0], ATTACK_BETWEEN,
			  (struct wanted){ .subject = "between", .is_ca = true }, ATTACK_DEEP,
			  (struct wanted){ .subject = "deep" });
	x[1] = issue_pair(pki, ca, ca_key, &key[1], ATTACK_NO_CA,
			  (struct wanted){ .subject = "no CA" }, ATTACK_OF_NO_CA,
			  (struct wanted){ .subject = "of no CA" });
	x[2] = issue_pair(pki, ca, ca_key, &key[2], ATTACK_SHORT,
			  (struct wanted){ .subject = "short",
					   .is_ca = true,
					   .basic = "critical,CA:TRUE,pathlen:0" },
			  ATTACK_BELOW_SHORT, (struct wanted){ 0 });
	x[3] = issue_pair(pki, x[2], key[2], &key[3], ATTACK_BELOW_SHORT,
			  (struct wanted){ .subject = "below short", .is_ca = true },
			  ATTACK_TOO_DEEP, (struct wanted){ .subject = "too deep" });
	x[4] = issue_pair(pki, ca, ca_key, &key[4], ATTACK_NARROW,
			  (struct wanted){ .subject = "narrow",
					   .is_ca = true,
					   .constraints = "critical,permitted;DNS:good.example" },
			  ATTACK_OF_NARROW,
			  (struct wanted){ .subject = "of narrow", .names = "DNS:bad.example" });
	for (int i = 0; i < 5; i++) {
		X509_free(x[i]);
		EVP_PKEY_free(key[i]);
	}
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
	X509 *x = issue_certificate(pki, &(struct wanted){ .subject = "idp",
							   .issuer_name = "idp",
							   .key = key,
							   .by = key,
							   .from = -2,
							   .to = 30 });

	pki->idp = encode_pem(x);
	pki->token[ATTACK_IDP] = encode_token(x);
	X509_free(x);
}

static void make_certificates(struct attack_pki *pki)
{
	const char *cn = "Attack test CA";
	EVP_PKEY **key = pki->key, *huge = make_huge_key(), *rogue_ca = EVP_EC_gen("P-256");
	struct wanted ca = { .subject = cn,
			     .issuer_name = cn,
			     .key = key[ATTACK_CA],
			     .by = key[ATTACK_CA],
			     .from = -30,
			     .to = 365,
			     .is_ca = true };
	X509 *x = issue_certificate(pki, &ca);

	NEED(rogue_ca);
	pki->ca = encode_pem(x);
	pki->token[ATTACK_CA] = encode_token(x);
	add_token(pki, ATTACK_GOOD,
		  &(struct wanted){ .subject = "good",
				    .issuer_name = cn,
				    .key = key[ATTACK_GOOD],
				    .by = key[ATTACK_CA],
				    .issuer = x,
				    .from = -2,
				    .to = 30 });
	add_token(pki, ATTACK_SECOND,
		  &(struct wanted){ .subject = "second",
				    .issuer_name = cn,
				    .key = key[ATTACK_SECOND],
				    .by = key[ATTACK_CA],
				    .issuer = x,
				    .from = -2,
				    .to = 30 });
	add_token(pki, ATTACK_EXPIRED,
		  &(struct wanted){ .subject = "good",
				    .issuer_name = cn,
				    .key = key[ATTACK_EXPIRED],
				    .by = key[ATTACK_CA],
				    .issuer = x,
				    .from = -9,
				    .to = -2 });
	add_token(pki, ATTACK_ROGUE,
		  &(struct wanted){ .subject = "good",
				    .issuer_name = cn,
				    .key = key[ATTACK_ROGUE],
				    .by = rogue_ca,
				    .issuer = x,
				    .from = -2,
				    .to = 30 });
	add_token(pki, ATTACK_SELF,
		  &(struct wanted){ .subject = "good",
				    .issuer_name = "good",
				    .key = key[ATTACK_SELF],
				    .by = key[ATTACK_SELF],
				    .from = -2,
				    .to = 30 });
	make_idp(pki);
	make_paths(pki, x);
	add_token(pki, ATTACK_HUGE,
		  &(struct wanted){ .subject = "huge",
				    .issuer_name = cn,
				    .key = huge,
				    .by = rogue_ca,
				    .issuer = x,
				    .from = -2,
				    .to = 30 });
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

void attack_put_path(FILE *out, const struct attack_pki *pki, const char *letters)
{
	static const struct {
		char letter;
		enum attack_cert cert;
	} known[] = {
		{ 'C', ATTACK_CA },	  { 'g', ATTACK_GOOD },	  { '2', ATTACK_SECOND },
		{ 'r', ATTACK_ROGUE },	  { 's', ATTACK_SELF },	  { 'e', ATTACK_EXPIRED },
		{ 'B', ATTACK_BETWEEN },  { 'd', ATTACK_DEEP },	  { 'n', ATTACK_NO_CA },
		{ 'o', ATTACK_OF_NO_CA }, { 'S', ATTACK_SHORT },  { 'b', ATTACK_BELOW_SHORT },
		{ 't', ATTACK_TOO_DEEP }, { 'N', ATTACK_NARROW }, { 'w', ATTACK_OF_NARROW },
	};
	unsigned char *all = malloc(4096 * (strlen(letters) + 1)), *at, head[8], *h = head;
	size_t len = 0;
	int n;

	NEED(all);
	at = all + sizeof(head);
	for (; *letters; letters++)
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			const char *text = pki->token[known[i].cert];

			if (known[i].letter != *letters)
				continue;
			n = EVP_DecodeBlock(at + len, (const unsigned char *)text,
					    (int)strlen(text));
			NEED(n > 0);
			len += (size_t)n - (strchr(text, '=') ? strlen(strchr(text, '=')) : 0);
		}
	ASN1_put_object(&h, 1, (int)len, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
	memcpy(at - (h - head), head, (size_t)(h - head));
	attack_put_base64(out, at - (h - head), len + (size_t)(h - head));
	free(all);
}
