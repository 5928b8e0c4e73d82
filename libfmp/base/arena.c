// SPDX-License-Identifier: GPL-2.0
#include "arena.h"

#include <stdlib.h>

/*
 * Size of the first block in bytes. Each further one is larger by a 32nd of the sum of all before
 * it: small arenas waste little, and large ones need few blocks.
 */
#define FIRST 960u

struct fmpi_arena_block {
	struct fmpi_arena_block *next;
	uint8_t bytes[];
};

struct fmpi_arena *fmpi_arena_new(void)
{
	return calloc(1, sizeof(struct fmpi_arena));
}

/*
 * Frees the oldest block first: malloc() merges each block with those before it and returns the
 * memory at most once.
 */
void fmpi_arena_free(struct fmpi_arena *a)
{
	struct fmpi_arena_block *next;

	if (!a)
		return;
	for (struct fmpi_arena_block *b = a->first; b; b = next) {
		next = b->next;
		free(b);
	}
	free(a);
}

bool fmpi_arena_grow(struct fmpi_arena *a, size_t n)
{
	size_t usual = FIRST + a->size / 32, size = n < usual ? usual : n;
	struct fmpi_arena_block *b = malloc(sizeof(*b) + size);

	if (!b)
		return false;
	b->next = NULL;
	if (a->last)
		a->last->next = b;
	else
		a->first = b;
	a->last = b;
	a->p = b->bytes;
	a->left = size;
	a->size += size;
	ASAN_POISON_MEMORY_REGION(a->p, size);
	return true;
}
