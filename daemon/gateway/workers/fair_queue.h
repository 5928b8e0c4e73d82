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

#define GW_TURNS	64u /**< rounds ahead that are kept apart; what comes later shares the last one */
#define GW_TURN_SOURCES 1024u /**< sources whose last turn is known; of others two may share one */

/** struct gw_turn - a message that waits; embedded in what it is of */
struct gw_turn {
	TAILQ_ENTRY(gw_turn) entry;
	uint64_t at;
};
TAILQ_HEAD(gw_round, gw_turn);

/** struct gw_turns - all that wait */
struct gw_turns {
	uint64_t seed; /**< of hashes, so that no source can choose with whom it shares turns */
	uint64_t now; /**< the round that is under way */
	uint64_t last[GW_TURN_SOURCES]; /**< round of the newest message of a source */
	struct gw_round round[GW_TURNS];
	uint32_t n;
};

void gw_turns_init(struct gw_turns *t, uint64_t seed);
/** gw_turns_add() - @source: NULL for what is of none. */
void gw_turns_add(struct gw_turns *t, struct gw_turn *e, const struct fmp_addr *source);
/** gw_turns_first() - Return: the next one, which stays; NULL: none waits. */
struct gw_turn *gw_turns_first(struct gw_turns *t);
void gw_turns_remove(struct gw_turns *t, struct gw_turn *e);

#endif
