// SPDX-License-Identifier: GPL-2.0
/* fmpd's book of decisions: what is in force, what ended, and that it does not grow. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../daemon/fmpd/book.h"

static struct fmp_addr addr(const char *text)
{
	struct fmp_addr a;

	ck_assert_int_eq(fmp_addr_parse(text, &a, NULL), 0);
	return a;
}

static struct fmpd_record *put(struct fmpd_book *b, const char *source, uint64_t id)
{
	struct fmp_decision d = { .id = id,
				  .action = FMP_ACTION_BLOCK,
				  .source = addr(source),
				  .layers = FMP_LAYERS_ALL,
				  .time_ms = 1000,
				  .duration_ms = 500 };
	struct fmpd_record *r = fmpd_book_put(b, &d);

	ck_assert_ptr_nonnull(r);
	return r;
}

static struct fmpd_record *find(struct fmpd_book *b, const char *source)
{
	struct fmp_addr a = addr(source);

	return fmpd_book_find(b, &a);
}

static struct fmpd_record *cover(struct fmpd_book *b, const char *source)
{
	struct fmp_addr a = addr(source);

	return fmpd_book_cover(b, &a);
}

START_TEST(put_find_end)
{
	struct fmpd_book *b = fmpd_book_new(1);
	struct fmpd_record *r = put(b, "192.0.2.1", 1);

	put(b, "192.0.2.2", 2);
	ck_assert_uint_eq(fmpd_book_in_force(b), 2);
	ck_assert_ptr_eq(find(b, "192.0.2.1"), r);
	ck_assert_ptr_null(find(b, "192.0.2.3"));
	fmpd_book_end(b, r);
	fmpd_book_end(b, r);
	ck_assert_uint_eq(fmpd_book_in_force(b), 1);
	ck_assert_ptr_eq(find(b, "192.0.2.1"), r);
	ck_assert(!r->in_force);
	ck_assert_ptr_eq(fmpd_book_first_ended(b), r);
	fmpd_book_free(b);
}
END_TEST

/* A renewed block is one block, also when the old one has ended. */
START_TEST(renewed)
{
	struct fmpd_book *b = fmpd_book_new(1);

	put(b, "192.0.2.1", 1);
	put(b, "192.0.2.1", 2);
	ck_assert_uint_eq(fmpd_book_in_force(b), 1);
	ck_assert_uint_eq(find(b, "192.0.2.1")->d.id, 2);
	fmpd_book_end(b, find(b, "192.0.2.1"));
	put(b, "192.0.2.1", 3);
	ck_assert_uint_eq(fmpd_book_in_force(b), 1);
	ck_assert_ptr_null(fmpd_book_first_ended(b));
	ck_assert_ptr_null(fmpd_book_next(fmpd_book_first(b)));
	fmpd_book_free(b);
}
END_TEST

START_TEST(covering)
{
	struct fmpd_book *b = fmpd_book_new(1);
	struct fmpd_record *net = put(b, "192.0.2.0/24", 1), *host = put(b, "192.0.2.9", 2);

	net->d.mac = addr("02:00:5e:00:53:01");
	ck_assert_ptr_eq(cover(b, "192.0.2.9"), host);
	ck_assert_ptr_eq(cover(b, "192.0.2.8"), net);
	ck_assert_ptr_eq(cover(b, "02:00:5e:00:53:01"), net);
	ck_assert_ptr_null(cover(b, "192.0.3.1"));
	/* What is in force says more than what ended. */
	fmpd_book_end(b, host);
	ck_assert_ptr_eq(cover(b, "192.0.2.9"), net);
	fmpd_book_end(b, net);
	ck_assert_ptr_eq(cover(b, "192.0.2.9"), net);
	fmpd_book_free(b);
}
END_TEST

/* Invariant 6: what ended is bounded, the oldest goes first. */
START_TEST(invariant_6_ended_are_bounded)
{
	struct fmpd_book *b = fmpd_book_new(1);
	struct fmpd_record *r;
	unsigned n = 0;
	char source[32];

	for (unsigned i = 0; i < FMPD_BOOK_ENDED + 10; i++) {
		snprintf(source, sizeof(source), "10.0.%u.%u", i >> 8, i & 255);
		fmpd_book_end(b, put(b, source, i + 1));
	}
	for (r = fmpd_book_first_ended(b); r; r = fmpd_book_next(r))
		n++;
	ck_assert_uint_eq(n, FMPD_BOOK_ENDED);
	ck_assert_ptr_null(find(b, "10.0.0.9"));
	ck_assert_ptr_nonnull(find(b, "10.0.0.10"));
	fmpd_book_free(b);
}
END_TEST

START_TEST(time_left)
{
	struct fmpd_book *b = fmpd_book_new(1);
	struct fmpd_record *r = put(b, "192.0.2.1", 1);

	ck_assert_uint_eq(fmpd_record_left_ms(r, 1100), 400);
	/* Never 0 while in force: that would be without end. */
	ck_assert_uint_eq(fmpd_record_left_ms(r, 1500), 1);
	r->until_ms = UINT64_MAX;
	ck_assert_uint_eq(fmpd_record_left_ms(r, 1500), 0);
	ck_assert_uint_eq(fmpd_record_failed(r), 0);
	r->answers[FMP_LAYER_MAC].state = FMP_ANSWER_FAILED;
	ck_assert_uint_eq(fmpd_record_failed(r), FMP_LAYER_BIT(FMP_LAYER_MAC));
	fmpd_book_free(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("book");
	TCase *tc = tcase_create("book");
	SRunner *sr;
	int failed;

	tcase_add_test(tc, put_find_end);
	tcase_add_test(tc, renewed);
	tcase_add_test(tc, covering);
	tcase_add_test(tc, invariant_6_ended_are_bounded);
	tcase_add_test(tc, time_left);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
