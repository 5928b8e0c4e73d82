// SPDX-License-Identifier: GPL-2.0
#include "key_agent.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <fmp/internal/close_fds.h>
#include <fmp/internal/key_agree.h>
#include <fmp/policy.h>

#include "../common/clock.h"
#include "../common/settings.h"
#include "../common/helper.h"
#include "../sandbox/sandbox.h"
#include "pss.h"

/* The socket; in a worker's agent process the socket to that worker. */
#define AGENT_FD      3
/* Each service has one key for messages and one for replies. */
#define KEYS_MAX      (2 * FMP_SERVICES_MAX)
/* In bytes; little, for it parses no XML. */
#define ADDRESS_SPACE (512u << 20)
#define HEAD	      offsetof(struct gw_key_agent_request, bytes)

static struct key {
	EVP_PKEY *pkey;
	EVP_PKEY_CTX *ctx; /* NULL: not used yet */
	EVP_PKEY_CTX *pss; /* likewise; of RSA, for encodings of PSS */
	enum fmp_key_use use;
} keys[KEYS_MAX];
static unsigned n_keys;

/* Return: number of bytes in the request; negative: none came, or it is malformed. */
static ssize_t receive_request(struct gw_key_agent_request *r)
{
	ssize_t n;

	do
		n = recv(AGENT_FD, r, sizeof(*r), MSG_TRUNC);
	while (n < 0 && errno == EINTR);
	return n < (ssize_t)HEAD || n > (ssize_t)sizeof(*r) ? -1 : n - (ssize_t)HEAD;
}

static bool send_reply(const struct gw_key_agent_reply *a, size_t n)
{
	return send(AGENT_FD, a, offsetof(struct gw_key_agent_reply, bytes) + n, MSG_NOSIGNAL) > 0;
}

static bool send_error(int status, const struct fmp_error *err)
{
	struct gw_key_agent_reply a = { .status = status };

	_Static_assert(sizeof(*err) <= sizeof(a.bytes), "an error fits into an answer");
	memcpy(a.bytes, err, sizeof(*err));
	return send_reply(&a, sizeof(*err));
}

/* ---- reading keys, still privileged ---- */

static bool load_key(struct gw_key_agent_request *r, size_t n)
{
	struct gw_key_agent_reply a = { .status = 0 };
	unsigned char *p = a.bytes;
	struct fmp_error err = { 0 };
	EVP_PKEY *key = NULL;
	int rc, len;

	if (n >= GW_KEY_AGENT_REQUEST_MAX || n_keys == KEYS_MAX || r->use >= FMP_KEY_USES)
		return false;
	r->bytes[n] = 0;
	rc = fmp_key_load((const char *)r->bytes, &key, &err);
	if (rc)
		return send_error(rc, &err);
	len = i2d_PUBKEY(key, NULL);
	if (len <= 0 || len > GW_KEY_AGENT_REPLY_MAX) {
		EVP_PKEY_free(key);
		rc = fmp_error_at(&err, FMP_ERR_INVALID, (const char *)r->bytes, 0, 0,
				  "the key is too large");
		return send_error(rc, &err);
	}
	keys[n_keys].use = r->use;
	keys[n_keys++].pkey = key;
	i2d_PUBKEY(key, &p);
	return send_reply(&a, (size_t)len);
}

/* ---- using them ---- */

/* Raw RSA: the worker removes and checks the padding. */
static bool init_decryption(EVP_PKEY_CTX *ctx)
{
	return EVP_PKEY_decrypt_init(ctx) > 0 &&
	       EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_NO_PADDING) > 0;
}

/* Input is a DigestInfo for RSA, a digest for EC. */
static bool init_signing(EVP_PKEY_CTX *ctx, EVP_PKEY *key)
{
	return EVP_PKEY_sign_init(ctx) > 0 &&
	       (!EVP_PKEY_is_a(key, "RSA") ||
		EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) > 0);
}

/* Input is a complete encoding of PSS. */
static bool init_pss(EVP_PKEY_CTX *ctx)
{
	return EVP_PKEY_sign_init(ctx) > 0 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_NO_PADDING) > 0;
}

/* Create the context once: that costs as much as everything except the operation itself. */
static EVP_PKEY_CTX *get_context(struct key *k, bool pss)
{
	EVP_PKEY_CTX **ctx = pss ? &k->pss : &k->ctx;

	if (*ctx)
		return *ctx;
	*ctx = EVP_PKEY_CTX_new(k->pkey, NULL);
	if (*ctx && !(pss			  ? init_pss(*ctx)
		      : k->use == FMP_KEY_DECRYPT ? init_decryption(*ctx)
						  : init_signing(*ctx, k->pkey))) {
		EVP_PKEY_CTX_free(*ctx);
		*ctx = NULL;
	}
	return *ctx;
}

/*
 * Is it an encoding of PSS? It is as long as the modulus, which no input of the other ways to sign
 * is. Only what is one may meet the bare operation: that would sign or decrypt anything else.
 */
