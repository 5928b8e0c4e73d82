/* SPDX-License-Identifier: GPL-2.0 */
/* The PROXY header of a fresh connection, read before anything else is: it stands before TLS. */
#ifndef GW_PROXY_PROTOCOL_H
#define GW_PROXY_PROTOCOL_H

#include <sys/queue.h>

#include "connection.h"
#include <fmp/internal/forwarded.h>

struct gw_preface;
TAILQ_HEAD(gw_prefaces, gw_preface);

/**
 * struct gw_preface_ops - of the listener
 *
 * @done: the header is there; the socket is the callee's. peer is the client, or the proxy
 * itself where it says so.
 * @refused: why, static text; NULL: it went away before the first byte. The socket is closed.
 */
struct gw_preface_ops {
	void (*done)(void *ctx, int fd, const struct gw_peer *peer);
	void (*refused)(void *ctx, const struct gw_peer *peer, const char *why);
};

/** struct gw_preface_room - where they wait */
struct gw_preface_room {
	struct event_base *base;
	const struct gw_preface_ops *ops;
	void *ctx;
	uint64_t timeout_ms;
	struct gw_prefaces open;
	unsigned n_open;
};

/** gw_preface_new() - takes the socket over. Return: false (socket closed) without memory. */
bool gw_preface_new(struct gw_preface_room *room, int fd, const struct gw_peer *proxy);
/** gw_preface_give_way() - one of which not a byte came is closed. Return: false: there is none. */
bool gw_preface_give_way(struct gw_preface_room *room);
/** gw_preface_clear() - closes them all, says nothing. */
void gw_preface_clear(struct gw_preface_room *room);

#endif
