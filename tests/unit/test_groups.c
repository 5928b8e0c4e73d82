// SPDX-License-Identifier: GPL-2.0
/* libfmp/policy: the group of a source is the one that looking at each address finds, in far fewer comparisons. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/suspicion.h>
#include <policy/group_index.h>

#include "../lib/random.h"
#include "policy_text.h"
#include "run.h"

/* Of two addresses, as tests/unit/test_groups.mk has it. */
static uint64_t compared;

int __real_fmp_addr_compare(const struct fmp_addr *a, const struct fmp_addr *b);
int __wrap_fmp_addr_compare(const struct fmp_addr *a, const struct fmp_addr *b);
int __wrap_fmp_addr_compare(const struct fmp_addr *a, const struct fmp_addr *b)
{
	compared++;
	return __real_fmp_addr_compare(a, b);
}

bool __real_fmp_addr_contains(const struct fmp_addr *a, const struct fmp_addr *b);
bool __wrap_fmp_addr_contains(const struct fmp_addr *a, const struct fmp_addr *b);
bool __wrap_fmp_addr_contains(const struct fmp_addr *a, const struct fmp_addr *b)
{
	compared++;
	return __real_fmp_addr_contains(a, b);
}

bool __real_fmp_addr_overlaps(const struct fmp_addr *a, const struct fmp_addr *b);
bool __wrap_fmp_addr_overlaps(const struct fmp_addr *a, const struct fmp_addr *b);
bool __wrap_fmp_addr_overlaps(const struct fmp_addr *a, const struct fmp_addr *b)
{
	compared++;
	return __real_fmp_addr_overlaps(a, b);
}

static struct test_random dice = { .state = 7 };

/* Few bits differ, so that many hold each other. */
static struct fmp_addr any_addr(bool whole)
{
	bool four = random_below(&dice, 2);
	uint8_t bytes[16] = { 0x20, 0x01, 0x0d, 0xb8 };
	unsigned max = four ? 32 : 128;
	struct fmp_addr a;

	for (unsigned i = four ? 1 : 4; i < max / 8; i++)
		bytes[i] = random_below(&dice, 3) ? 0 : (uint8_t)(1u << random_below(&dice, 8));
	a = four ? fmp_addr_ipv4(bytes) : fmp_addr_ipv6(bytes);
	return fmp_addr_mask(a, (uint8_t)(whole ? max : 8 + random_below(&dice, max - 7)));
}

static bool is_taken(const struct fmp_policy *p, const struct fmp_addr *a)
{
	for (size_t g = 0; g < p->n_groups; g++)
		for (unsigned i = 0; i < p->groups[g].n_addresses; i++)
			if (fmp_addr_equal(&p->groups[g].addresses[i], a))
				return true;
	return false;
}

static void make_groups(struct fmp_policy *p, size_t groups, unsigned addresses)
{
	p->groups = calloc(groups, sizeof(*p->groups));
	ck_assert_ptr_nonnull(p->groups);
	while (p->n_groups < groups) {
		struct fmp_policy_group *g = &p->groups[p->n_groups++];

		while (g->n_addresses < addresses) {
			struct fmp_addr a = any_addr(false);

			if (!is_taken(p, &a))
				g->addresses[g->n_addresses++] = a;
		}
	}
}

/* Sources, and prefixes that hold addresses of groups. */
START_TEST(same_as_looking_at_each)
{
	struct fmp_policy *p = fmp_policy_default();
	struct fmpi_group_index *x;
	unsigned found = 0;

	make_groups(p, 1 + (size_t)_i % FMP_GROUPS_MAX, 1 + (unsigned)_i * 5 % 32);
	x = fmpi_group_index_make(p);
	ck_assert_ptr_nonnull(x);
	for (unsigned i = 0; i < 500; i++) {
		struct fmp_addr source = any_addr(i % 4);
		const struct fmp_policy_group *each, *g;

		p->group_index = NULL;
		each = fmp_policy_group(p, &source);
		p->group_index = x;
		g = fmp_policy_group(p, &source);
		ck_assert_ptr_eq(g, each);
		found += g != NULL;
	}
	ck_assert_uint_gt(found, 0);
	fmp_policy_free(p);
}
END_TEST

