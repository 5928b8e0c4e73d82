/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the plane share. A file calls only files that are named above it here, so there are no circles:
 *
 *	timer, decision_log, kill_connections, import, protect_check
 *	watch, apply				a decision, and the layers' results
 *	layers, protected			devices and enforcer; the protected set
 *	net_watch, restore, adopt, reconcile	steps of the reconciler
 *	startup					restore, then adopt, in turns of the event loop
 *	manual, unblock_all, policy_blocklist	blocks by hand, of imports, and of the policy's lists
 *	plane					events, expiry, policy, and the public view
 *	state_writer				writes what plane.h shows
 */
#ifndef FMPD_PLANE_PRIVATE_H
#define FMPD_PLANE_PRIVATE_H

#include <fmp/net.h>

#include "../table/set_members.h"
#include "plane.h"
#include "../state/state_format.h"

#define PENDING_MAX	  4096u
/* The devices that a policy may name, and as many more of this machine. */
#define PLANE_DEVICES_MAX 16u
/* Sets that may be replaced at the same time. */
#define PLANE_IMPORTS_MAX 16u

struct plane_blocklist_load;
struct plane_startup;
struct plane_kill;
struct plane_unblock_jobs;

/*
 * What the state file tells of rules that the kernel has and the file does not hold; all 0 without a file.
 */
struct plane_previous {
	uint64_t newest_id; /* the file knows decisions up to this one; 0: the file is too old to tell */
	bool other_boot; /* the file is of another boot; no rule outlives a boot */
	struct fmpd_sets lists; /* of the policy that was in force then */
};

/* An imported list that replaces a set. */
struct plane_import {
	char set[FMP_SET_NAME_MAX]; /* "": none */
	pid_t by; /* 0: not known */
	uint64_t last_ms; /* of its newest request */
};

struct fmpd_plane {
	struct fmpd_options options;
	struct fmp_policy *policy;
	struct fmp_engine *engine;
	struct fmp_net *net;
	struct fmp_protect *protect;
	struct fmp_enforcer *enforcer;
	struct fmpd_decision_table *table;
	struct fmpd_hooks hooks;
	struct fmp_translators translators; /* found in the network */

	/* decisions that are not yet applied to the layers */
	struct plane_pending {
		struct fmp_decision d;
		uint64_t threshold_ns; /* CLOCK_BOOTTIME of the message that crossed the threshold */
	} * pending;
	size_t n_pending, cap_pending;
	struct event *flush_turn;

	/* blocked sources whose open connections are not yet killed */
	struct plane_kill *kills;
	size_t n_kills, cap_kills;
	struct event *kill_turn;
	uint64_t kill_after_ms; /* no sooner than this */
	bool kill_unsupported; /* the kernel can't; it was logged */

	/* connections of blocked sources that a flowtable forwards */
	struct event *flows_turn;
	uint64_t flows_after_ms; /* no sooner than this */
	bool has_flowtable; /* it has forwarded a connection */
	bool flows_unsupported; /* the kernel can't; it was logged */

	struct plane_import imports[PLANE_IMPORTS_MAX];
	struct fmpd_set_members *set_members; /* addresses of sets that another block holds */
	struct plane_unblock_jobs *unblock_jobs; /* NULL: none was asked for yet */
	uint64_t n_unblock_jobs;

	char devices[PLANE_DEVICES_MAX][16]; /* of the layers mac and premac, or exempted from them */
	unsigned device_layers[PLANE_DEVICES_MAX]; /* bits of the layers used on each */
	unsigned n_devices;

