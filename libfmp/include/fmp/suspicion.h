/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The suspicion engine: a pure function of policy, events and time (invariant 7). No I/O, no clock
 * of its own; the same log gives the same decisions.
 *
 * All times are CLOCK_BOOTTIME milliseconds, passed in, and never go back; a time before the latest
 * one seen counts as the latest.
 */
#ifndef FMP_SUSPICION_H
#define FMP_SUSPICION_H

#include <fmp/decision.h>
#include <fmp/event.h>
#include <fmp/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Eviction from a full table. All ranks decay with one half-life, so the order of two ranks never
 * changes: the row that will be clean first has the lowest decayed rank and is evicted first; among
 * rows without rank the one that was active longest ago. A new source evicts that row only if its
 * own address is proven. A row with a block, a limit or an aggregated block in force is never
 * evicted. A row whose block is over, or that waits for its block, ranks at least as high as the
 * malicious threshold, so that its offence count survives; of points in several pools the highest
 * counts. An attacker can't evict its own row to start clean: that takes as many proven addresses
 * as the table has rows, each with more points than it has itself, which blocks them.
 */
enum fmp_source_state {
	FMP_STATE_CLEAN = 0,
	FMP_STATE_SUSPICIOUS, /**< by its rank, or by a limit set because of its rank */
	FMP_STATE_MALICIOUS, /**< a block is in force, narrowed or not */
	/** Malicious; it will be blocked when there is room for another block, if the cause still
	 * applies: its points, its events of a kind, or the sum of its MAC siblings. */
	FMP_STATE_WAITING,
};
FMP_API const char *fmp_source_state_name(unsigned state);

/** One event in a source's history. The newest FMP_HISTORY are kept; events without points only
 * while there is room. */
#define FMP_HISTORY 8
struct fmp_history {
	uint64_t time_ms;
	enum fmp_event_kind kind;
	uint32_t rank; /**< points that it added */
	uint16_t dest_port;
	char detail[FMP_EVENT_DETAIL];
};

/** struct fmp_source_info - a row of the table; plain value, a copy. */
struct fmp_source_info {
	struct fmp_addr
		/** an address, or a prefix of the policy's length; see
		 * fmp_engine_set_protect_check() */
		source;
	enum fmp_source_state state;
	/** Decayed points at the requested time, less its credit; of several pools the one nearest
	 * to its threshold. */
	uint32_t rank;
	uint32_t credit; /**< decayed points of its good messages */
	uint32_t suspicious, malicious; /**< its thresholds; see rule */
	/** The origin of the thresholds: "override of port 22", "group office", both; "": the
	 * policy's. With several overrides the one for the newest bad message. */
	char rule[112];
	uint16_t dest_port; /**< of the newest event */
	uint64_t first_ms, last_ms; /**< first and newest event */
	uint64_t events, good; /**< bad and good messages, without unproven ones */
	uint64_t unproven; /**< events without a proven address; counted to UINT32_MAX, as bad ones are */
	uint64_t cpu_ns; /**< CPU time of its bad messages */
	uint32_t offences; /**< blocks so far, until the policy's time to forget them */
	uint64_t decision_id; /**< of the block in force, else of the newest one; 0: none */
	uint64_t blocked_until_ms; /**< end of the block in force; 0: none, UINT64_MAX: without end */
	enum fmp_action_kind action_kind; /**< of the block in force */
	uint32_t rate; /**< of a limit, packets a second */
	uint16_t block_port; /**< port that the block is narrowed to; 0: all */
	unsigned n_history;
	struct fmp_history history[FMP_HISTORY]; /**< oldest first */
};

struct fmp_engine;

/**
 * fmp_engine_new() - create an engine
 * @policy: not owned; must outlive the engine or be replaced by fmp_engine_set_policy()
 * @seed: keys the hash of the table; changes no decision. The jitter of blocks has a key of its
 * 	 own, fmp_engine_set_jitter()
 * @first_id: id of the first decision
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_new(const struct fmp_policy *policy, uint64_t seed,
					  uint64_t first_id, struct fmp_engine **out,
					  struct fmp_error *err);
FMP_API void fmp_engine_free(struct fmp_engine *e);

/** fmp_engine_set_jitter() - set the key that randomizes how much a block is shortened (initially
 * 0). With the same key the same log gives the same decisions; without it nobody can predict the
 * end of a block. */
