/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers by chance, the same on every machine. */
#ifndef FMP_TESTS_RANDOM_H
#define FMP_TESTS_RANDOM_H

#include <stdint.h>

/** random_below() - xorshift. @state: not 0. Return: 0 to @below - 1. */
static inline uint64_t random_below(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

#endif
