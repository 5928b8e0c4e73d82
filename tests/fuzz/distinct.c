// SPDX-License-Identifier: GPL-2.0
/*
 * A set of hashes, open addressing
 */
#include "distinct.h"

#include <stdlib.h>
#include <string.h>

/* 64 bits: of 400,000 sets of ten million frames, about one has a collision. */
static uint64_t hash_bytes(const uint8_t *data, size_t len)
{
	uint64_t h = len * 0x9e3779b97f4a7c15ULL, word;

	for (; len; len -= len < 8 ? len : 8, data += 8) {
		word = 0;
		memcpy(&word, data, len < 8 ? len : 8);
		h = (h ^ word) * 0xff51afd7ed558ccdULL;
		h ^= h >> 32;
	}
	return h ? h : 1;
}

bool distinct_init(struct distinct *d, unsigned long max)
{
	size_t slots = 1024;

	/* A quarter stays empty, so that a search ends soon. */
	while (slots - slots / 4 < max)
		slots *= 2;
	d->slot = calloc(slots, sizeof(*d->slot));
	d->mask = slots - 1;
	d->seen = 0;
	return d->slot;
}

bool distinct_add(struct distinct *d, const uint8_t *data, size_t len)
{
	uint64_t h = hash_bytes(data, len);
	size_t at = h & d->mask;

	for (; d->slot[at]; at = (at + 1) & d->mask) {
		if (d->slot[at] == h)
			return false;
	}
	if (d->seen >= d->mask)
		return false;
	d->slot[at] = h;
	d->seen++;
	return true;
}