FMP_API void fmp_engine_set_jitter(struct fmp_engine *e, uint64_t key);

/**
 * fmp_engine_set_protect_check() - set the protect check
 * @is_protected: may this address or prefix not be blocked? Its results are an input, like policy
 * 	 and events.
 *
 * An IPv6 prefix of the policy's length that contains a protected address is not a source: each of
 * its addresses is one. Without a check (initially) nothing is protected.
 */
FMP_API void fmp_engine_set_protect_check(struct fmp_engine *e,
					  bool (*is_protected)(const struct fmp_addr *addr,
							       void *ctx),
					  void *ctx);

/**
 * fmp_engine_set_translators() - set the discovered NAT64 prefixes (RFC 8781, RFC 7050); initially
 * none
 *
 * An input, like policy and events. Existing rows and blocks stay, those of a removed prefix too.
 */
FMP_API void fmp_engine_set_translators(struct fmp_engine *e, const struct fmp_translators *found);

/**
 * fmp_engine_set_mac_siblings() - set the lookup of addresses that share a MAC
 * @find_mac: the MAC of an address; false: unknown, or not to be judged by, as a router's. @by: the
 * 	 message to be added up, whose packets may carry the MAC; NULL: a person unblocks the address.
 * 	 Its results are an input, like policy and events. It runs before the engine looks at any row,
 * 	 so it may restore the MAC's row. Initially none.
 *
 * Only asked for addresses whose prefix may not be blocked (fmp_engine_set_protect_check()): a host
 * in such a prefix can have any number of addresses. The ranks of bad messages also add up in a row
 * for the MAC, which makes no decision itself. An address that sends another bad message is judged
 * by the higher of both ranks, unless it sent at least four times as many good ones. Where ranks
 * never decay nothing is added up.
 */
FMP_API void fmp_engine_set_mac_siblings(struct fmp_engine *e,
					 bool (*find_mac)(const struct fmp_addr *addr,
							  const struct fmp_event *by,
							  struct fmp_addr *mac, void *ctx),
					 void *ctx);

/** fmp_engine_set_policy() - use another policy; blocks in force keep their end, sources their
 * ranks. */
FMP_API void fmp_engine_set_policy(struct fmp_engine *e, const struct fmp_policy *policy,
				   uint64_t now_ms);

/**
 * fmp_engine_trim() - end the blocks beyond enforce.max_blocks, after a change of policy or a
 * restore
 *
 * Limits of merely suspicious sources end first, then manual blocks beyond their share, the one
 * with the earliest end first, then the least dangerous ones. fmp_engine_expire() returns the
 * decisions. A source that the engine had blocked then waits for room.
 *
 * Return: how many end; without memory none ends before its time.
 */
FMP_API uint32_t fmp_engine_trim(struct fmp_engine *e, uint64_t now_ms);

/**
 * fmp_engine_event() - process one event
 * @now_ms: time of processing
 * @out: filled in if the return is 1: a block, without MAC; layers and duration by the policy
 *
 * A decision replaces one in force for the same source: a limit becomes a block, a block of one
 * port becomes one of all. Its source may be a prefix (policy: rollup); the blocks of single
 * sources in it are then ended by fmp_engine_expire(), which has a decision at once.
 *
 * The caller checks the protected set before it enforces; if it does not, or can't, enforce, it
 * calls fmp_engine_cancel() before any other function.
 *
 * Return: 1 a decision, 0 none, FMP_ERR_INVALID for an event without an IP source.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_event(struct fmp_engine *e, const struct fmp_event *ev,
					    uint64_t now_ms, struct fmp_decision *out);

/**
 * fmp_engine_expire() - the next block whose time is over; then, if there is room, the block of the
 * most dangerous waiting source
 *
 * Call it until it returns 0. Return: 1 with an unblock, or with a block as from
 * fmp_engine_event(); 0.
 */
FMP_API int fmp_engine_expire(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out);
/** fmp_engine_next_ms() - the time of fmp_engine_expire()'s next decision; UINT64_MAX: never. */
FMP_API uint64_t fmp_engine_next_ms(const struct fmp_engine *e);

