/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What clients said in TCP connections to one port, put together from segments.
 *
 * Pure: no clock, no file, and no more memory than STREAMS_* allow, whatever comes. Only what
 * clients send is put together; of the server's side the handshake counts. A connection is
 * proven once its handshake is seen to be completed: the server's SYN-ACK answers the SYN, and
 * the client acknowledges a number of the server's that no one could guess.
 */
#ifndef FMPCTL_STREAMS_H
#define FMPCTL_STREAMS_H

#include "packet.h"

/** Connections at once; for another one the one that was silent for longest is given up. */
#define STREAMS_MAX	  4096u
/** Bytes of a connection that wait for what was sent before them, and of all connections. */
#define STREAMS_AHEAD	  (256u << 10)
#define STREAMS_AHEAD_ALL (64u << 20)

struct streams;

/** struct stream - a connection as its user sees it */
struct stream {
	struct fmp_addr client, server;
	struct fmp_addr
		mac; /**< of who sent the SYN: the client's, or its router's; {0}: not known */
	uint16_t client_port;
	bool proven;
	void *user; /**< of who takes the bytes */
};

/** struct streams_ops - @bytes: in order, without gaps; non-zero ends streams_segment() with it.
 * @closed: nothing more comes; user is to be freed. */
struct streams_ops {
	int (*bytes)(struct stream *s, const uint8_t *p, size_t n, void *ctx);
	void (*closed)(struct stream *s, void *ctx);
};

/** struct streams_counters - what could not be followed */
struct streams_counters {
	uint64_t connections; /**< whose start was seen */
	uint64_t headless; /**< segments with data of connections whose start was not seen */
	uint64_t gaps; /**< connections that ended with data behind a gap */
	uint64_t given_up; /**< connections for which there was no room */
};

/** streams_new() - @port: the server's. Return: NULL without memory. */
struct streams *streams_new(uint16_t port, const struct streams_ops *ops, void *ctx);
/** streams_close() - closes what is open: nothing more comes. */
void streams_close(struct streams *t);
/** streams_free() - and closes. */
void streams_free(struct streams *t);
/** streams_segment() - the next one of the capture. Return: 0, FMP_ERR_NOMEM, what bytes() returned. */
FMP_MUST_CHECK int streams_segment(struct streams *t, const struct packet *p);
/** streams_give_up() - the connection that was silent for longest. Return: false if there is none. */
bool streams_give_up(struct streams *t);
const struct streams_counters *streams_counters(const struct streams *t);

#endif
