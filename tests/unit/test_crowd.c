// SPDX-License-Identifier: GPL-2.0
/* Connections counted by source, beside a count that walks them all. */
#include <stdlib.h>

#include "../../daemon/gateway/crowd.h"
#include "run.h"

#define SOURCES 300
#define MOST	2000

static struct fmp_addr source(unsigned i)
{
	uint8_t bytes[16] = { 0x20, 0x01, 0x0d, 0xb8, [6] = (uint8_t)(i >> 8), (uint8_t)i };

	return i % 2 ? fmp_addr_ipv4(bytes + 4) : fmp_addr_mask(fmp_addr_ipv6(bytes), 64);
}

START_TEST(counts_as_a_walk_would)
{
	struct gw_crowd *c = gw_crowd_new(64); /* more sources than buckets */
	struct gw_crowd_source *open[MOST];
	unsigned of[MOST], count[SOURCES] = { 0 }, n = 0;
	struct fmp_addr a;

	srand(7);
	for (int round = 0; round < 100000; round++) {
		unsigned i = (unsigned)rand();

		if (n < MOST && (n == 0 || rand() % 2)) {
			a = source(i % SOURCES);
			open[n] = gw_crowd_join(c, &a);
			ck_assert_ptr_nonnull(open[n]);
			of[n++] = i % SOURCES;
			count[i % SOURCES]++;
		} else {
			i %= n;
			gw_crowd_leave(c, open[i]);
			count[of[i]]--;
			open[i] = open[--n];
			of[i] = of[n];
		}
		a = source((unsigned)round % SOURCES);
		ck_assert_uint_eq(gw_crowd_count(c, &a), count[round % SOURCES]);
	}
	while (n)
		gw_crowd_leave(c, open[--n]);
	/* Nothing is kept of who has left: a leak would be seen here. */
	gw_crowd_free(c);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("crowd");

	tcase_add_test(tc, counts_as_a_walk_would);
	return run_tcase("crowd", tc);
}
