// SPDX-License-Identifier: GPL-2.0
#include "tls.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <fmp/internal/certificate_names.h>
#include <fmp/internal/pem.h>
#include <fmp/internal/crl.h>
#include <fmp/internal/crash_note.h>

#include "../common/clock.h"
#include "../peer/peer.h"
#include "../common/settings.h"
#include "../common/tls_file.h"
#include "../common/verify.h"

/*
 * Keep sessions in memory, not in tickets that the client holds: we bound their number and
 * lifetime, and no leaked ticket key can decrypt them later.
 */
#define SESSIONS	 1024
#define SESSION_S	 300
#define CLIENT_DEPTH	 4 /* certificates between a client's own and the CA */
#define CLIENT_CERTBYTES (32 << 10) /* of a client's whole chain */

/* A client whose first bytes waited for us this long, in ms, may have given up because of us. */
#define WAITED_MS 500

struct gw_tls {
	SSL_CTX *ctx;
	STACK_OF(X509) * cas; /* of clients; NULL: CRLs are not checked */
	struct fmp_crls *crls;
};

/* Measure the CPU time of a handshake, from entering OpenSSL until it waits again. */
static void on_progress(const SSL *ssl, int where, int ret)
{
	struct gw_handshake *h = SSL_get_app_data(ssl);
	uint64_t now = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (where & (SSL_CB_LOOP | SSL_CB_HANDSHAKE_START)) {
		if (!h->since)
			h->since = now;
	} else if ((where & SSL_CB_EXIT) && h->since) {
		h->cpu_ns += now - h->since;
		h->since = 0;
	}
	if (where & SSL_CB_EXIT)
		fmp_crash_note_end(h->crash_page);
}

/*
 * Is the client still there? Otherwise a client that sends a ClientHello and disconnects would cost
 * a private key operation each time, and delay others in the backlog.
 */
static enum gw_tls_client_presence check_presence(BIO *bio)
{
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info);

	if (getsockopt((int)BIO_get_fd(bio, NULL), IPPROTO_TCP, TCP_INFO, &info, &len) ||
	    (info.tcpi_state != TCP_CLOSE && info.tcpi_state != TCP_CLOSE_WAIT))
		return GW_TLS_CLIENT_PRESENT;
	return info.tcpi_last_data_recv < WAITED_MS ? GW_TLS_CLIENT_LEFT : GW_TLS_CLIENT_GAVE_UP;
}

/*
 * The meter decides whether OpenSSL may read. After a read OpenSSL handles this client's bytes
 * until it wants more and there are none.
 */
static long on_bytes(BIO *bio, int op, const char *buf, size_t len, int argi, long argl, int ret,
		     size_t *n)
{
	struct gw_handshake *h = (void *)BIO_get_callback_arg(bio);

	if (op == BIO_CB_READ) {
		long may = gw_tls_meter_before_read(&h->meter, bio);

		if (!BIO_number_read(bio) && !h->presence)
			h->presence = check_presence(bio);
		if (h->presence) {
			BIO_clear_retry_flags(bio);
			may = -1;
		}
		if (may <= 0)
			fmp_crash_note_end(h->crash_page);
		return may;
	}
	if (op != (BIO_CB_READ | BIO_CB_RETURN))
		return ret;
	gw_tls_meter_after_read(&h->meter, ret > 0);
	if (ret > 0)
		fmp_crash_note_begin(h->crash_page, &h->peer->source, h->peer->source_port,
				     h->peer->dest_port);
	else
		fmp_crash_note_end(h->crash_page);
	return ret;
}

static const SSL *get_ssl(const X509_STORE_CTX *x)
{
	return X509_STORE_CTX_get_ex_data(x, SSL_get_ex_data_X509_STORE_CTX_idx());
}

/*
 * Check CRLs only for a chain with valid signatures: a forged certificate must not cause that work.
 */
