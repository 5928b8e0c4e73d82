// SPDX-License-Identifier: GPL-2.0
/* Sources take turns: whoever sends much waits for itself. */
#include <stdbool.h>
#include <stdlib.h>

#include "../../daemon/gateway/workers/fair_queue.h"
#include "addr.h"
#include "run.h"

#define SEED 0x5eedull

static struct gw_fair_queue turns;

static void set_up_queue(void)
{
	gw_fair_queue_init(&turns, SEED);
}

static struct gw_fair_queue_entry *take_first(void)
{
	struct gw_fair_queue_entry *e = gw_fair_queue_first(&turns);

	if (e)
		gw_fair_queue_remove(&turns, e);
	return e;
}

/* A flood of 48 waits; another's message is behind one of it, and the flood's own stay in order. */
START_TEST(another_is_behind_one_of_a_flood)
{
	struct fmp_addr flooder = addr("192.0.2.66"), friend = addr("192.0.2.10");
	struct gw_fair_queue_entry flood[48], one;

	for (unsigned i = 0; i < 48; i++)
		gw_fair_queue_add(&turns, &flood[i], &flooder);
	ck_assert_ptr_eq(take_first(), &flood[0]);
	gw_fair_queue_add(&turns, &one, &friend);
	ck_assert_ptr_eq(take_first(), &one);
	for (unsigned i = 1; i < 48; i++)
		ck_assert_ptr_eq(take_first(), &flood[i]);
	ck_assert_ptr_null(take_first());
	ck_assert_uint_eq(turns.n, 0);
}
END_TEST

/* In each round each source has one, in the order in which they came. */
START_TEST(each_has_one_in_a_round)
{
	struct fmp_addr source[3] = { addr("192.0.2.1"), addr("192.0.2.2"), addr("2001:db8::3") };
	struct gw_fair_queue_entry e[3][4];

	for (unsigned s = 0; s < 3; s++)
		for (unsigned i = 0; i < 4; i++)
			gw_fair_queue_add(&turns, &e[s][i], &source[s]);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned s = 0; s < 3; s++)
			ck_assert_ptr_eq(take_first(), &e[s][i]);
}
END_TEST

/* One that waited for nobody has gathered no turns, and one that was served has none against it. */
START_TEST(nothing_is_saved_up)
{
	struct fmp_addr old = addr("192.0.2.1"), fresh = addr("192.0.2.2");
	struct gw_fair_queue_entry e[3];

	for (unsigned i = 0; i < 1000; i++) {
		gw_fair_queue_add(&turns, &e[0], &old);
		ck_assert_ptr_eq(take_first(), &e[0]);
	}
	gw_fair_queue_add(&turns, &e[0], &old);
	gw_fair_queue_add(&turns, &e[1], &fresh);
	gw_fair_queue_add(&turns, &e[2], &fresh);
	/* The newcomer first: the other's last turn is the one under way. */
	ck_assert_ptr_eq(take_first(), &e[1]);
	ck_assert_ptr_eq(take_first(), &e[0]);
	ck_assert_ptr_eq(take_first(), &e[2]);
}
END_TEST

/* Beyond the rounds that are kept apart: all come out, each once, whatever is withdrawn meanwhile. */
START_TEST(more_than_rounds)
{
	enum {
		MOST = 5000
	};
	struct gw_fair_queue_entry *e = calloc(MOST, sizeof(*e));
	bool *out = calloc(MOST, sizeof(*out));
	unsigned left = 0, n = 0;
	struct gw_fair_queue_entry *next;

	srandom(1);
	while (n < MOST) {
		struct fmp_addr source = addr("192.0.2.0");

		source.bytes[3] = (uint8_t)(random() % 5);
		gw_fair_queue_add(&turns, &e[n++], &source);
		left++;
		if (random() % 3)
			continue;
		next = random() % 2 ? gw_fair_queue_first(&turns) : NULL;
		for (unsigned i = (unsigned)random() % n; !next; i = (i + 1) % n)
			next = out[i] ? NULL : &e[i];
		gw_fair_queue_remove(&turns, next);
		ck_assert(!out[next - e]);
		out[next - e] = true;
		left--;
	}
	ck_assert_uint_eq(turns.n, left);
	while ((next = take_first())) {
		ck_assert(!out[next - e]);
		out[next - e] = true;
		left--;
	}
	ck_assert_uint_eq(left, 0);
	free(out);
	free(e);
}
END_TEST

START_TEST(what_is_nobodys_takes_turns_too)
{
	struct fmp_addr source = addr("192.0.2.1");
	struct gw_fair_queue_entry e[3];

	gw_fair_queue_add(&turns, &e[0], NULL);
	gw_fair_queue_add(&turns, &e[1], NULL);
	gw_fair_queue_add(&turns, &e[2], &source);
	ck_assert_ptr_eq(take_first(), &e[0]);
	ck_assert_ptr_eq(take_first(), &e[2]);
	ck_assert_ptr_eq(take_first(), &e[1]);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("turns");

	tcase_add_checked_fixture(tc, set_up_queue, NULL);
	tcase_add_test(tc, another_is_behind_one_of_a_flood);
	tcase_add_test(tc, each_has_one_in_a_round);
	tcase_add_test(tc, nothing_is_saved_up);
	tcase_add_test(tc, more_than_rounds);
	tcase_add_test(tc, what_is_nobodys_takes_turns_too);
	return run_tcase("turns", tc);
}
