/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by supervisor.c (starts, replaces and buries gateway processes) and channel.c (messages from and to them).
 * supervisor.c calls channel.c, which notifies it by struct channel_hooks.
 */
#ifndef FMPD_SUPERVISOR_PRIVATE_H
#define FMPD_SUPERVISOR_PRIVATE_H

#include <fmp/internal/queue.h>
#include <fmp/internal/spawn.h>
#include "supervisor.h"

#define GW_STATS (7 + 3 * FMP_STEPS)

struct gateway_process;

/* struct channel_hooks - what channel.c finds out about a gateway */
struct channel_hooks {
	/* it serves: stop those before it */
	void (*on_ready)(struct gateway_process *g, uint64_t workers);
	/* it sent what does not decode, closed its channel, or does not read: kill it */
	void (*on_broken)(struct gateway_process *g);
};

struct fmpd_supervisor {
	const struct fmpd_options *options;
	struct fmpd_plane *plane;
	struct event_base *base;
	struct fmpd_supervisor_hooks hooks;
	const struct channel_hooks *channel_hooks;
	char program[512];
	int policy_fd; /* sealed copy of the policy in force; -1: none yet */
	int candidate_fd; /* sealed copy of the policy checked last; -1: none */
	char replay_file[128]; /* replay keys, kept for the next gateway */
	char names_file[128]; /* addresses of backends, kept in the same way */
	char listen[80]; /* the address that was bound, with the real port */
	int listen_fd;

	struct event *sigchld, *timer; /* the next start is due */
	struct gateway_process *current; /* NULL: none is running */
	LIST_HEAD(, gateway_process)
	gateways; /* with those that finish their work; the newest first */
	bool stopping;
	uint64_t restarts, workers;
	uint64_t events_refused,
		refused_logged_ms; /* events with a bad value; when they were logged last */
	unsigned crashes; /* in a row */
	uint64_t ended_stats[GW_STATS]; /* sums over gateways that ended, by field number less 1 */
	void (*stopped)(void *ctx);
	void *stopped_ctx;
};

/* One gateway process. */
struct gateway_process {
	LIST_ENTRY(gateway_process) list;
	struct fmpd_supervisor *s;
	pid_t pid;
	struct bufferevent *events, *logs;
	const struct fmp_crash_note
		*crash_note; /* crash attribution page: whose bytes it is reading */
	struct event *timer; /* limit for becoming ready, or for finishing */
	bool ready;
	bool replaced; /* stops when the next gateway is ready */
	bool stop_sent; /* it was sent a stop or a drain */
	bool clock_unset; /* reported by it */
	bool prefixes_due; /* send the shared prefixes when it has read its buffer */
	uint64_t started_ms;
	uint64_t stats[GW_STATS]; /* as it reported last */
};

/* channel.c */

/** supervisor_send_order() - a message without fields. */
void supervisor_send_order(struct gateway_process *g, uint16_t type);
/** supervisor_send_shared_prefixes() - the IPv6 prefixes in which each address is a source of its own. If its buffer is
 * long, later, when the gateway has read it. */
void supervisor_send_shared_prefixes(struct gateway_process *g);
/** supervisor_open_channel() - read its messages and its log from now on; owns the descriptors. */
int supervisor_open_channel(struct gateway_process *g, const struct fmp_gateway_process *ends);
/** supervisor_read_rest() - handle messages that a dead gateway left. */
void supervisor_read_rest(struct gateway_process *g);

#endif
