/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The decision table: each block in force with the result of each layer, and the newest blocks that
 * ended. The engine's max_blocks bounds those in force, FMPD_TABLE_ENDED_MAX those that ended.
 */
#ifndef FMPD_DECISION_TABLE_H
#define FMPD_DECISION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/decision.h>
#include <fmp/internal/hmap.h>
#include <fmp/internal/queue.h>

/*
 * A record is small, for there may be tens of thousands: numbers take as few bytes as they need, and
 * equal texts are stored once (string_intern.h).
 */
#define FMPD_TABLE_ENDED_MAX 256u

/** struct fmpd_packed_decision - a struct fmp_decision in fewer bytes; members have the same names. */
struct fmpd_packed_decision {
	uint64_t id, time_ms, duration_ms;
	const char *reason; /**< owned by the table */
	uint32_t rate, mac_s; /**< mac_s: mac_ms in whole seconds */
	uint32_t set; /**< number of an interned text, see fmpd_table_set_name() */
	uint16_t dest_port;
	uint8_t action : 2, action_kind : 2, layers : 3;
	bool manual : 1;
	uint8_t mac_veto : 5; /**< enum fmp_mac_veto */
	bool keep : 1; /**< the list of its set still has the address, see fmpd_plane_set_keep() */
	bool has_mac : 1;
	bool has_pair : 1; /**< in a pair with @mac, which may no longer be blocked by itself */
	uint8_t mac[6];
	struct fmp_addr source;
};

/** struct fmpd_failure - only for records that a layer refused. */
struct fmpd_failure {
	int sys_errno[FMP_LAYERS];
	uint64_t retry_ms; /**< when to apply it to failed layers again; 0: none failed */
	uint32_t tries;
};

struct fmpd_record {
	struct fmpd_packed_decision d; /**< as decided; action is FMP_ACTION_UNBLOCK once it ended */
	uint64_t threshold_ns; /**< CLOCK_BOOTTIME of the message or request that led to it */
	uint64_t results_ns; /**< CLOCK_BOOTTIME of the results */
	struct fmpd_failure *failure; /**< NULL: none */
	/* private to decision_table.c */
	TAILQ_ENTRY(fmpd_record) list;
	struct fmp_hmap_link link;
	uint32_t result_texts[FMP_LAYERS]; /* numbers of interned texts */
	/* public again */
	uint8_t states[FMP_LAYERS]; /**< enum fmp_layer_result_state */
	bool in_force;
};

/** struct fmpd_rule_counts - what the table means to one layer, counted in kernel rules. */
struct fmpd_rule_counts {
	uint32_t wanted; /**< of blocks in force; a MAC that several blocks have is one rule */
	uint32_t enforced; /**< of these, the layer confirmed */
	uint32_t failed; /**< of these, the layer refused */
	uint32_t unended; /**< of ended blocks: rules that the layer refused to delete */
};

struct fmpd_decision_table;

struct fmpd_decision_table *fmpd_table_new(uint64_t seed);
void fmpd_table_free(struct fmpd_decision_table *t);
/** fmpd_table_put() - add a block; it replaces an older one of the same source. Return: NULL without
 * memory. */
struct fmpd_record *fmpd_table_put(struct fmpd_decision_table *t, const struct fmp_decision *d);
/** fmpd_table_set_result() - the result of a layer. @result: NULL: none. If there is no memory for a failure,
 * only the next comparison applies it again. */
void fmpd_table_set_result(struct fmpd_decision_table *t, struct fmpd_record *r, unsigned layer,
			   const struct fmp_layer_result *result);
/** fmpd_table_set_reason() - replace the reason. */
void fmpd_table_set_reason(struct fmpd_decision_table *t, struct fmpd_record *r,
			   const char *reason);
/** fmpd_table_drop_mac() - the record's MAC is no longer blocked. @veto: why */
void fmpd_table_drop_mac(struct fmpd_decision_table *t, struct fmpd_record *r,
			 enum fmp_mac_veto veto);
/** fmpd_table_drop_pair() - the same, and its address is blocked by itself, no longer in a pair. */
void fmpd_table_drop_pair(struct fmpd_decision_table *t, struct fmpd_record *r,
			  enum fmp_mac_veto veto);
/** fmpd_table_expire_macs() - drop the MACs whose own time is over. */
void fmpd_table_expire_macs(struct fmpd_decision_table *t, uint64_t now_ms);
/** fmpd_table_end() - the block is no longer in force; newer ended records push the record out later. */
void fmpd_table_end(struct fmpd_decision_table *t, struct fmpd_record *r);
/** fmpd_table_lookup_exact() - the record of exactly this source, in force or ended. */
struct fmpd_record *fmpd_table_lookup_exact(struct fmpd_decision_table *t,
					    const struct fmp_addr *source);
