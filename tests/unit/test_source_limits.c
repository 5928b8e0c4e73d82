// SPDX-License-Identifier: GPL-2.0
/* Connections counted by source, beside a count that walks them all. */
#include <stdlib.h>

#include "../../daemon/gateway/peer/source_limits.h"
#include "run.h"

#define SOURCES 300
#define MOST	2000

static struct fmp_addr make_source(unsigned i)
{
	uint8_t bytes[16] = { 0x20, 0x01, 0x0d, 0xb8, [6] = (uint8_t)(i >> 8), (uint8_t)i };

	return i % 2 ? fmp_addr_ipv4(bytes + 4) : fmp_addr_mask(fmp_addr_ipv6(bytes), 64);
}

START_TEST(counts_as_a_walk_would)
{
	struct gw_source_limits *c = gw_source_limits_new(64); /* more sources than buckets */
	struct gw_source_usage *open[MOST];
	unsigned of[MOST], count[SOURCES] = { 0 }, n = 0;
	struct fmp_addr a;

	srand(7);
	for (int round = 0; round < 100000; round++) {
		unsigned i = (unsigned)rand();

		if (n < MOST && (n == 0 || rand() % 2)) {
			a = make_source(i % SOURCES);
			open[n] = gw_source_limits_add(c, &a);
			ck_assert_ptr_nonnull(open[n]);
			of[n++] = i % SOURCES;
			count[i % SOURCES]++;
		} else {
			i %= n;
			gw_source_limits_remove(c, open[i]);
			count[of[i]]--;
			open[i] = open[--n];
			of[i] = of[n];
		}
		a = make_source((unsigned)round % SOURCES);
		ck_assert_uint_eq(gw_source_limits_count(c, &a), count[round % SOURCES]);
	}
	while (n)
		gw_source_limits_remove(c, open[--n]);
	/* Nothing is kept of who has left: a leak would be seen here. */
	gw_source_limits_free(c);
}
END_TEST

#define PLACES 100

/* The source with most of a class, and its oldest, beside a look at all of them. */
START_TEST(most_as_a_walk_would_find)
{
	struct gw_source_limits *c = gw_source_limits_new(64);
	struct gw_source_usage *of[PLACES];
	struct gw_evict_entry place[PLACES];
	unsigned from[PLACES], age[PLACES], now = 0;

	srand(11);
	for (unsigned i = 0; i < PLACES; i++) {
		/* A few sources have most. */
		struct fmp_addr a = make_source(from[i] = (unsigned)rand() % (1 + i % 20));

		of[i] = gw_source_limits_add(c, &a);
		ck_assert_ptr_nonnull(of[i]);
		place[i].in = GW_EVICT_NEVER;
	}
	for (int round = 0; round < 3000; round++) {
		unsigned i = (unsigned)rand() % PLACES, n, most = 0, count[20] = { 0 };
		enum gw_evict_class in = (enum gw_evict_class)(rand() % (GW_EVICT_CLASSES + 1));
		struct gw_evict_entry *p;

		gw_source_limits_set_class(c, of[i], &place[i], in);
		age[i] = ++now;
		in = (enum gw_evict_class)(rand() % GW_EVICT_CLASSES);
		for (unsigned j = 0; j < PLACES; j++)
			if (place[j].in == in && ++count[from[j]] > most)
				most = count[from[j]];
		p = gw_source_limits_find_largest(c, in, &n);
		ck_assert_uint_eq(n, most);
		if (!p) {
			ck_assert_uint_eq(most, 0);
			continue;
		}
		i = (unsigned)(p - place);
		ck_assert_uint_eq(count[from[i]], most);
		for (unsigned j = 0; j < PLACES; j++)
			ck_assert(place[j].in != in || from[j] != from[i] || age[j] >= age[i]);
	}
	for (unsigned i = 0; i < PLACES; i++) {
		gw_source_limits_set_class(c, of[i], &place[i], GW_EVICT_NEVER);
		gw_source_limits_remove(c, of[i]);
	}
	gw_source_limits_free(c);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("source_limits");

	tcase_add_test(tc, counts_as_a_walk_would);
	tcase_add_test(tc, most_as_a_walk_would_find);
	return run_tcase("source_limits", tc);
}