START_TEST(no_groups_no_index)
{
	struct fmp_policy *p = fmp_policy_default();

	ck_assert_ptr_null(fmpi_group_index_make(p));
	fmp_policy_free(p);
}
END_TEST

/* As many as a policy may have: 10.G.A.0/24. */
static struct fmp_policy *make_largest(unsigned suspicious)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct fmp_policy *p;

	fputs(ROOT "<groups>", f);
	for (unsigned g = 0; g < FMP_GROUPS_MAX; g++) {
		fprintf(f, "<group name='g%u' suspicious='%u' malicious='%u' address='", g,
			suspicious + g, 200 + g);
		for (unsigned a = 0; a < FMP_GROUP_ADDRESSES_MAX; a++)
			fprintf(f, "10.%u.%u.0/24 ", g, a);
		fputs("'/>", f);
	}
	fputs("</groups></policy>", f);
	fclose(f);
	p = must_load_text(text);
	free(text);
	return p;
}

/* Each of another address, with 10 points. */
static struct fmp_engine *with_sources(const struct fmp_policy *p, unsigned n)
{
	struct fmp_event ev = { .kind = FMP_EVENT_SCHEMA, .proven = true };
	struct fmp_engine *e;
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_new(p, 42, 1, &e, NULL), 0);
	for (unsigned i = 0; i < n; i++) {
		const uint8_t bytes[4] = { 10, (uint8_t)(i % 32), (uint8_t)(i / 32), 7 };

		ev.source = fmp_addr_ipv4(bytes);
		ck_assert_int_eq(fmp_engine_event(e, &ev, 1000, &d), 0);
	}
	compared = 0;
	return e;
}

/* fmpctl status counts all sources in one turn of fmpd's loop, and each may be in a group. */
START_TEST(inv6_counting_sources_compares_few)
{
	enum {
		SOURCES = 1024
	};
	struct fmp_policy *p = make_largest(1);
	struct fmp_engine *e = with_sources(p, SOURCES);
	struct fmp_addr source = fmp_addr_ipv4((const uint8_t[]){ 10, 15, 31, 7 });
	struct fmp_engine_stats st;
	struct fmp_source_info info;

	fmp_engine_get_stats(e, 1000, &st);
	ck_assert_uint_eq(st.sources, SOURCES);
	/* At 1 point in the first group, at 10 in the tenth. */
	ck_assert_uint_eq(st.suspicious, SOURCES / 32 * 10);
	/* 10 to find a place among 1024, and a few. */
	ck_assert_uint_le(compared, SOURCES * 16);
	ck_assert_int_eq(fmp_engine_get(e, &source, 1000, &info), 0);
	ck_assert_str_eq(info.rule, "group g15");
	ck_assert_uint_eq(info.malicious, 215);
	compared = 0;
	ck_assert_uint_eq(fmp_engine_processed(e), SOURCES);
	ck_assert_uint_eq(compared, 0);
	fmp_engine_free(e);
	fmp_policy_free(p);
}
END_TEST

START_TEST(inv6_counting_harmless_sources_compares_none)
{
	struct fmp_policy *p = make_largest(11);
	struct fmp_engine *e = with_sources(p, 100);
	struct fmp_engine_stats st;

	fmp_engine_get_stats(e, 1000, &st);
	ck_assert_uint_eq(st.sources, 100);
	ck_assert_uint_eq(st.suspicious, 0);
	ck_assert_uint_eq(compared, 0);
	fmp_engine_free(e);
	fmp_policy_free(p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("groups");

	tcase_add_loop_test(tc, same_as_looking_at_each, 0, 64);
	tcase_add_test(tc, no_groups_no_index);
	tcase_add_test(tc, inv6_counting_sources_compares_few);
	tcase_add_test(tc, inv6_counting_harmless_sources_compares_none);
	return run_tcase("groups", tc);
}
