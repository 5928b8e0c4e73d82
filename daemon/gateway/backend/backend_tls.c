// SPDX-License-Identifier: GPL-2.0
#include "backend_tls.h"

#include <arpa/inet.h>
#include <stdbool.h>

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "../common/tls_meter.h"
#include "../common/verify.h"

int gw_backend_tls_new(const char *ca, struct ssl_ctx_st **out, struct fmp_error *err)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());

	if (!ctx || !SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION)) {
		SSL_CTX_free(ctx);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for TLS");
	}
	if (!SSL_CTX_load_verify_file(ctx, ca)) {
		const char *why = ERR_reason_error_string(ERR_peek_last_error());

		ERR_clear_error();
		SSL_CTX_free(ctx);
		return fmp_error_at(err, FMP_ERR_INVALID, ca, 0, 0, "the CAs of a backend: %s",
				    why ? why : "not usable");
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
