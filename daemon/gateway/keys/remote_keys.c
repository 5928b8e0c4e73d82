// SPDX-License-Identifier: GPL-2.0
/*
 * OpenSSL's deprecated methods delegate the private operation of a key; a provider would have to be
 * a separate module.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "remote_keys.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmp/internal/key_agree.h>

#include "agent_call.h"
#include "key_agent.h"

/* Client keys have numbers of their own, as they have an agent of their own. */
#define CLIENT_KEY 0x100

static uint64_t cpu_ns;
static unsigned n_keys, n_client_keys; /* loaded by the agents */

/* A worker can't work without its agent: exit, and the listener starts both again. */
static ssize_t call_own_agent(struct gw_key_agent_request *r, const uint8_t *in, size_t n,
			      struct gw_key_agent_reply *a)
{
	ssize_t len = gw_agent_call(GW_REMOTE_KEYS_FD, r, in, n, a);

	if (len < 0)
		_exit(GW_REMOTE_KEYS_EXIT);
	cpu_ns += a->cpu_ns;
	return len;
}

/* Store the result, at most room bytes. Return: its length, -1. */
static int use_key(const void *key, const uint8_t *in, int n, uint8_t *out, int room)
{
	uintptr_t number = (uintptr_t)key;
	struct gw_key_agent_request r; /* its bytes are many, and few are used */
	struct gw_key_agent_reply a;
	ssize_t len;

	if (!number || n <= 0 || n > GW_KEY_AGENT_MESSAGE_MAX)
		return -1;
	r.op = GW_KEY_AGENT_USE;
	r.use = 0;
	r.key = (uint8_t)((number & ~CLIENT_KEY) - 1);
	len = number & CLIENT_KEY ? gw_client_agent_call(&r, in, (size_t)n, &a)
				  : call_own_agent(&r, in, (size_t)n, &a);
	if (len < 0)
		return -1;
	if (a.status || len > room)
		len = -1;
	else
		memcpy(out, a.bytes, (size_t)len);
	OPENSSL_cleanse(a.bytes, sizeof(a.bytes));
	return (int)len;
}

uint64_t gw_remote_keys_cpu_ns(void)
{
	return cpu_ns;
}

/* ---- OpenSSL's methods ---- */

static int rsa_decrypt(int n, const unsigned char *from, unsigned char *to, RSA *rsa, int padding)
{
	return padding == RSA_NO_PADDING
		       ? use_key(RSA_get_app_data(rsa), from, n, to, RSA_size(rsa))
		       : -1;
}

static int rsa_sign(int n, const unsigned char *from, unsigned char *to, RSA *rsa, int padding)
{
	/* Without padding: an encoding of PSS. The agent takes nothing else as long as the modulus. */
	return padding == RSA_PKCS1_PADDING || padding == RSA_NO_PADDING
		       ? use_key(RSA_get_app_data(rsa), from, n, to, RSA_size(rsa))
		       : -1;
}

static int ec_sign(int type, const unsigned char *digest, int n, unsigned char *sig,
		   unsigned int *len, const BIGNUM *kinv, const BIGNUM *r, EC_KEY *key)
{
	int got = use_key(EC_KEY_get_ex_data(key, 0), digest, n, sig, ECDSA_size(key));

	*len = got > 0 ? (unsigned int)got : 0;
	return got > 0;
}

static ECDSA_SIG *ec_sign_sig(const unsigned char *digest, int n, const BIGNUM *kinv,
			      const BIGNUM *r, EC_KEY *key)
{
	unsigned char der[256];
	const unsigned char *p = der;
	int got = use_key(EC_KEY_get_ex_data(key, 0), digest, n, der, sizeof(der));

	return got > 0 ? d2i_ECDSA_SIG(NULL, &p, got) : NULL;
}

/* Key agreement, or a signature of Ed25519. */
static int use_delegated(void *number, const uint8_t *in, size_t n, uint8_t *out)
{
	return use_key(number, in, (int)n, out, FMP_SHARED_MAX);
}

/* ---- creating keys ---- */

