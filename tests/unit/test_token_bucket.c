// SPDX-License-Identifier: GPL-2.0
/* The rate limit of each user. */
#include <check.h>

#include "../../daemon/fmpd/control/token_bucket.h"

#include "run.h"

static unsigned take_tokens(struct fmpd_token_bucket *a, unsigned uid, uint32_t rate,
			    uint64_t now_ms, unsigned times)
{
	unsigned n = 0;

	while (times--)
		n += fmpd_token_bucket_take(a, uid, rate, now_ms);
	return n;
}

START_TEST(a_second_brings_so_many)
{
	struct fmpd_token_bucket a = { 0 };

	ck_assert_uint_eq(take_tokens(&a, 1, 5, 1000, 20), 5);
	ck_assert_uint_eq(take_tokens(&a, 1, 5, 1199, 20), 0);
	ck_assert_uint_eq(take_tokens(&a, 1, 5, 1200, 20), 1);
	ck_assert_uint_eq(take_tokens(&a, 1, 5, 2200, 20), 5);
	/* A long pause fills the bucket with the tokens of one second, no more. */
	ck_assert_uint_eq(take_tokens(&a, 1, 5, UINT64_MAX, 20), 5);
}
END_TEST

START_TEST(users_do_not_share)
{
	struct fmpd_token_bucket a = { 0 };

	ck_assert_uint_eq(take_tokens(&a, 1, 5, 1000, 20), 5);
	ck_assert_uint_eq(take_tokens(&a, 2, 5, 1000, 20), 5);
	ck_assert_uint_eq(take_tokens(&a, 1, 5, 1000, 20), 0);
}
END_TEST

START_TEST(rates_of_the_policy_hold_at_once)
{
	struct fmpd_token_bucket a = { 0 };

	ck_assert_uint_eq(take_tokens(&a, 1, 0, 1000, 20), 0);
	ck_assert_uint_eq(take_tokens(&a, 1, 100000, 1000, 20), 0);
	ck_assert_uint_eq(take_tokens(&a, 1, 100000, 1001, 200), 100);
	ck_assert_uint_eq(take_tokens(&a, 1, 2, 1001, 20), 0);
	ck_assert_uint_eq(take_tokens(&a, 1, 2, 9000, 20), 2);
}
END_TEST

/* A clock that goes back adds no tokens. */
START_TEST(time_does_not_go_back)
{
	struct fmpd_token_bucket a = { 0 };

	ck_assert_uint_eq(take_tokens(&a, 1, 5, 5000, 20), 5);
	ck_assert_uint_eq(take_tokens(&a, 1, 5, 1000, 20), 0);
	ck_assert_uint_eq(take_tokens(&a, 1, 5, 5000, 20), 0);
}
END_TEST

/* With more users than places the user that asked least recently loses its bucket, not one that asks all the time. */
START_TEST(places_are_bounded)
{
	struct fmpd_token_bucket a = { 0 };

	ck_assert_uint_eq(take_tokens(&a, 7, 5, 1000, 20), 5);
	for (unsigned i = 0; i < 2 * FMPD_TOKEN_BUCKET_USERS; i++) {
		ck_assert_uint_eq(take_tokens(&a, 1000 + i, 5, 1001, 1), 1);
		ck_assert_uint_eq(take_tokens(&a, 7, 5, 1002, 1), 0);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("token_bucket");

	tcase_add_test(t, a_second_brings_so_many);
	tcase_add_test(t, users_do_not_share);
	tcase_add_test(t, rates_of_the_policy_hold_at_once);
	tcase_add_test(t, time_does_not_go_back);
	tcase_add_test(t, places_are_bounded);
	return run_tcase("token_bucket", t);
}
