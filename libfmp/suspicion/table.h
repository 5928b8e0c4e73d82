/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of sources: bounded, with a rule for who goes when it is full.
 *
 * Eviction. All ranks decay by the same half-life, so which of two rows has the lower
 * rank does not change with time: it is the one that will be clean (below a
 * thousandth of a point) sooner. That time, `keep`, orders the rows; the smallest goes.
 * Hence: the lowest decayed rank goes first, and among rows without rank the one
 * whose rank ran out longest ago. A flood from many sources pushes out only rows whose
 * rank is lower than the flood's own: nobody washes himself clean by it.
 * A row whose block is in force is never evicted; one whose block is over, and one that waits for its block,
 * keeps the place of a row at the malicious threshold, so that its strikes last. See fmpi_engine_keep().
 * The order depends on events and times alone, never on the hash (invariant 7).
 */
#ifndef FMPI_SUSPICION_TABLE_H
#define FMPI_SUSPICION_TABLE_H

#include <sys/queue.h>

#include <fmp/suspicion.h>

#include <suspicion/group.h>
#include <suspicion/heap.h>
#include <suspicion/history.h>
#include <suspicion/ledger.h>

/** fmpi_row_drops() - is a block of it in force that lets nothing through? */
#define fmpi_row_drops(row)                                                                 \
	((row)->blocked && (row)->measure == FMP_ACTION_KIND_BLOCK && !(row)->block_port && \
	 !(row)->paired)

/* There may be tens of thousands: fields stand by their size, so that there is no gap in it. */
struct fmpi_row {
	struct fmpi_row *next; /* in its bucket */
	uint64_t keep; /* eviction: the smallest goes; the heap may still have an older value */

	uint64_t rank_ms; /* rank is as of then */
	uint64_t first_ms, last_ms, last_bad_ms;
	uint64_t cpu_ns;
	uint64_t ended_ms; /* when the last block ended */
	uint64_t decision_id; /* of the newest block */
	uint64_t quiet_ms; /* until then the rank stays below malicious: a decision was cancelled;
			      of a pair at 0 */

	struct fmpi_good *good; /* NULL: no good message came */
	struct fmpi_group *group; /* NULL: none */
	struct fmpi_history *history; /* NULL: none */
	struct fmpi_ledger *ledger; /* NULL: nothing is counted of it */

	uint32_t order; /* of making */
	uint32_t heap_at; /* place in the heap that it is in */
	union {
		uint32_t member_at; /* place among the blocked ones of its group */
		uint32_t waits_at; /* of one that waits for a block: place among those */
	};
	uint32_t rank; /* thousandths of a point */
	uint32_t events, unproven; /* counted up to UINT32_MAX */
	uint32_t strikes;
	union {
		uint32_t rate; /* of a limit */
		uint32_t waits_kinds; /* of one that waits: bits of the kinds of whose events it had as many as count */
	};
	uint16_t dest_port;
	union {
		uint16_t block_port; /* 0: all */
		uint16_t waits_override; /* of one that waits: that it was malicious by, as override */
	};
	struct fmp_addr key;
	uint8_t mac[6]; /* if has_mac: of an adopted block; of one that waits, whose addresses made it malicious */
	uint8_t override; /* number in the policy of the one for the newest bad message; 0: none */
	uint8_t layers : 3; /* of the block */
	uint8_t measure : 3; /* enum fmp_action_kind */
	bool has_mac : 1;
	bool blocked : 1; /* a block is in force */
	bool struck : 1; /* it was counted as a strike */
	bool watched : 1; /* what is in force is a limit because it was suspicious, no block */
	bool rolled : 1; /* its prefix is blocked instead */
	bool grouped : 1; /* is among the blocked ones of its group */
	bool paired : 1; /* what is in force drops frames of one MAC alone */
	bool by_hand : 1; /* a person took what is in force */
	bool waiting : 1; /* it is to be blocked as soon as there is room */
};

/* Whoever is to be blocked has hardly any: it is kept apart from the row. */
struct fmpi_good {
	uint64_t n, last_ms;
	uint64_t credit_ms;
	uint32_t credit; /* thousandths of a point, as of credit_ms */
	uint8_t mac[6]; /* of the newest, if of is not NULL: see macs.h */
	struct fmpi_row *of; /* that it belongs to */
	LIST_ENTRY(fmpi_good) same; /* of the same MAC, or nearly */
};
LIST_HEAD(fmpi_goods, fmpi_good);

