// SPDX-License-Identifier: GPL-2.0
/* Calendar dates, within the range of every time_t and beyond. */
#include <check.h>
#include <stdbool.h>
#include <stdint.h>

#include <fmp/internal/calendar_time.h>
#include "run.h"

#define DAY INT64_C(86400)

static int64_t seconds_at(int year, int month, int day, int hour, int min, int sec)
{
	struct tm tm = { .tm_year = year - 1900,
			 .tm_mon = month - 1,
			 .tm_mday = day,
			 .tm_hour = hour,
			 .tm_min = min,
			 .tm_sec = sec };

	return fmp_calendar_seconds(&tm);
}

START_TEST(known_moments)
{
	ck_assert_int_eq(seconds_at(1970, 1, 1, 0, 0, 0), 0);
	ck_assert_int_eq(seconds_at(1969, 12, 31, 23, 59, 59), -1);
	ck_assert_int_eq(seconds_at(2026, 11, 21, 4, 0, 0), 1795233600);
	ck_assert_int_eq(seconds_at(2038, 1, 19, 3, 14, 7), INT32_MAX);
	ck_assert_int_eq(seconds_at(2038, 1, 19, 3, 14, 8), INT32_MAX + INT64_C(1));
	ck_assert_int_eq(seconds_at(9999, 12, 31, 23, 59, 59), INT64_C(253402300799));
	ck_assert_int_eq(seconds_at(0, 1, 1, 0, 0, 0), -INT64_C(62167219200));
}
END_TEST

/* Every day of the years 0 to 9999 follows the one before. */
START_TEST(every_day)
{
	static const int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int64_t next = seconds_at(0, 1, 1, 0, 0, 0);

	for (int year = 0; year < 10000; year++) {
		bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

		for (int month = 1; month <= 12; month++)
			for (int day = 1; day <= length[month - 1] + (leap && month == 2); day++) {
				int64_t got = seconds_at(year, month, day, 0, 0, 0);

				if (got != next)
					ck_abort_msg("%d-%d-%d", year, month, day);
				next += DAY;
			}
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("calendar_time");

	tcase_add_test(tc, known_moments);
	tcase_add_test(tc, every_day);
	return run_tcase("calendar_time", tc);
}
