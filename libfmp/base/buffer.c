// SPDX-License-Identifier: GPL-2.0
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST 4096u

bool fmpi_buffer_grow(struct fmpi_buffer *b, size_t n)
{
	size_t cap = b->cap ? b->cap : FIRST;
	char *p;

	if (n > SIZE_MAX / 4 - b->len)
		return false;
	while (cap - b->len < n)
		cap *= 2;
	p = realloc(b->p, cap);
	if (!p)
		return false;
	b->p = p;
	b->cap = cap;
	return true;
}
