/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the PROXY header of a new connection, before TLS and HTTP. */
#ifndef GW_PROXY_PROTOCOL_H
#define GW_PROXY_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "peer.h"
#include <fmp/internal/forwarded.h>
#include <fmp/internal/queue.h>

struct event_base;
struct gw_proxy_header;
TAILQ_HEAD(gw_proxy_headers, gw_proxy_header);

/**
 * struct gw_proxy_protocol_ops - callbacks of the listener
 *
 * @done: the header is complete; the socket belongs to the callee. @peer is the client, or the
 * proxy itself if the header says so.
 * @refused: the socket is closed. @why: static text; NULL: the proxy closed before the first byte
 */
struct gw_proxy_protocol_ops {
	void (*done)(void *ctx, int fd, const struct gw_peer *peer);
	void (*refused)(void *ctx, const struct gw_peer *peer, const char *why);
};

/** struct gw_proxy_protocol - connections whose header is being read */
struct gw_proxy_protocol {
	struct event_base *base;
	const struct gw_proxy_protocol_ops *ops;
	void *ctx;
	uint64_t timeout_ms;
	struct gw_proxy_headers open;
	unsigned n_open;
};

/**
 * gw_proxy_protocol_read() - take over the socket. Return: false (socket closed) without memory.
 */
bool gw_proxy_protocol_read(struct gw_proxy_protocol *pp, int fd, const struct gw_peer *proxy);
/** gw_proxy_protocol_evict() - close one connection that has sent nothing. Return: false: none. */
bool gw_proxy_protocol_evict(struct gw_proxy_protocol *pp);
/** gw_proxy_protocol_clear() - close all, without callbacks. */
void gw_proxy_protocol_clear(struct gw_proxy_protocol *pp);

#endif