/**
 * fmp_engine_block() - block an address, a prefix or a MAC on behalf of a person
 * @duration_ms: 0: without end
 *
 * Return: 0 and the decision; FMP_ERR_LIMIT if no more blocks fit, or no more manual ones: a share
 * is reserved for automatic blocks (enforce.automatic_pct), and an automatic block that is renewed
 * manually counts as manual; FMP_ERR_INVALID.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_block(struct fmp_engine *e, const struct fmp_addr *source,
					    unsigned layers, uint64_t duration_ms,
					    const char *reason, uint64_t now_ms,
					    struct fmp_decision *out);
/** fmp_engine_unblock() - end a block on behalf of a person or of protection; resets the rank.
 * Return: 0 and the unblock; FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_engine_unblock(struct fmp_engine *e, const struct fmp_addr *source,
					      const char *reason, uint64_t now_ms,
					      struct fmp_decision *out);
/**
 * fmp_engine_adopt() - add a block found in the kernel at start
 * @d: source, mac, layers, id (0: assign one), duration_ms = remaining time
 *
 * Return: 0; FMP_ERR_EXISTS, FMP_ERR_LIMIT.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_adopt(struct fmp_engine *e, const struct fmp_decision *d,
					    uint64_t now_ms);
/** fmp_engine_pair() - tell whether the block in force of a source drops frames of one MAC only
 *
 * If so, messages from the address now come from another host: its rank is reset, and if it
 * becomes malicious again it is blocked anew, as another offence. Messages of the next two
 * seconds do not count: they may have been on their way. A new decision on the source, and the
 * end of the block, reset this. */
FMP_API void fmp_engine_pair(struct fmp_engine *e, const struct fmp_addr *source, bool paired,
			     uint64_t now_ms);
/** fmp_engine_cancel() - a block of fmp_engine_event() was not enforced (protected).
 *
 * It is no offence; the source's rank stays below malicious for one half-life (if points never
 * decay: one block.duration), so it causes at most one decision in that time. */
FMP_API void fmp_engine_cancel(struct fmp_engine *e, const struct fmp_addr *source,
			       uint64_t now_ms);

/** fmp_engine_get() - the row of a source (an address finds its prefix's row). Return: 0,
 * FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_engine_get(const struct fmp_engine *e, const struct fmp_addr *source,
					  uint64_t now_ms, struct fmp_source_info *out);
/**
 * fmp_engine_vouches() - did a well-behaved source send good messages with this MAC?
 * @but: source to ignore
 *
 * Well-behaved: not blocked, at least four times as many good messages as bad ones, active within
 * the policy's time to forget.
 */
FMP_API bool fmp_engine_vouches(const struct fmp_engine *e, const struct fmp_addr *mac,
				const struct fmp_addr *but, uint64_t now_ms);
/** fmp_engine_each() - call @cb for every row, in no particular order; stops when it returns
 * non-zero. */
FMP_API int fmp_engine_each(const struct fmp_engine *e, uint64_t now_ms,
			    int (*cb)(const struct fmp_source_info *row, void *ctx), void *ctx);

/**
 * struct fmp_saved_source - a row as saved over a restart; plain value
 *
 * Times are ages, in milliseconds before the moment of saving (FMP_AGE_NEVER: it never happened);
 * the remaining time of a block counts from that moment. So a row means the same whatever the clock
 * says, and after a reboot.
 */
#define FMP_AGE_NEVER UINT64_MAX
/** A counted event (struct fmp_policy_count). */
struct fmp_saved_count {
	uint32_t age_ms;
	uint16_t kind;
	uint16_t pool; /**< 0: the common pool; else one of the row's pools, from 1 */
};
/** The points of an override with a pool of its own (pool="no"). */
struct fmp_saved_pool {
	char service[32];
	uint16_t port;
	uint32_t rank; /**< thousandths of a point */
};
/** The messages of an override; "" and 0: none. */
struct fmp_saved_override {
	char service[32];
	uint16_t port;
};
struct fmp_saved_source {
	struct fmp_addr source;
	uint64_t rank, credit; /**< thousandths of a point, decayed to that moment */
	uint64_t first_age_ms, last_age_ms, last_bad_age_ms;
	uint64_t ended_age_ms; /**< since its last block ended; FMP_AGE_NEVER */
	uint64_t last_good_age_ms;
	struct fmp_addr good_mac; /**< MAC of its good messages; {0}: unknown */
	uint64_t quiet_left_ms; /**< remaining time without decisions, after a cancelled one */
	uint64_t events, good, unproven, cpu_ns;
	uint16_t dest_port; /**< of the newest event */
	uint32_t offences;
	uint64_t decision_id; /**< of the block in force, else of the newest one; 0: none */
	struct fmp_saved_override override; /**< for the newest bad message */
	bool waiting; /**< it waits for room for its block */
	struct fmp_saved_override waiting_override; /**< the override by which it was malicious */
	uint32_t waiting_kinds; /**< bits of the kinds that had reached their count */
	bool blocked; /**< the following members describe the block in force */
	bool is_offence; /**< it counts as an offence */
	bool paired; /**< it drops frames of one MAC only, see fmp_engine_pair() */
	uint64_t left_ms; /**< 0: without end */
	unsigned layers;
	struct fmp_addr mac; /**< for a waiting source: the MAC whose sum made it malicious */
	enum fmp_action_kind action_kind;
	uint32_t rate;
	uint16_t block_port; /**< 0: all */
	unsigned n_history;
	struct fmp_history history[FMP_HISTORY]; /**< oldest first; time_ms is an age */
	unsigned n_pools;
	struct fmp_saved_pool pools[FMP_POOLS_MAX];
	unsigned n_counted;
	struct fmp_saved_count counted[FMP_COUNTED_MAX]; /**< of each kind the oldest first */
};

