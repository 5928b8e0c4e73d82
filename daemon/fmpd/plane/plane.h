/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The management plane: an event goes to the engine; a decision of the engine is checked against the protected
 * set, gets its MAC, and is applied to all layers at once; their results are kept. The plane knows neither the
 * control socket nor the gateway: they call it, and hooks notify them.
 */
#ifndef FMPD_PLANE_H
#define FMPD_PLANE_H

#include <event2/event.h>

#include <fmp/enforce.h>
#include <fmp/event.h>
#include <fmp/policy.h>
#include <fmp/suspicion.h>

#include "../table/decision_table.h"
#include "../common/options.h"

struct fmpd_plane;

/** struct fmpd_hooks - notifications; each may be NULL. */
struct fmpd_hooks {
	void *ctx;
	void (*on_event)(void *ctx, const struct fmp_event *ev);
	/** a block or unblock, with the layers' results */
	void (*on_decision)(void *ctx, const struct fmpd_record *r);
	/** a layer blocks a source, an IP address or prefix, or no longer does */
	void (*on_blocked)(void *ctx, const struct fmpd_record *r, bool blocked);
	/** may this policy be put in force? Return: 0, or a code with the reason. */
	int (*on_candidate)(void *ctx, const struct fmp_policy *policy, struct fmp_error *err);
	/** another policy is in force */
	void (*on_policy)(void *ctx, const struct fmp_policy *policy);
	/** the fmpd_plane_verify() of this number is done, and so are those before it. @rc: 0, or why it
	 * failed */
	void (*on_verified)(void *ctx, uint64_t number, int rc, const struct fmp_error *err);
	/** the fmpd_plane_unblock_all() of this number is done. @ended: blocks that it ended */
	void (*on_unblocked)(void *ctx, uint64_t number, uint64_t ended);
	/** a layer was added: it may hold blocks that none did */
	void (*on_layers_added)(void *ctx);
	/** the protected set changed */
	void (*on_protected)(void *ctx);
	/** all that was in force before is known, or the rest of it is not available for now */
	void (*on_restored)(void *ctx);
};

/**
 * fmpd_plane_new() - load the policy, probe the layers, open the state file
 *
 * Needs the rights; starts no timer and talks to nobody. fmpd_plane_run() then takes over what was in force
 * before, in small steps.
 */
FMP_MUST_CHECK int fmpd_plane_new(const struct fmpd_options *o, struct fmpd_plane **out,
				  struct fmp_error *err);
/** fmpd_plane_run() - add its descriptors and its timer to the event loop. */
FMP_MUST_CHECK int fmpd_plane_run(struct fmpd_plane *p, struct event_base *base,
				  const struct fmpd_hooks *hooks, struct fmp_error *err);
/** fmpd_plane_free() - the rules in force stay in force. */
void fmpd_plane_free(struct fmpd_plane *p);

/** fmpd_plane_event() - one event; its decision, if any, waits for fmpd_plane_flush(). */
void fmpd_plane_event(struct fmpd_plane *p, const struct fmp_event *ev);
/** fmpd_plane_flush() - apply all queued decisions, in one transaction for each layer. */
void fmpd_plane_flush(struct fmpd_plane *p);

/** fmpd_plane_flush_soon() - the same at the end of this turn of the event loop, together with decisions that
 * follow in it, and before any client is answered. */
void fmpd_plane_flush_soon(struct fmpd_plane *p);

/** struct fmpd_block_request - a block that fmpd did not decide by itself. */
struct fmpd_block_request {
	struct fmp_addr addr;
	unsigned layers; /**< 0: the policy's */
	bool has_duration; /**< else the policy's */
	uint64_t duration_ms; /**< 0: without end */
	const char *reason;
	const char *set; /**< its named set; NULL or "": none */
	bool import; /**< from a list: keep another block of the address, FMP_ERR_EXISTS */
};
/** fmpd_plane_queue_block() - fmpd_plane_block() for many: the block waits for fmpd_plane_flush(). Call
 * fmpd_plane_flush() before the first one as well, for the table must have what they replace. */
FMP_MUST_CHECK int fmpd_plane_queue_block(struct fmpd_plane *p,
					  const struct fmpd_block_request *req,
					  struct fmp_error *err);
/** fmpd_plane_block() - Return: 0; FMP_ERR_PROTECTED with the reason; as fmp_engine_block(). */
FMP_MUST_CHECK int fmpd_plane_block(struct fmpd_plane *p, const struct fmpd_block_request *req,
				    struct fmp_error *err);
/** fmpd_plane_unblock() - @source: returns the source whose block ended: the address, or the prefix it is watched
 * by, or, for an IPv4 address, the first of its forms behind translators, whose blocks end as well. Wider blocks
 * and blocks of its MAC stay. */
