/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A look at as many bytes at once as a word has. The highest bit of some byte of what these
 * return is set if a byte of the word is like that; now and then where none is, so who finds
 * one set looks at the bytes themselves.
 */
#ifndef FMPI_XML_SWAR_H
#define FMPI_XML_SWAR_H

#include <stddef.h>

static inline size_t fmpi_repeat_byte(unsigned char c)
{
	return ~(size_t)0 / 255 * c;
}

/** fmpi_match_control() - control characters */
static inline size_t fmpi_match_control(size_t w)
{
	return (w - fmpi_repeat_byte(' ')) & ~w;
}

static inline size_t fmpi_match_byte(size_t w, unsigned char c)
{
	w ^= fmpi_repeat_byte(c);
	return (w - fmpi_repeat_byte(1)) & ~w;
}

#endif
