/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A connected socket in the event loop, with as few system calls as possible: data is sent at once,
 * only the rest waits for an event; one read takes all that is there; reading stays registered
 * while paused until data arrives. TLS is a bufferevent behind the same interface.
 */
#ifndef GW_STREAM_H
#define GW_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct bufferevent;
struct evbuffer;
struct event_base;
struct gw_stream;

#define GW_STREAM_READ 65408 /**< bytes read from the socket before the callback runs */

/** struct gw_stream_ops - each may free the stream; none is called from within a function below */
struct gw_stream_ops {
	void (*read)(void *ctx); /**< new bytes are in the input */
	void (*written)(void *ctx); /**< all data that had to wait is sent; NULL */
	void (*connected)(void *ctx); /**< the TLS handshake is done; NULL */
	/** ended() - nothing more can be received or sent. @cleanly: the peer closed */
	void (*ended)(void *ctx, bool cleanly);
};

/**
 * gw_stream_new() - start reading
 * @fd: connected, non-blocking; belongs to the stream, even on failure
 * @tls: a bufferevent that owns @fd; belongs to the stream; NULL: without TLS
 *
 * Return: NULL without memory.
 */
struct gw_stream *gw_stream_new(struct event_base *base, int fd, struct bufferevent *tls,
				const struct gw_stream_ops *ops, void *ctx);
/** gw_stream_free() - close the socket; @s may be NULL. */
void gw_stream_free(struct gw_stream *s);

/** gw_stream_input() - received bytes; the caller drains what it consumes */
struct evbuffer *gw_stream_input(struct gw_stream *s);

/**
 * gw_stream_pause() - no read() until gw_stream_resume(), and no ended() for the end of the input.
 * Bytes in the input remain.
 */
void gw_stream_pause(struct gw_stream *s);
void gw_stream_resume(struct gw_stream *s);

/**
 * gw_stream_send() - send all parts behind what is still unsent
 * @part: is modified
 *
 * Return: true if everything is sent; otherwise written() or ended() follows.
 */
bool gw_stream_send(struct gw_stream *s, struct iovec *part, size_t n);
/** gw_stream_unsent() - bytes that wait to be sent */
size_t gw_stream_unsent(struct gw_stream *s);

/** gw_stream_acknowledged() - bytes that the peer acknowledged since it connected; 0: unknown. */
uint64_t gw_stream_acknowledged(const struct gw_stream *s);
int gw_stream_fd(const struct gw_stream *s);
/** gw_stream_tls() - Return: NULL without TLS. */
struct bufferevent *gw_stream_tls(struct gw_stream *s);

#endif
