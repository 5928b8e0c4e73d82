// SPDX-License-Identifier: GPL-2.0
/* The process that keeps private keys: what it does, and what it can't be made to do. */
#include <check.h>
#include <errno.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmp/internal/key_agree.h>

#include "../../daemon/gateway/common/helper.h"
#include "../../daemon/gateway/keys/agent_call.h"
#include "../../daemon/gateway/keys/key_agent.h"
#include "../../daemon/gateway/keys/remote_keys.h"
#include "run.h"

#define KEY "tests/interop/vectors/pki/server.key"

static const char *key_file = KEY;
static int agent; /* the first */
static int channel; /* to a worker's */

static void send_request(int fd, enum gw_key_agent_op op, uint8_t key, const void *bytes, size_t n)
{
	struct gw_key_agent_request r = { .op = (uint8_t)op, .use = FMP_KEY_DECRYPT, .key = key };

	memcpy(r.bytes, bytes, n);
	ck_assert(send(fd, &r, offsetof(struct gw_key_agent_request, bytes) + n, MSG_NOSIGNAL) > 0);
}

/* Return: length of the answer's bytes. */
static size_t receive_reply(int fd, struct gw_key_agent_reply *a)
{
	ssize_t n = recv(fd, a, sizeof(*a), 0);

	ck_assert_int_ge(n, (ssize_t)offsetof(struct gw_key_agent_reply, bytes));
	return (size_t)n - offsetof(struct gw_key_agent_reply, bytes);
}

static void ck_ends(int fd)
{
	char byte;
	ssize_t n = recv(fd, &byte, 1, 0);

	ck_assert_msg(n == 0 || (n < 0 && errno == ECONNRESET), "it answers still");
}

static void start_agent(void)
{
	struct fmp_error err = { 0 };

	agent = gw_key_agent_new("nobody", &err);
	ck_assert_msg(agent >= 0, "%s", err.message);
}

static EVP_PKEY *load_key(enum fmp_key_use use)
{
	struct fmp_error err = { 0 };
	EVP_PKEY *key;

	ck_assert_msg(!gw_remote_keys_load(&agent, key_file, use, &key, &err), "%s", err.message);
	return key;
}

/* With that key, its first, and a agent where a worker finds it. */
static EVP_PKEY *begin_worker(enum fmp_key_use use)
{
	struct fmp_error err = { 0 };
	EVP_PKEY *key;
	int pair[2];

	start_agent();
	key = load_key(use);
	ck_assert_msg(!gw_remote_keys_ready(agent, &err), "%s", err.message);
	ck_assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair));
	ck_assert(gw_helper_send_fd(agent, pair[1]));
	close(pair[1]);
	channel = dup2(pair[0], GW_REMOTE_KEYS_FD);
	ck_assert_int_eq(channel, GW_REMOTE_KEYS_FD);
	if (pair[0] != channel)
		close(pair[0]);
	return key;
}

/* fd 4 is to be free. */
static void take_places(void)
{
	while (dup(2) < GW_REMOTE_KEYS_FD + 4)
		;
}

static size_t encrypt_bytes(EVP_PKEY *key, const EVP_MD *digest, const char *text, uint8_t *out)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	size_t n = 512;

	ck_assert(ctx && EVP_PKEY_encrypt_init(ctx) > 0 &&
		  EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) > 0 &&
		  EVP_PKEY_CTX_set_rsa_oaep_md(ctx, digest) > 0 &&
		  EVP_PKEY_encrypt(ctx, out, &n, (const uint8_t *)text, strlen(text)) > 0);
	EVP_PKEY_CTX_free(ctx);
	return n;
}

/* Return: length, 0 if it does not open. */
static size_t open_sealed(EVP_PKEY *key, const EVP_MD *digest, const uint8_t *in, size_t len,
			  uint8_t *out)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	size_t n = 512;
	int rc;

	ck_assert(ctx && EVP_PKEY_decrypt_init(ctx) > 0 &&
		  EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) > 0 &&
		  EVP_PKEY_CTX_set_rsa_oaep_md(ctx, digest) > 0);
	rc = EVP_PKEY_decrypt(ctx, out, &n, in, len);
	EVP_PKEY_CTX_free(ctx);
	return rc > 0 ? n : 0;
}

