/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a connected socket, both ways, in the event loop, with as few system calls
 * as they need: what is sent goes out at once, and only what does not fit waits for an
 * event; one read takes what is there; and reading stays registered while nobody reads,
 * until something comes all the same. TLS is a bufferevent behind the same calls.
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

#define GW_STREAM_READ 65408 /**< bytes taken from the socket before they are looked at */

/** struct gw_stream_ops - each may free the stream; none is called from within a call of below */
struct gw_stream_ops {
	void (*read)(void *ctx); /**< there is more in the input */
	void (*written)(void *ctx); /**< what could not be sent at once is out; NULL */
	void (*connected)(void *ctx); /**< the handshake of TLS is done; NULL */
	/** ended() - no more comes, or nothing more can be sent. @cleanly: the other side has closed */
	void (*ended)(void *ctx, bool cleanly);
};

/**
 * gw_stream_new() - reads from now on
 * @fd: connected and not blocking; the stream's then, whatever is returned
 * @tls: a bufferevent that owns @fd, the stream's then; NULL: without TLS
 *
 * Return: NULL without memory.
 */
struct gw_stream *gw_stream_new(struct event_base *base, int fd, struct bufferevent *tls,
				const struct gw_stream_ops *ops, void *ctx);
/** gw_stream_free() - closes the socket; @s may be NULL. */
void gw_stream_free(struct gw_stream *s);

/** gw_stream_input() - what came and was not yet taken from it */
struct evbuffer *gw_stream_input(struct gw_stream *s);

/** gw_stream_pause() - no read() until gw_stream_resume(), nor is ended() called for the end
 * of what comes. What is in the input remains. */
void gw_stream_pause(struct gw_stream *s);
void gw_stream_resume(struct gw_stream *s);

/**
 * gw_stream_send() - all parts, behind what still waits
 * @part: is used up
 *
 * Return: true if all is out; else written() is called when it is, or ended().
 */
bool gw_stream_send(struct gw_stream *s, struct iovec *part, size_t n);
/** gw_stream_unsent() - bytes that are not out yet */
size_t gw_stream_unsent(struct gw_stream *s);

/** gw_stream_acknowledged() - bytes that the other side has acknowledged since it connected; 0: not known. */
uint64_t gw_stream_acknowledged(const struct gw_stream *s);
int gw_stream_fd(const struct gw_stream *s);
/** gw_stream_tls() - Return: NULL without TLS. */
struct bufferevent *gw_stream_tls(struct gw_stream *s);

#endif
