/* SPDX-License-Identifier: GPL-2.0 */
/* splitmix64: repeats the same load for the same seed; not for secrets. */
#ifndef FLOOD_RANDOM_H
#define FLOOD_RANDOM_H

#include <stdint.h>

struct flood_random {
	uint64_t state;
};

static inline uint64_t flood_random_next(struct flood_random *r)
{
	uint64_t z = (r->state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* Return: 0 <= result < n. */
static inline uint32_t flood_random_below(struct flood_random *r, uint32_t n)
{
	return (uint32_t)(((flood_random_next(r) >> 32) * n) >> 32);
}

#endif
