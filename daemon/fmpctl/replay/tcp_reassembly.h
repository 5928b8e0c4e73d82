/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What clients said in TCP connections to one port, put together from segments.
 *
 * Pure: no clock, no file, and no more memory than STREAMS_* allow, whatever comes. Only what
 * clients send is put together; of the server's side the handshake counts. A connection is
 * proven once its handshake is seen to be completed: the server's SYN-ACK answers the SYN, and
 * the client acknowledges a number of the server's that no one could guess.
 */
#ifndef FMPCTL_TCP_REASSEMBLY_H
#define FMPCTL_TCP_REASSEMBLY_H

#include "packet.h"

/** Connections at once; for another one the one that was silent for longest is given up. */
#define TCP_CONNECTIONS_MAX 4096u
/** Bytes of a connection that wait for what was sent before them, and of all connections. */
#define TCP_AHEAD_MAX	    (256u << 10)
#define TCP_AHEAD_ALL_MAX   (64u << 20)

struct tcp_reassembly;

/** struct tcp_stream - a connection as its user sees it */
struct tcp_stream {
	struct fmp_addr client, server;
	struct fmp_addr
		mac; /**< of who sent the SYN: the client's, or its router's; {0}: not known */
	uint16_t client_port;
	bool proven;
	void *user; /**< of who takes the bytes */
};

/** struct tcp_reassembly_ops - @bytes: in order, without gaps; non-zero ends tcp_reassembly_add_segment() with it.
 * @closed: nothing more comes; user is to be freed. */
struct tcp_reassembly_ops {
	int (*bytes)(struct tcp_stream *s, const uint8_t *p, size_t n, void *ctx);
	void (*closed)(struct tcp_stream *s, void *ctx);
};

/** struct tcp_reassembly_counters - what could not be followed */
struct tcp_reassembly_counters {
	uint64_t connections; /**< whose start was seen */
	uint64_t without_start; /**< segments with data of connections whose start was not seen */
	uint64_t gaps; /**< connections that ended with data behind a gap */
	uint64_t given_up; /**< connections for which there was no room */
};

/** tcp_reassembly_new() - @port: the server's. Return: NULL without memory. */
struct tcp_reassembly *tcp_reassembly_new(uint16_t port, const struct tcp_reassembly_ops *ops,
					  void *ctx);
/** tcp_reassembly_close() - closes what is open: nothing more comes. */
void tcp_reassembly_close(struct tcp_reassembly *t);
/** tcp_reassembly_free() - and closes. */
void tcp_reassembly_free(struct tcp_reassembly *t);
/** tcp_reassembly_add_segment() - the next one of the capture. Return: 0, FMP_ERR_NOMEM, what bytes() returned. */
FMP_MUST_CHECK int tcp_reassembly_add_segment(struct tcp_reassembly *t, const struct packet *p);
/** tcp_reassembly_evict_oldest() - the connection that was silent for longest. Return: false if there is none. */
bool tcp_reassembly_evict_oldest(struct tcp_reassembly *t);
const struct tcp_reassembly_counters *tcp_reassembly_counters(const struct tcp_reassembly *t);

#endif