START_TEST(opens_what_is_for_it)
{
	EVP_PKEY *key = begin_worker(FMP_KEY_DECRYPT);
	const EVP_MD *digests[] = { EVP_sha1(), EVP_sha256() };
	uint8_t sealed[512], out[512];
	uint64_t before = gw_remote_keys_cpu_ns();

	for (int i = 0; i < 2; i++) {
		size_t n = encrypt_bytes(key, digests[i], "sixteen bytes, *", sealed);

		ck_assert_uint_eq(open_sealed(key, digests[i], sealed, n, out), 16);
		ck_assert_mem_eq(out, "sixteen bytes, *", 16);
		ck_assert_uint_eq(open_sealed(key, digests[!i], sealed, n, out), 0);
	}
	ck_assert_uint_gt(gw_remote_keys_cpu_ns(), before);
	EVP_PKEY_free(key);
}
END_TEST

/* The same secret as with the key in this process, for good points alone; the agent goes on. */
START_TEST(agrees_on_a_secret)
{
	static const char *const files[] = { "tests/interop/vectors/agreement/p256.key",
					     "tests/interop/vectors/agreement/p384.key",
					     "tests/interop/vectors/agreement/p521.key",
					     "tests/interop/vectors/agreement/x25519.key" };
	uint8_t own[FMP_SHARED_MAX], theirs[FMP_SHARED_MAX], *point;
	struct fmp_error err = { 0 };
	EVP_PKEY *key, *local;
	size_t n;
	int len;

	key_file = files[_i];
	key = begin_worker(FMP_KEY_DECRYPT);
	ck_assert_int_eq(fmp_key_load(key_file, &local, &err), 0);
	n = EVP_PKEY_get1_encoded_public_key(local, &point);
	for (int turn = 0; turn < 2; turn++) {
		len = fmp_key_agree(local, point, n, own);
		ck_assert_int_gt(len, 31);
		ck_assert_int_eq(fmp_key_agree(key, point, n, theirs), len);
		ck_assert_mem_eq(own, theirs, len);
		ck_assert_int_eq(fmp_key_agree(key, point, n - 1, theirs), -1);
		ck_assert_int_eq(fmp_key_agree(key, (const uint8_t *)"", 1, theirs), -1);
		memset(theirs, 0, sizeof(theirs));
		ck_assert_int_eq(fmp_key_agree(key, (const uint8_t[133]){ 4 }, n, theirs),
				 _i == 3 ? 32 : -1);
		ck_assert_int_eq(fmp_key_agree(key, (const uint8_t[133]){ 0 }, n, theirs), -1);
	}
	OPENSSL_free(point);
	EVP_PKEY_free(local);
	EVP_PKEY_free(key);
}
END_TEST

/* Ed25519 signs a message, not its hash: all of it goes to the agent. */
START_TEST(signs_by_ed25519)
{
	static const size_t lengths[] = { 1, 1025, GW_KEY_AGENT_MESSAGE_MAX };
	static uint8_t message[GW_KEY_AGENT_MESSAGE_MAX + 1];
	static char path[] = "/tmp/ed25519.XXXXXX";
	EVP_PKEY *made = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"), *key;
	FILE *f = fdopen(mkstemp(path), "w");
	uint8_t sig[FMP_SHARED_MAX];

	ck_assert(f && PEM_write_PrivateKey(f, made, NULL, NULL, 0, NULL, NULL));
	fclose(f);
	key_file = path;
	key = begin_worker(FMP_KEY_SIGN);
	unlink(path);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		EVP_MD_CTX *ctx = EVP_MD_CTX_new();

		ck_assert_int_eq(fmp_key_sign_ed25519(key, message, lengths[i], sig),
				 FMP_ED25519_LEN);
		ck_assert(EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, made) > 0);
		ck_assert_int_eq(EVP_DigestVerify(ctx, sig, FMP_ED25519_LEN, message, lengths[i]),
				 1);
		EVP_MD_CTX_free(ctx);
	}
	ck_assert_int_eq(fmp_key_sign_ed25519(key, message, sizeof(message), sig), -1);
	EVP_PKEY_free(key);
	EVP_PKEY_free(made);
}
END_TEST

