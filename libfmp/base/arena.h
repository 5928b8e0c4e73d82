/* SPDX-License-Identifier: GPL-2.0 */
/* Memory that is taken in small pieces and given back in one. */
#ifndef FMPI_BASE_ARENA_H
#define FMPI_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fmpi_arena_block;

/** struct fmpi_arena - its pieces are aligned as pointers are; nothing in them is cleared. */
struct fmpi_arena {
	struct fmpi_arena_block *first, *last;
	uint8_t *p; /**< in the last block */
	size_t left; /**< from there on */
	size_t size; /**< of all blocks */
};

/** fmpi_arena_new() - NULL: no memory. */
struct fmpi_arena *fmpi_arena_new(void);

/** fmpi_arena_free() - with all its pieces; takes NULL. */
void fmpi_arena_free(struct fmpi_arena *a);

/** fmpi_arena_grow() - another block, with room for so many bytes. Return: was there memory? */
bool fmpi_arena_grow(struct fmpi_arena *a, size_t n);

/* Sanitizers know of each piece; one pointer lies between two of them. */
#if defined(__SANITIZE_ADDRESS__)
#define FMPI_ARENA_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FMPI_ARENA_CHECKED 1
#endif
#endif
#ifdef FMPI_ARENA_CHECKED
#include <sanitizer/asan_interface.h>
#define FMPI_ARENA_GAP sizeof(void *)
#else
#define FMPI_ARENA_GAP 0
#define ASAN_POISON_MEMORY_REGION(p, n)
#define ASAN_UNPOISON_MEMORY_REGION(p, n)
#endif

/** fmpi_arena_alloc() - n bytes, at most SIZE_MAX / 2; NULL: no memory. */
static inline void *fmpi_arena_alloc(struct fmpi_arena *a, size_t n)
{
	size_t room = (n + FMPI_ARENA_GAP + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
	void *p;

	if (a->left < room && !fmpi_arena_grow(a, room))
		return NULL;
	p = a->p;
	a->p += room;
	a->left -= room;
	ASAN_UNPOISON_MEMORY_REGION(p, n);
	return p;
}

#endif
