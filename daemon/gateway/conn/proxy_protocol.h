/* SPDX-License-Identifier: GPL-2.0 */
/* The PROXY header of a fresh connection, read before anything else is: it stands before TLS. */
#ifndef GW_PROXY_PROTOCOL_H
#define GW_PROXY_PROTOCOL_H

#include <sys/queue.h>

#include "connection.h"
#include <fmp/internal/forwarded.h>

struct gw_proxy_header;
TAILQ_HEAD(gw_proxy_headers, gw_proxy_header);

/**
 * struct gw_proxy_protocol_ops - of the listener
 *
 * @done: the header is there; the socket is the callee's. peer is the client, or the proxy
 * itself where it says so.
 * @refused: why, static text; NULL: it went away before the first byte. The socket is closed.
 */
struct gw_proxy_protocol_ops {
	void (*done)(void *ctx, int fd, const struct gw_peer *peer);
	void (*refused)(void *ctx, const struct gw_peer *peer, const char *why);
};

/** struct gw_proxy_protocol - where they wait */
struct gw_proxy_protocol {
	struct event_base *base;
	const struct gw_proxy_protocol_ops *ops;
	void *ctx;
	uint64_t timeout_ms;
	struct gw_proxy_headers open;
	unsigned n_open;
};

/** gw_proxy_protocol_read() - takes the socket over. Return: false (socket closed) without memory. */
bool gw_proxy_protocol_read(struct gw_proxy_protocol *room, int fd, const struct gw_peer *proxy);
/** gw_proxy_protocol_evict() - one of which not a byte came is closed. Return: false: there is none. */
bool gw_proxy_protocol_evict(struct gw_proxy_protocol *room);
/** gw_proxy_protocol_clear() - closes them all, says nothing. */
void gw_proxy_protocol_clear(struct gw_proxy_protocol *room);

#endif