static int verify_client(X509_STORE_CTX *x, void *arg)
{
	const struct gw_tls *t = SSL_CTX_get_app_data(SSL_get_SSL_CTX(get_ssl(x)));
	STACK_OF(X509) * chain;
	int error;

	if (gw_verify_chain(x, NULL) != 1)
		return 0;
	if (!t->crls)
		return 1;
	chain = X509_STORE_CTX_get0_chain(x);
	error = fmp_crls_check(t->crls, chain, sk_X509_num(chain), time(NULL));
	X509_STORE_CTX_set_error(x, error);
	return error == X509_V_OK;
}

static int load_crls(struct gw_tls *t, const struct fmp_policy_tls *policy, struct fmp_error *err)
{
	int rc;

	t->cas = sk_X509_new_null();
	if (!t->cas)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", policy->client_ca);
	rc = fmp_pem_certificates(policy->client_ca, fmp_pem_push, t->cas, err);
	if (!rc)
		rc = fmp_crls_load(policy->client_crl, t->cas, &t->crls, err);
	return rc;
}

static int require_client_certificate(struct gw_tls *t, const char *file, struct fmp_error *err)
{
	SSL_CTX *ctx = t->ctx;
	STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(file);

	if (!names || !SSL_CTX_load_verify_file(ctx, file)) {
		sk_X509_NAME_pop_free(names, X509_NAME_free);
		return gw_tls_file_error(err, "the CAs of clients", file);
	}
	SSL_CTX_set_client_CA_list(ctx, names);
	SSL_CTX_set_app_data(ctx, t);
	SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
	SSL_CTX_set_cert_verify_callback(ctx, verify_client, NULL);
	SSL_CTX_set_verify_depth(ctx, CLIENT_DEPTH);
	SSL_CTX_set_max_cert_list(ctx, CLIENT_CERTBYTES);
	return 0;
}

static int configure_context(struct gw_tls *t, const struct fmp_policy_tls *policy,
			     struct fmp_error *err)
{
	static const unsigned char id[] = "fmp-gateway";
	SSL_CTX *ctx = t->ctx;
	int rc;

	if (!SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION) ||
	    !SSL_CTX_set_session_id_context(ctx, id, sizeof(id) - 1))
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "no TLS 1.2");
	SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
					 SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE |
					 SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_num_tickets(ctx, 1);
	SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_SERVER);
	SSL_CTX_sess_set_cache_size(ctx, SESSIONS);
	SSL_CTX_set_timeout(ctx, SESSION_S);
	SSL_CTX_set_mode(ctx, SSL_MODE_RELEASE_BUFFERS);
	/*
	 * A record without data must not let OpenSSL read the next one before other connections are
	 * served.
	 */
	SSL_CTX_clear_mode(ctx, SSL_MODE_AUTO_RETRY);
	SSL_CTX_set_info_callback(ctx, on_progress);
	SSL_CTX_set_default_passwd_cb(ctx, gw_tls_refuse_passphrase);
	if (SSL_CTX_use_certificate_chain_file(ctx, policy->certificate) != 1)
		return gw_tls_file_error(err, "the certificate", policy->certificate);
	if (SSL_CTX_use_PrivateKey_file(ctx, policy->key, SSL_FILETYPE_PEM) != 1)
		return gw_tls_file_error(err, "the private key", policy->key);
	if (SSL_CTX_check_private_key(ctx) != 1) {
		ERR_clear_error();
		return fmp_error_at(err, FMP_ERR_CONFLICT, policy->key, 0, 0,
				    "the private key is not that of the certificate %s",
				    policy->certificate);
	}
	if (!*policy->client_ca)
		return 0;
	rc = require_client_certificate(t, policy->client_ca, err);
	return rc || !*policy->client_crl ? rc : load_crls(t, policy, err);
}

int gw_tls_new(const struct fmp_policy_tls *policy, struct gw_tls **out, struct fmp_error *err)
{
	struct gw_tls *t;
	int rc;

	*out = NULL;
	if (!*policy->certificate)
		return 0;
	t = calloc(1, sizeof(*t));
	if (t)
		t->ctx = SSL_CTX_new(TLS_server_method());
	rc = t && t->ctx ? configure_context(t, policy, err)
			 : fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	if (rc)
		gw_tls_free(t);
	else
		*out = t;
	return rc;
}