START_TEST(signs_with_a_key_for_that)
{
	EVP_PKEY *key = begin_worker(FMP_KEY_SIGN);
	const unsigned char *p;
	unsigned char *der = NULL;
	uint8_t digest[32] = "the digest of what is signed", sig[512], out[512];
	size_t n = sizeof(sig);
	int len = i2d_PUBKEY(key, &der);
	EVP_PKEY *public = (p = der, d2i_PUBKEY(NULL, &p, len));
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);

	ck_assert(EVP_PKEY_sign_init(ctx) > 0 &&
		  EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()) > 0 &&
		  EVP_PKEY_sign(ctx, sig, &n, digest, sizeof(digest)) > 0);
	EVP_PKEY_CTX_free(ctx);
	ctx = EVP_PKEY_CTX_new(public, NULL);
	ck_assert(EVP_PKEY_verify_init(ctx) > 0 &&
		  EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()) > 0);
	ck_assert_int_eq(EVP_PKEY_verify(ctx, sig, n, digest, sizeof(digest)), 1);
	EVP_PKEY_CTX_free(ctx);
	/* It opens nothing: what is decrypted with another padding is no such secret. */
	n = encrypt_bytes(public, EVP_sha256(), "a secret", sig);
	ck_assert_uint_eq(open_sealed(key, EVP_sha256(), sig, n, out), 0);
	EVP_PKEY_free(public);
	EVP_PKEY_free(key);
	OPENSSL_free(der);
}
END_TEST

START_TEST(what_can_not_be_done)
{
	static const size_t lengths[] = { 1, 255, 257, GW_KEY_AGENT_REQUEST_MAX };
	EVP_PKEY *key = begin_worker(FMP_KEY_DECRYPT);
	uint8_t bytes[GW_KEY_AGENT_REQUEST_MAX];
	struct gw_key_agent_reply a;

	/* A number above the modulus, and such that are too short or too long. */
	memset(bytes, 0xff, sizeof(bytes));
	send_request(channel, GW_KEY_AGENT_USE, 0, bytes, 256);
	ck_assert_uint_eq(receive_reply(channel, &a), 0);
	ck_assert_int_ne(a.status, 0);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		send_request(channel, GW_KEY_AGENT_USE, 0, bytes, lengths[i]);
		ck_assert_uint_eq(receive_reply(channel, &a), 0);
		ck_assert_int_ne(a.status, 0);
	}
	bytes[0] = 0;
	send_request(channel, GW_KEY_AGENT_USE, 0, bytes, 256);
	ck_assert_uint_eq(receive_reply(channel, &a), 256);
	ck_assert_int_eq(a.status, 0);
	EVP_PKEY_free(key);
}
END_TEST

/* ---- keys of TLS client certificates ---- */

static int first; /* of them */

/* It loads what the listener uses; @path: of its key. */
static EVP_PKEY *begin_listener(const char *path)
{
	struct fmp_error err = { 0 };
	EVP_PKEY *key;

	first = gw_key_agent_new("nobody", &err);
	ck_assert_msg(first >= 0, "%s", err.message);
	ck_assert_msg(!gw_remote_keys_load(&first, path, FMP_KEY_CLIENT, &key, &err), "%s",
		      err.message);
	ck_assert_msg(!gw_remote_keys_ready(first, &err), "%s", err.message);
	gw_client_agent_set(first);
	return key;
}

