/* SPDX-License-Identifier: GPL-2.0 */
/* Calendar dates to seconds, also beyond 2038 where time_t has 32 bits and timegm() fails. */
#ifndef FMP_CALENDAR_TIME_H
#define FMP_CALENDAR_TIME_H

#include <stdint.h>
#include <time.h>

/**
 * fmp_calendar_seconds() - seconds since 1970 in UTC
 * @tm: a Gregorian date of the years 0 to 9999 and a time of day; other members are not read
 */
int64_t fmp_calendar_seconds(const struct tm *tm);

#endif
