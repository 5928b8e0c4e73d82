/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes that grow at their end. */
#ifndef FMPI_BASE_BUFFER_H
#define FMPI_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** struct fmpi_buffer - starts as all 0; p is for free(). */
struct fmpi_buffer {
	char *p;
	size_t len, cap;
};

/** fmpi_buffer_grow() - room for n more; doubles. Return: was there memory? */
bool fmpi_buffer_grow(struct fmpi_buffer *b, size_t n);

/** fmpi_buffer_reserve() - room for n more behind the end. Return: was there memory? */
static inline bool fmpi_buffer_reserve(struct fmpi_buffer *b, size_t n)
{
	return b->cap - b->len >= n || fmpi_buffer_grow(b, n);
}

/** fmpi_buffer_add() - Return: was there memory? */
static inline bool fmpi_buffer_add(struct fmpi_buffer *b, const void *p, size_t n)
{
	if (!fmpi_buffer_reserve(b, n))
		return false;
	memcpy(b->p + b->len, p, n);
	b->len += n;
	return true;
}

#endif
