// SPDX-License-Identifier: GPL-2.0
/*
 * inspect inspect SECURITY SCHEMA CAS KEY NOW COUNT FILE
 * inspect limit SECURITY SIGNER KEY COUNT FILE
 *
 * Runs one message COUNT times through fmp_inspect(), or through the minimum work of any
 * gateway: the screen, libxml2's parser, and for a signed or encrypted message SHA-256 of its
 * bytes, a verification with SIGNER's public key and a decryption with the private KEY.
 * callgrind counts in once() and limit_once(); one uncounted run before fills the caches.
 * Prints the CPU microseconds of one run. With FMP_XMLSEC_ONLY in the environment xmlsec1
 * verifies the signatures.
 */
#include <libxml/parser.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fmp/inspect.h>

#include "xml/screen.h"
#include "message.h"

static void die_with(const char *what, const char *why)
{
	fprintf(stderr, "inspect: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void print_cost(uint64_t start, int count)
{
	printf("cpu_us %.2f\n", (double)(cpu_ns() - start) / 1000 / count);
}

static enum fmp_security parse_security(const char *name)
{
	enum fmp_security s;

	if (fmp_security_parse(name, &s))
		die_with(name, "no security");
	return s;
}

static void inspect_message(struct fmp_inspector *i, const struct fmp_message *m)
{
	struct fmp_inspection v;

	if (fmp_inspect(i, m, &v) || !v.accepted)
		die_with(fmp_step_name(v.step), v.detail);
	fmp_inspection_clear(&v);
}

/* Not inlined: callgrind counts by the names once() and limit_once(). */
static __attribute__((noinline)) void once(struct fmp_inspector *i, const struct fmp_message *m)
{
	inspect_message(i, m);
}

static int measure_inspect(char **arg)
{
	const struct fmp_inspect_config cfg = {
		.security = parse_security(arg[0]),
		.schema = arg[1],
		.trust = arg[2],
		.key = arg[3],
		.clock_skew_ms = 60000,
		.limits = wide_limits(),
		.xmlsec_only = getenv("FMP_XMLSEC_ONLY") != NULL,
	};
	struct fmp_message m = read_message(arg[6]);
	struct fmp_inspector *i;
	struct fmp_error err;
	uint64_t start;

	m.now_s = atoll(arg[4]);
	if (fmp_inspect_global_init(&err) || fmp_inspector_new(&cfg, &i, &err))
		die_with("the inspector", err.message);
	inspect_message(i, &m);
	start = cpu_ns();
	for (int n = atoi(arg[5]); n; n--)
		once(i, &m);
	print_cost(start, atoi(arg[5]));
	fmp_inspector_free(i);
	fmp_inspect_global_exit();
	free((void *)m.bytes);
	return EXIT_SUCCESS;
}

/* ---- the limit ---- */

struct key {
	EVP_PKEY_CTX *ctx; /* NULL: not used */
	unsigned char made[1024]; /* a signature or a wrapped session key */
	size_t len;
};

struct limit {
	struct fmp_message m;
	bool parse;
	struct key verify, decrypt;
};

static EVP_PKEY *read_key(const char *file)
{
	FILE *f = fopen(file, "r");
	EVP_PKEY *key = f ? PEM_read_PrivateKey(f, NULL, NULL, NULL) : NULL;

	if (!key)
		die_with(file, "no private key");
	fclose(f);
	return key;
}

static struct key make_verify_key(const char *file, const unsigned char *digest)
{
	EVP_PKEY *key = read_key(file);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	struct key k = { .ctx = EVP_PKEY_CTX_new(key, NULL), .len = sizeof(k.made) };

	if (EVP_PKEY_sign_init(ctx) <= 0 || EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()) <= 0 ||
	    EVP_PKEY_sign(ctx, k.made, &k.len, digest, SHA256_DIGEST_LENGTH) <= 0 ||
	    EVP_PKEY_verify_init(k.ctx) <= 0 ||
	    EVP_PKEY_CTX_set_signature_md(k.ctx, EVP_sha256()) <= 0)
		die_with(file, "does not sign");
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(key);
	return k;
}

static struct key make_decrypt_key(const char *file)
{
	static const unsigned char session[16];
	EVP_PKEY *key = read_key(file);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	struct key k = { .ctx = EVP_PKEY_CTX_new(key, NULL), .len = sizeof(k.made) };

	if (EVP_PKEY_encrypt_init(ctx) <= 0 ||
	    EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) <= 0 ||
	    EVP_PKEY_encrypt(ctx, k.made, &k.len, session, sizeof(session)) <= 0 ||
	    EVP_PKEY_decrypt_init(k.ctx) <= 0 ||
	    EVP_PKEY_CTX_set_rsa_padding(k.ctx, RSA_PKCS1_OAEP_PADDING) <= 0)
		die_with(file, "does not encrypt");
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(key);
	return k;
}

