/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts distinct byte strings
 */
#ifndef FUZZ_DISTINCT_H
#define FUZZ_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct distinct - set of the byte strings seen so far
 * @slot: their hashes, 0 in an empty slot
 * @mask: number of slots, a power of two, minus 1
 * @seen: number of distinct byte strings
 */
struct distinct {
	uint64_t *slot;
	size_t mask;
	unsigned long seen;
};

/* Allocates space for max byte strings. Return: false if there is no memory. */
bool distinct_init(struct distinct *d, unsigned long max);

/*
 * Return: true if the byte string is new. Two different ones may share a hash; then the
 * second is not counted. Nor is one that finds no space: the count is never too high.
 */
bool distinct_add(struct distinct *d, const uint8_t *data, size_t len);

#endif /* FUZZ_DISTINCT_H */
