/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reassembles the client side of TCP connections to one port from captured segments.
 *
 * Pure: no clock, no file, and memory bounded by TCP_CONNECTIONS_MAX and TCP_AHEAD_*. Only the handshake of the
 * server's side is followed. A connection is proven once its handshake completes: the server's SYN-ACK answers
 * the SYN, and the client acknowledges the server's sequence number, which an off-path sender cannot guess.
 */
#ifndef FMPCTL_TCP_REASSEMBLY_H
#define FMPCTL_TCP_REASSEMBLY_H

#include "packet.h"

/** Connections at once; a new one evicts the one that was silent for longest. */
#define TCP_CONNECTIONS_MAX 4096u
/** Bytes received ahead of a gap: of one connection, and of all. */
#define TCP_AHEAD_MAX	    (256u << 10)
#define TCP_AHEAD_ALL_MAX   (64u << 20)

struct tcp_reassembly;

/** struct tcp_stream - the public part of a connection */
struct tcp_stream {
	struct fmp_addr client, server;
	struct fmp_addr mac; /**< of the SYN's sender: the client or its router; {0}: unknown */
	uint16_t client_port;
	bool proven;
	void *user; /**< for the callbacks */
};

/** struct tcp_reassembly_ops - @bytes: called with bytes in order, without gaps; tcp_reassembly_add_segment() returns
 * its result if that is not 0. @closed: the last call; free user. */
struct tcp_reassembly_ops {
	int (*bytes)(struct tcp_stream *s, const uint8_t *p, size_t n, void *ctx);
	void (*closed)(struct tcp_stream *s, void *ctx);
};

/** struct tcp_reassembly_counters - connections, and those that could not be followed */
struct tcp_reassembly_counters {
	uint64_t connections; /**< with their SYN captured */
	uint64_t without_start; /**< data segments of connections without a captured SYN */
	uint64_t gaps; /**< connections that ended with data after a gap */
	uint64_t given_up; /**< connections evicted for want of room */
};

/** tcp_reassembly_new() - @port: of the server. Return: NULL without memory. */
struct tcp_reassembly *tcp_reassembly_new(uint16_t port, const struct tcp_reassembly_ops *ops,
					  void *ctx);
/** tcp_reassembly_close() - close all connections: the capture has ended. */
void tcp_reassembly_close(struct tcp_reassembly *t);
/** tcp_reassembly_free() - close all connections and free. */
void tcp_reassembly_free(struct tcp_reassembly *t);
/** tcp_reassembly_add_segment() - take the next segment. Return: 0, FMP_ERR_NOMEM, the result of bytes(). */
FMP_MUST_CHECK int tcp_reassembly_add_segment(struct tcp_reassembly *t, const struct packet *p);
/** tcp_reassembly_evict_oldest() - close the connection that was silent for longest. Return: false: none is open. */
bool tcp_reassembly_evict_oldest(struct tcp_reassembly *t);
const struct tcp_reassembly_counters *tcp_reassembly_counters(const struct tcp_reassembly *t);

#endif
