/* SPDX-License-Identifier: GPL-2.0 */
/* Hexadecimal digits, in either case. */
#ifndef FMPI_BASE_HEX_H
#define FMPI_BASE_HEX_H

/** fmpi_hex_digit() - the value of a digit; -1: it is none */
static inline int fmpi_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

#endif
