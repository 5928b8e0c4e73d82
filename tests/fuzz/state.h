/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Invariants of the rules
 */
#ifndef FUZZ_STATE_H
#define FUZZ_STATE_H

#include "channel.h"

/**
 * struct state - reply to FMP_CMD_STATS_GET
 * @rules: number of rules in force
 * @rules_max: maximum number of rules in a table
 * @generation: generation of the tables
 */
struct state {
	uint32_t rules;
	uint32_t rules_max;
	uint32_t generation;
};

/* Reads the state. */
void state_get(struct channel *ch, struct state *st);

/*
 * Dumps the rules and checks them: as many as the counter, no address twice, each valid
 * by the contract. Return: NULL, or the error; *timed is the number of rules with a
 * timeout.
 */
const char *state_check(struct channel *ch, unsigned int *timed);

#endif /* FUZZ_STATE_H */
