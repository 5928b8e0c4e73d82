/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Dates and times of XSD 1.0 (part 2, 3.2.7 to 3.2.14) as points in time; without a zone a value is
 * a span of 28 hours.
 */
#ifndef FMPI_SCHEMA_DATE_TIME_H
#define FMPI_SCHEMA_DATE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** struct fmpi_date_time - fraction points into the text that was read */
struct fmpi_date_time {
	int64_t seconds; /**< since 1 March of the year 0; in UTC if has_zone */
	const char *fraction; /**< digits of the fraction of a second, without trailing zeros */
	size_t n_fraction;
	bool has_zone;
};

enum fmpi_order {
	FMPI_BEFORE = -1,
	FMPI_SAME,
	FMPI_AFTER,
	FMPI_UNORDERED, /**< only one has a zone, and the order depends on the other's (3.2.7.4) */
};

/** fmpi_date_time_is_type() - is it the local name of such a type: "dateTime", "gYear" ...? */
bool fmpi_date_time_is_type(const char *type);

/**
 * fmpi_date_time_read() - parse the whole text, without white space around it
 *
 * Fields that the type lacks (the day of a gYear) have the same default for all values of the type.
 * Return: false: not a value of that type, or its year has more than 12 digits.
 */
bool fmpi_date_time_read(const char *type, const char *text, size_t len,
			 struct fmpi_date_time *out);

/** fmpi_date_time_compare() - compare two values of one type. */
enum fmpi_order fmpi_date_time_compare(const struct fmpi_date_time *x,
				       const struct fmpi_date_time *y);

#endif
