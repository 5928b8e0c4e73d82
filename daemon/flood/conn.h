/* SPDX-License-Identifier: GPL-2.0 */
/* One connection: connect, send, read the answer, say how it ended. Never blocks. */
#ifndef FLOOD_CONN_H
#define FLOOD_CONN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "response.h"
#include "message.h"
#include "source.h"
#include "stats.h"
#include "target.h"

enum flood_conn_state {
	FLOOD_CONN_FREE = 0,
	FLOOD_CONN_CONNECTING,
	FLOOD_CONN_SENDING, /* and reading: a refusal may come before the end of a large body */
	FLOOD_CONN_READING,
	FLOOD_CONN_IDLE, /* kept alive, no request under way */
	FLOOD_CONN_CLOSING, /* answered; waits for the server to close first */
};

struct flood_conns;

struct flood_conn {
	TAILQ_ENTRY(flood_conn) link; /* in the list of its state */
	struct flood_conns *set;
	struct event ev;
	int fd;
	enum flood_conn_state state;
	enum flood_kind kind;
	uint32_t source;
	bool probe; /* begun while its source was blocked */
	uint64_t began_ns; /* CLOCK_BOOTTIME */
	uint64_t sent_ns; /* when the first byte of the request went out, 0: not yet */
	size_t at; /* bytes of the request sent */
	struct flood_message msg;
	struct flood_response response;
};

TAILQ_HEAD(flood_conn_list, flood_conn);

struct flood_conns {
	/* set by the owner */
	struct event_base *base;
	const struct flood_target *target;
	struct flood_sources *sources;
	struct flood_stats *stats;
	bool keepalive;
	const struct timeval *connect_tv, *response_tv, *close_tv; /* libevent's common timeouts */
	/* Fills kind and msg just before sending. Return: 0, or an FMP_ERR_ code. */
	int (*fill)(struct flood_conn *c, void *ctx);
	/* A request ended. */
	void (*done)(struct flood_conn *c, enum flood_outcome o, void *ctx);
	void *ctx;
	/* kept by conn.c */
	struct flood_conn_list free, idle, active;
	uint32_t requests; /* under way, without probes */
	uint32_t probes; /* under way */
	uint32_t open; /* connections, idle ones included */
};

void flood_conns_init(struct flood_conns *set);
/* Closes all without a word. */
void flood_conns_exit(struct flood_conns *set);

/*
 * Begins a request from a source: over a new connection, or over an idle one
 * if keepalive is set (its own source then counts). Return: false without memory.
 */
bool flood_conn_start(struct flood_conns *set, uint32_t source, bool probe);
/* Is there one kept alive that waits for work? */
static inline bool flood_conns_idle(const struct flood_conns *set)
{
	return !TAILQ_EMPTY(&set->idle);
}

#endif
