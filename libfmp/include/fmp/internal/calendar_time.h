/* SPDX-License-Identifier: GPL-2.0 */
/* Dates of the calendar, also those beyond 2038 where time_t has 32 bits and timegm() fails. */
#ifndef FMP_CALENDAR_TIME_H
#define FMP_CALENDAR_TIME_H

#include <stdint.h>
#include <time.h>

/**
 * fmp_calendar_seconds() - since 1970, in UTC
 * @tm: a date of the Gregorian calendar, of the years 0 to 9999, and a time of that day; what
 *      else is in it is not read
 */
int64_t fmp_calendar_seconds(const struct tm *tm);

#endif
