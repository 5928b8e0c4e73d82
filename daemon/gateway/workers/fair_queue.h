/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which message is next: sources take turns, a message each, in the order in which they came to their turn. A source
 * that sends many at once waits for itself, and others for no more than one of it. A pure core: no I/O, no clock.
 */
#ifndef GW_FAIR_QUEUE_H
#define GW_FAIR_QUEUE_H

#include <stdint.h>
#include <sys/queue.h>

#include <fmp/source.h>

#define GW_FAIR_QUEUE_ROUNDS \
	64u /**< rounds ahead that are kept apart; what comes later shares the last one */
#define GW_FAIR_QUEUE_SOURCES \
	1024u /**< sources whose last turn is known; of others two may share one */

/** struct gw_fair_queue_entry - a message that waits; embedded in what it is of */
struct gw_fair_queue_entry {
	TAILQ_ENTRY(gw_fair_queue_entry) entry;
	uint64_t at;
};
TAILQ_HEAD(gw_fair_queue_round, gw_fair_queue_entry);

/** struct gw_fair_queue - all that wait */
struct gw_fair_queue {
	uint64_t seed; /**< of hashes, so that no source can choose with whom it shares turns */
	uint64_t now; /**< the round that is under way */
	uint64_t last[GW_FAIR_QUEUE_SOURCES]; /**< round of the newest message of a source */
	struct gw_fair_queue_round round[GW_FAIR_QUEUE_ROUNDS];
	uint32_t n;
};

void gw_fair_queue_init(struct gw_fair_queue *t, uint64_t seed);
/** gw_fair_queue_add() - @source: NULL for what is of none. */
void gw_fair_queue_add(struct gw_fair_queue *t, struct gw_fair_queue_entry *e,
		       const struct fmp_addr *source);
/** gw_fair_queue_first() - Return: the next one, which stays; NULL: none waits. */
struct gw_fair_queue_entry *gw_fair_queue_first(struct gw_fair_queue *t);
void gw_fair_queue_remove(struct gw_fair_queue *t, struct gw_fair_queue_entry *e);

#endif
