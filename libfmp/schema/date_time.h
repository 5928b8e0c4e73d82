/* SPDX-License-Identifier: GPL-2.0 */
/* Dates and times of XSD 1.0 (part 2, 3.2.7 to 3.2.14) as points in time; with no zone, a span of 28 hours. */
#ifndef FMPI_SCHEMA_DATE_TIME_H
#define FMPI_SCHEMA_DATE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** struct fmpi_date_time - the fraction points into the text that it was read from */
struct fmpi_date_time {
	int64_t seconds; /**< in UTC if it has a zone */
	const char *fraction; /**< of a second, without trailing zeros */
	size_t n_fraction;
	bool has_zone;
};

enum fmpi_order {
	FMPI_BEFORE = -1,
	FMPI_SAME,
	FMPI_AFTER,
	FMPI_UNORDERED, /**< one has a zone, and it depends on the other's which is first (3.2.7.4) */
};

/** fmpi_date_time_is_type() - a type of this kind, by its local name: "dateTime", "gYear" ... */
bool fmpi_date_time_is_type(const char *type);

/**
 * fmpi_date_time_read() - all of the text, but for white space around it
 *
 * What is missing (the day of a gYear) is filled in, the same for all of one type.
 * Return: is it one of that type? No year of more than 12 digits is.
 */
bool fmpi_date_time_read(const char *type, const char *text, size_t len,
			 struct fmpi_date_time *out);

/** fmpi_date_time_compare() - two of one type. */
enum fmpi_order fmpi_date_time_compare(const struct fmpi_date_time *x,
				       const struct fmpi_date_time *y);

#endif
