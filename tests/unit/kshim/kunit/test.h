/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KUnit's interface on top of Check: kernel/tests/ runs in userspace unchanged
 *
 * An expectation that fails ends its case, as an assertion does.
 */
#ifndef _FMP_KSHIM_KUNIT_H
#define _FMP_KSHIM_KUNIT_H

#include <check.h>

#include "../kworld.h"

struct kunit {
	void *priv;
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
};

struct kunit_suite {
	const char *name;
	int (*init)(struct kunit *test);
	void (*exit)(struct kunit *test);
	struct kunit_case *test_cases;
};

#define KUNIT_CASE(f)                     \
	{                                 \
		.run_case = f, .name = #f \
	}

/* Each case is a process of its own, so its memory needs no free. */
#define kunit_kzalloc(test, n, gfp) kshim_case_alloc(n)
void *kshim_case_alloc(size_t n);

/* The source text is passed as an argument, because it may have a %. */
#define KSHIM_COMPARE(a, op, b)                                                                    \
	do {                                                                                       \
		const __typeof__(a) _a = (a);                                                      \
		const __typeof__(b) _b = (b);                                                      \
		ck_assert_msg((long long)_a op(long long) _b, "%s: %lld, %lld", #a " " #op " " #b, \
			      (long long)_a, (long long)_b);                                       \
	} while (0)
#define KSHIM_COMPARE_MSG(a, op, b, fmt, ...)                                       \
	do {                                                                        \
		if (!((long long)(a)op(long long)(b)))                              \
			ck_abort_msg("%s, " fmt, #a " " #op " " #b, ##__VA_ARGS__); \
	} while (0)

#define KUNIT_EXPECT_EQ(test, a, b)	     KSHIM_COMPARE(a, ==, b)
#define KUNIT_EXPECT_NE(test, a, b)	     KSHIM_COMPARE(a, !=, b)
#define KUNIT_EXPECT_GT(test, a, b)	     KSHIM_COMPARE(a, >, b)
#define KUNIT_EXPECT_LT(test, a, b)	     KSHIM_COMPARE(a, <, b)
#define KUNIT_EXPECT_LE(test, a, b)	     KSHIM_COMPARE(a, <=, b)
#define KUNIT_EXPECT_TRUE(test, a)	     ck_assert(a)
#define KUNIT_EXPECT_FALSE(test, a)	     ck_assert(!(a))
#define KUNIT_ASSERT_EQ(test, a, b)	     KSHIM_COMPARE(a, ==, b)
#define KUNIT_ASSERT_GT(test, a, b)	     KSHIM_COMPARE(a, >, b)
#define KUNIT_ASSERT_LE(test, a, b)	     KSHIM_COMPARE(a, <=, b)
#define KUNIT_EXPECT_EQ_MSG(test, a, b, ...) KSHIM_COMPARE_MSG(a, ==, b, __VA_ARGS__)
#define KUNIT_EXPECT_NE_MSG(test, a, b, ...) KSHIM_COMPARE_MSG(a, !=, b, __VA_ARGS__)
#define KUNIT_EXPECT_PTR_EQ(test, a, b)	     ck_assert_ptr_eq(a, b)
#define KUNIT_EXPECT_PTR_NE(test, a, b)	     ck_assert_ptr_ne(a, b)
#define KUNIT_ASSERT_PTR_NE(test, a, b)	     ck_assert_ptr_ne(a, b)

#endif /* _FMP_KSHIM_KUNIT_H */
