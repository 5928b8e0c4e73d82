// SPDX-License-Identifier: GPL-2.0
/* How many handshakes a source may break off for want of trust. */
#include <stdio.h>

#include <fmp/error.h>

#include <fmp/internal/handshake_pardon.h>
#include "run.h"

static struct fmp_handshake_pardon slips;

static struct fmp_addr nth_address(unsigned n)
{
	char text[32];
	struct fmp_addr a;

	snprintf(text, sizeof(text), "192.0.%u.%u", n / 256, n % 256);
	ck_assert_int_eq(fmp_addr_parse(text, &a, NULL), 0);
	return a;
}

START_TEST(so_many_at_once_and_one_a_second)
{
	struct fmp_addr a = nth_address(1), b = nth_address(2);
	uint64_t now = 5 * FMP_HANDSHAKE_PARDON_NS;

	for (unsigned i = 0; i < FMP_HANDSHAKE_PARDON; i++)
		ck_assert(fmp_handshake_pardon_take(&slips, &a, now));
	ck_assert(!fmp_handshake_pardon_take(&slips, &a, now));
	ck_assert(fmp_handshake_pardon_take(&slips, &b, now));
	ck_assert(fmp_handshake_pardon_take(&slips, &a, now + FMP_HANDSHAKE_PARDON_NS));
	ck_assert(!fmp_handshake_pardon_take(&slips, &a, now + FMP_HANDSHAKE_PARDON_NS));
	for (unsigned i = 0; i < FMP_HANDSHAKE_PARDON; i++)
		ck_assert(fmp_handshake_pardon_take(
			&slips, &a, now + 2 * FMP_HANDSHAKE_PARDON * FMP_HANDSHAKE_PARDON_NS));
}
END_TEST

/* Many sources that take one each free no place of one that has taken all. */
START_TEST(many_sources)
{
	struct fmp_addr a = nth_address(0);
	uint64_t now = FMP_HANDSHAKE_PARDON_NS;

	while (fmp_handshake_pardon_take(&slips, &a, now))
		;
	for (unsigned n = 1; n < 4 * FMP_HANDSHAKE_PARDON_SOURCES; n++) {
		struct fmp_addr other = nth_address(n);

		ck_assert(fmp_handshake_pardon_take(&slips, &other, now));
	}
	ck_assert(!fmp_handshake_pardon_take(&slips, &a, now));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("slips");

	tcase_add_test(tc, so_many_at_once_and_one_a_second);
	tcase_add_test(tc, many_sources);
	return run_tcase("slips", tc);
}
