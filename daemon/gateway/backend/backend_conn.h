/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One connection to a service: sends a request, reads its reply, and stays open between requests if
 * both sides agree. backend.c decides what follows.
 */
#ifndef GW_BACKEND_CONN_H
#define GW_BACKEND_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "backend_url.h"
#include <fmp/internal/http.h>
#include <fmp/internal/queue.h>
#include "../common/tls_meter.h"

struct event;
struct event_base;
struct gw_backend_conn;
struct gw_stream;

/** enum gw_backend_conn_end - why a connection can't be used any more */
enum gw_backend_conn_end {
	GW_BACKEND_CONN_UNREACHABLE, /**< not reachable, or the certificate is not valid */
	GW_BACKEND_CONN_BAD_RESPONSE, /**< invalid or incomplete reply */
	GW_BACKEND_CONN_IDLE_CLOSED, /**< closed, or bytes arrived, without a request */
};

/**
 * struct gw_backend_conn_ops - each may free the connection unless it says otherwise; none is
 * called from within a function below
 */
struct gw_backend_conn_ops {
	/** reply() - @keep: the connection can take another request */
	void (*reply)(struct gw_backend_conn *conn, const struct fmp_http *reply, bool keep);
	/**
	 * reserve() - a long reply has to be buffered
	 * @have: bytes buffered now
	 * @max: upper bound of its length
	 *
	 * Return: false: stop reading until gw_backend_conn_resume(). Does not free the connection.
	 */
	bool (*reserve)(struct gw_backend_conn *conn, size_t have, size_t max);
	/**
	 * stream() - the header of a reply with a body was read
	 *
	 * Return: true: pass the body to data() as it comes, however long it is. Does not free the
	 * connection.
	 */
	bool (*stream)(struct gw_backend_conn *conn, const struct fmp_http *reply);
	/** data() - the next bytes of the body. Does not free the connection. */
	void (*data)(struct gw_backend_conn *conn, const void *bytes, size_t len);
	/** drained() - what was sent of a request in pieces is with the kernel. */
	void (*drained)(struct gw_backend_conn *conn);
	/** ended() - @why: static text */
	void (*ended)(struct gw_backend_conn *conn, enum gw_backend_conn_end end, const char *why);
};

struct gw_backend_conn {
	TAILQ_ENTRY(gw_backend_conn) list; /**< the owner's, like the next two */
	void *owner;
	void *call; /**< that it has a request of */
	unsigned address; /**< index in the URL's addresses */

	/* private */
	struct event_base *base;
	const struct gw_backend_url *url;
	const struct gw_backend_conn_ops *ops;
	int fd; /* while connecting, then -1 */
	struct event *connecting;
	struct gw_stream *stream;
	struct gw_tls_meter meter; /* of TLS */
	bool open; /* requests can be sent */
	bool busy;
	bool reserved; /* room for the reply is reserved */
	bool paused; /* it waits for that room, or for a reader of its stream */
	bool asked, streaming; /* stream() was asked; its answer */
	bool feeding; /* more of the request is to come */
	const void *bytes; /* of a request that waits for the connection */
	size_t len;
	struct fmp_http http;
};
TAILQ_HEAD(gw_backend_conns, gw_backend_conn);

/** gw_backend_conn_new() - start connecting. Return: NULL if that fails at once. */
struct gw_backend_conn *gw_backend_conn_new(struct event_base *base,
					    const struct gw_backend_url *url, unsigned address,
					    const struct fmp_http_limits *limits,
					    const struct gw_backend_conn_ops *ops, void *owner);
void gw_backend_conn_free(struct gw_backend_conn *conn);

/**
 * gw_backend_conn_send() - send a request on a connection without one
 * @bytes: the request; must stay valid until reply() or ended()
 * @more: its beginning alone
 */
void gw_backend_conn_send(struct gw_backend_conn *conn, const void *bytes, size_t len, bool more);
/** gw_backend_conn_is_ready() - the beginning was sent: the rest may follow. */
bool gw_backend_conn_is_ready(const struct gw_backend_conn *conn);
/** gw_backend_conn_feed() - send more of the request. */
void gw_backend_conn_feed(struct gw_backend_conn *conn, struct iovec *part, size_t n);
/** gw_backend_conn_fed() - the request is complete. */
void gw_backend_conn_fed(struct gw_backend_conn *conn);
/** gw_backend_conn_unsent() - bytes of the request that wait to be sent */
size_t gw_backend_conn_unsent(const struct gw_backend_conn *conn);

/** gw_backend_conn_pause() - stop reading a streamed reply. */
void gw_backend_conn_pause(struct gw_backend_conn *conn);
/** gw_backend_conn_resume() - the room that reserve() asked for is there, or the reader. */
void gw_backend_conn_resume(struct gw_backend_conn *conn);
/** gw_backend_conn_is_paused() - it waits for that room. */
bool gw_backend_conn_is_paused(const struct gw_backend_conn *conn);

/**
 * gw_backend_conn_is_unsent() - the connection was not open yet: no byte of the request was sent.
 */
bool gw_backend_conn_is_unsent(const struct gw_backend_conn *conn);

/** gw_backend_conn_release_body() - free the memory of a reply that is not needed any more. */
void gw_backend_conn_release_body(struct gw_backend_conn *conn);

/** gw_backend_conn_is_usable() - an idle connection is still open, and no byte came. */
bool gw_backend_conn_is_usable(const struct gw_backend_conn *conn);

#endif