FMP_MUST_CHECK int fmpd_plane_unblock(struct fmpd_plane *p, const struct fmp_addr *addr,
				      const char *reason, struct fmp_addr *source,
				      struct fmp_error *err);
/** struct fmpd_unblock_all_request - which blocks end. */
struct fmpd_unblock_all_request {
	bool has_manual, manual; /**< only blocks by hand, or only the others */
	const char *set; /**< only blocks of this set; NULL or "": all, of sets or not */
	bool except_kept; /**< except those that fmpd_plane_set_keep() marked */
};
/** fmpd_plane_import_begin() - process @by begins to replace a set by a list. */
void fmpd_plane_import_begin(struct fmpd_plane *p, const char *set, pid_t by);
/** fmpd_plane_import_check() - may it go on? Return: 0; FMP_ERR_CONFLICT: another import of the set has begun since. Always 0
 * for @set "". */
FMP_MUST_CHECK int fmpd_plane_import_check(struct fmpd_plane *p, const char *set, pid_t by,
					   struct fmp_error *err);
/** fmpd_plane_set_keep() - mark a block of the set: the next unblock-all with except_kept leaves it. @addr: NULL:
 * clear all marks of the set. */
void fmpd_plane_set_keep(struct fmpd_plane *p, const char *set, const struct fmp_addr *addr);
/**
 * fmpd_plane_unblock_all() - end blocks that are in force now, in turns of the event loop
 * @number: returned; hooks.on_unblocked names it when all of them have ended
 *
 * Return: 0; FMP_ERR_LIMIT: too many are running already.
 */
FMP_MUST_CHECK int fmpd_plane_unblock_all(struct fmpd_plane *p,
					  const struct fmpd_unblock_all_request *which,
					  const char *reason, uint64_t *number,
					  struct fmp_error *err);
/** fmpd_plane_protect() / _unprotect() - by hand; a block of a protected address ends at once. */
FMP_MUST_CHECK int fmpd_plane_protect(struct fmpd_plane *p, const struct fmp_addr *addr,
				      struct fmp_error *err);
FMP_MUST_CHECK int fmpd_plane_unprotect(struct fmpd_plane *p, const struct fmp_addr *addr,
					struct fmp_error *err);

/** fmpd_plane_reload() - @file: NULL: the same file again. A bad file changes nothing. */
FMP_MUST_CHECK int fmpd_plane_reload(struct fmpd_plane *p, const char *file, struct fmp_error *err);

/** fmpd_plane_verify() - compare what should be in force with dumps of the kernel, and repair nothing. With tens of
 * thousands of blocks it takes seconds, while the event loop runs; hooks.on_verified tells when the view has the
 * result. Return: its number. */
uint64_t fmpd_plane_verify(struct fmpd_plane *p);

/** fmpd_plane_set_translators() - those found in the network; the caller also notifies the gateways. */
void fmpd_plane_set_translators(struct fmpd_plane *p, const struct fmp_translators *found);

/** fmpd_plane_finish_restore() - restore at once what is left of what was in force before this fmpd. Without this
 * call it follows by itself while the event loop runs, and the view lacks some of it until then. */
void fmpd_plane_finish_restore(struct fmpd_plane *p);

/** struct fmpd_plane_view - read access; valid until the next call that changes the plane. */
struct fmpd_plane_view {
	const struct fmpd_options *options;
	const struct fmp_policy *policy;
	const struct fmp_engine *engine;
	const struct fmp_protect *protect;
	struct fmp_net *net;
	struct fmp_enforcer *enforcer;
	struct fmpd_decision_table *table;
	uint64_t started_ms, reconciled_ms; /**< 0: not yet */
	/** what the kernel has: by the newest comparison, and by its results since */
	struct fmp_reconciled reconciled;
	uint64_t compared_ms; /**< when it was compared; 0: not yet */
	bool stale; /**< others changed something since */
	uint64_t repaired; /**< rules added or deleted by comparisons since the start */
	bool restoring; /**< the view still lacks some of what was in force before */
	const struct fmp_translators *translators; /**< found in the network */
	uint32_t unenforced; /**< blocks in force of which no layer is there */
	uint64_t exempted; /**< decisions cancelled, for the source is protected */
	/** sets of lists that the policy no longer has, while their blocks are ending; NULL: none */
	const struct fmpd_sets *ending;
};
void fmpd_plane_view(const struct fmpd_plane *p, struct fmpd_plane_view *v);
/** fmpd_plane_is_blocking() - is the record a block, not a limit, that some layer should hold now? This does not
 * depend on results: a layer may have refused it, or lost its rule in a reboot. */
bool fmpd_plane_is_blocking(const struct fmpd_plane *p, const struct fmpd_record *r);

#endif
