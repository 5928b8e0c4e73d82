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
struct gw_line;
struct gw_stream;

/** enum gw_line_end - why a line is of no use any more */
enum gw_line_end {
	GW_LINE_UNREACHED, /**< nobody listens there, or it is not who it should be */
	GW_LINE_BAD, /**< what came is no answer, or not the whole of one */
	GW_LINE_IDLE, /**< closed, or spoken on, while there was no request */
};

/** struct gw_line_ops - each may free the line if not said else; none is called from within a call of below */
struct gw_line_ops {
	/** answered() - @keep: the line can take another request */
	void (*answered)(struct gw_line *l, const struct fmp_http *answer, bool keep);
	/**
	 * room() - the answer is not a short one.
	 * @have: bytes that it takes up now
	 * @most: that it may become
	 *
	 * Return: false: no more of it is read until gw_line_read_on(). Does not free the line.
	 */
	bool (*room)(struct gw_line *l, size_t have, size_t most);
	/** ended() - @why: static text */
	void (*ended)(struct gw_line *l, enum gw_line_end end, const char *why);
};

struct gw_line {
	TAILQ_ENTRY(gw_line) list; /**< the owner's, as the next two */
	void *owner;
	void *call; /**< whose request is on it */
	unsigned address; /**< of the URL's, that it goes to */

	/* private */
	struct event_base *base;
	const struct gw_backend_url *url;
	const struct gw_line_ops *ops;
	int fd; /* while it connects, then -1 */
	struct event *connecting;
	struct gw_stream *stream;
	struct gw_meter meter; /* of TLS */
	bool open; /* requests can be sent */
	bool busy;
	bool roomy; /* room for the answer was asked for, and there is some */
	bool waits; /* there is none yet */
	const void *bytes; /* of a request that waits for the line to be open */
	size_t len;
	struct fmp_http http;
};
TAILQ_HEAD(gw_lines, gw_line);

/** gw_line_new() - begins to connect. Return: NULL if that can't be. */
struct gw_line *gw_line_new(struct event_base *base, const struct gw_backend_url *url,
			    unsigned address, const struct gw_line_ops *ops, void *owner);
void gw_line_free(struct gw_line *l);

/**
 * gw_line_send() - one request, on a line that has none
 * @bytes: all of it, to be kept until answered() or ended()
 */
void gw_line_send(struct gw_line *l, const void *bytes, size_t len);

/** gw_line_read_on() - there is room now for what room() was asked for. */
void gw_line_read_on(struct gw_line *l);
/** gw_line_waits() - for that room. */
bool gw_line_waits(const struct gw_line *l);

/** gw_line_unsent() - it was not open yet: not a byte of the request has left. */
bool gw_line_unsent(const struct gw_line *l);

/** gw_line_rest() - the answer is not needed any more: its memory goes. */
void gw_line_rest(struct gw_line *l);

/** gw_line_is_quiet() - of one that rests: the other side has neither closed it nor said a word. */
bool gw_line_is_quiet(const struct gw_line *l);

#endif
