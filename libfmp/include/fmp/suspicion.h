/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The suspicion engine: a pure function of policy, events and time (DESIGN:
 * invariant 7). No I/O, no clock of its own; the same log gives the same decisions.
 *
 * All times are CLOCK_BOOTTIME milliseconds, passed in, and never go back; a
 * time before the last one seen is taken as the last one.
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
 * Who goes when the table is full. All ranks decay by one half-life, so the order of two ranks
 * never changes; the row that will be clean first is the one with the lowest decayed rank, and
 * goes first; of rows without rank the one that was heard of longest ago. A new source pushes
 * out that one, and only if its own address is proven; a row with a block, a limit or a block of
 * its prefix in force never goes; one whose block is over stands as high as the threshold of
 * malicious, so that its strikes last, and so does one that waits for its block; of points that are kept
 * apart the highest count. An attacker can't wash himself clean by it: to push
 * his own row out he needs as many proven addresses as the table has rows, each of them with
 * more points than he has, which blocks them.
 */
enum fmp_source_state {
	FMP_STATE_CLEAN = 0,
	FMP_STATE_SUSPICIOUS, /**< by its rank; or limited because it was */
	FMP_STATE_MALICIOUS, /**< a block is in force, narrowed or whole */
	/** Malicious, and blocked as soon as there is room for one more block, if it still is by what made it so:
	 * its points, its events of a kind, or the sum of its MAC's addresses. */
	FMP_STATE_WAITING,
};
FMP_API const char *fmp_source_state_name(unsigned state);

/** One event as the table remembers it; the newest FMP_HISTORY of a source are kept, those without points only where
 * there is no other. */
#define FMP_HISTORY 8
struct fmp_history {
	uint64_t time_ms;
	enum fmp_event_kind kind;
	uint32_t rank; /**< points it added */
	uint16_t dest_port;
	char detail[FMP_EVENT_DETAIL];
};

/** struct fmp_source_info - a row of the table; plain value, a copy. */
struct fmp_source_info {
	struct fmp_addr
		source; /**< by the policy's IPv6 prefix, see fmp_engine_set_protect_check() */
	enum fmp_source_state state;
	/** Points at the time asked for, decayed, less its credit; of pools that are kept apart the one that
	 * is nearest to its threshold. */
	uint32_t rank;
	uint32_t credit; /**< points of its good messages, decayed */
	uint32_t suspicious, malicious; /**< the thresholds that hold for it: see rule */
	/** Whose thresholds these are: "override of port 22", "group office", both; "": the policy's.
	 * Of overrides it is the one for the newest bad message. */
	char rule[112];
	uint16_t dest_port; /**< of the newest event */
	uint64_t first_ms, last_ms; /**< first and newest event */
	uint64_t events, good; /**< bad and good messages, unproven ones not counted */
	uint64_t unproven; /**< events that gathered no rank; like bad ones counted to UINT32_MAX */
	uint64_t cpu_ns; /**< burnt by its bad messages */
	uint32_t strikes; /**< blocks so far, until forgotten */
	uint64_t decision_id; /**< of the block in force or the newest one; 0: none */
	uint64_t blocked_until_ms; /**< end of the block in force; 0: none, UINT64_MAX: without end */
	enum fmp_action_kind measure; /**< of the block in force */
	uint32_t rate; /**< of a limit, packets a second */
	uint16_t block_port; /**< that the block is narrowed to; 0: all */
	unsigned n_history;
	struct fmp_history history[FMP_HISTORY]; /**< oldest first */
};

struct fmp_engine;

/**
 * fmp_engine_new()
 * @policy: not owned; must outlive the engine or be replaced by fmp_engine_set_policy()
 * @seed: keys the hash of the table; does not change any decision; the jitter of blocks has a key
 *	of its own, fmp_engine_set_jitter()
 * @first_id: decision ids start here
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_new(const struct fmp_policy *policy, uint64_t seed,
					  uint64_t first_id, struct fmp_engine **out,
					  struct fmp_error *err);
FMP_API void fmp_engine_free(struct fmp_engine *e);

/** fmp_engine_set_jitter() - the key by which blocks get shorter (0 at first). With the same key the
 * same log gives the same decisions; who does not know it can't tell when a block ends. */
FMP_API void fmp_engine_set_jitter(struct fmp_engine *e, uint64_t key);

