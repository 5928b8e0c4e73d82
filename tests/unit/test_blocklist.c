// SPDX-License-Identifier: GPL-2.0
/* Blocked clients, as the gateway knows them for its proxies' sake. */
#include <stdio.h>

#include "../../daemon/gateway/peer/blocklist.h"
#include "run.h"

static struct fmp_addr make_addr(const char *text)
{
	struct fmp_addr a;

	ck_assert_int_eq(fmp_addr_parse(text, &a, NULL), 0);
	return a;
}

static void add_source(struct gw_blocklist *b, const char *text, uint64_t until_ms, uint64_t now_ms)
{
	struct fmp_addr a = make_addr(text);

	gw_blocklist_add(b, &a, until_ms, now_ms);
}

static bool contains_source(const struct gw_blocklist *b, const char *text, uint64_t now_ms)
{
	struct fmp_addr a = make_addr(text);

	return gw_blocklist_contains(b, &a, now_ms);
}

START_TEST(knows_addresses_and_prefixes)
{
	struct gw_blocklist *b = gw_blocklist_new(4);
	struct fmp_addr gone = make_addr("192.0.2.1");

	ck_assert(!contains_source(b, "192.0.2.1", 0));
	add_source(b, "192.0.2.1", 0, 0);
	add_source(b, "2001:db8:1::/64", 0, 0);
	ck_assert(contains_source(b, "192.0.2.1", UINT64_MAX));
	ck_assert(!contains_source(b, "192.0.2.2", 0));
	ck_assert(contains_source(b, "2001:db8:1::7", 0));
	ck_assert(!contains_source(b, "2001:db8:2::7", 0));
	gw_blocklist_remove(b, &gone);
	gw_blocklist_remove(b, &gone);
	ck_assert(!contains_source(b, "192.0.2.1", 0));
	ck_assert(contains_source(b, "2001:db8:1::7", 0));
	gw_blocklist_free(b);
}
END_TEST

START_TEST(ends_in_time)
{
	struct gw_blocklist *b = gw_blocklist_new(4);

	add_source(b, "192.0.2.1", 100, 0);
	ck_assert(contains_source(b, "192.0.2.1", 99));
	ck_assert(!contains_source(b, "192.0.2.1", 100));
	/* Blocked anew, and then without end. */
	add_source(b, "192.0.2.1", 200, 150);
	ck_assert(contains_source(b, "192.0.2.1", 199));
	add_source(b, "192.0.2.1", 0, 150);
	ck_assert(contains_source(b, "192.0.2.1", UINT64_MAX));
	gw_blocklist_free(b);
}
END_TEST

/* One inside another: each for its own time. */
START_TEST(prefix_outlives_an_address_in_it)
{
	struct gw_blocklist *b = gw_blocklist_new(4);

	add_source(b, "192.0.2.0/24", 200, 0);
	add_source(b, "192.0.2.1", 100, 0);
	ck_assert(contains_source(b, "192.0.2.1", 150));
	ck_assert(!contains_source(b, "192.0.2.1", 200));
	gw_blocklist_free(b);
}
END_TEST

START_TEST(is_bounded_and_what_is_over_makes_room)
{
	struct gw_blocklist *b = gw_blocklist_new(300);
	char text[FMP_ADDR_STRLEN];

	for (int i = 0; i < 300; i++) {
		snprintf(text, sizeof(text), "10.0.%d.%d", i >> 8, i & 255);
		add_source(b, text, i % 3 ? 0 : 100, 0);
	}
	add_source(b, "192.0.2.1", 0, 99);
	ck_assert(!contains_source(b, "192.0.2.1", 99));
	add_source(b, "192.0.2.1", 0, 100);
	ck_assert(contains_source(b, "192.0.2.1", 100));
	ck_assert(contains_source(b, "10.0.0.1", 100) && contains_source(b, "10.0.1.43", 100));
	ck_assert(!contains_source(b, "10.0.0.0", 0));
	gw_blocklist_free(b);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("blocklist");

	tcase_add_test(tc, knows_addresses_and_prefixes);
	tcase_add_test(tc, ends_in_time);
	tcase_add_test(tc, prefix_outlives_an_address_in_it);
	tcase_add_test(tc, is_bounded_and_what_is_over_makes_room);
	return run_tcase("blocklist", tc);
}
