/* SPDX-License-Identifier: GPL-2.0 */
/* Arena allocator: memory is allocated in small pieces and freed all at once. */
#ifndef FMPI_BASE_ARENA_H
#define FMPI_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fmpi_arena_block;

/** struct fmpi_arena - pieces are aligned for pointers and not cleared */
struct fmpi_arena {
	struct fmpi_arena_block *first, *last;
	uint8_t *p; /**< next free byte, in the last block */
	size_t left; /**< bytes free behind p */
	size_t size; /**< bytes of all blocks */
};

/** fmpi_arena_new() - Return: an empty arena; NULL: out of memory. */
struct fmpi_arena *fmpi_arena_new(void);

/** fmpi_arena_free() - free the arena and all its pieces; NULL is allowed. */
void fmpi_arena_free(struct fmpi_arena *a);

/** fmpi_arena_grow() - append a block of at least n bytes. Return: false: out of memory. */
bool fmpi_arena_grow(struct fmpi_arena *a, size_t n);

/*
 * Under AddressSanitizer each piece is marked on its own, with a poisoned gap of one pointer behind
 * it.
 */
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

/** fmpi_arena_alloc() - allocate n bytes, at most SIZE_MAX / 2. Return: NULL: out of memory. */
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
