// SPDX-License-Identifier: GPL-2.0
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST 4096u

bool fmpi_buffer_grow(struct fmpi_buffer *o, size_t n)
{
	size_t cap = o->cap ? o->cap : FIRST;
	char *p;

	if (n > SIZE_MAX / 4 - o->len)
		return false;
	while (cap - o->len < n)
		cap *= 2;
	p = realloc(o->p, cap);
	if (!p)
		return false;
	o->p = p;
	o->cap = cap;
	return true;
}
