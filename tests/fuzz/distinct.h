/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts things that were not there before
 */
#ifndef FUZZ_DISTINCT_H
#define FUZZ_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct distinct - what was seen so far
 * @slot: hashes of it, 0 where there is none
 * @mask: their number, less one; a power of two
 * @seen: how many there are
 */
struct distinct {
	uint64_t *slot;
	size_t mask;
	unsigned long seen;
};

/* Room for so many; false if there is no memory for that. */
bool distinct_init(struct distinct *d, unsigned long most);

/*
 * Is it new? Two that differ may share a hash: then one of them is not counted, so what
 * is counted is never too much. What finds no room is not counted either.
 */
bool distinct_add(struct distinct *d, const uint8_t *data, size_t len);

#endif /* FUZZ_DISTINCT_H */