/** fmp_engine_save() - call @cb for every row as of now_ms, in no particular order; stops when it
 * returns non-zero. A row takes 3.6 KiB, most of it unused history and counts: a file should omit
 * empty entries. */
FMP_API int fmp_engine_save(const struct fmp_engine *e, uint64_t now_ms,
			    int (*cb)(const struct fmp_saved_source *row, void *ctx), void *ctx);
/**
 * fmp_engine_restore() - add a saved row
 * @row: not trusted: checked, and limited to what the policy allows; n_history above FMP_HISTORY,
 * 	 enums out of range, invalid keys: FMP_ERR_INVALID
 * @age_ms: time since it was saved, sleep and downtime included: ranks decay and blocks run during
 * 	 it
 *
 * Constant time but for the eviction order (logarithmic). A block that ended meanwhile is restored
 * as ended. A full table accepts rows with blocks only, also beyond enforce.max_blocks: see
 * fmp_engine_trim(). New decision ids continue after the restored ones. The caller checks the
 * protected set and enforces; if a block is not allowed it passes the row with blocked = false.
 * Adopt what the kernel holds after restoring: fmp_engine_adopt() returns FMP_ERR_EXISTS for blocks
 * that both know. Times before the boot count as the boot: offences may be forgotten later than
 * without a restart, never earlier.
 *
 * Return: 0; FMP_ERR_EXISTS (there is a row of that key), FMP_ERR_LIMIT, FMP_ERR_INVALID.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_restore(struct fmp_engine *e,
					      const struct fmp_saved_source *row, uint64_t age_ms,
					      uint64_t now_ms);

/** Counters since the start. */
struct fmp_engine_stats {
	uint64_t events, good, unproven;
	uint64_t kinds[FMP_EVENT_KINDS]; /**< of events, by kind, without unproven ones */
	uint64_t decisions, unblocks; /**< returned to the caller */
	uint64_t evicted; /**< rows pushed out of a full table */
	uint64_t untracked; /**< events without a row: all rows were blocked, or the address was not proven */
	/** blocks refused because enforce.max_blocks, or the manual share of it, were in force; a
	 * waiting source counts once */
	uint64_t refused;
	uint64_t rollups; /**< decisions to block a prefix */
	uint32_t sources, suspicious, blocked; /**< current rows; blocked includes limited ones */
	uint32_t limited; /**< for being suspicious; at most half of enforce.max_blocks */
	uint32_t waiting; /**< sources waiting for room for their block */
	uint32_t max_blocks;
	uint32_t max_sources;
};
/** fmp_engine_next_id() - the id of the next decision. */
FMP_API uint64_t fmp_engine_next_id(const struct fmp_engine *e);
/** fmp_engine_waiting() - number of waiting sources; constant time. */
FMP_API uint32_t fmp_engine_waiting(const struct fmp_engine *e);
/** fmp_engine_processed() - number of events and good messages processed; constant time. */
FMP_API uint64_t fmp_engine_processed(const struct fmp_engine *e);
/** fmp_engine_get_stats() - all counters; visits every row, for the suspicious ones. */
FMP_API void fmp_engine_get_stats(const struct fmp_engine *e, uint64_t now_ms,
				  struct fmp_engine_stats *out);

#ifdef __cplusplus
}
#endif
#endif
