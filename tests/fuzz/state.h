/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What must hold of the rules whatever was sent
 */
#ifndef FUZZ_STATE_H
#define FUZZ_STATE_H

#include "channel.h"

/**
 * struct state - answer to FMP_CMD_STATS_GET
 * @rules: rules in force
 * @rules_max: most rules of a table
 * @generation: of the tables
 */
struct state {
	uint32_t rules;
	uint32_t rules_max;
	uint32_t generation;
};

/* Asks for the state. */
void state_get(struct channel *ch, struct state *st);

/*
 * Dumps the rules and judges them: as many as the counter says, no address twice,
 * each within the contract. NULL, or what is wrong; timed is how many of them
 * will come to an end.
 */
const char *state_check(struct channel *ch, unsigned int *timed);

#endif /* FUZZ_STATE_H */
