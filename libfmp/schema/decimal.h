/* SPDX-License-Identifier: GPL-2.0 */
/* xs:decimal of any precision (XSD 1.0 part 2, 3.2.3): libxml2's has 24 digits at most. */
#ifndef FMPI_SCHEMA_DECIMAL_H
#define FMPI_SCHEMA_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/** Digits of the longest number that libxml2 before 2.14 reads. */
#define FMPI_DECIMAL_MAX_DIGITS 24

/** struct fmpi_decimal - digits point into the text that was read */
struct fmpi_decimal {
	const char *whole; /**< without leading zeros */
	const char *fraction; /**< without trailing zeros */
	size_t n_whole, n_fraction;
	bool is_negative; /**< false for zero */
	bool has_point; /**< an xs:integer has none, whatever follows it */
};

/**
 * fmpi_decimal_read() - parse the whole text, without white space around it. Return: false: not a
 * decimal.
 */
bool fmpi_decimal_read(const char *text, size_t len, struct fmpi_decimal *out);

/** fmpi_decimal_compare() - Return: < 0: x is less than y; 0: equal; > 0: x is greater. */
int fmpi_decimal_compare(const struct fmpi_decimal *x, const struct fmpi_decimal *y);

/**
 * fmpi_decimal_digits() - number of digits as totalDigits counts them: at least those of the
 * fraction.
 */
size_t fmpi_decimal_digits(const struct fmpi_decimal *x);

#endif
