/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The gateway's keeper: binds the listening socket once, starts fmp-gateway with
 * it, takes its events, and starts it again when it dies. A gateway whose messages do not decode is
 * killed; fmpd goes on. An event that decodes, with a value that no event may have, is counted and dropped:
 * a client's bytes may have shaped it.
 */
#ifndef FMPD_SUPERVISOR_H
#define FMPD_SUPERVISOR_H

#include <event2/event.h>

#include <fmp/error.h>
#include <fmp/inspect.h>
#include <fmp/source.h>

#include "../common/options.h"
#include "../plane/plane.h"

struct fmpd_supervisor;

struct fmpd_gateway_status {
	bool running, ready;
	bool clock_unset; /**< messages of its future are refused, and nobody is charged */
	const char *listen; /**< the address that was bound */
	uint64_t pid, restarts, workers, up_since_ms;
	uint64_t accepted, rejected, connections, lost; /**< of all gateways since the start */
	uint64_t events_refused; /**< that had a value which no event may have */
	uint64_t unjudged_time, unjudged_lists,
		unjudged_tries; /**< refused for want of these, and nobody is charged */
	uint64_t step_messages[FMP_STEPS]; /**< that it ran for; of FMP_STEP_DONE: accepted */
	uint64_t step_rejected[FMP_STEPS]; /**< of these, that ended there */
	uint64_t step_cpu_ns[FMP_STEPS]; /**< that it took */
};

/** struct fmpd_supervisor_hooks - who wants to know; may be NULL. */
struct fmpd_supervisor_hooks {
	void *ctx;
	void (*on_gateway)(void *ctx, const struct fmpd_gateway_status *st, const char *what);
};

/**
 * fmpd_supervisor_new() - binds and listens; needs the right to bind
 * @control: path of the control socket: what gateways leave to each other stands beside it
 */
FMP_MUST_CHECK int fmpd_supervisor_new(const struct fmpd_options *o, const char *control,
				       struct fmpd_supervisor **out, struct fmp_error *err);
/** fmpd_supervisor_run() - starts the gateway with a copy of the policy. */
FMP_MUST_CHECK int fmpd_supervisor_run(struct fmpd_supervisor *s, struct event_base *base,
				       struct fmpd_plane *plane, const struct fmp_policy *policy,
				       const struct fmpd_supervisor_hooks *hooks,
				       struct fmp_error *err);
/** fmpd_supervisor_free() - kills a gateway that still runs. */
void fmpd_supervisor_free(struct fmpd_supervisor *s);

/** fmpd_supervisor_block() - the gateway closes the source's connections, and takes nothing of it from
 * proxies. @left_ms: of the block, 0: without end; @port: that alone is blocked, 0: all */
void fmpd_supervisor_block(struct fmpd_supervisor *s, const struct fmp_addr *source,
			   uint64_t left_ms, uint16_t port);
void fmpd_supervisor_unblock(struct fmpd_supervisor *s, const struct fmp_addr *source);
/** fmpd_supervisor_send_block() - of what is blocked already, the newest gateway alone; then _told(): that
 * was all, where there are proxies it takes nobody before. */
void fmpd_supervisor_send_block(struct fmpd_supervisor *s, const struct fmp_addr *source,
				uint64_t left_ms, uint16_t port);
void fmpd_supervisor_send_blocks_end(struct fmpd_supervisor *s);
/** fmpd_supervisor_send_shared_prefixes() - the protected set is another: gateways are told in which IPv6 prefixes each
 * address is a source. */
void fmpd_supervisor_send_shared_prefixes(struct fmpd_supervisor *s);
/**
 * fmpd_supervisor_check() - would a gateway start with this policy: schemas, keys, backends?
 *
 * A program of its own reads them; waits for it, a few seconds at most. Return: 0, or a code
 * with the file and line in err.
 */
FMP_MUST_CHECK int fmpd_supervisor_check(struct fmpd_supervisor *s, const struct fmp_policy *policy,
					 struct fmp_error *err);
/**
 * fmpd_supervisor_reopen() - a new gateway takes over with the policy in force, and with its log opened anew
 *
 * Return: 0, or why none could start; the old one goes on then.
 */
FMP_MUST_CHECK int fmpd_supervisor_reopen(struct fmpd_supervisor *s, struct fmp_error *err);
/** fmpd_supervisor_policy() - the one that was checked last is in force: a new gateway takes over as soon as it is ready, the
 * old one takes no more connections and finishes those that it has. */
void fmpd_supervisor_policy(struct fmpd_supervisor *s);
/** fmpd_supervisor_stop() - let it finish, at most a few seconds; then done() is called. */
void fmpd_supervisor_stop(struct fmpd_supervisor *s, void (*done)(void *ctx), void *ctx);
void fmpd_supervisor_status(const struct fmpd_supervisor *s, struct fmpd_gateway_status *st);

#endif
