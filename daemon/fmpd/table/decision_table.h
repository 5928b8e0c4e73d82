/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The book of decisions: each block in force with every layer's answer, and the
 * newest of those that ended. What is in force is bounded by the engine's
 * max_blocks, what ended by FMPD_TABLE_ENDED_MAX.
 */
#ifndef FMPD_DECISION_TABLE_H
#define FMPD_DECISION_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <fmp/decision.h>

/*
 * A record is small, for there may be tens of thousands of them: numbers in as few bytes as they
 * need, texts kept once for all who have the same (string_intern.h).
 */
#define FMPD_TABLE_ENDED_MAX 256u

/** struct fmpd_packed_decision - what a struct fmp_decision says, by the same names. */
struct fmpd_packed_decision {
	uint64_t id, time_ms, duration_ms;
	const char *reason; /**< held by the book */
	uint32_t rate, mac_s; /**< mac_s: mac_ms in whole seconds */
	uint32_t set; /**< number of a text, see fmpd_table_set_name() */
	uint16_t dest_port;
	uint8_t action : 2, measure : 2, layers : 3;
	bool manual : 1;
	uint8_t mac_veto : 5; /**< enum fmp_mac_veto */
	bool keep : 1; /**< a list of its set has it still, see fmpd_plane_set_keep() */
	bool has_mac : 1;
	bool has_pair : 1; /**< of the same MAC, which may no longer be blocked by itself */
	uint8_t mac[6];
	struct fmp_addr source;
};

/** struct fmpd_failure - what only records have that a layer refused. */
struct fmpd_failure {
	int sys_errno[FMP_LAYERS];
	uint64_t retry_ms; /**< when failed layers are asked again; 0: none failed */
	uint32_t tries;
};

struct fmpd_record {
	struct fmpd_packed_decision d; /**< as decided; action is FMP_ACTION_UNBLOCK once it ended */
	uint64_t threshold_ns; /**< CLOCK_BOOTTIME of the message, or the request, that led to it */
	uint64_t results_ns; /**< CLOCK_BOOTTIME when the layers had answered */
	struct fmpd_failure *failure; /**< NULL: none */
	/* private to decision_table.c */
	TAILQ_ENTRY(fmpd_record) list;
	SLIST_ENTRY(fmpd_record) chain;
	uint32_t result_texts[FMP_LAYERS]; /* numbers of texts */
	/* for all again */
	uint8_t states[FMP_LAYERS]; /**< enum fmp_layer_result_state */
	bool in_force;
};

/** struct fmpd_rule_counts - what the book means to a layer, counted in the kernel's rules. */
struct fmpd_rule_counts {
	uint32_t wanted; /**< by blocks in force; a MAC that several have is one rule */
	uint32_t enforced; /**< of those whose layer said so, */
	uint32_t failed; /**< or refused */
	uint32_t unended; /**< of ended blocks whose end the layer refused */
};

struct fmpd_decision_table;

struct fmpd_decision_table *fmpd_table_new(uint64_t seed);
void fmpd_table_free(struct fmpd_decision_table *t);
/** fmpd_table_put() - a new block, in place of an older one of the same source. Return: NULL
 * without memory. */
struct fmpd_record *fmpd_table_put(struct fmpd_decision_table *t, const struct fmp_decision *d);
/** fmpd_table_set_result() - what a layer answered; @answer: NULL stands for none. Without memory for
 * a refusal the layer is asked again by the next comparison alone. */
void fmpd_table_set_result(struct fmpd_decision_table *t, struct fmpd_record *r, unsigned layer,
			   const struct fmp_layer_result *result);
/** fmpd_table_set_reason() - another reason. */
void fmpd_table_set_reason(struct fmpd_decision_table *t, struct fmpd_record *r,
			   const char *reason);
/** fmpd_table_drop_mac() - the record's MAC is no longer blocked, and why. */
void fmpd_table_drop_mac(struct fmpd_decision_table *t, struct fmpd_record *r,
			 enum fmp_mac_veto veto);
/** fmpd_table_drop_pair() - nor is its address in a pair with it: it is by itself. */
void fmpd_table_drop_pair(struct fmpd_decision_table *t, struct fmpd_record *r,
			  enum fmp_mac_veto veto);
/** fmpd_table_expire_macs() - takes out the MACs whose own time is over. */
void fmpd_table_expire_macs(struct fmpd_decision_table *t, uint64_t now_ms);
/** fmpd_table_end() - no longer in force; the record lives on until newer ones push it out. */
void fmpd_table_end(struct fmpd_decision_table *t, struct fmpd_record *r);
/** fmpd_table_lookup_exact() - the record of just this source, in force or ended. */
struct fmpd_record *fmpd_table_lookup_exact(struct fmpd_decision_table *t,
					    const struct fmp_addr *source);
