/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One connection to a service: a request goes out, its answer is read; kept between requests
 * if both sides like. What follows from that backend.c decides.
 */
#ifndef GW_BACKEND_CONN_H
#define GW_BACKEND_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "backend_url.h"
#include <fmp/internal/http.h>
#include "../common/tls_meter.h"

struct event;
struct event_base;
struct gw_backend_conn;
struct gw_stream;

/** enum gw_backend_conn_end - why a line is of no use any more */
enum gw_backend_conn_end {
	GW_BACKEND_CONN_UNREACHABLE, /**< nobody listens there, or it is not who it should be */
	GW_BACKEND_CONN_BAD_RESPONSE, /**< what came is no answer, or not the whole of one */
	GW_BACKEND_CONN_IDLE_CLOSED, /**< closed, or spoken on, while there was no request */
};

/** struct gw_backend_conn_ops - each may free the line if not said else; none is called from within a call of below */
struct gw_backend_conn_ops {
	/** answered() - @keep: the line can take another request */
	void (*answered)(struct gw_backend_conn *l, const struct fmp_http *answer, bool keep);
	/**
	 * room() - the answer is not a short one.
	 * @have: bytes that it takes up now
	 * @most: that it may become
	 *
	 * Return: false: no more of it is read until gw_backend_conn_resume(). Does not free the line.
	 */
	bool (*room)(struct gw_backend_conn *l, size_t have, size_t most);
	/** ended() - @why: static text */
	void (*ended)(struct gw_backend_conn *l, enum gw_backend_conn_end end, const char *why);
};

struct gw_backend_conn {
	TAILQ_ENTRY(gw_backend_conn) list; /**< the owner's, as the next two */
	void *owner;
	void *call; /**< whose request is on it */
	unsigned address; /**< of the URL's, that it goes to */

	/* private */
	struct event_base *base;
	const struct gw_backend_url *url;
	const struct gw_backend_conn_ops *ops;
	int fd; /* while it connects, then -1 */
	struct event *connecting;
	struct gw_stream *stream;
	struct gw_tls_meter meter; /* of TLS */
	bool open; /* requests can be sent */
	bool busy;
	bool roomy; /* room for the answer was asked for, and there is some */
	bool waits; /* there is none yet */
	const void *bytes; /* of a request that waits for the line to be open */
	size_t len;
	struct fmp_http http;
};
TAILQ_HEAD(gw_backend_conns, gw_backend_conn);

/** gw_backend_conn_new() - begins to connect. Return: NULL if that can't be. */
struct gw_backend_conn *gw_backend_conn_new(struct event_base *base,
					    const struct gw_backend_url *url, unsigned address,
					    const struct gw_backend_conn_ops *ops, void *owner);
void gw_backend_conn_free(struct gw_backend_conn *l);

/**
 * gw_backend_conn_send() - one request, on a line that has none
 * @bytes: all of it, to be kept until answered() or ended()
 */
void gw_backend_conn_send(struct gw_backend_conn *l, const void *bytes, size_t len);

/** gw_backend_conn_resume() - there is room now for what room() was asked for. */
void gw_backend_conn_resume(struct gw_backend_conn *l);
/** gw_backend_conn_is_paused() - for that room. */
bool gw_backend_conn_is_paused(const struct gw_backend_conn *l);

/** gw_backend_conn_is_unsent() - it was not open yet: not a byte of the request has left. */
bool gw_backend_conn_is_unsent(const struct gw_backend_conn *l);

/** gw_backend_conn_release_body() - the answer is not needed any more: its memory goes. */
void gw_backend_conn_release_body(struct gw_backend_conn *l);

/** gw_backend_conn_is_usable() - of one that rests: the other side has neither closed it nor said a word. */
bool gw_backend_conn_is_usable(const struct gw_backend_conn *l);

#endif
