// SPDX-License-Identifier: GPL-2.0
/*
 * The corpus of attacks: each variant is refused where and for what it should be, none
 * takes more memory than twice the largest body. What each costs is counted by tests/cli/attack_costs.sh; what goes through a gateway is in
 * tests/cli/gateway_attacks.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspectors.h"
#include "run.h"

static struct inspectors *inspectors;

static void setup(void)
{
	const char *tests = getenv("FMP_TESTS");

	inspectors = inspectors_new(tests ? tests : "tests");
}

static void teardown(void)
{
	inspectors_free(inspectors);
}

/* Calls it with each variant; it says whether that is as it should be. */
static void check_each_variant(bool (*is_right)(const struct attack *a,
						const struct attack_bytes *b))
{
	unsigned wrong = 0, seen = 0;
	const struct attack *a;

	/* All findings at once: one table to read after a change. */
	for (size_t i = 0; (a = attack_get(i)); i++) {
		struct attack_bytes b = attack_make(inspectors_pki(inspectors), a);

		wrong += !is_right(a, &b);
		seen++;
		free(b.p);
	}
	ck_assert_msg(wrong == 0, "%u of %u variants", wrong, seen);
	ck_assert_uint_gt(seen, 200);
}

static bool is_refused_well(const struct attack *a, const struct attack_bytes *b)
{
	struct fmp_inspection v = inspectors_inspect(inspectors, a, b);

	if (a->again)
		v = inspectors_inspect(inspectors, a, b);
	if (!v.accepted && v.step == a->step && v.kind == a->kind)
		return true;
	fprintf(stderr, "%s: %s: expected %s/%s, got %s/%s: %s\n", a->class, a->variant,
		fmp_step_name(a->step), fmp_event_kind_name(a->kind), fmp_step_name(v.step),
		fmp_event_kind_name(v.kind), v.detail);
	return false;
}

START_TEST(each_is_refused_where_it_should_be)
{
	check_each_variant(is_refused_well);
}
END_TEST

START_TEST(each_class_has_three_variants)
{
	const struct attack *a, *other;

	for (size_t i = 0; (a = attack_get(i)); i++) {
		unsigned n = 0;

		for (size_t k = 0; (other = attack_get(k)); k++) {
			n += strcmp(a->class, other->class) == 0;
			ck_assert_msg(i == k || strcmp(a->class, other->class) ||
					      strcmp(a->variant, other->variant),
				      "%s: %s stands twice", a->class, a->variant);
		}
		ck_assert_msg(n >= 3, "%s has %u variants", a->class, n);
	}
}
END_TEST

static void expect_accepted(const struct attack *as, size_t size)
{
	struct attack_bytes b = attack_accepted(inspectors_pki(inspectors), as, size);
	struct fmp_inspection v = inspectors_inspect(inspectors, as, &b);

	ck_assert_msg(v.accepted, "%s, %zu bytes: %s: %s", fmp_security_name(as->security), b.len,
		      fmp_step_name(v.step), v.detail);
	ck_assert_msg(b.len * 10 >= size * 8, "%zu bytes for %zu", b.len, size);
	free(b.p);
}

/* Without this test a pipeline that refuses everything would pass. */
START_TEST(good_messages_are_accepted)
{
	static const size_t sizes[] = { 0, 10000, 100000, 300000 };

	for (enum fmp_security s = FMP_SECURITY_BC; s <= FMP_SECURITY_BCE; s++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
			expect_accepted(&(struct attack){ .security = s }, sizes[i]);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BC, .raw = true }, 10000);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BCV, .saml = true }, 10000);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BCS, .saml = true }, 10000);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BCV, .content = true }, 10000);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BCS, .symmetric = true }, 10000);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BCS, .headers = true }, 10000);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BCE, .encrypted_parts = true },
			0);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BCE, .encrypted_parts = true },
			10000);
	expect_accepted(&(struct attack){ .security = FMP_SECURITY_BCE, .encrypted_parts = true },
			100000);
}
END_TEST

/* What an attack is measured by is good. */
START_TEST(twins_are_accepted)
{
	const struct attack *a;
	unsigned seen = 0;

	for (size_t i = 0; (a = attack_get(i)); i++) {
		if (!a->twin)
			continue;
		expect_accepted(a, a->n * strlen(a->piece));
		seen++;
	}
	ck_assert_uint_gt(seen, 2);
}
END_TEST

static size_t memory_limit;

static bool is_small(const struct attack *a, const struct attack_bytes *b)
{
	size_t most = inspectors_peak_memory(inspectors, a, b);

	if (most <= memory_limit)
		return true;
	fprintf(stderr, "%s: %s: %zu bytes for %zu\n", a->class, a->variant, most, b->len);
	return false;
}

START_TEST(none_takes_more_memory_than_twice_the_limit)
{
	struct attack good = { .security = FMP_SECURITY_BCV };
	struct attack_bytes b = attack_accepted(inspectors_pki(inspectors), &good, 1 << 20);

	ck_assert_uint_gt(inspectors_peak_memory(inspectors, &good, &b),
			  1 << 20); /* it does count */
	free(b.p);
	memory_limit = 2 * inspectors_body_limit(inspectors);
	check_each_variant(is_small);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("attacks");

	tcase_set_timeout(tc, 120);
	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_test(tc, each_is_refused_where_it_should_be);
	tcase_add_test(tc, each_class_has_three_variants);
	tcase_add_test(tc, good_messages_are_accepted);
	tcase_add_test(tc, twins_are_accepted);
	tcase_add_test(tc, none_takes_more_memory_than_twice_the_limit);
	return run_tcase("attacks", tc);
}
