// SPDX-License-Identifier: GPL-2.0
/* A DHCP lease on disk: who gave it, and none of what is not whole. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <net/lease.h>

#include "../lib/random.h"
#include "addr.h"
#include "lease.h"
#include "run.h"

static uint8_t bytes[FMPI_LEASE_MAX];
static struct fmp_addr yours; /* of the last one */

static void setup(void)
{
	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, lease_file, sizeof(lease_file));
}

/* By a copy that is as long as it says: what reads behind it is found. */
static bool read_server(size_t len, uint64_t age_s, struct fmp_addr *out)
{
	uint8_t *copy = malloc(len ? len : 1);
	bool yes;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, bytes, len);
	yes = fmpi_lease_server(copy, len, age_s, &yours, out);
	free(copy);
	return yes;
}

START_TEST(as_written)
{
	struct fmp_addr a, want = addr("192.0.2.1"), mine = addr("192.0.2.106");

	ck_assert(read_server(sizeof(lease_file), 0, &a));
	ck_assert(fmp_addr_equal(&a, &want) && fmp_addr_equal(&yours, &mine));
	/* As long as it lasts. */
	ck_assert(read_server(sizeof(lease_file), 600, &a));
	ck_assert(!read_server(sizeof(lease_file), 601, &a));
	memset(bytes + LEASE_TIME_AT, 0xff, 4);
	ck_assert(read_server(sizeof(lease_file), UINT64_MAX, &a));
}
END_TEST

/* Nothing but an acknowledgement with all that is needed. */
START_TEST(others)
{
	static const struct {
		unsigned at;
		uint8_t value;
	} wrong[] = { { 0, 1 },
		      { 236, 0 },
		      { 239, 0 },
		      { LEASE_TYPE_AT, 6 },
		      { LEASE_TYPE_AT - 2, 60 },
		      { LEASE_TYPE_AT - 1, 2 },
		      { LEASE_TYPE_AT + 1, 60 },
		      { LEASE_TIME_AT - 2, 60 },
		      { LEASE_END_AT, 12 } };
	struct fmp_addr a;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		setup();
		bytes[wrong[i].at] = wrong[i].value;
		ck_assert_msg(!read_server(sizeof(lease_file), 0, &a), "byte %u", wrong[i].at);
	}
}
END_TEST

START_TEST(cut)
{
	struct fmp_addr a;

	for (size_t len = 0; len < sizeof(bytes); len++)
		ck_assert_msg(read_server(len, 0, &a) == (len > LEASE_END_AT), "%zu bytes", len);
	ck_assert(read_server(sizeof(bytes), 0, &a));
	ck_assert(!fmpi_lease_server(bytes, FMPI_LEASE_MAX + 1, 0, &yours, &a));
}
END_TEST

/* Whatever stands there: no byte behind it is read, and what is found is an address. */
START_TEST(mutated)
{
	struct test_random dice = { .state = 1 };
	unsigned found = 0;

	for (unsigned i = 0; i < 20000; i++) {
		struct fmp_addr a;

		setup();
		for (uint32_t n = 1 + random_below(&dice, 4); n; n--)
			bytes[236 + random_below(&dice, 64)] = (uint8_t)random_below(&dice, 256);
		if (!read_server(random_below(&dice, sizeof(lease_file) + 1), 0, &a))
			continue;
		found++;
		ck_assert_int_eq(a.family, FMP_FAMILY_IPV4);
		ck_assert_int_eq(a.prefix_len, 32);
	}
	ck_assert_uint_gt(found, 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("lease");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, as_written);
	tcase_add_test(tc, others);
	tcase_add_test(tc, cut);
	tcase_add_test(tc, mutated);
	return run_tcase("lease", tc);
}
