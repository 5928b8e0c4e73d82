// SPDX-License-Identifier: GPL-2.0
#include "backend_tls.h"

#include <arpa/inet.h>
#include <stdbool.h>

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <fmp/inspect.h>
#include <fmp/policy.h>

#include <fmp/internal/pem.h>

#include "../common/tls_file.h"
#include "../common/tls_meter.h"
#include "../common/verify.h"

/* Its key may be in another process: the agent's handle has only the public half. */
static int use_client_key(SSL_CTX *ctx, const struct fmp_policy_backend_tls *policy,
			  const struct fmp_key_source *keys, struct fmp_error *err)
{
	EVP_PKEY *key = NULL;
	int rc = fmp_pem_key(keys, policy->key, FMP_KEY_CLIENT, &key, err);

	if (rc)
		return rc;
	if (!EVP_PKEY_is_a(key, "RSA") && !EVP_PKEY_is_a(key, "EC"))
		rc = fmp_error_at(err, FMP_ERR_INVALID, policy->key, 0, 0,
				  "the key is neither of RSA nor of EC");
	else if (X509_check_private_key(SSL_CTX_get0_certificate(ctx), key) != 1)
		rc = fmp_error_at(err, FMP_ERR_CONFLICT, policy->key, 0, 0,
				  "the private key is not that of the client certificate %s",
				  policy->certificate);
	else if (SSL_CTX_use_PrivateKey(ctx, key) != 1)
		rc = gw_tls_file_error(err, "the key of the client certificate", policy->key);
	EVP_PKEY_free(key);
	ERR_clear_error();
	return rc;
}

static int use_client_certificate(SSL_CTX *ctx, const struct fmp_policy_backend_tls *policy,
				  const struct fmp_key_source *keys, struct fmp_error *err)
{
	if (!*policy->certificate)
		return 0;
	SSL_CTX_set_default_passwd_cb(ctx, gw_tls_refuse_passphrase);
	if (SSL_CTX_use_certificate_chain_file(ctx, policy->certificate) != 1)
		return gw_tls_file_error(err, "the client certificate", policy->certificate);
	return use_client_key(ctx, policy, keys, err);
}

int gw_backend_tls_new(const struct fmp_policy_backend_tls *policy,
		       const struct fmp_key_source *keys, struct ssl_ctx_st **out,
		       struct fmp_error *err)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
	int rc;

	if (!ctx || !SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION)) {
		SSL_CTX_free(ctx);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for TLS");
	}
	if (!SSL_CTX_load_verify_file(ctx, policy->ca))
		rc = gw_tls_file_error(err, "the CAs of a backend", policy->ca);
	else
		rc = use_client_certificate(ctx, policy, keys, err);
	if (rc) {
		SSL_CTX_free(ctx);
		return rc;
	}
	SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_cert_verify_callback(ctx, gw_verify_chain, NULL);
	/* Not SSL_OP_IGNORE_UNEXPECTED_EOF: a reply may end with the connection (RFC 9112 9.8). */
	SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
	SSL_CTX_set_mode(ctx, SSL_MODE_RELEASE_BUFFERS);
	/* As in tls.c: a service must not hold the loop either. */
	SSL_CTX_clear_mode(ctx, SSL_MODE_AUTO_RETRY);
	*out = ctx;
	return 0;
}

void gw_backend_tls_free(struct ssl_ctx_st *ctx)
{
	SSL_CTX_free(ctx);
}

/* The certificate has an address in a field of its own; SNI has no addresses (RFC 6066 3). */
static bool set_expected_name(SSL *ssl, const char *name)
{
	struct in6_addr scratch;

	if (inet_pton(AF_INET, name, &scratch) == 1 || inet_pton(AF_INET6, name, &scratch) == 1)
		return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) == 1;
	SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	return SSL_set1_host(ssl, name) == 1 && SSL_set_tlsext_host_name(ssl, name) == 1;
}

