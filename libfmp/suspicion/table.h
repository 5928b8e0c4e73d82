/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of sources: bounded, with an eviction order.
 *
 * All ranks decay with the same half-life, so the order of two rows by rank does not change with
 * time: the lower one is clean (below a thousandth of a point) sooner. That time, the eviction key,
 * orders the rows; the smallest is evicted first: the lowest decayed rank, and among rows without
 * rank the one whose rank ran out longest ago. A flood from many sources evicts only rows with a
 * lower rank than its own. A row whose block is in force is never evicted; one whose block is over,
 * or that waits for its block, has at least the key of a row at the malicious threshold, so that
 * its offences are not lost. See fmpi_row_eviction_key(). The order depends on events and times
 * only, never on the hash (invariant 7).
 */
#ifndef FMPI_SUSPICION_TABLE_H
#define FMPI_SUSPICION_TABLE_H

#include <fmp/internal/hmap.h>
#include <fmp/internal/queue.h>
#include <fmp/suspicion.h>

#include <suspicion/prefix_group.h>
#include <suspicion/heap.h>
#include <suspicion/history.h>
#include <suspicion/ledger.h>

/** fmpi_row_blocks_all() - is a block in force that drops everything of the source? */
#define fmpi_row_blocks_all(row)                                                                \
	((row)->blocked && (row)->action_kind == FMP_ACTION_KIND_BLOCK && !(row)->block_port && \
	 !(row)->paired)

/* There may be tens of thousands: members are ordered by size, to avoid padding. */
struct fmpi_row {
	struct fmp_hmap_link link;
	uint64_t eviction_key; /* the smallest is evicted; the heap may still hold an older value */

	uint64_t rank_ms; /* time of rank */
	uint64_t first_ms, last_ms, last_bad_ms;
	uint64_t cpu_ns;
	uint64_t ended_ms; /* end of the last block */
	uint64_t decision_id; /* of the newest block */
	/* until then the rank stays below malicious after a cancelled decision, and at 0 after a
	 * pair block */
	uint64_t quiet_ms;

	struct fmpi_good *good; /* NULL: no good message */
	struct fmpi_prefix_group *group; /* NULL: none */
	struct fmpi_history *history; /* NULL: none */
	struct fmpi_ledger *ledger; /* NULL: no pools, no counts */

	uint32_t order; /* creation order */
	uint32_t heap_at; /* position in idle or ends */
	union {
		uint32_t member_at; /* position among the blocked members of its group */
		uint32_t waiting_at; /* waiting row: position in the heap waiting */
	};
	uint32_t rank; /* thousandths of a point */
	uint32_t events, unproven; /* counted up to UINT32_MAX */
	uint32_t offences;
	union {
		uint32_t rate; /* of a limit */
		uint32_t waiting_kinds; /* waiting row: bits of the kinds that had reached their count */
	};
	uint16_t dest_port;
	union {
		uint16_t block_port; /* 0: all */
		uint16_t waiting_override; /* waiting row: the override by which it was malicious */
	};
	struct fmp_addr key;
	/* if has_mac: MAC of an adopted block, or of the siblings that made a waiting row
	 * malicious */
	uint8_t mac[6];
	uint8_t override; /* number of the override for the newest bad message; 0: none */
	uint8_t layers : 3;
	uint8_t action_kind : 3; /* enum fmp_action_kind */
	bool has_mac : 1;
	bool blocked : 1; /* a block is in force */
	bool is_offence : 1; /* the block counts as an offence */
	bool suspicion_limit : 1; /* the block in force is a limit for being suspicious */
	bool aggregated : 1; /* its prefix is blocked instead */
	bool grouped : 1; /* is among the blocked members of its group */
	bool paired : 1; /* the block in force drops frames of one MAC only */
	bool manual : 1; /* the block in force is manual */
	bool waiting : 1; /* it waits for room for its block */
};

/* The good messages of a row. Attackers have hardly any, so they are allocated separately. */
struct fmpi_good {
	uint64_t n, last_ms;
	uint64_t credit_ms;
	uint32_t credit; /* thousandths of a point, as of credit_ms */
	uint8_t mac[6]; /* of the newest one, if of is not NULL: see macs.h */
	struct fmpi_row *of;
	LIST_ENTRY(fmpi_good) same; /* hash chain of its MAC */
};
LIST_HEAD(fmpi_goods, fmpi_good);

