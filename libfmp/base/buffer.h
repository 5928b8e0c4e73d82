/* SPDX-License-Identifier: GPL-2.0 */
/* A byte buffer that grows at its end. */
#ifndef FMPI_BASE_BUFFER_H
#define FMPI_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** struct fmpi_buffer - starts zeroed; the owner frees p with free() */
struct fmpi_buffer {
	char *p;
	size_t len, cap;
};

/** fmpi_buffer_grow() - make room for n more bytes by doubling. Return: false: out of memory. */
bool fmpi_buffer_grow(struct fmpi_buffer *b, size_t n);

/** fmpi_buffer_reserve() - the same, if there is no room yet. Return: false: out of memory. */
static inline bool fmpi_buffer_reserve(struct fmpi_buffer *b, size_t n)
{
	return b->cap - b->len >= n || fmpi_buffer_grow(b, n);
}

/** fmpi_buffer_add() - append n bytes. Return: false: out of memory. */
static inline bool fmpi_buffer_add(struct fmpi_buffer *b, const void *p, size_t n)
{
	if (!fmpi_buffer_reserve(b, n))
		return false;
	memcpy(b->p + b->len, p, n);
	b->len += n;
	return true;
}

#endif
