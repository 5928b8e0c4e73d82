/* SPDX-License-Identifier: GPL-2.0 */
/* What supervisor.c (lives of gateways) and channel.c (what they say) share. */
#ifndef FMPD_SUPERVISOR_PRIVATE_H
#define FMPD_SUPERVISOR_PRIVATE_H

#include <sys/queue.h>

#include <fmp/internal/spawn.h>
#include "supervisor.h"

#define GW_STATS (7 + 3 * FMP_STEPS)

struct fmpd_supervisor {
	const struct fmpd_options *options;
	struct fmpd_plane *plane;
	struct event_base *base;
	struct fmpd_supervisor_hooks hooks;
	char program[512];
	int policy_fd; /* the one in force, sealed; -1: none yet */
	int candidate_fd; /* the one that was checked last; -1: none */
	char replay_file[128]; /* what messages came, for one gateway after the other */
	char names_file[128]; /* where backends were, for the same */
	char listen[80]; /* the address that was bound: port 0 became a real one */
	int listen_fd;

	struct event *sigchld, *timer; /* of the next start */
	struct gateway_process *current; /* NULL: none runs */
	LIST_HEAD(, gateway_process) gateways; /* it, and those that finish; the newest first */
	bool stopping;
	uint64_t restarts, workers;
	uint64_t events_refused,
		refused_logged_ms; /* events with a bad value; the log's last line of them */
	unsigned crashes; /* in a row */
	uint64_t ended_stats[GW_STATS]; /* GW_STATS of those that are over, by field less 1 */
	void (*stopped)(void *ctx);
	void *stopped_ctx;
};

/* One gateway process. */
struct gateway_process {
	LIST_ENTRY(gateway_process) list;
	struct fmpd_supervisor *s;
	pid_t pid;
	struct bufferevent *events, *logs;
	const struct fmp_crash_note *crash_note; /* of whose bytes it reads */
	struct event *timer; /* it must have become ready, or have finished, by then */
	bool ready;
	bool replaced; /* another one takes its place, as soon as that one is ready */
	bool stop_sent; /* to finish */
	bool clock_unset; /* so it says */
	bool prefixes_due; /* its prefixes, once it has read what waits for it */
	uint64_t started_ms;
	uint64_t stats[GW_STATS]; /* its GW_STATS */
};

/* supervisor.c */

/** supervisor_ready() - a gateway serves: those before it may finish. */
void supervisor_ready(struct gateway_process *g, uint64_t workers);
void supervisor_kill(struct gateway_process *g);

/* channel.c */

/** supervisor_send_order() - an order that has nothing but its type. */
void supervisor_send_order(struct gateway_process *g, uint16_t type);
/** supervisor_send_shared_prefixes() - the IPv6 prefixes in which each address is a source; when it has read what waits for
 * it, if that is much. */
void supervisor_send_shared_prefixes(struct gateway_process *g);
/** supervisor_open_channel() - take what it says from now on; the descriptors are owned. */
int supervisor_open_channel(struct gateway_process *g, const struct fmp_gateway_process *ends);
/** supervisor_read_rest() - what a dead one had still written. */
void supervisor_read_rest(struct gateway_process *g);

#endif