	struct event_base *base;
	struct event *deadline, *net_ready, *net_again, *changed[FMP_WATCH_FDS];
	bool changes_logged; /* since the last comparison */
	struct fmp_watch *watch; /* NULL: the kernel's notifications are not available */
	int deadline_fd; /* timerfd on CLOCK_BOOTTIME: a block ends in time after a sleep too */
	uint64_t expired_ms; /* all blocks over by then have ended; 0: some have not yet */
	uint64_t reconcile_due_ms, retry_due_ms;
	uint64_t seed; /* of all hash tables whose keys others choose */
	struct plane_blocklist_load *blocklist_load; /* NULL: no policy had a blocklist yet */
	struct fmpd_sets ending; /* sets of lists that the policy no longer has; while a job of
				    unblock_jobs is pending, some of their blocks may be in force */
	struct plane_startup *startup; /* NULL: all that was in force before is known */
	struct plane_previous previous;
	uint64_t first_id, newest_id; /* of decisions since the start; newest_id is 0 at first */
	struct fmp_snapshot *snapshot; /* of the kernel, for the next comparison; NULL: none */
	uint64_t snapshot_ms; /* when it was begun */
	struct event *compare_turn;
	bool comparing; /* a comparison runs, in turns of the event loop */
	bool verifying; /* that comparison repairs nothing */
	bool verify_due; /* start one when no comparison runs */
	uint64_t verifications; /* begun so far */
	enum plane_phase {
		PLANE_READ_LAYERS,
		PLANE_ADD_WANTED, /* the decision table beside the rules */
		PLANE_COMPARE
	} phase; /* of the snapshot */
	bool outdated; /* others changed something since the snapshot was begun */
	struct fmp_reconciled compared; /* by the newest comparison */
	/* In @compared: missing and foreign rules that no failed result in the table accounts for. */
	uint32_t missing[FMP_LAYERS], stray[FMP_LAYERS];
	uint64_t compared_ms; /* 0: not yet */
	bool stale; /* others changed something since, or the layers are other ones */
	uint64_t started_ms, reconciled_ms, repaired, exempted;
	uint64_t compare_cpu_ns; /* of the running comparison */
	uint64_t reconcile_cpu_ms; /* of the newest one that repaired */
};

/* timer.c */

/** plane_rearm_timer() - set the one timer to the next thing that is due. */
void plane_rearm_timer(struct fmpd_plane *p);

/* decision_log.c */

/** plane_log_decision() - the one log line of a decision, with the layers' results. */
void plane_log_decision(const struct fmpd_plane *p, const struct fmpd_record *r);

/* kill_connections.c */

/** plane_kill_connections_later() - those of a source that is blocked now, in a later turn. */
void plane_kill_connections_later(struct fmpd_plane *p, const struct fmpd_record *r);
/** plane_kill_connections_now() - those of all sources that wait for it. */
void plane_kill_connections_now(struct fmpd_plane *p);
/** plane_kill_connections_free() - kill those that wait, and release the timer. */
void plane_kill_connections_free(struct fmpd_plane *p);

/** plane_flush_flows_later() - look for flows of blocked sources in a later turn, and again where there is a flowtable. */
void plane_flush_flows_later(struct fmpd_plane *p);
/** plane_flush_flows_free() - release the timer. */
void plane_flush_flows_free(struct fmpd_plane *p);

/* protect_check.c: what is never blocked; it asks the protected set and calls no other file of the plane */

/** plane_check_protected() - every block passes here (invariant 1). Return: 0, FMP_ERR_PROTECTED with words. */
int plane_check_protected(const struct fmpd_plane *p, const struct fmp_addr *addr,
			  struct fmp_error *err);
/** plane_is_protected() - the same as a yes or no, for the engine. @ctx: the plane */
bool plane_is_protected(const struct fmp_addr *addr, void *ctx);
/** plane_find_mac_sibling() - the MAC with which an address of our own prefix is evaluated. */
bool plane_find_mac_sibling(const struct fmpd_plane *p, const struct fmp_addr *addr,
			    const struct fmp_event *by, struct fmp_addr *mac);
/** plane_resolve_mac() - the MAC of a decision, or why it has none. @ip: a full address, or {0}. @by: the message
 * that led to the decision; NULL: a person took it. */
