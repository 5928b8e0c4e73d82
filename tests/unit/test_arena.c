// SPDX-License-Identifier: GPL-2.0
/* Arena: no two pieces share a byte, and little memory is wasted. */
#include <string.h>

#include "../lib/random.h"
#include "base/arena.h"
#include "run.h"

#define PIECES 3000
#define NODE   120

struct piece {
	uint8_t *p;
	size_t n;
};

static bool is_filled(const struct piece *s, uint8_t with)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->p[k] != with)
			return false;
	return true;
}

/* Each piece is filled with its own number when allocated, and compared when all are. */
START_TEST(pieces_are_apart)
{
	static const size_t sizes[] = { 1, 7, 8, 9, 48, 96, NODE, 959, 960, 961, 20000 };
	static struct piece pieces[PIECES];
	struct fmpi_arena *a = fmpi_arena_new();
	struct test_random r = { .state = 1 };

	ck_assert_ptr_nonnull(a);
	for (unsigned i = 0; i < PIECES; i++) {
		struct piece *s = &pieces[i];

		s->n = sizes[random_below(&r, random_once_in(&r, 50) ? 11 : 7)];
		s->p = fmpi_arena_alloc(a, s->n);
		ck_assert_ptr_nonnull(s->p);
		ck_assert_uint_eq((uintptr_t)s->p % sizeof(void *), 0);
		memset(s->p, (int)(i % 251), s->n);
	}
	for (unsigned i = 0; i < PIECES; i++)
		ck_assert_msg(is_filled(&pieces[i], i % 251), "piece %u", i);
	fmpi_arena_free(a);
	fmpi_arena_free(NULL);
}
END_TEST

/* Pieces as large as a tree's nodes: a few, and as many as a message of 1 MB has. */
START_TEST(little_is_lost)
{
	struct fmpi_arena *a = fmpi_arena_new();

	size_t n, taken = 0;

	ck_assert_ptr_nonnull(a);
	for (n = 0; n < 100000 && a->size <= taken + taken / 8 + 1100; n++) {
		if (!fmpi_arena_alloc(a, NODE))
			break;
		taken += NODE + FMPI_ARENA_GAP;
	}
	ck_assert_msg(n == 100000 && a->size <= taken + taken / 24, "%zu bytes for %zu pieces",
		      a->size, n);
	fmpi_arena_free(a);
}
END_TEST

#ifdef FMPI_ARENA_CHECKED

START_TEST(sanitizers_know_of_pieces)
{
	struct fmpi_arena *a = fmpi_arena_new();
	char *p, *q;

	ck_assert_ptr_nonnull(a);
	p = fmpi_arena_alloc(a, 8);
	q = fmpi_arena_alloc(a, 1);
	ck_assert(p && q);
	ck_assert(!__asan_address_is_poisoned(p + 7) && __asan_address_is_poisoned(p + 8));
	ck_assert(!__asan_address_is_poisoned(q) && __asan_address_is_poisoned(q - 1));
	ck_assert(__asan_address_is_poisoned(q + 1));
	fmpi_arena_free(a);
	ck_assert(__asan_address_is_poisoned(p));
}
END_TEST

#endif

int main(void)
{
	TCase *tc = tcase_create("arena");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, pieces_are_apart);
	tcase_add_test(tc, little_is_lost);
#ifdef FMPI_ARENA_CHECKED
	tcase_add_test(tc, sanitizers_know_of_pieces);
#endif
	return run_tcase("arena", tc);
}