static EVP_PKEY *wrap_rsa(RSA *rsa, void *number)
{
	static RSA_METHOD *method;
	EVP_PKEY *key = EVP_PKEY_new();

	if (!method && (method = RSA_meth_dup(RSA_PKCS1_OpenSSL()))) {
		RSA_meth_set_priv_dec(method, rsa_decrypt);
		RSA_meth_set_priv_enc(method, rsa_sign);
	}
	if (key && method && RSA_set_method(rsa, method) && RSA_set_app_data(rsa, number) &&
	    EVP_PKEY_assign_RSA(key, rsa))
		return key;
	EVP_PKEY_free(key);
	RSA_free(rsa);
	return NULL;
}

static EVP_PKEY *wrap_ec(EC_KEY *ec, void *number)
{
	static EC_KEY_METHOD *method;
	EVP_PKEY *key = EVP_PKEY_new();

	if (!method && (method = EC_KEY_METHOD_new(EC_KEY_OpenSSL())))
		EC_KEY_METHOD_set_sign(method, ec_sign, NULL, ec_sign_sig);
	if (key && method && EC_KEY_set_method(ec, method) && EC_KEY_set_ex_data(ec, 0, number) &&
	    EVP_PKEY_assign_EC_KEY(key, ec))
		return key;
	EVP_PKEY_free(key);
	EC_KEY_free(ec);
	return NULL;
}

static EVP_PKEY *create_remote_key(const uint8_t *der, long len, enum fmp_key_use use, void *number)
{
	const unsigned char *p = der;
	EVP_PKEY *public = d2i_PUBKEY(NULL, &p, len), *key = NULL;

	p = der;
	if (public && EVP_PKEY_is_a(public, "RSA")) {
		RSA *rsa = d2i_RSA_PUBKEY(NULL, &p, len);

		key = rsa ? wrap_rsa(rsa, number) : NULL;
	} else if (public &&
		   (use == FMP_KEY_DECRYPT
			    ? fmp_key_is_agreeable(public)
			    : use == FMP_KEY_SIGN && EVP_PKEY_is_a(public, "ED25519")) &&
		   fmp_key_delegate(public, use_delegated, number)) {
		key = public;
		public = NULL;
	} else if (public && EVP_PKEY_is_a(public, "EC")) {
		EC_KEY *ec = d2i_EC_PUBKEY(NULL, &p, len);

		key = ec ? wrap_ec(ec, number) : NULL;
	}
	EVP_PKEY_free(public);
	ERR_clear_error();
	return key;
}

static int check_reply(ssize_t n, const struct gw_key_agent_reply *a, struct fmp_error *err)
{
	if (n < 0)
		return fmp_error_set(err, FMP_ERR_IO, "the key agent has ended");
	if (a->status && n == sizeof(*err))
		memcpy(err, a->bytes, sizeof(*err));
	return a->status;
}

int gw_remote_keys_load(void *ctx, const char *path, enum fmp_key_use use, struct evp_pkey_st **out,
			struct fmp_error *err)
{
	struct gw_key_agent_request r = { .op = GW_KEY_AGENT_LOAD, .use = (uint8_t)use };
	struct gw_key_agent_reply a;
	ssize_t n = gw_agent_call(*(const int *)ctx, &r, path, strlen(path), &a);
	int rc = check_reply(n, &a, err);
	uintptr_t number;

	*out = NULL;
	if (rc)
		return rc;
	/* 0 marks a key without a number. */
	number = use == FMP_KEY_CLIENT ? CLIENT_KEY | ++n_client_keys : ++n_keys;
	*out = create_remote_key(a.bytes, n, use, (void *)number);
	return *out ? 0
		    : fmp_error_at(err, FMP_ERR_INVALID, path, 0, 0,
				   "the key is neither of RSA nor of EC");
}

int gw_remote_keys_ready(int agent, struct fmp_error *err)
{
	struct gw_key_agent_request r = { .op = GW_KEY_AGENT_READY };
	struct gw_key_agent_reply a;
	ssize_t n = gw_agent_call(agent, &r, "", 0, &a);

	return check_reply(n, &a, err);
}