void plane_resolve_mac(struct fmpd_plane *p, struct fmp_decision *d, const struct fmp_addr *ip,
		       const struct fmp_event *by);

/* watch.c: what others change in the kernel */

/** plane_watch_changes() - follow the notifications of nf_tables and of the module. */
void plane_watch_changes(struct fmpd_plane *p);
void plane_unwatch_changes(struct fmpd_plane *p);
/** plane_watch_enforcer() - there is another enforcer. */
void plane_watch_enforcer(struct fmpd_plane *p);

/* apply.c */

/** plane_pending_init() - room for the first decisions; it grows as needed. */
int plane_pending_init(struct fmpd_plane *p, struct fmp_error *err);
/** plane_queue_decision() - add a decision to the batch; a full batch is applied at once. */
void plane_queue_decision(struct fmpd_plane *p, const struct fmp_decision *d,
			  uint64_t threshold_ns);
/** plane_queue_unblock() - add an unblock of the engine's to the batch; its MAC is unblocked too. */
void plane_queue_unblock(struct fmpd_plane *p, struct fmp_decision *d);
/** plane_retry_failed() - apply again to layers that refused and whose backoff is over. */
void plane_retry_failed(struct fmpd_plane *p, uint64_t now_ms);
/** plane_drop_mac() - the MAC of a block in force may no longer be blocked. */
void plane_drop_mac(struct fmpd_plane *p, struct fmpd_record *r, enum fmp_mac_veto veto);

/* layers.c */

/** plane_devices_changed() - make the list of devices anew. Return: is it another list? */
bool plane_devices_changed(struct fmpd_plane *p);
/** plane_enforcer_open() - the layers on the devices of now; replaces an enforcer that is there. */
int plane_enforcer_open(struct fmpd_plane *p, struct fmp_error *err);
/** plane_snapshot_begin() - read the layers from now on. @repair: also try layers that were absent. Return: 0,
 * FMP_ERR_NOMEM. */
int plane_snapshot_begin(struct fmpd_plane *p, bool repair, struct fmp_error *err);
/** plane_snapshot_drop() - it no longer shows what is in force. */
void plane_snapshot_drop(struct fmpd_plane *p);

/* protected.c */

/** plane_rebuild_protected() - make the protected set anew; apply it if it changed. */
int plane_rebuild_protected(struct fmpd_plane *p, struct fmp_error *err);
/** plane_apply_protected() - the set changed: hand it to the layers, and end blocks of what it protects. */
int plane_apply_protected(struct fmpd_plane *p, struct fmp_error *err);
/** plane_contest_mac() - if a source is protected for a MAC that its packets do not carry, it no longer is. */
void plane_contest_mac(struct fmpd_plane *p, const struct fmp_addr *source,
		       const struct fmp_event *ev);

/* net_watch.c */

/** plane_watch_net() - follow the kernel's addresses, routes and neighbours. */
int plane_watch_net(struct fmpd_plane *p, struct fmp_error *err);

/* restore.c: rows of the state file */

struct plane_restore;

/** plane_restore_open() - Return: NULL if there is no state file, or none that can be trusted. */
struct plane_restore *plane_restore_open(struct fmpd_plane *p);
/** plane_restore_max_id() - the newest decision in the file. */
uint64_t plane_restore_max_id(const struct plane_restore *r);
/** plane_restore_some() - restore the next n rows. Return: true: these were the last. */
bool plane_restore_some(struct plane_restore *r, size_t n);
/** plane_restore_source() - restore the rows that an address is known by. */
void plane_restore_source(struct plane_restore *r, const struct fmp_addr *source);
void plane_restore_free(struct plane_restore *r);

/* adopt.c: rules that were in force before fmpd started */