/** fmpd_table_lookup() - the record whose source is, or contains, the address; in force before ended. */
struct fmpd_record *fmpd_table_lookup(struct fmpd_decision_table *t, const struct fmp_addr *addr);
/**
 * fmpd_table_narrowest() - the block in force with the longest prefix around an IP address, not by its MAC
 * @below: bits of the prefix, at most one more than the address has: fewer than these
 *
 * However many blocks there are, it costs one look-up for each length that some of them have.
 */
struct fmpd_record *fmpd_table_narrowest(struct fmpd_decision_table *t, const struct fmp_addr *addr,
					 unsigned below);
/** fmpd_table_has_mac() - does a block in force need a rule for this MAC on that layer? */
bool fmpd_table_has_mac(const struct fmpd_decision_table *t, const struct fmp_addr *mac,
			unsigned layer);
/** fmpd_table_first() / _next() - in force, oldest first; call _next() before the record is ended. */
struct fmpd_record *fmpd_table_first(struct fmpd_decision_table *t);
struct fmpd_record *fmpd_table_next(struct fmpd_record *r);
/** enum fmpd_cursor - one cursor for each long-running loop over the table. */
enum fmpd_cursor {
	FMPD_CURSOR_COMPARE,
	FMPD_CURSOR_UNBLOCK_ALL,
	FMPD_CURSORS
};
/** fmpd_table_cursor_rewind() - start a loop over the blocks in force, oldest first. The table may change
 * meanwhile: each block that stays is met. */
void fmpd_table_cursor_rewind(struct fmpd_decision_table *t, enum fmpd_cursor cursor);
/** fmpd_table_cursor_next() - Return: NULL at the end. */
struct fmpd_record *fmpd_table_cursor_next(struct fmpd_decision_table *t, enum fmpd_cursor cursor);
/** fmpd_table_first_ended() - newest first, then fmpd_table_next(). */
struct fmpd_record *fmpd_table_first_ended(struct fmpd_decision_table *t);
size_t fmpd_table_in_force(const struct fmpd_decision_table *t);
/** fmpd_table_newest_id() - highest id ever added; ids of later decisions are higher. */
uint64_t fmpd_table_newest_id(const struct fmpd_decision_table *t);
/** fmpd_table_rule_counts() - one for each layer; updated with every change, so a call costs nothing. */
const struct fmpd_rule_counts *fmpd_table_rule_counts(const struct fmpd_decision_table *t);
/** fmpd_table_unenforced() - blocks in force that none of these layers is able to hold. */
uint32_t fmpd_table_unenforced(const struct fmpd_decision_table *t, unsigned layers);

/** fmpd_packed_mac() - {0}: none. */
struct fmp_addr fmpd_packed_mac(const struct fmpd_packed_decision *k);
/** fmpd_packed_pair_mac() - {0}: no pair. */
struct fmp_addr fmpd_packed_pair_mac(const struct fmpd_packed_decision *k);
/** fmpd_record_decision() - unpack; without the set. */
struct fmp_decision fmpd_record_decision(const struct fmpd_record *r);
/** fmpd_record_left_ms() - time left of the block; 0: without end. Never 0 for one that ends. */
uint64_t fmpd_record_left_ms(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_record_mac_left_ms() - time left of the MAC; 0: as long as the block. Else at least 1. */
uint64_t fmpd_record_mac_left_ms(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_record_mac_expired() - does the MAC have a time of its own, and is it over? */
bool fmpd_record_mac_expired(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_table_result_text() - the text of a layer's result; "": none. */
const char *fmpd_table_result_text(const struct fmpd_decision_table *t, const struct fmpd_record *r,
				   unsigned layer);
/** fmpd_table_set_name() - the named set of a block; "": none. */
const char *fmpd_table_set_name(const struct fmpd_decision_table *t, const struct fmpd_record *r);
/** fmpd_record_errno() - of a layer's result; 0 if it had none. */
int fmpd_record_errno(const struct fmpd_record *r, unsigned layer);
/** fmpd_record_tries() - how often the decision was applied to layers that failed, the next time included. */
uint32_t fmpd_record_tries(const struct fmpd_record *r);
/** fmpd_record_clear_retry() - do not apply it to any layer again. */
void fmpd_record_clear_retry(struct fmpd_record *r);
/** fmpd_record_failed_layers() - bits of the layers that refused it. */
unsigned fmpd_record_failed_layers(const struct fmpd_record *r);
/** fmpd_record_capable_layers() - bits of its layers that are able to hold some rule of it. */
unsigned fmpd_record_capable_layers(const struct fmpd_record *r);
/** fmpd_result_name() - "enforced", "failed", "observed", "absent". */
const char *fmpd_result_name(enum fmp_layer_result_state state);

#endif
