/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The book of decisions: each block in force with every layer's answer, and the
 * newest of those that ended. What is in force is bounded by the engine's
 * max_blocks, what ended by FMPD_BOOK_ENDED.
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
#define FMPD_BOOK_ENDED 256u

/** struct fmpd_kept - what a struct fmp_decision says, by the same names. */
struct fmpd_kept {
	uint64_t id, time_ms, duration_ms;
	const char *reason; /**< held by the book */
	uint32_t rate, mac_s; /**< mac_s: mac_ms in whole seconds */
	uint32_t set; /**< number of a text, see fmpd_book_set() */
	uint16_t dest_port;
	uint8_t action : 2, measure : 2, layers : 3;
	bool manual : 1;
	uint8_t mac_veto : 5; /**< enum fmp_mac_veto */
	bool stays : 1; /**< a list of its set has it still, see fmpd_plane_set_keep() */
	bool has_mac : 1;
	bool has_pair : 1; /**< of the same MAC, which may no longer be blocked by itself */
	uint8_t mac[6];
	struct fmp_addr source;
};

/** struct fmpd_refused - what only records have that a layer refused. */
struct fmpd_refused {
	int sys_errno[FMP_LAYERS];
	uint64_t retry_ms; /**< when failed layers are asked again; 0: none failed */
	uint32_t tries;
};

struct fmpd_record {
	struct fmpd_kept d; /**< as decided; action is FMP_ACTION_UNBLOCK once it ended */
	uint64_t threshold_ns; /**< CLOCK_BOOTTIME of the message, or the request, that led to it */
	uint64_t answered_ns; /**< CLOCK_BOOTTIME when the layers had answered */
	struct fmpd_refused *refused; /**< NULL: none */
	/* private to decision_table.c */
	TAILQ_ENTRY(fmpd_record) list;
	SLIST_ENTRY(fmpd_record) chain;
	uint32_t words[FMP_LAYERS]; /* numbers of texts */
	/* for all again */
	uint8_t states[FMP_LAYERS]; /**< enum fmp_layer_result_state */
	bool in_force;
};

/** struct fmpd_book_rules - what the book means to a layer, counted in the kernel's rules. */
struct fmpd_book_rules {
	uint32_t wanted; /**< by blocks in force; a MAC that several have is one rule */
	uint32_t enforced; /**< of those whose layer said so, */
	uint32_t failed; /**< or refused */
	uint32_t unended; /**< of ended blocks whose end the layer refused */
};

struct fmpd_book;

struct fmpd_book *fmpd_book_new(uint64_t seed);
void fmpd_book_free(struct fmpd_book *b);
/** fmpd_book_put() - a new block, in place of an older one of the same source. Return: NULL
 * without memory. */
struct fmpd_record *fmpd_book_put(struct fmpd_book *b, const struct fmp_decision *d);
/** fmpd_book_answer() - what a layer answered; @answer: NULL stands for none. Without memory for
 * a refusal the layer is asked again by the next comparison alone. */
void fmpd_book_answer(struct fmpd_book *b, struct fmpd_record *r, unsigned layer,
		      const struct fmp_layer_result *answer);