/* Small, for at first there is one for every rule of every layer. */
struct plane_block {
	uint64_t id, left_ms; /* left_ms 0: without end */
	uint64_t mac_ms; /* 0: the MAC has no end of its own */
	struct fmp_addr source, mac, pair_mac;
	uint32_t rate;
	uint16_t dest_port;
	uint8_t layers, action_kind;
};

struct plane_found {
	struct plane_block *blocks; /* of every layer, unknown to the table; then merged */
	size_t n, cap;
	uint64_t as_of_ms; /* left_ms of the blocks counts from here */
	unsigned layer; /* the next rule to look at: its layer in the snapshot, */
	size_t at; /* and its place there */
	size_t all, done; /* merged blocks: how many, and how many are adopted */
	uint64_t given_id; /* newest id given to a decision when they were merged; 0: none since the start */
	size_t put_back; /* rules of blocks that had ended, or of another boot */
	size_t known, adopted; /* blocks that the table had already, and that it has now */
};
/** plane_found_collect() - n more rules of the snapshot. Return: 1 these were the last, 0, FMP_ERR_NOMEM. */
int plane_found_collect(struct fmpd_plane *p, struct plane_found *f, size_t n,
			struct fmp_error *err);
/** plane_found_merge() - by decision id and by address. Return: 0, FMP_ERR_NOMEM. */
int plane_found_merge(struct fmpd_plane *p, struct plane_found *f, struct fmp_error *err);
/** plane_adopt_some() - n blocks into the engine and the table. Return: true: all are, and f is empty. */
bool plane_adopt_some(struct fmpd_plane *p, struct plane_found *f, size_t n);
void plane_found_free(struct plane_found *f);

/* reconcile.c: what should be in force, compared with what is */

/** plane_compare_begin() - in turns of the event loop. @verify: repair nothing. */
void plane_compare_begin(struct fmpd_plane *p, bool verify);
/** plane_get_reconciled() - the result of the newest comparison, with what was done since. */
void plane_get_reconciled(const struct fmpd_plane *p, struct fmp_reconciled *out);

/* startup.c: restore, then adopt */

/** plane_startup_begin() - make the engine and the table, and open the state file. @on_done: called when all is
 * known, after which p->startup is NULL. */
int plane_startup_begin(struct fmpd_plane *p, void (*on_done)(struct fmpd_plane *p),
			struct fmp_error *err);
/** plane_startup_run() - go on in turns of the event loop. Return: 0, FMP_ERR_NOMEM. */
int plane_startup_run(struct fmpd_plane *p, struct fmp_error *err);
/** plane_startup_restore_source() - restore what is known of a source, before anything is decided about it. */
void plane_startup_restore_source(struct fmpd_plane *p, const struct fmp_addr *source);
/** plane_startup_finish() - all the rest at once, for callers that need it whole. */
void plane_startup_finish(struct fmpd_plane *p);
void plane_startup_free(struct fmpd_plane *p);

/* unblock_all.c */

/** plane_block_for_next_set() - a block ends. If another set has its address, block it for that set. Return: it is
 * blocked again. */
bool plane_block_for_next_set(struct fmpd_plane *p, const struct fmp_addr *source);
/** plane_unblock_all_pending() - are there jobs that have not ended all their blocks yet? */
bool plane_unblock_all_pending(const struct fmpd_plane *p);
/** plane_unblock_all_free() - give up jobs that are running. */
void plane_unblock_all_free(struct fmpd_plane *p);

/* policy_blocklist.c */

/** plane_blocklists_begin() - load those of the policy in force, from the first on. */
void plane_blocklists_begin(struct fmpd_plane *p);
/** plane_blocklists_end_removed() - end blocks of lists that @old had and the policy in force has not. */
void plane_blocklists_end_removed(struct fmpd_plane *p, const struct fmp_policy *old);
/** plane_blocklists_end_previous() - the same for the policy of when the state file was written. */
void plane_blocklists_end_previous(struct fmpd_plane *p);
void plane_blocklists_free(struct fmpd_plane *p);

#endif