void gw_tls_free(struct gw_tls *t)
{
	if (!t)
		return;
	SSL_CTX_free(t->ctx);
	fmp_crls_free(t->crls);
	sk_X509_pop_free(t->cas, X509_free);
	free(t);
}

struct bufferevent *gw_tls_accept(struct gw_tls *t, struct event_base *base, int fd,
				  struct gw_handshake *h)
{
	SSL *ssl = SSL_new(t->ctx);
	struct bufferevent *bev;

	if (!ssl)
		return NULL;
	SSL_set_app_data(ssl, h);
	/* Frees the SSL, even on failure. */
	bev = bufferevent_openssl_socket_new(base, fd, ssl, BUFFEREVENT_SSL_ACCEPTING,
					     BEV_OPT_CLOSE_ON_FREE);
	if (!bev)
		return NULL;
	bufferevent_openssl_set_allow_dirty_shutdown(bev, 1);
	gw_tls_meter_attach(&h->meter, ssl);
	BIO_set_callback_arg(SSL_get_rbio(ssl), (char *)h);
	BIO_set_callback_ex(SSL_get_rbio(ssl), on_bytes);
	gw_tls_meter_count_data(&h->meter, bev);
	return bev;
}

void gw_tls_close(struct bufferevent *bev)
{
	SSL *ssl = bev ? bufferevent_openssl_get_ssl(bev) : NULL;

	if (ssl && SSL_is_init_finished(ssl)) {
		SSL_shutdown(ssl);
		ERR_clear_error();
	}
}

/* Alerts of a client about our certificate (RFC 8446 6.2). */
static enum gw_tls_fault classify_error(unsigned long code)
{
	if (ERR_GET_LIB(code) != ERR_LIB_SSL)
		return GW_TLS_FAULT_CLIENT;
	switch (ERR_GET_REASON(code)) {
	case SSL_R_HTTP_REQUEST:
	case SSL_R_HTTPS_PROXY_REQUEST:
		return GW_TLS_FAULT_PLAIN_HTTP;
	case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
	case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
	case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
	case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
	case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
	case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
	case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
		return GW_TLS_FAULT_UNTRUSTED;
	default:
		return GW_TLS_FAULT_CLIENT;
	}
}

const char *gw_tls_error(struct bufferevent *bev, enum gw_tls_fault *fault, char *buf, size_t size)
{
	unsigned long code = bufferevent_get_openssl_error(bev);
	const char *text = code ? ERR_reason_error_string(code) : NULL;
	const SSL *ssl = bufferevent_openssl_get_ssl(bev);
	long verdict = SSL_get_verify_result(ssl);

	*fault = classify_error(code);
	if (!BIO_number_read(SSL_get_rbio(ssl)))
		return NULL;
	snprintf(buf, size, "the TLS handshake failed: %s%s%s", text ? text : "broken off",
		 verdict ? ": " : "", verdict ? X509_verify_cert_error_string(verdict) : "");
	return buf;
}

bool gw_tls_identity(struct bufferevent *bev, struct fmp_identity *out)
{
	const SSL *ssl = bev ? bufferevent_openssl_get_ssl(bev) : NULL;
	const X509 *cert = ssl ? SSL_get0_peer_certificate(ssl) : NULL;

	if (!cert || SSL_get_verify_result(ssl) != X509_V_OK)
		return false;
	*out = (struct fmp_identity){ .methods = FMP_ASSURANCE_BIT(FMP_ASSURANCE_TLS) };
	fmp_certificate_names(cert, out);
	return true;
}

bool gw_tls_resumed(struct bufferevent *bev)
{
	return SSL_session_reused(bufferevent_openssl_get_ssl(bev));
}

bool gw_tls_crl_missing(struct bufferevent *bev)
{
	return fmp_is_crl_error((int)SSL_get_verify_result(bufferevent_openssl_get_ssl(bev)));
}