/**
 * fmp_engine_set_protect_check() - who may not be blocked
 * @guard: may this address or prefix not? Its answers are an input like policy and events.
 *
 * An IPv6 prefix of the policy that may not, for it holds a protected address, is no source: its
 * addresses are, each by itself. Without a guard (at first) nobody is protected.
 */
FMP_API void fmp_engine_set_protect_check(struct fmp_engine *e,
					  bool (*guard)(const struct fmp_addr *addr, void *ctx),
					  void *ctx);

/**
 * fmp_engine_set_translators() - the network's own, as RFC 8781 or RFC 7050 tells them; none at first
 *
 * An input like policy and events. Rows and blocks that are there stay as they are, also those of a prefix that
 * is one no more.
 */
FMP_API void fmp_engine_set_translators(struct fmp_engine *e, const struct fmp_translators *found);

/**
 * fmp_engine_set_mac_siblings() - which addresses have one MAC
 * @kin: the MAC of an address; false: it is not known, or nobody's who could be judged by it, as a router's. by: the
 *	message that is added up, whose packets may tell it; NULL: a person lets the address go.
 *	Its answers are an input like policy and events; asked before the engine looks at any row,
 *	so it may restore the MAC's. None at first.
 *
 * Asked for addresses alone whose prefix may not be blocked (see fmp_engine_set_protect_check()), of which who has
 * one has as many as he likes. The ranks of bad messages add up under their MAC too, which has a row of its
 * own that makes no decision; an address that sends one more is judged by the higher of both
 * ranks, unless it sent at least four times as many good ones; nothing is added up where ranks never decay.
 */
FMP_API void fmp_engine_set_mac_siblings(struct fmp_engine *e,
					 bool (*kin)(const struct fmp_addr *addr,
						     const struct fmp_event *by,
						     struct fmp_addr *mac, void *ctx),
					 void *ctx);

/** fmp_engine_set_policy() - from now on; blocks in force keep their end, ranks are kept. */
FMP_API void fmp_engine_set_policy(struct fmp_engine *e, const struct fmp_policy *policy,
				   uint64_t now_ms);

/**
 * fmp_engine_fit() - end the blocks that are more than enforce.max_blocks, behind another policy and behind restored rows
 *
 * Limits of what was but suspicious end first, then what people have beyond their share, the one that would end
 * soonest first, then the least dangerous. fmp_engine_expire() says so; a source whose block was the engine's waits
 * for room then.
 *
 * Return: how many end; without memory none does before its time.
 */
FMP_API uint32_t fmp_engine_fit(struct fmp_engine *e, uint64_t now_ms);

/**
 * fmp_engine_event() - one event
 * @now_ms: when it is processed
 * @out: filled when the return is 1: a block, without MAC; layers and duration by the policy
 *
 * A decision takes the place of one for the same source that is in force: a limit that becomes a
 * block, a block of one port that becomes one of all. Its source may be a prefix (policy: rollup);
 * the blocks of single sources in it are then ended by fmp_engine_expire(), which has
 * something to say at once.
 *
 * The caller asks the protected set before it enforces; if it does not, or can't,
 * enforce, it says so by fmp_engine_cancel(), before any other call.
 *
 * Return: 1 a decision, 0 none, FMP_ERR_INVALID for an event without an IP source.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_event(struct fmp_engine *e, const struct fmp_event *ev,
					    uint64_t now_ms, struct fmp_decision *out);

/**
 * fmp_engine_expire() - the next block whose time is over; behind these, where there is room again, the
 * block of the most dangerous source that waits for it
 *
 * Call until it returns 0. Return: 1 and an unblock, or a block as of fmp_engine_event(), or 0.
 */
FMP_API int fmp_engine_expire(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out);
/** fmp_engine_next_ms() - when fmp_engine_expire() will next have something; UINT64_MAX: never. */
FMP_API uint64_t fmp_engine_next_ms(const struct fmp_engine *e);

