/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the plane share: plane.c, apply.c, decision_log.c, protect_check.c, reconcile.c,
 * adopt.c, restore.c, resume.c, unblock_all.c. */
#ifndef FMPD_PLANE_PRIVATE_H
#define FMPD_PLANE_PRIVATE_H

#include <fmp/net.h>

#include "../table/set_members.h"
#include "plane.h"
#include "../state/state_format.h"

#define PENDING_MAX	  4096u
/* Those that a policy names, and as many more of this machine. */
#define PLANE_DEVICES_MAX 16u
/* Sets that are replaced at once. */
#define PLANE_IMPORTS_MAX 16u

struct plane_blocklist_load;
struct plane_startup;
struct plane_kill;
struct plane_unblock_jobs;

/* What the state file says of rules that the kernel has and the file does not. Without a file: all 0. */
struct plane_previous {
	uint64_t newest_id; /* decisions up to this one were known when it was written; 0: it is too old to say */
	bool other_boot; /* it is of another boot, over which no rule lives */
	struct fmpd_sets lists; /* of the policy that was in force then */
};

/* A list that replaces a set. */
struct plane_import {
	char set[FMP_SET_NAME_MAX]; /* "": none */
	pid_t by; /* 0: not known */
	uint64_t last_ms;
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

	/* decided, not yet pushed down */
	struct plane_pending {
		struct fmp_decision d;
		uint64_t threshold_ns; /* the threshold message's time */
	} * pending;
	size_t n_pending, cap_pending;
	struct event *flush_turn;

	/* blocked, their open connections not yet cut */
	struct plane_kill *kills;
	size_t n_kills, cap_kills;
	struct event *kill_turn;
	uint64_t kill_after_ms; /* not before */
	bool kill_unsupported; /* that connections can't be cut */

	struct plane_import imports[PLANE_IMPORTS_MAX];
	struct fmpd_set_members *set_members; /* of addresses that others block */
	struct plane_unblock_jobs *unblock_jobs; /* NULL: nobody asked for one yet */
	uint64_t unblock_jobs_asked;

	char devices[PLANE_DEVICES_MAX][16]; /* of the layers mac and premac, or left out by them */
	unsigned device_layers[PLANE_DEVICES_MAX]; /* bits of the layers used on each */
	unsigned n_devices;

	struct event_base *base;
	struct event *deadline, *net_ready, *net_again, *changed[FMP_WATCH_FDS];
	bool changes_logged; /* since the last comparison */
	struct fmp_watch *watch; /* NULL: the kernel's notifications can't be had */
	int deadline_fd; /* timerfd on CLOCK_BOOTTIME: a block ends in time after a sleep too */
	uint64_t expired_ms; /* all blocks that were over then have ended; 0: some have not yet */
	uint64_t reconcile_due_ms, retry_due_ms;
	uint64_t seed; /* of all tables with keys that others choose */
	struct plane_blocklist_load *blocklist_load; /* NULL: the policy had no blocklist yet */
	struct fmpd_sets
		ending; /* of lists that the policy lacks; some of their blocks may still be in force
				    while sweeps are pending */
	struct plane_startup *startup; /* NULL: all that was in force before is known */
	struct plane_previous previous;
	uint64_t first_id, newest_id; /* of decisions since the start; the newest is 0 at first */
	struct fmp_snapshot *snapshot; /* for the next comparison; NULL: none is made */
	uint64_t snapshot_ms; /* when it was begun */
	struct event *compare_turn;
	bool comparing; /* in the turns to come */
	bool verifying; /* that: nothing is repaired */
	bool verify_due; /* once no comparison goes on */
	uint64_t verifications; /* begun */
	enum plane_phase {
		PLANE_READ_LAYERS, /* the layers */
		PLANE_ADD_WANTED, /* the book beside them */
		PLANE_COMPARE
	} phase; /* of the survey */
	bool outdated; /* others changed something since it was begun */
	struct fmp_reconciled compared; /* by the newest comparison */
	/* Of that: rules missing, and foreign ones, that no refusal in the book stands for. */
	uint32_t missing[FMP_LAYERS], stray[FMP_LAYERS];
	uint64_t compared_ms; /* 0: not yet */
	bool stale; /* others changed something since, or the layers are other ones */
	uint64_t started_ms, reconciled_ms, repaired, exempted;
	uint64_t compare_cpu_ns,
		reconcile_cpu_ms; /* of the one that goes on, and of the newest that repaired */
};

/* apply.c */