/** fmpd_table_lookup() - the record whose source is, or holds, the address; in force before ended. */
struct fmpd_record *fmpd_table_lookup(struct fmpd_decision_table *t, const struct fmp_addr *addr);
/** fmpd_table_has_mac() - does a block in force want this MAC dropped on that layer? */
bool fmpd_table_has_mac(const struct fmpd_decision_table *t, const struct fmp_addr *mac,
			unsigned layer);
/** fmpd_table_first() / _next() - in force, oldest first; _next() before the record is ended. */
struct fmpd_record *fmpd_table_first(struct fmpd_decision_table *t);
struct fmpd_record *fmpd_table_next(struct fmpd_record *r);
/** enum fmpd_cursor - whose: there is one of each at a time. */
enum fmpd_cursor {
	FMPD_CURSOR_COMPARE,
	FMPD_CURSOR_UNBLOCK_ALL,
	FMPD_CURSORS
};
/** fmpd_table_cursor_rewind() - begin to walk over those in force, oldest first, while the book changes: each that
 * stays is met. */
void fmpd_table_cursor_rewind(struct fmpd_decision_table *t, enum fmpd_cursor cursor);
/** fmpd_table_cursor_next() - Return: NULL: these were all. */
struct fmpd_record *fmpd_table_cursor_next(struct fmpd_decision_table *t, enum fmpd_cursor cursor);
/** fmpd_table_first_ended() - newest first, then fmpd_table_next(). */
struct fmpd_record *fmpd_table_first_ended(struct fmpd_decision_table *t);
size_t fmpd_table_in_force(const struct fmpd_decision_table *t);
/** fmpd_table_newest_id() - of all blocks that came into it; later decisions have higher ones. */
uint64_t fmpd_table_newest_id(const struct fmpd_decision_table *t);
/** fmpd_table_rule_counts() - one for each layer; kept up with every change, so it costs nothing to ask. */
const struct fmpd_rule_counts *fmpd_table_rule_counts(const struct fmpd_decision_table *t);
/** fmpd_table_unenforced() - blocks in force for some layer, of which none among these can hold them. */
uint32_t fmpd_table_unenforced(const struct fmpd_decision_table *t, unsigned layers);

/** fmpd_packed_mac() - {0}: none. */
struct fmp_addr fmpd_packed_mac(const struct fmpd_packed_decision *k);
/** fmpd_packed_pair_mac() - {0}: it is no pair. */
struct fmp_addr fmpd_packed_pair_mac(const struct fmpd_packed_decision *k);
/** fmpd_record_decision() - as a plain value again. */
struct fmp_decision fmpd_record_decision(const struct fmpd_record *r);
/** fmpd_record_left_ms() - of the block; 0: without end. At least 1 while in force. */
uint64_t fmpd_record_left_ms(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_record_mac_left_ms() - of the MAC; 0: as long as the block. At least 1. */
uint64_t fmpd_record_mac_left_ms(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_record_mac_expired() - has the MAC a time of its own that is over? */
bool fmpd_record_mac_expired(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_table_result_text() - a layer's own to a record; "" if it had none. */
const char *fmpd_table_result_text(const struct fmpd_decision_table *t, const struct fmpd_record *r,
				   unsigned layer);
/** fmpd_table_set_name() - the named set that a block belongs to; "": none. */
const char *fmpd_table_set_name(const struct fmpd_decision_table *t, const struct fmpd_record *r);
/** fmpd_record_errno() - a layer's; 0 if it had none. */
int fmpd_record_errno(const struct fmpd_record *r, unsigned layer);
/** fmpd_record_tries() - how often layers that failed were asked, or are to be. */
uint32_t fmpd_record_tries(const struct fmpd_record *r);
/** fmpd_record_clear_retry() - no layer is to be asked again. */
void fmpd_record_clear_retry(struct fmpd_record *r);
/** fmpd_record_failed_layers() - bits of the layers that refused. */
unsigned fmpd_record_failed_layers(const struct fmpd_record *r);
/** fmpd_record_capable_layers() - bits of the layers that are asked to hold something of it, and can. */
unsigned fmpd_record_capable_layers(const struct fmpd_record *r);
/** fmpd_result_name() - "enforced", "failed", "observed", "absent". */
const char *fmpd_result_name(enum fmp_layer_result_state state);

#endif
