/* SPDX-License-Identifier: GPL-2.0 */
/* Client connections: connect, send a request, read the response, report the outcome. Never blocks. */
#ifndef FLOOD_CONN_H
#define FLOOD_CONN_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include <fmp/internal/queue.h>

#include "response.h"
#include "message.h"
#include "source.h"
#include "stats.h"
#include "target.h"

enum flood_conn_state {
	FLOOD_CONN_FREE = 0,
	FLOOD_CONN_CONNECTING,
	FLOOD_CONN_SENDING, /* also reads: a refusal may come before the end of a large body */
	FLOOD_CONN_READING,
	FLOOD_CONN_IDLE, /* kept alive, without a request */
	FLOOD_CONN_CLOSING, /* response read; waits for the server to close first */
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
	bool probe; /* started while its source was blocked */
	uint64_t began_ns; /* CLOCK_BOOTTIME */
	uint64_t sent_ns; /* first byte of the request sent; 0: not yet */
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
	/* Fill kind and msg just before sending. Return: 0, or an FMP_ERR_ code. */
	int (*fill)(struct flood_conn *c, void *ctx);
	/* A request ended. */
	void (*done)(struct flood_conn *c, enum flood_outcome o, void *ctx);
	void *ctx;
	/* kept by conn.c */
	struct flood_conn_list free, idle, active;
	uint32_t requests; /* in progress, without probes */
	uint32_t probes; /* in progress */
	uint32_t open; /* connections, idle ones included */
};

void flood_conns_init(struct flood_conns *set);
/* Closes all, without calling done(). */
void flood_conns_exit(struct flood_conns *set);

/*
 * Starts a request from a source over a new connection; with keepalive over an idle connection, whose own source then
 * counts. Return: false without memory.
 */
bool flood_conn_start(struct flood_conns *set, uint32_t source, bool probe);
/* Is an idle connection available? */
static inline bool flood_conns_idle(const struct flood_conns *set)
{
	return !TAILQ_EMPTY(&set->idle);
}

#endif
