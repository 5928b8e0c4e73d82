/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Round-robin queue of messages by source: each source has one message per round, in the order of
 * arrival. A source that sends many at once waits for itself, the others wait for at most one of
 * its messages. Pure: no I/O, no clock.
 */
#ifndef GW_FAIR_QUEUE_H
#define GW_FAIR_QUEUE_H

#include <stdint.h>

#include <fmp/internal/queue.h>
#include <fmp/source.h>

#define GW_FAIR_QUEUE_ROUNDS 64u /**< rounds kept apart; later messages share the last one */
#define GW_FAIR_QUEUE_SOURCES \
	1024u /**< sources whose last round is known; beyond, two may share one */

/** struct gw_fair_queue_entry - a waiting message; embedded in its owner */
struct gw_fair_queue_entry {
	TAILQ_ENTRY(gw_fair_queue_entry) entry;
	uint64_t at;
};
TAILQ_HEAD(gw_fair_queue_round, gw_fair_queue_entry);

/** struct gw_fair_queue - all waiting messages */
struct gw_fair_queue {
	uint64_t seed; /**< of the hash, so that a source can't choose which other one it collides with */
	uint64_t now; /**< current round */
	uint64_t last[GW_FAIR_QUEUE_SOURCES]; /**< round of a source's newest message */
	struct gw_fair_queue_round round[GW_FAIR_QUEUE_ROUNDS];
	uint32_t n;
};

void gw_fair_queue_init(struct gw_fair_queue *t, uint64_t seed);
/** gw_fair_queue_add() - @source: NULL: none. */
void gw_fair_queue_add(struct gw_fair_queue *t, struct gw_fair_queue_entry *e,
		       const struct fmp_addr *source);
/** gw_fair_queue_first() - Return: the next message, which stays queued; NULL: none. */
struct gw_fair_queue_entry *gw_fair_queue_first(struct gw_fair_queue *t);
void gw_fair_queue_remove(struct gw_fair_queue *t, struct gw_fair_queue_entry *e);

#endif