/**
 * fmp_engine_block() - a person blocks an address, a prefix or a MAC
 * @duration_ms: 0: without end
 *
 * Return: 0 and the decision; FMP_ERR_LIMIT if no more blocks fit, or no more by hand: a share of them
 * is kept for those that the engine decides (enforce.automatic_pct), and one of these that is taken over by
 * hand counts as one by hand from then on; FMP_ERR_INVALID.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_block(struct fmp_engine *e, const struct fmp_addr *source,
					    unsigned layers, uint64_t duration_ms,
					    const char *reason, uint64_t now_ms,
					    struct fmp_decision *out);
/** fmp_engine_unblock() - a person, or protection, ends a block; rank is set to 0.
 * Return: 0 and the unblock; FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_engine_unblock(struct fmp_engine *e, const struct fmp_addr *source,
					      const char *reason, uint64_t now_ms,
					      struct fmp_decision *out);
/**
 * fmp_engine_adopt() - a block found in the kernel at start
 * @d: as found: source, mac, layers, id (0: a new one), duration_ms = what is left of it
 *
 * Return: 0; FMP_ERR_EXISTS, FMP_ERR_LIMIT.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_adopt(struct fmp_engine *e, const struct fmp_decision *d,
					    uint64_t now_ms);
/** fmp_engine_pair() - does the block in force of a source drop frames of one MAC alone?
 *
 * Then others come by its address: its rank is spent, and who makes it malicious once more is blocked
 * anew, as for another offence. What comes in the next two seconds counts for nothing: it may have been
 * on its way. A decision on the source, and its end, make an end of this. */
FMP_API void fmp_engine_pair(struct fmp_engine *e, const struct fmp_addr *source, bool paired,
			     uint64_t now_ms);
/** fmp_engine_cancel() - a block of fmp_engine_event() was not put in force (protected).
 *
 * It counts as no strike; the source's rank stays below malicious for one half-life (if points never
 * decay: one block.duration), so that it makes one decision in that time at most. */
FMP_API void fmp_engine_cancel(struct fmp_engine *e, const struct fmp_addr *source,
			       uint64_t now_ms);

/** fmp_engine_get() - the row of a source (an address finds its prefix's row).
 * Return: 0, FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_engine_get(const struct fmp_engine *e, const struct fmp_addr *source,
					  uint64_t now_ms, struct fmp_source_info *out);
/**
 * fmp_engine_vouches() - did a well-behaved source send good messages with this MAC?
 * @but: not this one
 *
 * Well-behaved: not blocked, good at least four times as often as bad, and within the policy's time to forget.
 */
FMP_API bool fmp_engine_vouches(const struct fmp_engine *e, const struct fmp_addr *mac,
				const struct fmp_addr *but, uint64_t now_ms);
/** fmp_engine_each() - every row, in no particular order; stops when cb returns non-zero. */
FMP_API int fmp_engine_each(const struct fmp_engine *e, uint64_t now_ms,
			    int (*cb)(const struct fmp_source_info *row, void *ctx), void *ctx);

/**
 * struct fmp_saved_source - a row as a file keeps it over a restart; plain value
 *
 * Times are ages, in milliseconds before the moment it was saved for (FMP_AGE_NEVER: it never
 * happened), what is left of a block counts from that moment. So the row means the same whatever
 * the clock says, and after a reboot.
 */
#define FMP_AGE_NEVER UINT64_MAX
/** An event that the policy counts (struct fmp_policy_count). */
struct fmp_saved_count {
	uint32_t age_ms;
	uint16_t kind;
	uint16_t pool; /**< 0: of all, but those kept apart; else one of the row's pools, from 1 on */
};
/** The points that an override keeps apart (pool="no"). */
struct fmp_saved_pool {
	char service[32];
	uint16_t port;
	uint32_t rank; /**< thousandths of a point */
};
/** For which messages an override is; "" and 0: it is none. */
struct fmp_saved_override {
	char service[32];
	uint16_t port;
};
struct fmp_saved_source {
	struct fmp_addr source;
	uint64_t rank, credit; /**< thousandths of a point, decayed to that moment */
	uint64_t first_age_ms, last_age_ms, last_bad_age_ms;
	uint64_t ended_age_ms; /**< since its last block ended */
	uint64_t last_good_age_ms;
	struct fmp_addr good_mac; /**< that its good messages came with; {0}: not known */
	uint64_t quiet_left_ms; /**< so long it makes no decision: one was cancelled */
	uint64_t events, good, unproven, cpu_ns;
	uint16_t dest_port; /**< of the newest event */
	uint32_t strikes;
	uint64_t decision_id; /**< of the block in force or the newest one; 0: none */
	struct fmp_saved_override override; /**< for the newest bad message */
	bool waiting; /**< it was to be blocked as soon as there is room */
	struct fmp_saved_override waits_override; /**< by which it was malicious then */
	uint32_t waits_kinds; /**< bits of the kinds of whose events it had as many as count */
	bool blocked; /**< what follows is of the block in force */
	bool struck; /**< it was counted as a strike */
	bool paired; /**< it drops frames of one MAC alone, see fmp_engine_pair() */
	uint64_t left_ms; /**< 0: without end */
	unsigned layers;
	struct fmp_addr mac; /**< while it waits: by the sum of whose addresses */
	enum fmp_action_kind measure;
	uint32_t rate;
	uint16_t block_port; /**< 0: all */
	unsigned n_history;
	struct fmp_history history[FMP_HISTORY]; /**< oldest first; time_ms is an age */
	unsigned n_pools;
	struct fmp_saved_pool pools[FMP_POOLS_MAX];
	unsigned n_counted;
	struct fmp_saved_count counted[FMP_COUNTED_MAX]; /**< of each kind oldest first */
};

