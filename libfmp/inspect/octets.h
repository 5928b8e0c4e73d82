/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes that grow at their end. */
#ifndef FMPI_INSPECT_OCTETS_H
#define FMPI_INSPECT_OCTETS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** struct fmpi_octets - starts as all 0; p is for free(). */
struct fmpi_octets {
	char *p;
	size_t len, cap;
};

/** fmpi_octets_grow() - room for n more; doubles. Return: was there memory? */
bool fmpi_octets_grow(struct fmpi_octets *o, size_t n);

/** fmpi_octets_room() - room for n more behind the end. Return: was there memory? */
static inline bool fmpi_octets_room(struct fmpi_octets *o, size_t n)
{
	return o->cap - o->len >= n || fmpi_octets_grow(o, n);
}

/** fmpi_octets_add() - Return: was there memory? */
static inline bool fmpi_octets_add(struct fmpi_octets *o, const void *p, size_t n)
{
	if (!fmpi_octets_room(o, n))
		return false;
	memcpy(o->p + o->len, p, n);
	o->len += n;
	return true;
}

#endif