/** plane_pending_init() - room for the first decisions; the rest of it comes as it is needed. */
int plane_pending_init(struct fmpd_plane *p, struct fmp_error *err);
/** plane_queue_decision() - one decision into the batch, pushed when the batch is full. */
void plane_queue_decision(struct fmpd_plane *p, const struct fmp_decision *d,
			  uint64_t threshold_ns);
/** plane_retry_failed() - ask layers that refused again, whose backoff is over. */
void plane_retry_failed(struct fmpd_plane *p, uint64_t now_ms);
/** plane_queue_unblock() - an unblock of the engine's: its MAC goes too. */
void plane_queue_unblock(struct fmpd_plane *p, struct fmp_decision *d);
/** plane_drop_mac() - the MAC of a block in force may no longer be blocked. */
void plane_drop_mac(struct fmpd_plane *p, struct fmpd_record *r, enum fmp_mac_veto veto);

/* decision_log.c */

/** plane_log_decision() - the one line that a decision gets, with the layers' answers. */
void plane_log_decision(const struct fmpd_plane *p, const struct fmpd_record *r);

/* kill_connections.c: open connections */

/** plane_kill_connections_later() - those of a source that is blocked now, in one of the next turns. */
void plane_kill_connections_later(struct fmpd_plane *p, const struct fmpd_record *r);
/** plane_kill_connections_now() - those of all that wait for it. */
void plane_kill_connections_now(struct fmpd_plane *p);
/** plane_kill_connections_free() - none waits any more. */
void plane_kill_connections_free(struct fmpd_plane *p);

/* unblock_all.c: all blocks end */

/** plane_block_for_next_set() - a block ends: another set holds its address. Return: that one's block stands in its place. */
bool plane_block_for_next_set(struct fmpd_plane *p, const struct fmp_addr *source);
/** plane_unblock_all_free() - those that go on are given up. */
void plane_unblock_all_free(struct fmpd_plane *p);
/** plane_unblock_all_pending() - are there blocks that somebody wants to end, and have not yet? */
bool plane_unblock_all_pending(const struct fmpd_plane *p);

/* protect_check.c: who is never blocked */

/** plane_check_protected() - the choke point of invariant 1. Return: 0, FMP_ERR_PROTECTED with words. */
int plane_check_protected(const struct fmpd_plane *p, const struct fmp_addr *addr,
			  struct fmp_error *err);
/** plane_is_protected() - the same in one word, for the engine. @ctx: the plane */
bool plane_is_protected(const struct fmp_addr *addr, void *ctx);
/** plane_find_mac_sibling() - the MAC that an address of the own prefix is judged with, for the engine. @ctx: the plane */
bool plane_find_mac_sibling(const struct fmp_addr *addr, const struct fmp_event *by,
			    struct fmp_addr *mac, void *ctx);
/** plane_resolve_mac() - the MAC of a decision, or why it has none. @ip: a full address, or {0}. @by: the message that
 * led to it; NULL: a person did. */
void plane_resolve_mac(struct fmpd_plane *p, struct fmp_decision *d, const struct fmp_addr *ip,
		       const struct fmp_event *by);
/** plane_contest_mac() - is a source protected for a MAC that its packets do not carry? Then it is not, from now on. */
void plane_contest_mac(struct fmpd_plane *p, const struct fmp_addr *source,
		       const struct fmp_event *ev);
/** plane_rebuild_protected() - make the protected set anew, push it down, end blocks that it forbids. */
int plane_rebuild_protected(struct fmpd_plane *p, struct fmp_error *err);
/** plane_apply_protected() - the set changed: push it down, end blocks that it forbids. */
int plane_apply_protected(struct fmpd_plane *p, struct fmp_error *err);
/** plane_watch_net() - follow the kernel's notifications. */
int plane_watch_net(struct fmpd_plane *p, struct fmp_error *err);

/* reconcile.c: what should be and what is */

/** plane_enforcer_open() - the layers on the devices of now; replaces an enforcer that is there. */
int plane_enforcer_open(struct fmpd_plane *p, struct fmp_error *err);
/** plane_devices_changed() - the list of devices made anew. Return: is it another one? */
bool plane_devices_changed(struct fmpd_plane *p);
/** plane_snapshot_drop() - it says no more what is in force. */
void plane_snapshot_drop(struct fmpd_plane *p);
/** plane_get_reconciled() - what was found by the newest comparison, and what was done since. */
void plane_get_reconciled(const struct fmpd_plane *p, struct fmp_reconciled *out);
/** plane_compare_begin() - what should be with what is, in the turns to come. @measure: repair nothing. */
void plane_compare_begin(struct fmpd_plane *p, bool verify);
/** plane_snapshot_begin() - read the layers from now on. Return: 0, FMP_ERR_NOMEM. */
int plane_snapshot_begin(struct fmpd_plane *p, bool repair, struct fmp_error *err);

