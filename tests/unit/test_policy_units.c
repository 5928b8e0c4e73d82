// SPDX-License-Identifier: GPL-2.0
/* Durations and sizes as a policy writes them. */
#include <check.h>
#include <string.h>

#include <fmp/policy.h>

#include "run.h"

START_TEST(durations)
{
	static const struct {
		const char *in;
		uint64_t ms;
		const char *out;
	} good[] = {
		{ "0", 0, "0" },
		{ "0s", 0, "0" },
		{ "1ms", 1, "1ms" },
		{ "999ms", 999, "999ms" },
		{ "1000ms", 1000, "1s" },
		{ "90s", 90000, "1min30s" },
		{ "10min", 600000, "10min" },
		{ "1h30min", 5400000, "1h30min" },
		{ "24h", 86400000, "1d" },
		{ "1d2h3min", 93780000, "1d2h" },
		{ "1h0min5s", 3605000, "1h" },
		{ "18446744073709551615ms", UINT64_MAX, "213503982334d14h" },
	};
	static const char *const bad[] = {
		"",
		"1",
		"60",
		" 1s",
		"1s ",
		"1 s",
		"-1s",
		"+1s",
		"1.5h",
		"1S",
		"s",
		"10m",
		"1min1h",
		"1s1s",
		"1s2",
		"1hour",
		"0x10s",
		"18446744073709551616ms",
		"213503982335d",
		"1ms1d",
		"18446744073709551615ms1ms",
		"213503982334d24h",
	};
	char buf[32];
	uint64_t ms;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_msg(!fmp_duration_parse(good[i].in, &ms), "%s", good[i].in);
		ck_assert_uint_eq(ms, good[i].ms);
		ck_assert_str_eq(fmp_duration_format(ms, buf, sizeof(buf)), good[i].out);
		ck_assert_int_eq(fmp_duration_parse(buf, &ms), 0);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(fmp_duration_parse(bad[i], &ms) == FMP_ERR_SYNTAX, "%s", bad[i]);
	ck_assert_str_eq(fmp_duration_format(90000, buf, 5), "1min");
}
END_TEST

START_TEST(sizes)
{
	static const char *const bad[] = { "",	     "KiB",   "1K",
					   "1kb",    "1 KiB", "-1",
					   "1.5MiB", "1KiBB", "18446744073709551615KiB" };
	uint64_t n;

	ck_assert(!fmp_size_parse("512", &n) && n == 512);
	ck_assert(!fmp_size_parse("512B", &n) && n == 512);
	ck_assert(!fmp_size_parse("64KiB", &n) && n == 65536);
	ck_assert(!fmp_size_parse("3MiB", &n) && n == 3 << 20);
	ck_assert(!fmp_size_parse("4GiB", &n) && n == 1ull << 32);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(fmp_size_parse(bad[i], &n) == FMP_ERR_SYNTAX, "%s", bad[i]);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("units");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, durations);
	tcase_add_test(t, sizes);
	return run_tcase("policy_units", t);
}