static long on_bytes(BIO *bio, int op, const char *buf, size_t len, int argi, long argl, int ret,
		     size_t *n)
{
	struct gw_tls_meter *m = (void *)BIO_get_callback_arg(bio);

	if (op == BIO_CB_READ)
		return gw_tls_meter_before_read(m, bio);
	if (op == (BIO_CB_READ | BIO_CB_RETURN))
		gw_tls_meter_after_read(m, ret > 0);
	return ret;
}

struct bufferevent *gw_backend_tls_connect(struct ssl_ctx_st *ctx, struct event_base *base, int fd,
					   const char *name, struct gw_tls_meter *meter)
{
	SSL *ssl = SSL_new(ctx);
	struct bufferevent *bev;

	if (!ssl)
		return NULL;
	if (!set_expected_name(ssl, name)) {
		SSL_free(ssl);
		return NULL;
	}
	bev = bufferevent_openssl_socket_new(base, fd, ssl, BUFFEREVENT_SSL_CONNECTING,
					     BEV_OPT_CLOSE_ON_FREE);
	if (!bev)
		return NULL;
	gw_tls_meter_attach(meter, ssl);
	BIO_set_callback_arg(SSL_get_rbio(ssl), (char *)meter);
	BIO_set_callback_ex(SSL_get_rbio(ssl), on_bytes);
	gw_tls_meter_count_data(meter, bev);
	return bev;
}

static const char *describe_verdict(long verdict)
{
	switch (verdict) {
	case X509_V_OK:
		return NULL;
	case X509_V_ERR_HOSTNAME_MISMATCH:
	case X509_V_ERR_IP_ADDRESS_MISMATCH:
		return "its TLS certificate is for another name";
	case X509_V_ERR_CERT_HAS_EXPIRED:
		return "its TLS certificate, or that of its CA, has expired";
	case X509_V_ERR_CERT_NOT_YET_VALID:
		return "its TLS certificate, or that of its CA, is not valid yet";
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
	case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
	case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
	case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
		return "its TLS certificate is of none of the CAs in ca=\"FILE\"";
	default:
		return "its TLS certificate is not valid";
	}
}

/* Alerts about a client certificate, or that there is none (RFC 8446 6.2). Return: NULL: nothing of TLS. */
static const char *describe_failure(unsigned long code, bool open)
{
	if (ERR_GET_LIB(code) != ERR_LIB_SSL)
		return NULL;
	switch (ERR_GET_REASON(code)) {
	case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
		return "it demands a TLS client certificate";
	case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
	case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
	case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
	case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
	case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
	case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
	case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
		return "it does not accept our TLS client certificate";
	case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
		return "it ended the TLS handshake: nothing in common, or it demands a client "
		       "certificate";
	case SSL_R_WRONG_VERSION_NUMBER:
	case SSL_R_HTTP_REQUEST:
		return "it does not speak TLS";
	default:
		return open ? NULL : "the TLS handshake with it failed";
	}
}

/*
 * In TLS 1.3 a service checks our certificate when we send already, and closes after its alert: if
 * sending failed first, the alert is still unread.
 */
static unsigned long read_alert(SSL *ssl)
{
	unsigned long code;
	char next;

	ERR_clear_error();
	code = SSL_peek(ssl, &next, sizeof(next)) > 0 ? 0 : ERR_peek_last_error();
	ERR_clear_error();
	return code;
}

const char *gw_backend_tls_error(struct bufferevent *bev)
{
	SSL *ssl = bufferevent_openssl_get_ssl(bev);
	const char *why = describe_verdict(SSL_get_verify_result(ssl));
	unsigned long code = bufferevent_get_openssl_error(bev);

	if (why || !code)
		return why;
	if (ERR_GET_LIB(code) != ERR_LIB_SSL && SSL_is_init_finished(ssl))
		code = read_alert(ssl);
	return describe_failure(code, SSL_is_init_finished(ssl));
}