struct fmpi_table {
	struct fmpi_row **buckets;
	/* base: a power of two; base <= n_buckets <= 2 * base; room for cap */
	uint64_t n_buckets, base, cap, seed;
	uint32_t n, max, blocked;
	uint32_t watched, by_hand; /* of blocked */
	uint64_t evicted, made;
	struct fmpi_heap idle; /* rows without a block, by keep */
	struct fmpi_heap ends; /* rows with a block that ends, by its end */
	struct fmpi_heap waiting; /* rows to be blocked, by UINT64_MAX - keep: the worst first */
	uint32_t prefixes[2][129]; /* blocks in force by family (IPv4, IPv6) and prefix length */
	struct fmpi_groups groups;
	struct fmpi_goods *macs; /* NULL: none is remembered */
	struct fmp_intern texts; /* what events say */
};

/** A row with this keep is not pushed out at all. */
#define FMPI_KEEP_PINNED UINT64_MAX

/** fmpi_table_init() - Return: 0, FMP_ERR_NOMEM. */
int fmpi_table_init(struct fmpi_table *t, uint32_t max, uint64_t seed);
void fmpi_table_exit(struct fmpi_table *t);
/** fmpi_table_resize() - another bound; evicts what is too much, as far as it is not blocked. */
void fmpi_table_resize(struct fmpi_table *t, uint32_t max);

struct fmpi_row *fmpi_table_find(const struct fmpi_table *t, const struct fmp_addr *key);
/** fmpi_table_cover() - the narrowest block in force that lets nothing of addr through; NULL. */
struct fmpi_row *fmpi_table_cover(const struct fmpi_table *t, const struct fmp_addr *addr);
/**
 * fmpi_table_add() - a row for a key that has none
 * @keep: its place in the order of eviction
 * @evict: push another row out if there is no room
 *
 * Return: NULL if there is no room, or no memory.
 */
struct fmpi_row *fmpi_table_add(struct fmpi_table *t, const struct fmp_addr *key, uint64_t keep,
				bool evict);
/** fmpi_table_remove() - forgets a row that is not blocked. */
void fmpi_table_remove(struct fmpi_table *t, struct fmpi_row *row);
/** fmpi_table_keep() - another place in the order of eviction. */
void fmpi_table_keep(struct fmpi_table *t, struct fmpi_row *row, uint64_t keep);
/** fmpi_table_block() - until until_ms, UINT64_MAX: without end. The row is not blocked yet; what
 * the block is stands in it already. */
void fmpi_table_block(struct fmpi_table *t, struct fmpi_row *row, uint64_t until_ms);
/** fmpi_table_until() - end of a row's block that is in force; UINT64_MAX: without end. */
uint64_t fmpi_table_until(const struct fmpi_table *t, const struct fmpi_row *row);
/** fmpi_table_end_at() - another end for a block in force; it may have had none. */
void fmpi_table_end_at(struct fmpi_table *t, struct fmpi_row *row, uint64_t until_ms);
/** fmpi_row_good() - what it has of good messages, made if it has none. Return: NULL without memory. */
struct fmpi_good *fmpi_row_good(struct fmpi_row *row);
/** fmpi_row_mac() / _set_mac() - of an adopted block, or of the addresses that one waits with; {0}: none. */
struct fmp_addr fmpi_row_mac(const struct fmpi_row *row);
void fmpi_row_set_mac(struct fmpi_row *row, const struct fmp_addr *mac);
/** fmpi_table_unblock() - the row, which is blocked, can be evicted again. */
void fmpi_table_unblock(struct fmpi_table *t, struct fmpi_row *row, uint64_t keep);
/** fmpi_table_wait() - the row, which is not blocked, waits for room. Return: false: it did before, or there
 * is no memory. Its block, and its end, make an end of this. */
bool fmpi_table_wait(struct fmpi_table *t, struct fmpi_row *row);
/** fmpi_table_wait_end() - it no longer waits. */
void fmpi_table_wait_end(struct fmpi_table *t, struct fmpi_row *row);

#endif