/* As OpenSSL signs in a handshake. @padding: 0: the key has none. Return: verified; false: no signature. */
static bool sign_handshake(EVP_PKEY *key, const EVP_MD *md, int padding)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	EVP_PKEY_CTX *with;
	uint8_t sig[512], text[] = "TLS 1.3, client CertificateVerify";
	unsigned char *der = NULL;
	const unsigned char *p;
	size_t n = sizeof(sig);
	int len = i2d_PUBKEY(key, &der), rc;
	EVP_PKEY *public = (p = der, d2i_PUBKEY(NULL, &p, len));

	ck_assert(EVP_DigestSignInit(ctx, &with, md, NULL, key) > 0);
	if (padding)
		ck_assert(EVP_PKEY_CTX_set_rsa_padding(with, padding) > 0);
	if (padding == RSA_PKCS1_PSS_PADDING)
		ck_assert(EVP_PKEY_CTX_set_rsa_pss_saltlen(with, RSA_PSS_SALTLEN_DIGEST) > 0);
	rc = EVP_DigestSign(ctx, sig, &n, text, sizeof(text));
	EVP_MD_CTX_free(ctx);
	if (rc > 0) {
		ctx = EVP_MD_CTX_new();
		ck_assert(EVP_DigestVerifyInit(ctx, &with, md, NULL, public) > 0);
		if (padding)
			ck_assert(EVP_PKEY_CTX_set_rsa_padding(with, padding) > 0);
		if (padding == RSA_PKCS1_PSS_PADDING)
			ck_assert(EVP_PKEY_CTX_set_rsa_pss_saltlen(with, RSA_PSS_SALTLEN_DIGEST) >
				  0);
		ck_assert_int_eq(EVP_DigestVerify(ctx, sig, n, text, sizeof(text)), 1);
		EVP_MD_CTX_free(ctx);
	}
	EVP_PKEY_free(public);
	OPENSSL_free(der);
	return rc > 0;
}

START_TEST(signs_handshakes)
{
	static const int paddings[] = { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING };
	const EVP_MD *digests[] = { EVP_sha256(), EVP_sha384(), EVP_sha512() };
	EVP_PKEY *key = begin_listener(KEY);

	for (int i = 0; i < 6; i++)
		ck_assert(sign_handshake(key, digests[i % 3], paddings[i / 3]));
	/* TLS has no PSS with SHA-1 or SHA-224. */
	ck_assert(!sign_handshake(key, EVP_sha224(), RSA_PKCS1_PSS_PADDING));
	ck_assert(!sign_handshake(key, EVP_sha1(), RSA_PKCS1_PSS_PADDING));
	EVP_PKEY_free(key);
}
END_TEST

START_TEST(opens_nothing)
{
	EVP_PKEY *key = begin_listener(KEY);
	uint8_t sealed[512], out[512];
	size_t n = encrypt_bytes(key, EVP_sha256(), "a secret", sealed);
	struct gw_key_agent_request r = { .op = GW_KEY_AGENT_USE };
	struct gw_key_agent_reply a;

	ck_assert_uint_eq(open_sealed(key, EVP_sha256(), sealed, n, out), 0);
	/* It gets the ciphertext itself, and numbers like those of PSS. */
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(gw_client_agent_call(&r, sealed, n, &a), 0);
		ck_assert_int_ne(a.status, 0);
		sealed[n - 1] = 0xbc;
		sealed[0] = i ? 0 : 0x3f;
	}
	EVP_PKEY_free(key);
}
END_TEST

/* An agent that has ended is replaced at once. */
START_TEST(replaced_agent)
{
	static const struct gw_key_agent_request nothing = { .op = 17 };
	struct gw_key_agent_request r = nothing;
	struct gw_key_agent_reply a;
	EVP_PKEY *key = begin_listener(KEY);

	ck_assert(sign_handshake(key, EVP_sha256(), RSA_PKCS1_PSS_PADDING));
	ck_assert_int_lt(gw_client_agent_call(&r, "", 0, &a), 0);
	/* Both have ended by that: none is asked for a while, which a new start forgets. */
	ck_assert(!sign_handshake(key, EVP_sha256(), RSA_PKCS1_PSS_PADDING));
	gw_client_agent_set(first);
	ck_assert(sign_handshake(key, EVP_sha256(), RSA_PKCS1_PSS_PADDING));
	EVP_PKEY_free(key);
}
END_TEST

