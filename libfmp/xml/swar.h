/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SWAR (SIMD within a register): test all bytes of a machine word at once. The top bit of some byte
 * of the result is set if a byte matches. It may be set without a match too, so a caller then tests
 * the bytes one by one.
 */
#ifndef FMPI_XML_SWAR_H
#define FMPI_XML_SWAR_H

#include <stddef.h>

static inline size_t fmpi_repeat_byte(unsigned char c)
{
	return ~(size_t)0 / 255 * c;
}

/** fmpi_match_control() - match bytes below the blank */
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
