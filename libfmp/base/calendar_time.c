// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/calendar_time.h>

/*
 * Days since 1 March 400 years before the year 0. A year that starts in March ends with its leap
 * day, so no table of months is needed.
 */
static int64_t days_since_era(int64_t year, int64_t month, int64_t day)
{
	year += 400 - (month <= 2);
	return year * 365 + year / 4 - year / 100 + year / 400 + ((month + 9) % 12 * 153 + 2) / 5 +
	       day - 1;
}

int64_t fmp_calendar_seconds(const struct tm *tm)
{
	int64_t n = days_since_era(tm->tm_year + INT64_C(1900), tm->tm_mon + 1, tm->tm_mday) -
		    days_since_era(1970, 1, 1);

	return ((n * 24 + tm->tm_hour) * 60 + tm->tm_min) * 60 + tm->tm_sec;
}