/** fmp_engine_save() - every row as of now_ms, in no particular order; stops when cb returns non-zero.
 * A row is 3.6 KiB, most of it history and what is counted: a file that leaves empty places out is smaller. */
FMP_API int fmp_engine_save(const struct fmp_engine *e, uint64_t now_ms,
			    int (*cb)(const struct fmp_saved_source *row, void *ctx), void *ctx);
/**
 * fmp_engine_restore() - a row of an earlier life
 * @row: not trusted: checked, and cut to what the policy allows; n_history above FMP_HISTORY, names
 *	 out of range, keys that are no source: FMP_ERR_INVALID
 * @age_ms: since it was saved, sleep and downtime included: ranks decay and blocks run on over it
 *
 * Constant time but for the order of eviction (a logarithm). A block that ended in the meantime
 * comes back as one that ended; a full table takes blocks only, more than enforce.max_blocks too, see
 * fmp_engine_fit(); ids of new decisions go on behind those restored. The caller asks the protected set and enforces; a
 * row whose block may not be is to be given with blocked = false. Adopt what the kernel still
 * holds after restoring: fmp_engine_adopt() then says FMP_ERR_EXISTS for what both know.
 * Times before the boot count as the boot: a row's strikes may be forgotten later than they
 * would have been, never earlier.
 *
 * Return: 0; FMP_ERR_EXISTS (there is a row of that key), FMP_ERR_LIMIT, FMP_ERR_INVALID.
 */
FMP_API FMP_MUST_CHECK int fmp_engine_restore(struct fmp_engine *e,
					      const struct fmp_saved_source *row, uint64_t age_ms,
					      uint64_t now_ms);

/** Counters, all since the start. */
struct fmp_engine_stats {
	uint64_t events, good, unproven; /**< taken in */
	uint64_t kinds[FMP_EVENT_KINDS]; /**< of events, by kind; unproven ones are not in it */
	uint64_t decisions, unblocks; /**< given out */
	uint64_t evicted; /**< rows pushed out of a full table */
	uint64_t untracked; /**< events for which no row was free: all others blocked, or not proven */
	uint64_t refused; /**< blocks not taken: enforce.max_blocks were in force, or what of them is
				people's; a source that waits counts once */
	uint64_t rollups; /**< of the decisions, blocks of a prefix that many were blocked in */
	uint32_t sources, suspicious, blocked; /**< rows now; blocked ones with limited ones */
	uint32_t limited; /**< because they were suspicious: half of enforce.max_blocks at most */
	uint32_t waiting; /**< sources to be blocked as soon as there is room */
	uint32_t max_blocks;
	uint32_t max_sources;
};
/** fmp_engine_next_id() - of the next decision. */
FMP_API uint64_t fmp_engine_next_id(const struct fmp_engine *e);
/** fmp_engine_waiting() - how many wait for room; costs nothing to ask. */
FMP_API uint32_t fmp_engine_waiting(const struct fmp_engine *e);
/** fmp_engine_taken() - events and good messages taken in; costs nothing to ask. */
FMP_API uint64_t fmp_engine_taken(const struct fmp_engine *e);
/** fmp_engine_get_stats() - looks at every row, for the suspicious ones. */
FMP_API void fmp_engine_get_stats(const struct fmp_engine *e, uint64_t now_ms,
				  struct fmp_engine_stats *out);

#ifdef __cplusplus
}
#endif
#endif
