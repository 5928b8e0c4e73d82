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

#include <fmp/policy.h>

#include "../common/clock.h"
#include "../common/settings.h"
#include "../common/helper.h"
#include "../sandbox/sandbox.h"

/* Where the socket is, and in the process of a worker that worker's. */
#define KEEPER_FD 3
/* A service has one for messages and one for answers. */
#define KEYS_MAX  (2 * FMP_SERVICES_MAX)
/* Bytes of address space: it reads no XML. */
#define MEMORY	  (512u << 20)
#define HEAD	  offsetof(struct gw_key_agent_request, bytes)

static struct key {
	EVP_PKEY *pkey;
	EVP_PKEY_CTX *ctx; /* NULL: not used yet */
	enum fmp_key_use use;
} keys[KEYS_MAX];
static unsigned n_keys;

/* Return: length of the bytes of a request; negative: there is none, or it is not one. */
static ssize_t receive(struct gw_key_agent_request *r)
{
	ssize_t n;

	do
		n = recv(KEEPER_FD, r, sizeof(*r), MSG_TRUNC);
	while (n < 0 && errno == EINTR);
	return n < (ssize_t)HEAD || n > (ssize_t)sizeof(*r) ? -1 : n - (ssize_t)HEAD;
}

static bool reply(const struct gw_key_agent_reply *a, size_t n)
{
	return send(KEEPER_FD, a, offsetof(struct gw_key_agent_reply, bytes) + n, MSG_NOSIGNAL) > 0;
}

static bool reply_error(int status, const struct fmp_error *err)
{
	struct gw_key_agent_reply a = { .status = status };

	_Static_assert(sizeof(*err) <= sizeof(a.bytes), "an error fits into an answer");
	memcpy(a.bytes, err, sizeof(*err));
	return reply(&a, sizeof(*err));
}

/* ---- reading keys, with rights still ---- */

static bool load(struct gw_key_agent_request *r, size_t n)
{
	struct gw_key_agent_reply a = { .status = 0 };
	unsigned char *p = a.bytes;
	struct fmp_error err = { 0 };
	EVP_PKEY *key = NULL;
	int rc, len;

	if (n == sizeof(r->bytes) || n_keys == KEYS_MAX || r->use >= FMP_KEY_USES)
		return false;
	r->bytes[n] = 0;
	rc = fmp_key_load((const char *)r->bytes, &key, &err);
	if (rc)
		return reply_error(rc, &err);
	len = i2d_PUBKEY(key, NULL);
	if (len <= 0 || len > GW_KEY_AGENT_REPLY_MAX) {
		EVP_PKEY_free(key);
		rc = fmp_error_at(&err, FMP_ERR_INVALID, (const char *)r->bytes, 0, 0,
				  "the key is too large");
		return reply_error(rc, &err);
	}
	keys[n_keys].use = r->use;
	keys[n_keys++].pkey = key;
	i2d_PUBKEY(key, &p);
	return reply(&a, (size_t)len);
}

/* ---- using them ---- */

/* RSA alone, without its padding: who asked pads, and looks at the padding. */
static bool for_decryption(EVP_PKEY_CTX *ctx)
{
	return EVP_PKEY_decrypt_init(ctx) > 0 &&
	       EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_NO_PADDING) > 0;
}

/* Of a DigestInfo, for RSA; of a digest, for EC. */
static bool for_signing(EVP_PKEY_CTX *ctx, EVP_PKEY *key)
{
	return EVP_PKEY_sign_init(ctx) > 0 &&
	       (!EVP_PKEY_is_a(key, "RSA") ||
		EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) > 0);
}

/* Made once: that costs as much as all else but the operation itself. */
static EVP_PKEY_CTX *context(struct key *k)
{
	if (k->ctx)
		return k->ctx;
	k->ctx = EVP_PKEY_CTX_new(k->pkey, NULL);
	if (k->ctx &&
	    !(k->use == FMP_KEY_DECRYPT ? for_decryption(k->ctx) : for_signing(k->ctx, k->pkey))) {
		EVP_PKEY_CTX_free(k->ctx);
		k->ctx = NULL;
	}
	return k->ctx;
}

static bool operate(const struct gw_key_agent_request *r, size_t n)
{
	struct gw_key_agent_reply a = { .status = FMP_ERR_INVALID };
	uint64_t start = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	size_t len = sizeof(a.bytes);
	EVP_PKEY_CTX *ctx;
	bool sent, decrypts;

	if (r->key >= n_keys)
		return false;
	decrypts = keys[r->key].use == FMP_KEY_DECRYPT;
	ctx = context(&keys[r->key]);
	if (decrypts && n != (size_t)EVP_PKEY_get_size(keys[r->key].pkey))
		ctx = NULL;
	if (ctx && (decrypts ? EVP_PKEY_decrypt(ctx, a.bytes, &len, r->bytes, n)
			     : EVP_PKEY_sign(ctx, a.bytes, &len, r->bytes, n)) > 0)
		a.status = 0;
	ERR_clear_error();
	a.cpu_ns = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
	sent = reply(&a, a.status ? 0 : len);
	OPENSSL_cleanse(a.bytes, sizeof(a.bytes));
	return sent;
}

/* ---- processes ---- */

static void serve_worker(int fd)
{
	struct gw_key_agent_request r;
	ssize_t n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(fd, KEEPER_FD) < 0 || close_range(KEEPER_FD + 1, ~0u, 0) ||
	    gw_sandbox_worker(-1, MEMORY, NULL))
		_exit(1);
	while ((n = receive(&r)) >= 0 && r.op == GW_KEY_AGENT_USE && operate(&r, (size_t)n))
		;
	_exit(n >= 0);
}

/* Return: are all of them loaded? Else nobody is there any more who wants them. */
static bool take_keys(const char *user)
{
	struct fmp_error err = { 0 };
	struct gw_key_agent_request r;
	ssize_t n;
	int rc;

	while ((n = receive(&r)) >= 0 && r.op == GW_KEY_AGENT_LOAD)
		if (!load(&r, (size_t)n))
			return false;
	if (n < 0 || r.op != GW_KEY_AGENT_READY)
		return false;
	rc = gw_sandbox_enter(GW_ROLE_FORK_SERVER, user, 0, &err);
	/* After the change of uid, which takes it away. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return reply_error(rc, &err) && !rc;
}

static void be_keeper(const void *ctx, int fd)
{
	const char *user = ctx;
	pid_t pid = 0;
	int worker;

	prctl(PR_SET_NAME, "fmp-gw-keeper");
	/* A terminal's, or one to all of a service: the listener decides, we end with it. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	/* Nobody waits for those of the workers. */
	signal(SIGCHLD, SIG_IGN);
	if (dup2(fd, KEEPER_FD) < 0 || close_range(KEEPER_FD + 1, ~0u, 0) || !take_keys(user))
		_exit(1);
	while (pid >= 0 && (worker = gw_helper_receive_fd(KEEPER_FD)) >= 0) {
		pid = fork();
		if (!pid)
			serve_worker(worker);
		close(worker);
	}
	_exit(pid < 0);
}

int gw_key_agent_new(const char *user, struct fmp_error *err)
{
	return gw_helper_new(be_keeper, user, err);
}