/** fmpd_book_reason() - another reason. */
void fmpd_book_reason(struct fmpd_book *b, struct fmpd_record *r, const char *reason);
/** fmpd_book_drop_mac() - the record's MAC is no longer blocked, and why. */
void fmpd_book_drop_mac(struct fmpd_book *b, struct fmpd_record *r, enum fmp_mac_veto veto);
/** fmpd_book_drop_pair() - nor is its address in a pair with it: it is by itself. */
void fmpd_book_drop_pair(struct fmpd_book *b, struct fmpd_record *r, enum fmp_mac_veto veto);
/** fmpd_book_end_macs() - takes out the MACs whose own time is over. */
void fmpd_book_end_macs(struct fmpd_book *b, uint64_t now_ms);
/** fmpd_book_end() - no longer in force; the record lives on until newer ones push it out. */
void fmpd_book_end(struct fmpd_book *b, struct fmpd_record *r);
/** fmpd_book_find() - the record of just this source, in force or ended. */
struct fmpd_record *fmpd_book_find(struct fmpd_book *b, const struct fmp_addr *source);
/** fmpd_book_cover() - the record whose source is, or holds, the address; in force before ended. */
struct fmpd_record *fmpd_book_cover(struct fmpd_book *b, const struct fmp_addr *addr);
/** fmpd_book_has_mac() - does a block in force want this MAC dropped on that layer? */
bool fmpd_book_has_mac(const struct fmpd_book *b, const struct fmp_addr *mac, unsigned layer);
/** fmpd_book_first() / _next() - in force, oldest first; _next() before the record is ended. */
struct fmpd_record *fmpd_book_first(struct fmpd_book *b);
struct fmpd_record *fmpd_book_next(struct fmpd_record *r);
/** enum fmpd_walk - whose: there is one of each at a time. */
enum fmpd_walk {
	FMPD_WALK_COMPARE,
	FMPD_WALK_SWEEP,
	FMPD_WALKS
};
/** fmpd_book_walk() - begin to walk over those in force, oldest first, while the book changes: each that
 * stays is met. */
void fmpd_book_walk(struct fmpd_book *b, enum fmpd_walk walk);
/** fmpd_book_walk_next() - Return: NULL: these were all. */
struct fmpd_record *fmpd_book_walk_next(struct fmpd_book *b, enum fmpd_walk walk);
/** fmpd_book_first_ended() - newest first, then fmpd_book_next(). */
struct fmpd_record *fmpd_book_first_ended(struct fmpd_book *b);
size_t fmpd_book_in_force(const struct fmpd_book *b);
/** fmpd_book_newest_id() - of all blocks that came into it; later decisions have higher ones. */
uint64_t fmpd_book_newest_id(const struct fmpd_book *b);
/** fmpd_book_rules() - one for each layer; kept up with every change, so it costs nothing to ask. */
const struct fmpd_book_rules *fmpd_book_rules(const struct fmpd_book *b);
/** fmpd_book_unheld() - blocks in force for some layer, of which none among these can hold them. */
uint32_t fmpd_book_unheld(const struct fmpd_book *b, unsigned layers);

/** fmpd_kept_mac() - {0}: none. */
struct fmp_addr fmpd_kept_mac(const struct fmpd_kept *k);
/** fmpd_kept_pair_mac() - {0}: it is no pair. */
struct fmp_addr fmpd_kept_pair_mac(const struct fmpd_kept *k);
/** fmpd_record_decision() - as a plain value again. */
struct fmp_decision fmpd_record_decision(const struct fmpd_record *r);
/** fmpd_record_left_ms() - of the block; 0: without end. At least 1 while in force. */
uint64_t fmpd_record_left_ms(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_record_mac_left_ms() - of the MAC; 0: as long as the block. At least 1. */
uint64_t fmpd_record_mac_left_ms(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_record_mac_over() - has the MAC a time of its own that is over? */
bool fmpd_record_mac_over(const struct fmpd_record *r, uint64_t now_ms);
/** fmpd_book_words() - a layer's own to a record; "" if it had none. */
const char *fmpd_book_words(const struct fmpd_book *b, const struct fmpd_record *r, unsigned layer);
/** fmpd_book_set() - the named set that a block belongs to; "": none. */
const char *fmpd_book_set(const struct fmpd_book *b, const struct fmpd_record *r);
/** fmpd_record_errno() - a layer's; 0 if it had none. */
int fmpd_record_errno(const struct fmpd_record *r, unsigned layer);
/** fmpd_record_tries() - how often layers that failed were asked, or are to be. */
uint32_t fmpd_record_tries(const struct fmpd_record *r);
/** fmpd_record_settled() - no layer is to be asked again. */
void fmpd_record_settled(struct fmpd_record *r);
/** fmpd_record_failed() - bits of the layers that refused. */
unsigned fmpd_record_failed(const struct fmpd_record *r);
/** fmpd_record_holders() - bits of the layers that are asked to hold something of it, and can. */
unsigned fmpd_record_holders(const struct fmpd_record *r);
/** fmpd_answer_word() - "enforced", "failed", "observed", "absent". */
const char *fmpd_answer_word(enum fmp_layer_result_state state);

#endif
