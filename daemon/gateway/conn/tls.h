/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TLS in front of HTTP: certificate, key and whose certificates clients must show.
 * Read before the sandbox; a connection is a bufferevent like one without TLS.
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

/** struct gw_handshake - of one connection; must live as long as its bufferevent */
struct gw_handshake {
	struct fmp_crash_note
		*crash_page; /**< whose its bytes are stands here while OpenSSL has them; NULL */
	const struct gw_peer *peer; /**< for that */
	uint64_t cpu_ns; /**< spent on it so far */
	struct gw_tls_meter meter; /**< of its records */
	enum gw_tls_client_presence {
		GW_TLS_CLIENT_PRESENT = 0,
		GW_TLS_CLIENT_LEFT, /**< the client had gone before its first bytes were read, which nothing was done with */
		GW_TLS_CLIENT_GAVE_UP, /**< so it had, but they had waited for us long: it gave us up */
	} left;
	uint64_t since; /**< private: CPU clock when its code was entered, 0: not in it */
};

/**
 * gw_tls_new() - reads the files that the policy names
 * @out: NULL where it names none: HTTP without TLS
 *
 * Return: 0; FMP_ERR_IO, FMP_ERR_INVALID, FMP_ERR_CONFLICT, FMP_ERR_NOMEM with the file in err.
 */
FMP_MUST_CHECK int gw_tls_new(const struct fmp_policy_tls *policy, struct gw_tls **out,
			      struct fmp_error *err);
void gw_tls_free(struct gw_tls *t);

/** gw_tls_accept() - owns fd then, closes it when freed. Return: NULL without memory. */
struct bufferevent *gw_tls_accept(struct gw_tls *t, struct event_base *base, int fd,
				  struct gw_handshake *h);

/** gw_tls_close() - tells the client that no more comes; @bev NULL: a connection without TLS. */
void gw_tls_close(struct bufferevent *bev);

/** enum gw_tls_fault - whose doing it can be that a handshake failed */
enum gw_tls_fault {
	GW_TLS_FAULT_CLIENT, /**< the client's own */
	GW_TLS_FAULT_PLAIN_HTTP, /**< plain HTTP came, as of a link that says http: */
	GW_TLS_FAULT_UNTRUSTED, /**< the client does not trust our certificate, or has none to show */
};

/** gw_tls_error() - why a handshake failed. Return: buf; NULL: not a byte of it came. */
const char *gw_tls_error(struct bufferevent *bev, enum gw_tls_fault *fault, char *buf, size_t size);

/** gw_tls_resumed() - the handshake took no work of our private key. */
bool gw_tls_resumed(struct bufferevent *bev);

/** gw_tls_crl_missing() - the handshake failed for want of a revocation list alone: not the client's doing. */
bool gw_tls_crl_missing(struct bufferevent *bev);

#endif
