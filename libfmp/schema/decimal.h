/* SPDX-License-Identifier: GPL-2.0 */
/* xs:decimal of any precision (XSD 1.0 part 2, 3.2.3): libxml2's has 24 digits. */
#ifndef FMPI_SCHEMA_DECIMAL_H
#define FMPI_SCHEMA_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/** struct fmpi_decimal - digits point into the text that it was read from */
struct fmpi_decimal {
	const char *whole; /**< without leading zeros */
	const char *fraction; /**< without trailing zeros */
	size_t n_whole, n_fraction;
	bool is_negative; /**< never of zero */
	bool has_point; /**< no xs:integer has one, whatever is behind it */
};

/** fmpi_decimal_read() - all of the text, but for white space around it. Return: is it a decimal? */
bool fmpi_decimal_read(const char *text, size_t len, struct fmpi_decimal *out);

/** fmpi_decimal_compare() - below 0: x is less than y; 0: they are equal. */
int fmpi_decimal_compare(const struct fmpi_decimal *x, const struct fmpi_decimal *y);

/** fmpi_decimal_digits() - as totalDigits counts them: those of a fraction at least. */
size_t fmpi_decimal_digits(const struct fmpi_decimal *x);

#endif
