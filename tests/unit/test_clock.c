// SPDX-License-Identifier: GPL-2.0
/* When the gateway takes its clock for one that nobody has set. */
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../daemon/gateway/common/clock.h"
#include "run.h"

#define FLOOR 1800000000

static enum gw_clock_state evaluate_clock(int64_t now_s, uint64_t up_s, bool unsynchronised)
{
	const struct gw_clock_facts f = {
		.now_s = now_s, .floor_s = FLOOR, .up_s = up_s, .unsynchronised = unsynchronised
	};

	return gw_clock_evaluate(&f);
}

/* Whatever else is said of it, and however long that lasts. */
START_TEST(what_is_over_is_over)
{
	static const uint64_t up_s[] = { 0, GW_CLOCK_WAIT_S, 1000000 };

	for (unsigned i = 0; i < 3; i++) {
		for (unsigned unsynchronised = 0; unsynchronised < 2; unsynchronised++) {
			ck_assert_int_eq(evaluate_clock(FLOOR - 1, up_s[i], unsynchronised),
					 GW_CLOCK_BEHIND);
			ck_assert_int_eq(evaluate_clock(-1, up_s[i], unsynchronised),
					 GW_CLOCK_BEHIND);
		}
		ck_assert_int_eq(evaluate_clock(FLOOR, up_s[i], false), GW_CLOCK_SET);
	}
}
END_TEST

/* Else where nobody ever sets it everybody could be of the future, and never pay for it. */
START_TEST(the_kernel_is_believed_for_a_while)
{
	ck_assert_int_eq(evaluate_clock(FLOOR, 0, true), GW_CLOCK_PENDING);
	ck_assert_int_eq(evaluate_clock(FLOOR, GW_CLOCK_WAIT_S - 1, true), GW_CLOCK_PENDING);
	ck_assert_int_eq(evaluate_clock(FLOOR, GW_CLOCK_WAIT_S, true), GW_CLOCK_SET);
	ck_assert_int_eq(evaluate_clock(FLOOR, 0, false), GW_CLOCK_SET);
}
END_TEST

START_TEST(floor_is_the_later_one)
{
	char path[] = "/tmp/fmp-test-clock-XXXXXX";
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 2000000000 } };
	int fd = mkstemp(path);
	int64_t made = gw_clock_floor(NULL);

	ck_assert_int_ge(fd, 0);
	ck_assert(made > 0 && made <= time(NULL));
	ck_assert_int_eq(futimens(fd, times), 0);
	ck_assert_int_eq(gw_clock_floor(path), 2000000000);
	times[1].tv_sec = 1;
	ck_assert_int_eq(futimens(fd, times), 0);
	ck_assert_int_eq(gw_clock_floor(path), made);
	close(fd);
	unlink(path);
	ck_assert_int_eq(gw_clock_floor(path), made);
}
END_TEST

START_TEST(looked_at_live)
{
	struct gw_clock behind = { .floor_s = INT64_MAX }, now = { 0 };

	ck_assert(gw_clock_is_unset(&behind));
	ck_assert_int_eq(behind.state, GW_CLOCK_BEHIND);
	ck_assert_int_eq(gw_clock_is_unset(&now), now.state != GW_CLOCK_SET);
	ck_assert_int_ne(now.state, GW_CLOCK_BEHIND);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("clock");

	tcase_add_test(tc, what_is_over_is_over);
	tcase_add_test(tc, the_kernel_is_believed_for_a_while);
	tcase_add_test(tc, floor_is_the_later_one);
	tcase_add_test(tc, looked_at_live);
	return run_tcase("clock", tc);
}