/* Whatever is not a request to use a key ends a worker's agent, and no other. */
START_TEST(what_ends_it)
{
	EVP_PKEY *key = begin_worker(FMP_KEY_DECRYPT);
	uint8_t large[2000] = { GW_KEY_AGENT_USE };
	int pair[2];

	switch (_i) {
	case 0:
		send_request(channel, GW_KEY_AGENT_LOAD, 0, KEY, strlen(KEY));
		break;
	case 1:
		send_request(channel, GW_KEY_AGENT_READY, 0, "", 0);
		break;
	case 2:
		send_request(channel, GW_KEY_AGENT_USE, 1, large, 256);
		break;
	case 3:
		send_request(channel, 17, 0, large, 256);
		break;
	case 4:
		ck_assert(send(channel, large, sizeof(large), 0) > 0);
		break;
	case 5:
		ck_assert(send(channel, large, 2, 0) > 0);
		break;
	}
	ck_ends(channel);
	ck_assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair));
	ck_assert(gw_helper_send_fd(agent, pair[1]));
	large[0] = 0;
	send_request(pair[0], GW_KEY_AGENT_USE, 0, large, 256);
	receive_reply(pair[0], &(struct gw_key_agent_reply){ 0 });
	EVP_PKEY_free(key);
}
END_TEST

/* The first one has files and rights only until it is told that there are no more. */
START_TEST(what_ends_the_first)
{
	EVP_PKEY *key = NULL;

	switch (_i) {
	case 0:
		start_agent();
		send_request(agent, GW_KEY_AGENT_USE, 0, "", 0);
		break;
	case 1:
		start_agent();
		key = load_key(FMP_KEY_DECRYPT);
		send_request(agent, GW_KEY_AGENT_USE, 0, "", 0);
		break;
	case 2:
		key = begin_worker(FMP_KEY_DECRYPT);
		send_request(agent, GW_KEY_AGENT_LOAD, 0, KEY, strlen(KEY));
		break;
	case 3: {
		char path[GW_KEY_AGENT_REQUEST_MAX];

		start_agent();
		memset(path, 'a', sizeof(path));
		send_request(agent, GW_KEY_AGENT_LOAD, 0, path, sizeof(path));
		break;
	}
	}
	ck_ends(agent);
	EVP_PKEY_free(key);
}
END_TEST

START_TEST(files_that_are_no_keys)
{
	struct fmp_error err = { 0 };
	EVP_PKEY *key;

	start_agent();
	ck_assert_int_eq(gw_remote_keys_load(&agent, "tests/nowhere", FMP_KEY_SIGN, &key, &err),
			 FMP_ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.message, "tests/nowhere"));
	ck_assert_int_eq(gw_remote_keys_load(&agent, "tests/interop/vectors/pki/ca.crt",
					     FMP_KEY_SIGN, &key, &err),
			 FMP_ERR_SYNTAX);
	ck_assert_str_eq(err.file, "tests/interop/vectors/pki/ca.crt");
	EVP_PKEY_free(load_key(FMP_KEY_SIGN));
}
END_TEST

/* Nobody is left to be asked. */
START_TEST(gone_agent)
{
	struct fmp_error err = { 0 };
	EVP_PKEY *key;

	start_agent();
	send_request(agent, GW_KEY_AGENT_USE, 0, "", 0);
	ck_ends(agent);
	ck_assert_int_eq(gw_remote_keys_load(&agent, KEY, FMP_KEY_SIGN, &key, &err), FMP_ERR_IO);
	ck_assert_int_eq(gw_remote_keys_ready(agent, &err), FMP_ERR_IO);
	ck_assert_ptr_null(key);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("agent");

	signal(SIGPIPE, SIG_IGN);
	tcase_set_timeout(tc, 120);
	tcase_add_unchecked_fixture(tc, take_places, NULL);
	tcase_add_test(tc, opens_what_is_for_it);
	tcase_add_loop_test(tc, agrees_on_a_secret, 0, 4);
	tcase_add_test(tc, signs_with_a_key_for_that);
	tcase_add_test(tc, signs_by_ed25519);
	tcase_add_test(tc, what_can_not_be_done);
	tcase_add_loop_test(tc, what_ends_it, 0, 6);
	tcase_add_loop_test(tc, what_ends_the_first, 0, 4);
	tcase_add_test(tc, files_that_are_no_keys);
	tcase_add_test(tc, gone_agent);
	tcase_add_test(tc, signs_handshakes);
	tcase_add_test(tc, opens_nothing);
	tcase_add_test(tc, replaced_agent);
	return run_tcase("agent", tc);
}
