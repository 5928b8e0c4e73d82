/* SPDX-License-Identifier: GPL-2.0 */
/* One client connection: requests in, answers out, one at a time and in order. */
#ifndef GW_CONNECTION_H
#define GW_CONNECTION_H

#include <sys/queue.h>

#include <fmp/event.h>
#include <fmp/source.h>
#include <fmp/internal/handshake_pardon.h>
#include <fmp/internal/decrypt_budget.h>

#include "blocklist.h"
#include "../common/clock.h"
#include "source_limits.h"
#include "../common/loop_delay.h"
#include "../common/settings.h"
#include <fmp/internal/http.h>
#include "../workers/pool.h"
#include "source_key.h"

struct bufferevent;
struct event;
struct event_base;
struct gw_backend;
struct gw_report;
struct gw_connection;
TAILQ_HEAD(gw_connections, gw_connection);

/** struct gw_shared - what all connections share; the listener's */
struct gw_shared {
	struct event_base *base;
	const struct gw_settings *settings;
	struct gw_pool *pool;
	struct gw_report *report;
	struct gw_backend *backend[FMP_SERVICES_MAX]; /**< by the service's number */
	struct gw_connections open; /**< the one that was idle longest first */
	unsigned n_open;
	struct gw_source_limits *crowd; /**< of them, by source */
	struct gw_shared_prefixes prefixes; /**< in which each address is a source */
	struct gw_blocklist *barred; /**< whom no proxy may speak for; NULL: there is no proxy */
	uint32_t body_max; /**< longest body that any service takes */
	size_t memory; /**< bytes that connections may hold together */
	size_t buffered; /**< that they hold: requests, and answers that are not yet read */
	size_t coming; /**< bytes of that, of answers that may come */
	unsigned n_coming, n_waiting; /**< these answers; those that there is no room for yet */
	struct event *full; /**< more than that, or less where some wait */
	uint64_t gave_way, told_ns; /**< connections; when that was last said */
	uint64_t unlogged; /**< lines of the access log that could not be written */
	uint64_t unlogged_told_ns; /**< when that was last said */
	uint64_t tls_signer_told_ns; /**< when it was last said that a signer's certificate is for TLS alone */
	uint64_t lists_told_ns; /**< when it was last said that revocation lists are missing */
	struct fmp_decrypt_budget tries; /**< at what is encrypted with CBC */
	struct fmp_handshake_pardon slips; /**< TLS handshakes for nothing that are pardoned */
	uint64_t tries_told_ns; /**< when it was last said that there are no more */
	struct gw_clock clock; /**< whether it is set */
	struct gw_loop_delay delay; /**< of the loop */
	struct event *look; /**< measures it while n_timed is not 0 */
	unsigned n_timed; /**< connections with a deadline that their source is charged for */
	bool stopping;
	void (*gone)(struct gw_shared *s); /**< a connection was closed */
	void (*idle)(struct gw_shared *s); /**< one has its answer, and could give way */
};

/** struct gw_peer - who is on the other side */
struct gw_peer {
	struct fmp_addr source;
	struct fmp_addr group; /**< source by the policy's IPv6 prefix */
	struct fmp_addr mac; /**< of the SYN; {0}: not known, or source is whom a proxy speaks for */
	uint64_t accepted_ns; /**< CLOCK_BOOTTIME */
	uint16_t source_port, dest_port;
	bool local; /**< a program of this machine */
	bool forwarded; /**< a proxy that tells of its clients by X-Forwarded-For */
};

/** gw_connection_check_loop() - the timer of gw_shared.look, with the struct gw_shared. */
void gw_connection_check_loop(int fd, short what, void *shared);
/** gw_connection_new() - takes the socket over. Return: false (socket closed) without memory. */
bool gw_connection_new(struct gw_shared *s, int fd, const struct gw_peer *peer);

const struct gw_peer *gw_connection_peer(const struct gw_connection *c);
struct gw_connection *gw_connection_next(struct gw_connection *c);
/**
 * gw_connection_evict() - one is closed to make room: without a byte of a request, of the source that has most of
 * those; else one that is idle; else of a source with several requests or answers that take their time. Whoever has many
 * of them is charged.
 *
 * Return: false: all are at work.
 */
bool gw_connection_evict(struct gw_shared *s);
/** gw_connection_is_silent() - no byte of a request there, kept alive or new. */
bool gw_connection_is_silent(const struct gw_connection *c);
/** gw_connection_close() - @reset: with RST. What a worker does over it is still charged. */
void gw_connection_close(struct gw_connection *c, bool reset);

/** gw_connection_discard() - at the end, when there are no workers any more. */
void gw_connection_discard(struct gw_connection *c);

/** gw_connection_charge_peer() - an event of kind "connection" about a peer. */
void gw_connection_charge_peer(struct gw_shared *s, const struct gw_peer *peer, const char *detail);

#endif
