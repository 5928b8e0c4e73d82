/* SPDX-License-Identifier: GPL-2.0 */
/* One client connection: requests in, replies out, one at a time and in order. */
#ifndef GW_CONNECTION_H
#define GW_CONNECTION_H

#include <fmp/event.h>
#include <fmp/internal/queue.h>
#include <fmp/source.h>
#include <fmp/internal/handshake_pardon.h>
#include <fmp/internal/decrypt_budget.h>

#include "../peer/blocklist.h"
#include "describe_budget.h"
#include "../common/observe_budget.h"
#include "../common/clock.h"
#include "../peer/source_limits.h"
#include "../common/loop_delay.h"
#include "../common/settings.h"
#include <fmp/internal/http.h>
#include "../workers/pool.h"
#include "../peer/peer.h"
#include "../peer/source_key.h"

struct bufferevent;
struct event;
struct event_base;
struct gw_backend;
struct gw_report;
struct gw_connection;
TAILQ_HEAD(gw_connections, gw_connection);

/** struct gw_shared - shared by all connections; belongs to the listener */
struct gw_shared {
	struct event_base *base;
	const struct gw_settings *settings;
	struct gw_pool *pool;
	struct gw_report *report;
	struct gw_backend *backend[FMP_SERVICES_MAX]; /**< by index of the service */
	struct gw_connections open; /**< least recently used first */
	unsigned n_open;
	struct gw_source_limits *limits; /**< connections by source */
	struct gw_shared_prefixes prefixes; /**< in which each address is a source of its own */
	struct gw_blocklist
		*blocklist; /**< clients refused behind a proxy; NULL: there is no proxy */
	bool describes; /**< any service answers GET ?wsdl, or passes it on */
	struct gw_describe_budget describe_budget; /**< bytes of descriptions, by source */
	struct gw_observe_budget observe_budget; /**< requests that are observed, by source */
	unsigned n_uploads[FMP_SERVICES_MAX]; /**< requests that are passed as they come */
	uint32_t body_max; /**< longest body that any service accepts */
	size_t buffer_max; /**< bytes that all connections may buffer */
	size_t buffered; /**< bytes buffered: requests, and replies that are not read yet */
	size_t reserved; /**< part of it that is reserved for replies */
	unsigned n_reserved,
		n_waiting; /**< replies with a reservation; replies that wait for one */
	struct event *
		rebalance; /**< runs when the limit is exceeded, or when a reply may get its reservation */
	uint64_t n_evicted,
		evicted_logged_ns; /**< connections closed for their buffers; when that was last logged */
	uint64_t unlogged; /**< lines of the access log that could not be written */
	uint64_t unlogged_logged_ns; /**< when that was last logged */
	uint64_t tls_signer_logged_ns; /**< last warning of a signer's certificate for TLS only */
	uint64_t crl_missing_logged_ns; /**< last warning of missing CRLs */
	struct fmp_decrypt_budget decrypt_budget; /**< failed decryptions with CBC, by source */
	struct fmp_handshake_pardon
		handshake_pardon; /**< failed TLS handshakes that are not charged */
	uint64_t decrypt_budget_logged_ns; /**< last warning of a spent decryption budget */
	struct gw_clock clock; /**< is the clock of this device set? */
	struct gw_loop_delay loop_delay; /**< of the event loop */
	struct event *loop_check; /**< measures it while n_timed is not 0 */
	unsigned n_timed; /**< connections with a deadline that their source is charged for */
	bool stopping;
	void (*closed)(struct gw_shared *s); /**< a connection was closed */
	void (*idle)(struct gw_shared *s); /**< a connection became idle and can be evicted */
};

/** gw_connection_check_loop() - callback of gw_shared.loop_check; @shared: the struct gw_shared. */
void gw_connection_check_loop(int fd, short what, void *shared);
/** gw_connection_new() - take over the socket. Return: false (socket closed) without memory. */
bool gw_connection_new(struct gw_shared *s, int fd, const struct gw_peer *peer);

const struct gw_peer *gw_connection_peer(const struct gw_connection *c);
struct gw_connection *gw_connection_next(struct gw_connection *c);
/**
 * gw_connection_evict() - close one connection to make room: first one without a byte of a request,
 * of the source that has most of those; then an idle one; then one of a source with several slow
 * requests or replies. A source with many of them is charged.
 *
 * Return: false: all are being worked on.
 */
bool gw_connection_evict(struct gw_shared *s);
/** gw_connection_is_silent() - no byte of the next request has come. */
bool gw_connection_is_silent(const struct gw_connection *c);
/** gw_connection_close() - @reset: with RST. What a worker still does for it is charged. */
void gw_connection_close(struct gw_connection *c, bool reset);

/** gw_connection_discard() - free it at the end, when there are no workers any more. */
void gw_connection_discard(struct gw_connection *c);

/** gw_connection_charge_peer() - report an event of kind "connection" about a peer. */
void gw_connection_charge_peer(struct gw_shared *s, const struct gw_peer *peer, const char *detail);

#endif
