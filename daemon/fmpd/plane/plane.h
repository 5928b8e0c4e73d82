/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The plane: event -> engine -> protected? -> MAC -> decision -> all layers at
 * once -> answers kept. It knows neither the control socket nor the gateway:
 * they call it, and it tells them by hooks.
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

/** struct fmpd_hooks - who wants to know; each may be NULL. */
struct fmpd_hooks {
	void *ctx;
	void (*on_event)(void *ctx, const struct fmp_event *ev);
	/** a block or unblock with the layers' answers */
	void (*on_decision)(void *ctx, const struct fmpd_record *r);
	/** a source, by IP, is blocked by some layer now, or is no longer */
	void (*on_blocked)(void *ctx, const struct fmpd_record *r, bool blocked);
	/** may another policy be put in force? Return: 0, or a code and why. */
	int (*on_candidate)(void *ctx, const struct fmp_policy *policy, struct fmp_error *err);
	/** another policy is in force */
	void (*on_policy)(void *ctx, const struct fmp_policy *policy);
	/** a fmpd_plane_verify() is done: the one of this number, and those before. @rc: 0, or why it
	 * could not be */
	void (*on_verified)(void *ctx, uint64_t number, int rc, const struct fmp_error *err);
	/** the fmpd_plane_unblock_all() of this number is done: so many blocks ended */
	void (*on_unblocked)(void *ctx, uint64_t number, uint64_t ended);
	/** a layer is there that was not: it holds blocks that none did */
	void (*on_layers_added)(void *ctx);
	/** the protected set is another one */
	void (*on_protected)(void *ctx);
	/** all that was in force before is known, or for now no more of it can be */
	void (*on_restored)(void *ctx);
};

/**
 * fmpd_plane_new() - load the policy, probe the layers, look at the state file
 *
 * Needs the rights; starts no timer and no conversation before fmpd_plane_run(), which takes up what
 * was in force before, bit by bit.
 */
FMP_MUST_CHECK int fmpd_plane_new(const struct fmpd_options *o, struct fmpd_plane **out,
				  struct fmp_error *err);
/** fmpd_plane_run() - put its descriptors and its one timer on the event loop. */
FMP_MUST_CHECK int fmpd_plane_run(struct fmpd_plane *p, struct event_base *base,
				  const struct fmpd_hooks *hooks, struct fmp_error *err);
/** fmpd_plane_free() - the rules in force stay in force. */
void fmpd_plane_free(struct fmpd_plane *p);

/** fmpd_plane_event() - one event; what it decides waits for fmpd_plane_flush(). */
void fmpd_plane_event(struct fmpd_plane *p, const struct fmp_event *ev);
/** fmpd_plane_flush() - all that was decided, to all layers, in one transaction each. */
void fmpd_plane_flush(struct fmpd_plane *p);

/** fmpd_plane_flush_soon() - the same at the end of this turn of the event loop, with what others say in
 * it; before anybody is answered. */
void fmpd_plane_flush_soon(struct fmpd_plane *p);

/** struct fmpd_block_request - a block by hand. */
struct fmpd_block_request {
	struct fmp_addr addr;
	unsigned layers; /**< 0: the policy's */
	bool has_duration; /**< else the policy's */
	uint64_t duration_ms; /**< 0: without end */
	const char *reason;
	const char *set; /**< the named set that it is to belong to; NULL or "": none */
	bool import; /**< of a list: another block of the address stays, FMP_ERR_EXISTS */
};
/** fmpd_plane_queue_block() - fmpd_plane_block() that waits for fmpd_plane_flush(), as one of many; another goes
 * before the first of them, for what is replaced must be in the book. */
FMP_MUST_CHECK int fmpd_plane_queue_block(struct fmpd_plane *p,
					  const struct fmpd_block_request *req,
					  struct fmp_error *err);
/** fmpd_plane_block() - Return: 0; FMP_ERR_PROTECTED with the reason; as fmp_engine_block(). */
FMP_MUST_CHECK int fmpd_plane_block(struct fmpd_plane *p, const struct fmpd_block_request *req,
				    struct fmp_error *err);
/** fmpd_plane_unblock() - @source: whose block ended: the address, or the prefix it is watched by, or, of an IPv4
 * address, the first of its forms behind translators, which end as well. Wider
 * blocks, and those of its MAC, stand. */
FMP_MUST_CHECK int fmpd_plane_unblock(struct fmpd_plane *p, const struct fmp_addr *addr,
				      const char *reason, struct fmp_addr *source,
				      struct fmp_error *err);
