/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Supervises the gateway: binds the listening socket once, starts fmp-gateway with it, handles its events, and starts
 * it again when it dies. A gateway whose messages do not decode is killed; fmpd goes on. An event that decodes, but has
 * an invalid value, is counted and dropped: a client's bytes may have shaped it.
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
	bool clock_unset; /**< it refuses messages with times in the future, and charges no source for them */
	const char *listen; /**< the address that was bound */
	uint64_t pid, restarts, workers, up_since_ms;
	uint64_t accepted, rejected, connections, lost; /**< of all gateways since the start */
	uint64_t events_refused; /**< events with an invalid value */
	uint64_t unjudged_time, unjudged_lists,
		unjudged_tries; /**< messages refused for lack of these; no source is charged */
	uint64_t step_messages
		[FMP_STEPS]; /**< messages that reached the step; FMP_STEP_DONE: accepted */
	uint64_t step_rejected[FMP_STEPS]; /**< of these, refused there */
	uint64_t step_cpu_ns[FMP_STEPS]; /**< CPU time of the step */
};

/** struct fmpd_supervisor_hooks - notifications; may be NULL. */
struct fmpd_supervisor_hooks {
	void *ctx;
	void (*on_gateway)(void *ctx, const struct fmpd_gateway_status *st, const char *what);
};

/**
 * fmpd_supervisor_new() - bind and listen; needs the right to bind
 * @control: path of the control socket; files that gateways leave for the next one are beside it
 */
FMP_MUST_CHECK int fmpd_supervisor_new(const struct fmpd_options *o, const char *control,
				       struct fmpd_supervisor **out, struct fmp_error *err);
/** fmpd_supervisor_run() - start the gateway with a copy of the policy. */
FMP_MUST_CHECK int fmpd_supervisor_run(struct fmpd_supervisor *s, struct event_base *base,
				       struct fmpd_plane *plane, const struct fmp_policy *policy,
				       const struct fmpd_supervisor_hooks *hooks,
				       struct fmp_error *err);
/** fmpd_supervisor_free() - kill gateways that still run. */
void fmpd_supervisor_free(struct fmpd_supervisor *s);

/** fmpd_supervisor_block() - gateways close the source's connections, and refuse what proxies forward for it.
 * @left_ms: time left of the block, 0: without end; @port: only this port is blocked, 0: all */
void fmpd_supervisor_block(struct fmpd_supervisor *s, const struct fmp_addr *source,
			   uint64_t left_ms, uint16_t port);
void fmpd_supervisor_unblock(struct fmpd_supervisor *s, const struct fmp_addr *source);
/** fmpd_supervisor_send_block() / _blocks_end() - blocks already in force, to the newest gateway only; then that these
 * were all. Where there are proxies it serves no client before. */
void fmpd_supervisor_send_block(struct fmpd_supervisor *s, const struct fmp_addr *source,
				uint64_t left_ms, uint16_t port);
void fmpd_supervisor_send_blocks_end(struct fmpd_supervisor *s);
/** fmpd_supervisor_send_shared_prefixes() - the protected set changed: send gateways the IPv6 prefixes in which each
 * address is a source of its own. */
void fmpd_supervisor_send_shared_prefixes(struct fmpd_supervisor *s);
/**
 * fmpd_supervisor_check() - would a gateway start with this policy, its schemas, keys and backends?
 *
 * Runs a gateway that only checks, and waits for it a few seconds at most. Return: 0, or a code with file and
 * line in err.
 */
FMP_MUST_CHECK int fmpd_supervisor_check(struct fmpd_supervisor *s, const struct fmp_policy *policy,
					 struct fmp_error *err);
/**
 * fmpd_supervisor_reopen() - a new gateway takes over with the policy in force, and opens its log anew
 *
 * Return: 0; or why none could start, and the old one goes on.
 */
FMP_MUST_CHECK int fmpd_supervisor_reopen(struct fmpd_supervisor *s, struct fmp_error *err);
/** fmpd_supervisor_policy() - the policy checked last is in force: a new gateway takes over when it is ready. The old one
 * then accepts no more connections, and finishes those that it has. */
void fmpd_supervisor_policy(struct fmpd_supervisor *s);
/** fmpd_supervisor_stop() - let gateways finish, a few seconds at most, then call @done. */
void fmpd_supervisor_stop(struct fmpd_supervisor *s, void (*done)(void *ctx), void *ctx);
void fmpd_supervisor_status(const struct fmpd_supervisor *s, struct fmpd_gateway_status *st);

#endif
