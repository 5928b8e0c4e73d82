/* SPDX-License-Identifier: GPL-2.0 */
/* Pseudo-random numbers that repeat with the same seed (splitmix64). */
#ifndef FMP_TESTS_RANDOM_H
#define FMP_TESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct test_random {
	uint64_t state;
};

static inline uint64_t random_u64(struct test_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Return: 0 to n - 1. */
static inline uint32_t random_below(struct test_random *r, uint32_t n)
{
	return (random_u64(r) >> 32) * n >> 32;
}

/* True once in n calls, on average. */
static inline bool random_once_in(struct test_random *r, uint32_t n)
{
	return !random_below(r, n);
}

#endif /* FMP_TESTS_RANDOM_H */