struct fmpi_table {
	struct fmp_hmap rows;
	uint64_t seed;
	uint32_t max, blocked;
	uint32_t suspicion_limit, manual;
	uint64_t evicted, made;
	struct fmpi_heap idle; /* rows without a block, by eviction key */
	struct fmpi_heap ends; /* rows with a block that ends, by its end */
	struct fmpi_heap
		waiting; /* waiting rows, by UINT64_MAX - eviction key: the most dangerous first */
	uint32_t prefixes[2][129]; /* blocks in force by family (IPv4, IPv6) and prefix length */
	struct fmpi_prefix_groups groups;
	struct fmpi_goods *macs; /* NULL: none is stored */
	struct fmp_intern texts;
};

/** A row with this eviction key is never evicted. */
#define FMPI_EVICTION_PINNED UINT64_MAX

/** fmpi_table_init() - Return: 0, FMP_ERR_NOMEM. */
int fmpi_table_init(struct fmpi_table *t, uint32_t max, uint64_t seed);
void fmpi_table_exit(struct fmpi_table *t);
/** fmpi_table_resize() - change the bound; evicts surplus rows that are not blocked. */
void fmpi_table_resize(struct fmpi_table *t, uint32_t max);

struct fmpi_row *fmpi_table_find(const struct fmpi_table *t, const struct fmp_addr *key);
/** fmpi_table_find_covering() - the narrowest block in force that drops everything of @addr; NULL. */
struct fmpi_row *fmpi_table_find_covering(const struct fmpi_table *t, const struct fmp_addr *addr);
/**
 * fmpi_table_add() - create a row for a key that has none
 * @eviction_key: its place in the eviction order
 * @evict: evict another row if there is no room
 *
 * Return: NULL if there is no room, or no memory.
 */
struct fmpi_row *fmpi_table_add(struct fmpi_table *t, const struct fmp_addr *key,
				uint64_t eviction_key, bool evict);
/** fmpi_table_remove() - free a row that is not blocked. */
void fmpi_table_remove(struct fmpi_table *t, struct fmpi_row *row);
/** fmpi_table_set_eviction_key() - move a row in the eviction order. */
void fmpi_table_set_eviction_key(struct fmpi_table *t, struct fmpi_row *row, uint64_t eviction_key);
/** fmpi_table_block() - start the block of a row that is not blocked yet, until @until_ms
 * (UINT64_MAX: without end). The caller has filled in the properties of the block. */
void fmpi_table_block(struct fmpi_table *t, struct fmpi_row *row, uint64_t until_ms);
/** fmpi_table_block_end() - the end of the block in force of a row; UINT64_MAX: without end. */
uint64_t fmpi_table_block_end(const struct fmpi_table *t, const struct fmpi_row *row);
/** fmpi_table_set_block_end() - change the end of a block in force; it may have had none. */
void fmpi_table_set_block_end(struct fmpi_table *t, struct fmpi_row *row, uint64_t until_ms);
/** fmpi_row_good() - the good messages of a row, created if it has none. Return: NULL without
 * memory. */
struct fmpi_good *fmpi_row_good(struct fmpi_row *row);
/** fmpi_row_mac() / _set_mac() - the MAC of an adopted block, or of the siblings of a waiting row;
 * {0}: none. */
struct fmp_addr fmpi_row_mac(const struct fmpi_row *row);
void fmpi_row_set_mac(struct fmpi_row *row, const struct fmp_addr *mac);
/** fmpi_table_unblock() - end the block of a row, which can then be evicted. */
void fmpi_table_unblock(struct fmpi_table *t, struct fmpi_row *row, uint64_t eviction_key);
/** fmpi_table_start_waiting() - let a row that is not blocked wait for room. Return: false: it
 * waits already, or there is no memory. A block of the row, and its removal, end this. */
bool fmpi_table_start_waiting(struct fmpi_table *t, struct fmpi_row *row);
/** fmpi_table_stop_waiting() - the row no longer waits. */
void fmpi_table_stop_waiting(struct fmpi_table *t, struct fmpi_row *row);

#endif