/** struct fmpd_unblock_all_request - which blocks are meant. */
struct fmpd_unblock_all_request {
	bool has_manual, manual; /**< only those by hand, or only the others */
	const char *set; /**< only those of this set; NULL or "": of any and none */
	bool except_kept; /**< not those that fmpd_plane_set_keep() named */
};
/** fmpd_plane_import_begin() - the process @by begins to replace a set by a list. */
void fmpd_plane_import_begin(struct fmpd_plane *p, const char *set, pid_t by);
/** fmpd_plane_import_check() - may it go on? Return: 0; FMP_ERR_CONFLICT: another has begun since. @set "": it may. */
FMP_MUST_CHECK int fmpd_plane_import_check(struct fmpd_plane *p, const char *set, pid_t by,
					   struct fmp_error *err);
/** fmpd_plane_set_keep() - a block of the set stays in the next sweep with but_kept. @addr: NULL: none of
 * those named so far. */
void fmpd_plane_set_keep(struct fmpd_plane *p, const char *set, const struct fmp_addr *addr);
/**
 * fmpd_plane_unblock_all() - end all blocks that are in force now, in the turns of the event loop to come
 * @number: of hooks.on_unblocked, which says that it is done
 *
 * Return: 0; FMP_ERR_LIMIT: some of these go on already.
 */
FMP_MUST_CHECK int fmpd_plane_unblock_all(struct fmpd_plane *p,
					  const struct fmpd_unblock_all_request *which,
					  const char *reason, uint64_t *number,
					  struct fmp_error *err);
/** fmpd_plane_protect() / _unprotect() - by hand; a block on a protected address ends at once. */
FMP_MUST_CHECK int fmpd_plane_protect(struct fmpd_plane *p, const struct fmp_addr *addr,
				      struct fmp_error *err);
FMP_MUST_CHECK int fmpd_plane_unprotect(struct fmpd_plane *p, const struct fmp_addr *addr,
					struct fmp_error *err);

/** fmpd_plane_reload() - file NULL: the same again. A bad file changes nothing. */
FMP_MUST_CHECK int fmpd_plane_reload(struct fmpd_plane *p, const char *file, struct fmp_error *err);

/** fmpd_plane_verify() - what should be in force against what the kernel has, by dumps, from now on:
 * seconds, with tens of thousands of blocks, while the event loop runs. Nothing is repaired;
 * hooks.on_verified says when the view knows it. Return: its number. */
uint64_t fmpd_plane_verify(struct fmpd_plane *p);

/** fmpd_plane_set_translators() - the network's own, as they were found; the gateways are to be told as well. */
void fmpd_plane_set_translators(struct fmpd_plane *p, const struct fmp_translators *found);

/** fmpd_plane_finish_restore() - all that was in force before this fmpd is known behind it: until then the view
 * lacks some of it, and it comes by itself, while the event loop runs. */
void fmpd_plane_finish_restore(struct fmpd_plane *p);

/** struct fmpd_plane_view - what may be read; valid until the next call that changes the plane. */
struct fmpd_plane_view {
	const struct fmpd_options *options;
	const struct fmp_policy *policy;
	const struct fmp_engine *engine;
	const struct fmp_protect *protect;
	struct fmp_net *net;
	struct fmp_enforcer *enforcer;
	struct fmpd_decision_table *table;
	uint64_t started_ms, reconciled_ms; /**< 0: not yet */
	/** what the kernel has: by the newest comparison with it, and by its answers since */
	struct fmp_reconciled reconciled;
	uint64_t compared_ms; /**< when; 0: not yet */
	bool stale; /**< others changed something since that is not in it yet */
	uint64_t repaired; /**< rules put back or taken away since the start */
	bool restoring; /**< not all that was in force before is in it yet */
	const struct fmp_translators *translators; /**< of the network, that were found */
	uint32_t unenforced; /**< blocks in force whose layers are not there, not one of them */
	uint64_t exempted; /**< decisions cancelled because the source is protected */
	/** sets of lists that are no longer in the policy, whose blocks are being ended; NULL: none */
	const struct fmpd_sets *ending;
};
void fmpd_plane_view(const struct fmpd_plane *p, struct fmpd_plane_view *v);
/** fmpd_plane_is_blocking() - is the record a block, not a limit, that a layer has to hold now? Whatever it
 * answered, and whenever: it may refuse, or have lost its rule in a reboot. */
bool fmpd_plane_is_blocking(const struct fmpd_plane *p, const struct fmpd_record *r);

#endif
