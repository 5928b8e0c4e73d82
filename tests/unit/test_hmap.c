// SPDX-License-Identifier: GPL-2.0
/* The hash map by address: growth, removal, loops, equal keys, chains, no memory. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/hmap.h>

#include "addr.h"
#include "run.h"

#define MANY 5000u

struct host {
	unsigned number, seen;
	struct fmp_hmap_link link;
	struct fmp_addr addr;
};

static struct fmp_hmap map;
static struct host hosts[MANY];
static bool no_memory;

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	return no_memory ? NULL : __real_calloc(n, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return no_memory ? NULL : __real_reallocarray(p, n, size);
}

static struct fmp_addr number_addr(unsigned number)
{
	struct fmp_addr a = addr("10.0.0.0");

	a.bytes[1] = (uint8_t)(number >> 16);
	a.bytes[2] = (uint8_t)(number >> 8);
	a.bytes[3] = (uint8_t)number;
	return a;
}

static void setup(void)
{
	no_memory = false;
	ck_assert_int_eq(fmp_hmap_init(&map, FMP_HMAP_ENTRY(struct host, link, addr), 7, 0), 0);
	for (unsigned i = 0; i < MANY; i++)
		hosts[i] = (struct host){ .number = i, .addr = number_addr(i) };
}

static void teardown(void)
{
	fmp_hmap_exit(&map);
}

static void add_hosts(unsigned from, unsigned to)
{
	while (from < to)
		fmp_hmap_add(&map, &hosts[from++]);
}

static struct host *find_number(unsigned number)
{
	struct fmp_addr a = number_addr(number);

	return fmp_hmap_find(&map, &a);
}

static void check_present(unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		ck_assert_ptr_eq(find_number(i), &hosts[i]);
}

static size_t longest_chain(void)
{
	size_t longest = 0, n;
	const struct fmp_hmap_link *link;

	for (size_t i = 0; i < map.n_chains; i++) {
		n = 0;
		for (const struct host *h = map.chains[i]; h; h = link->next, n++)
			link = &h->link;
		longest = n > longest ? n : longest;
	}
	return longest;
}

START_TEST(empty)
{
	struct fmp_hmap_cursor at = { 0 };

	ck_assert_ptr_null(find_number(1));
	ck_assert_ptr_null(fmp_hmap_next(&map, &at));
	ck_assert_uint_eq(map.n, 0);
}
END_TEST

/* At each size, also amid a doubling, everything is found. */
START_TEST(grows_by_one_chain)
{
	for (unsigned i = 0; i < MANY; i++) {
		size_t before = map.n_chains;

		fmp_hmap_add(&map, &hosts[i]);
		ck_assert_uint_le(map.n_chains - before, 1);
		ck_assert_uint_ge(map.n_chains, map.n);
		if (i % 61 == 0 || i < 100)
			check_present(0, i + 1);
		ck_assert_ptr_null(find_number(i + 1));
	}
	ck_assert_uint_eq(map.n, MANY);
	ck_assert_uint_le(longest_chain(), 16);
}
END_TEST

START_TEST(expected_entries_allocate_once)
{
	fmp_hmap_exit(&map);
	ck_assert_int_eq(fmp_hmap_init(&map, FMP_HMAP_ENTRY(struct host, link, addr), 7, 1000), 0);
	ck_assert_uint_eq(map.n_chains, 1024);
	no_memory = true;
	add_hosts(0, 1024);
	ck_assert_uint_eq(map.n_chains, 1024);
	check_present(0, 1024);
}
END_TEST

START_TEST(removed_from_any_place)
{
	add_hosts(0, MANY);
	for (unsigned i = 0; i < MANY; i += 3)
		fmp_hmap_remove(&map, &hosts[i]);
	for (unsigned i = 0; i < MANY; i++)
		ck_assert_ptr_eq(find_number(i), i % 3 ? &hosts[i] : NULL);
	ck_assert_uint_eq(map.n, MANY - (MANY + 2) / 3);
	for (unsigned i = 0; i < MANY; i++)
		if (i % 3)
			fmp_hmap_remove(&map, &hosts[i]);
	ck_assert_uint_eq(map.n, 0);
	add_hosts(0, MANY);
	check_present(0, MANY);
}
END_TEST

START_TEST(loop_sees_each_once)
{
	struct fmp_hmap_cursor at = { 0 };
	struct host *h;

	add_hosts(0, 1000);
	while ((h = fmp_hmap_next(&map, &at)))
		h->seen++;
	for (unsigned i = 0; i < 1000; i++)
		ck_assert_uint_eq(hosts[i].seen, 1);
	ck_assert_ptr_null(fmp_hmap_next(&map, &at));
}
END_TEST

