// SPDX-License-Identifier: GPL-2.0
/* How many messages may be refused behind decryption under CBC: what reading a block then takes. */
#include <stdio.h>

#include <fmp/internal/decrypt_budget.h>
#include "run.h"

#define HOUR 3600ull
#define NS   1000000000ull
#define DAY  (24 * HOUR)

static struct fmp_addr nth_source(unsigned n)
{
	char text[32];
	struct fmp_addr a;

	snprintf(text, sizeof(text), "10.%u.%u.%u", n >> 16 & 255, n >> 8 & 255, n & 255);
	ck_assert_int_eq(fmp_addr_parse(text, &a, NULL), 0);
	return a;
}

/* As often as it is let, from so many sources in turn. */
static unsigned count_taken(unsigned sources, uint64_t seconds)
{
	struct fmp_decrypt_budget t = { 0 };
	unsigned n = 0;

	for (uint64_t s = 0; s < seconds; s += 60) {
		struct fmp_addr a = nth_source((unsigned)(s / 60) % sources);

		if (fmp_decrypt_budget_spent(&t, &a, (1000 + s) * NS))
			continue;
		fmp_decrypt_budget_take(&t, &a, (1000 + s) * NS);
		n++;
	}
	return n;
}

/* A block of 16 letters that can be printed: 105 bits, if each refusal tells a whole one. */
START_TEST(a_block_takes_days)
{
	ck_assert_uint_lt(count_taken(1, 15 * DAY), 105);
	ck_assert_uint_lt(count_taken(3, 4 * DAY), 105);
	ck_assert_uint_lt(count_taken(100000, 3 * DAY), 105);
	ck_assert_uint_ge(count_taken(100000, 3 * DAY), 24 + 2 * 24);
}
END_TEST

START_TEST(others_have_theirs)
{
	struct fmp_decrypt_budget t = { 0 };
	struct fmp_addr bad = nth_source(1), other = nth_source(2);
	uint64_t now = 5 * NS;

	for (unsigned n = 0; n < FMP_DECRYPT_BUDGET_SOURCE; n++) {
		ck_assert(!fmp_decrypt_budget_spent(&t, &bad, now));
		fmp_decrypt_budget_take(&t, &bad, now);
	}
	ck_assert(fmp_decrypt_budget_spent(&t, &bad, now));
	ck_assert(!fmp_decrypt_budget_spent(&t, &other, now));
	ck_assert(fmp_decrypt_budget_spent(&t, &bad, now + FMP_DECRYPT_BUDGET_SOURCE_NS - 1));
	ck_assert(!fmp_decrypt_budget_spent(&t, &bad, now + FMP_DECRYPT_BUDGET_SOURCE_NS));
}
END_TEST

/* What was on its way when it became empty is counted, too. */
START_TEST(more_than_there_are)
{
	struct fmp_decrypt_budget t = { 0 };
	struct fmp_addr a = nth_source(1);
	uint64_t now = 5 * NS;

	for (unsigned n = 0; n < 2 * FMP_DECRYPT_BUDGET; n++) {
		a = nth_source(n);
		fmp_decrypt_budget_take(&t, &a, now);
	}
	ck_assert(
		fmp_decrypt_budget_spent(&t, &a, now + FMP_DECRYPT_BUDGET * FMP_DECRYPT_BUDGET_NS));
	ck_assert(!fmp_decrypt_budget_spent(
		&t, &a, now + (FMP_DECRYPT_BUDGET + 1) * FMP_DECRYPT_BUDGET_NS));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("tries");

	tcase_add_test(tc, a_block_takes_days);
	tcase_add_test(tc, others_have_theirs);
	tcase_add_test(tc, more_than_there_are);
	return run_tcase("tries", tc);
}