static void scan_and_parse(const struct fmp_message *m)
{
	const struct fmp_policy_limits limits = wide_limits();
	struct fmp_inspection v;
	struct fmpi_shape shape;
	xmlDoc *doc;

	if (fmpi_screen(&limits, FMPI_SCREEN_UTF8, m->bytes, m->len, &shape, &v))
		die_with("screen", v.detail);
	doc = xmlReadMemory(m->bytes, (int)m->len, NULL, NULL,
			    XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_COMPACT);
	if (!doc)
		die_with("parse", "failed");
	xmlFreeDoc(doc);
}

static void run_limit(const struct limit *l)
{
	unsigned char digest[SHA256_DIGEST_LENGTH], session[1024];
	size_t len = sizeof(session);

	if (l->parse)
		scan_and_parse(&l->m);
	if (l->verify.ctx) {
		SHA256(l->m.bytes, l->m.len, digest);
		if (EVP_PKEY_verify(l->verify.ctx, l->verify.made, l->verify.len, digest,
				    sizeof(digest)) != 1)
			die_with("verify", "failed");
	}
	if (l->decrypt.ctx &&
	    EVP_PKEY_decrypt(l->decrypt.ctx, session, &len, l->decrypt.made, l->decrypt.len) != 1)
		die_with("decrypt", "failed");
}

static __attribute__((noinline)) void limit_once(const struct limit *l)
{
	run_limit(l);
}

static int measure_limit(char **arg)
{
	enum fmp_security s = parse_security(arg[0]);
	struct limit l = { .m = read_message(arg[4]), .parse = s != FMP_SECURITY_OS };
	unsigned char digest[SHA256_DIGEST_LENGTH];
	uint64_t start;

	xmlInitParser();
	SHA256(l.m.bytes, l.m.len, digest);
	if (s == FMP_SECURITY_BCS || s == FMP_SECURITY_BCES)
		l.verify = make_verify_key(arg[1], digest);
	if (s == FMP_SECURITY_BCE || s == FMP_SECURITY_BCES)
		l.decrypt = make_decrypt_key(arg[2]);
	run_limit(&l);
	start = cpu_ns();
	for (int n = atoi(arg[3]); n; n--)
		limit_once(&l);
	print_cost(start, atoi(arg[3]));
	EVP_PKEY_CTX_free(l.verify.ctx);
	EVP_PKEY_CTX_free(l.decrypt.ctx);
	free((void *)l.m.bytes);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc == 9 && !strcmp(argv[1], "inspect"))
		return measure_inspect(argv + 2);
	if (argc == 7 && !strcmp(argv[1], "limit"))
		return measure_limit(argv + 2);
	fputs("usage: inspect inspect SECURITY SCHEMA CAS KEY NOW COUNT FILE\n"
	      "       inspect limit SECURITY SIGNER KEY COUNT FILE\n",
	      stderr);
	return 2;
}