/* watch.c: what others change */

/** plane_watch_changes() - follow nf_tables' and the module's notifications. */
void plane_watch_changes(struct fmpd_plane *p);
void plane_unwatch_changes(struct fmpd_plane *p);
/** plane_watch_enforcer() - there is another enforcer. */
void plane_watch_enforcer(struct fmpd_plane *p);

/* policy_blocklist.c: the blocklists of the policy */

/** plane_blocklists_begin() - those of the policy in force, from the first on. */
void plane_blocklists_begin(struct fmpd_plane *p);
/** plane_blocklists_end_removed() - blocks of lists that the policy before had, and the one in force has not. */
void plane_blocklists_end_removed(struct fmpd_plane *p, const struct fmp_policy *old);
/** plane_blocklists_end_previous() - the same, of the policy that was in force when the state file was written. */
void plane_blocklists_end_previous(struct fmpd_plane *p);
void plane_blocklists_free(struct fmpd_plane *p);

/* resume.c: what was before, taken up in small steps between the turns of the event loop */

/** plane_startup_begin() - look at the state file; the engine and the book are made for it. */
int plane_startup_begin(struct fmpd_plane *p, struct fmp_error *err);
/** plane_startup_run() - go on by itself. Return: 0, FMP_ERR_NOMEM. */
int plane_startup_run(struct fmpd_plane *p, struct fmp_error *err);
/** plane_startup_restore_source() - what was known of a source, before anything is decided about it. */
void plane_startup_restore_source(struct fmpd_plane *p, const struct fmp_addr *source);
/** plane_startup_finish() - all the rest at once: for who must have it whole. */
void plane_startup_finish(struct fmpd_plane *p);
void plane_startup_free(struct fmpd_plane *p);

/* adopt.c: what was in force before we came */

/* Small: there is one for every rule of every layer at first. */
struct plane_block {
	uint64_t id, left_ms; /* left_ms 0: without end */
	uint64_t mac_ms; /* 0: the MAC has no end of its own */
	struct fmp_addr source, mac, pair_mac;
	uint32_t rate;
	uint16_t dest_port;
	uint8_t layers, measure;
};

struct plane_found {
	struct plane_block *blocks; /* of every layer, that nobody knows; then merged */
	size_t n, cap;
	uint64_t as_of_ms; /* what is left of them */
	unsigned layer; /* of the survey, and */
	size_t at; /* the rule of it, that comes next */
	size_t all, done; /* of the blocks, once they are merged */
	uint64_t given_id; /* the newest of a decision then; 0: none since the start */
	size_t put_back; /* rules of blocks that had ended, or of another boot */
	size_t known, adopted; /* blocks found that the book had, and that it has now */
};
/** plane_found_collect() - n rules of the survey more. Return: 1 these were all, 0, FMP_ERR_NOMEM. */
int plane_found_collect(struct fmpd_plane *p, struct plane_found *f, size_t n,
			struct fmp_error *err);
/** plane_found_merge() - by decision id and by address. Return: 0, FMP_ERR_NOMEM. */
int plane_found_merge(struct fmpd_plane *p, struct plane_found *f, struct fmp_error *err);
/** plane_adopt_some() - n blocks into the engine and the book. Return: all are, and f is empty. */
bool plane_adopt_some(struct fmpd_plane *p, struct plane_found *f, size_t n);
void plane_found_free(struct plane_found *f);

/* restore.c: what an earlier fmpd knew */

struct plane_restore;

/** plane_restore_open() - Return: NULL if there is no state, or none that can be believed. */
struct plane_restore *plane_restore_open(struct fmpd_plane *p);
/** plane_restore_max_id() - the newest decision in it. */
uint64_t plane_restore_max_id(const struct plane_restore *r);
/** plane_restore_some() - n rows into the engine and the book. Return: these were all. */
bool plane_restore_some(struct plane_restore *r, size_t n);
/** plane_restore_source() - those that an address is known by. */
void plane_restore_source(struct plane_restore *r, const struct fmp_addr *source);
void plane_restore_free(struct plane_restore *r);

/* plane.c */

/** plane_end_surplus() - more blocks may be in force than the policy allows: the surplus ends. */
void plane_end_surplus(struct fmpd_plane *p);
/** plane_rearm_timer() - set the timer to the next thing that is due. */
void plane_rearm_timer(struct fmpd_plane *p);

#endif
