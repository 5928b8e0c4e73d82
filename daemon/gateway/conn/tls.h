/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TLS of the listener: certificate, key, and the CAs of client certificates. Files are read before
 * the sandbox; a connection is a bufferevent, as in the backend.
 */
#ifndef GW_TLS_H
#define GW_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/error.h>
#include <fmp/policy.h>

#include "../common/tls_meter.h"

struct bufferevent;
struct event_base;
struct fmp_crash_note;
struct gw_peer;
struct gw_tls;

/** struct gw_handshake - of one connection; must outlive its bufferevent */
struct gw_handshake {
	struct fmp_crash_note
		*crash_page; /**< records the peer while OpenSSL handles its bytes; NULL: not */
	const struct gw_peer *peer; /**< the peer to record */
	uint64_t cpu_ns; /**< spent on it so far */
	struct gw_tls_meter meter; /**< limits its records */
	enum gw_tls_client_presence {
		GW_TLS_CLIENT_PRESENT = 0,
		GW_TLS_CLIENT_LEFT, /**< the client closed before we read its first bytes; nothing was done with them */
		GW_TLS_CLIENT_GAVE_UP, /**< likewise, but after its bytes had waited for us: it gave up */
	} presence;
	uint64_t since; /**< private: CPU clock when OpenSSL was entered; 0: not inside */
};

/**
 * gw_tls_new() - read the files that the policy names
 * @out: NULL if it names none: plain HTTP
 *
 * Return: 0; FMP_ERR_IO, FMP_ERR_INVALID, FMP_ERR_CONFLICT, FMP_ERR_NOMEM with the file in err.
 */
FMP_MUST_CHECK int gw_tls_new(const struct fmp_policy_tls *policy, struct gw_tls **out,
			      struct fmp_error *err);
void gw_tls_free(struct gw_tls *t);

/**
 * gw_tls_accept() - on success it owns fd, and closes it when freed. Return: NULL without memory.
 */
struct bufferevent *gw_tls_accept(struct gw_tls *t, struct event_base *base, int fd,
				  struct gw_handshake *h);

/** gw_tls_close() - send close_notify; @bev NULL: a connection without TLS. */
void gw_tls_close(struct bufferevent *bev);

/** enum gw_tls_fault - possible cause of a failed handshake */
enum gw_tls_fault {
	GW_TLS_FAULT_CLIENT, /**< the client */
	GW_TLS_FAULT_PLAIN_HTTP, /**< plain HTTP arrived, for example from a link with http: */
	GW_TLS_FAULT_UNTRUSTED, /**< the client does not trust our certificate, or has none itself */
};

/** gw_tls_error() - why a handshake failed. Return: buf; NULL: no byte was received. */
const char *gw_tls_error(struct bufferevent *bev, enum gw_tls_fault *fault, char *buf, size_t size);

struct fmp_identity;

/**
 * gw_tls_identity() - who the client is by its verified certificate
 * @bev: NULL: a connection without TLS
 *
 * Return: false: it has shown none.
 */
bool gw_tls_identity(struct bufferevent *bev, struct fmp_identity *out);

/** gw_tls_resumed() - the handshake did not use our private key. */
bool gw_tls_resumed(struct bufferevent *bev);

/** gw_tls_crl_missing() - the handshake failed only for a missing CRL: not the client's doing. */
bool gw_tls_crl_missing(struct bufferevent *bev);

#endif