/* The loop removes what it was given, and even overwrites it, as free() may. */
START_TEST(loop_removes)
{
	struct fmp_hmap_cursor at = { 0 };
	unsigned removed = 0;
	struct host *h;

	add_hosts(0, 1000);
	while ((h = fmp_hmap_next(&map, &at))) {
		if (h->number % 2)
			continue;
		fmp_hmap_remove(&map, h);
		memset(h, 0xa5, sizeof(*h));
		removed++;
	}
	ck_assert_uint_eq(removed, 500);
	for (unsigned i = 0; i < 1000; i++)
		ck_assert_ptr_eq(find_number(i), i % 2 ? &hosts[i] : NULL);
}
END_TEST

/* Entries of one address stay in order, newest first, while chains are split. */
START_TEST(equal_keys_newest_first)
{
	struct fmp_addr a = number_addr(MANY);
	struct host *h;

	for (unsigned i = 0; i < 1000; i++) {
		if (i % 100 == 0)
			hosts[i].addr = a;
		fmp_hmap_add(&map, &hosts[i]);
	}
	h = fmp_hmap_find(&map, &a);
	for (unsigned i = 1000; i; i -= 100) {
		ck_assert_ptr_eq(h, &hosts[i - 100]);
		h = fmp_hmap_find_next(&map, h);
	}
	ck_assert_ptr_null(h);
	fmp_hmap_remove(&map, &hosts[500]);
	h = fmp_hmap_find_next(&map, &hosts[600]);
	ck_assert_ptr_eq(h, &hosts[400]);
}
END_TEST

/* A prefix and an address with the same bytes are two keys. */
START_TEST(prefix_is_another_key)
{
	hosts[0].addr = addr("10.0.0.0/8");
	hosts[1].addr = addr("10.0.0.0");
	add_hosts(0, 2);
	ck_assert_ptr_eq(fmp_hmap_find(&map, &hosts[0].addr), &hosts[0]);
	ck_assert_ptr_eq(fmp_hmap_find(&map, &hosts[1].addr), &hosts[1]);
	ck_assert_ptr_null(fmp_hmap_find_next(&map, &hosts[1]));
}
END_TEST

/* Addresses that collide under one seed are spread under another. */
START_TEST(seed_scatters)
{
	const struct fmp_hmap_entry entry = FMP_HMAP_ENTRY(struct host, link, addr);
	unsigned n = 0;

	for (unsigned i = 0; n < 64; i++) {
		struct fmp_addr a = number_addr(i);

		if ((fmp_addr_hash(&a, 7) & 0x7f) == 0)
			hosts[n++].addr = a;
	}
	add_hosts(0, 64);
	ck_assert_uint_eq(longest_chain(), 64);
	for (unsigned i = 0; i < 64; i++)
		ck_assert_ptr_eq(fmp_hmap_find(&map, &hosts[i].addr), &hosts[i]);
	fmp_hmap_exit(&map);
	ck_assert_int_eq(fmp_hmap_init(&map, entry, 8, 0), 0);
	add_hosts(0, 64);
	ck_assert_uint_le(longest_chain(), 8);
}
END_TEST

START_TEST(without_memory_chains_get_longer)
{
	add_hosts(0, 10);
	no_memory = true;
	add_hosts(10, 1000);
	ck_assert_uint_eq(map.n_chains, 16);
	check_present(0, 1000);
	no_memory = false;
	add_hosts(1000, MANY);
	ck_assert_uint_eq(map.n, MANY);
	ck_assert_uint_eq(map.n_chains, 16 + MANY - 1000);
	check_present(0, MANY);
}
END_TEST

START_TEST(no_memory_at_all)
{
	struct fmp_hmap none;

	no_memory = true;
	ck_assert_int_eq(fmp_hmap_init(&none, FMP_HMAP_ENTRY(struct host, link, addr), 7, 0),
			 FMP_ERR_NOMEM);
	ck_assert_ptr_null(none.chains);
	fmp_hmap_exit(&none);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("hmap");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, empty);
	tcase_add_test(tc, grows_by_one_chain);
	tcase_add_test(tc, expected_entries_allocate_once);
	tcase_add_test(tc, removed_from_any_place);
	tcase_add_test(tc, loop_sees_each_once);
	tcase_add_test(tc, loop_removes);
	tcase_add_test(tc, equal_keys_newest_first);
	tcase_add_test(tc, prefix_is_another_key);
	tcase_add_test(tc, seed_scatters);
	tcase_add_test(tc, without_memory_chains_get_longer);
	tcase_add_test(tc, no_memory_at_all);
	return run_tcase("hmap", tc);
}