static bool is_pss(const struct key *k, const uint8_t *bytes, size_t n)
{
	return k->use == FMP_KEY_CLIENT && EVP_PKEY_is_a(k->pkey, "RSA") &&
	       n == (size_t)EVP_PKEY_get_size(k->pkey) &&
	       gw_pss_is_encoding(bytes, n, (unsigned)EVP_PKEY_get_bits(k->pkey) - 1);
}

/* Input is a point, which must be one of the key's curve; the worker derives keys from the secret. */
static bool agree_on_secret(const struct key *k, const uint8_t *point, size_t n)
{
	struct gw_key_agent_reply a = { .status = FMP_ERR_INVALID };
	uint64_t start = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int len = fmp_key_agree(k->pkey, point, n, a.bytes);
	bool sent;

	if (len > 0)
		a.status = 0;
	a.cpu_ns = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
	sent = send_reply(&a, a.status ? 0 : (size_t)len);
	OPENSSL_cleanse(a.bytes, sizeof(a.bytes));
	return sent;
}

static bool signs_messages(const struct key *k)
{
	return k->use == FMP_KEY_SIGN && EVP_PKEY_is_a(k->pkey, "ED25519");
}

static int sign_input(struct key *k, const struct gw_key_agent_request *r, size_t n, uint8_t *out,
		      size_t *len)
{
	EVP_PKEY_CTX *ctx;
	int got;

	if (signs_messages(k)) {
		got = fmp_key_sign_ed25519(k->pkey, r->bytes, n, out);
		*len = got > 0 ? (size_t)got : 0;
		return got;
	}
	ctx = get_context(k, is_pss(k, r->bytes, n));
	return ctx ? EVP_PKEY_sign(ctx, out, len, r->bytes, n) : -1;
}

static bool use_key(const struct gw_key_agent_request *r, size_t n)
{
	struct gw_key_agent_reply a = { .status = FMP_ERR_INVALID };
	uint64_t start = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	size_t len = sizeof(a.bytes);
	EVP_PKEY_CTX *ctx;
	bool sent, decrypts;
	struct key *k;

	if (r->key >= n_keys)
		return false;
	k = &keys[r->key];
	if (n > GW_KEY_AGENT_REQUEST_MAX && !signs_messages(k))
		return false;
	decrypts = k->use == FMP_KEY_DECRYPT;
	if (decrypts && !EVP_PKEY_is_a(k->pkey, "RSA"))
		return agree_on_secret(k, r->bytes, n);
	ctx = decrypts && n == (size_t)EVP_PKEY_get_size(k->pkey) ? get_context(k, false) : NULL;
	if ((decrypts ? (ctx ? EVP_PKEY_decrypt(ctx, a.bytes, &len, r->bytes, n) : -1)
		      : sign_input(k, r, n, a.bytes, &len)) > 0)
		a.status = 0;
	ERR_clear_error();
	a.cpu_ns = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
	sent = send_reply(&a, a.status ? 0 : len);
	OPENSSL_cleanse(a.bytes, sizeof(a.bytes));
	return sent;
}

/* ---- processes ---- */

static void serve_worker(int fd)
{
	struct gw_key_agent_request r;
	ssize_t n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(fd, AGENT_FD) < 0 || fmp_close_fds(AGENT_FD + 1, ~0u) ||
	    gw_sandbox_worker(-1, ADDRESS_SPACE, NULL))
		_exit(1);
	while ((n = receive_request(&r)) >= 0 && r.op == GW_KEY_AGENT_USE && use_key(&r, (size_t)n))
		;
	_exit(n >= 0);
}

/* Return: false if loading failed; the gateway does not start then. */
static bool load_keys(const char *user)
{
	struct fmp_error err = { 0 };
	struct gw_key_agent_request r;
	ssize_t n;
	int rc;

	while ((n = receive_request(&r)) >= 0 && r.op == GW_KEY_AGENT_LOAD)
		if (!load_key(&r, (size_t)n))
			return false;
	if (n < 0 || r.op != GW_KEY_AGENT_READY)
		return false;
	rc = gw_sandbox_enter(GW_ROLE_FORK_SERVER, user, 0, &err);
	/* After the change of the uid, which clears it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return send_error(rc, &err) && !rc;
}

static void run_agent(const void *ctx, int fd)
{
	const char *user = ctx;
	pid_t pid = 0;
	int worker;

	prctl(PR_SET_NAME, "fmp-gw-keys");
	/* Signals from a terminal or to the whole service: the listener decides, we end with it. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	/* No one waits for the agents of workers. */
	signal(SIGCHLD, SIG_IGN);
	if (dup2(fd, AGENT_FD) < 0 || fmp_close_fds(AGENT_FD + 1, ~0u) || !load_keys(user))
		_exit(1);
	while (pid >= 0 && (worker = gw_helper_receive_fd(AGENT_FD)) >= 0) {
		pid = fork();
		if (!pid)
			serve_worker(worker);
		close(worker);
	}
	_exit(pid < 0);
}

int gw_key_agent_new(const char *user, struct fmp_error *err)
{
	return gw_helper_new(run_agent, user, err);
}
