// SPDX-License-Identifier: GPL-2.0
/*
 * The corpus of attacks: each variant is refused where and for what it should be, none
 * takes more memory than twice the largest body or the dearest good message, none much
 * more CPU than a good message of its size. The gateway's part of it is tests/cli/gateway_attacks.sh.
 */
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "attack.h"
#include "memory.h"
#include "run.h"
#include "vectors.h"

/* A busy machine and ASan blur what instructions would show to the percent. */
#define MOST_TIMES_DEARER 4
#define ROUNDS		  3
#define LEAST_NS	  2000000

static struct attack_world *world;
static struct fmp_inspector *inspector[FMP_SECURITIES], *with_replay_cache;
static char ca_path[64];
static int64_t now_s;

static void setup(void)
{
	struct fmp_error err = { 0 };
	int fd;

	ck_assert_msg(fmp_inspect_global_init(&err) == 0, "%s", err.message);
	now_s = time(NULL);
	world = attack_world_new(tests_path("interop/vectors/pki/server.crt"), now_s);
	strcpy(ca_path, "/tmp/test_attacks.XXXXXX");
	fd = mkstemp(ca_path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	attack_world_ca(world, ca_path);
	for (int s = FMP_SECURITY_BC; s <= FMP_SECURITY_BCE; s++) {
		struct fmp_inspect_config cfg = vector_config((enum fmp_security)s);

		cfg.limits.text_bytes = 1 << 20; /* as in the policy that is there without one */
		cfg.trust = ca_path;
		inspector[s] = make_inspector(&cfg);
		cfg.replay_entries = 16;
		cfg.replay_per_signer = 16;
		if (s == FMP_SECURITY_BCS)
			with_replay_cache = make_inspector(&cfg);
	}
}

static void teardown(void)
{
	unlink(ca_path);
	for (int s = 0; s < FMP_SECURITIES; s++)
		fmp_inspector_free(inspector[s]);
	fmp_inspector_free(with_replay_cache);
	attack_world_free(world);
	fmp_inspect_global_exit();
}

static struct fmp_inspection look_at(const struct attack *a, const struct attack_bytes *b)
{
	struct fmp_message m = {
		.bytes = b->p, .len = b->len, .now_s = now_s, .soap_action = a->action
	};
	struct fmp_inspector *i = a->again ? with_replay_cache : inspector[a->security];
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	return v;
}

static bool is_for_the_gateway(const struct attack *a)
{
	return a->raw;
}

/* All findings in one message: one table to read after a change. */
START_TEST(each_is_refused_where_it_should_be)
{
	const struct attack *a;
	unsigned wrong = 0, seen = 0;

	for (size_t i = 0; (a = attack_get(i)); i++) {
		struct attack_bytes b;
		struct fmp_inspection v;

		if (is_for_the_gateway(a))
			continue;
		b = attack_make(world, a);
		v = look_at(a, &b);
		if (a->again) {
			fmp_inspection_clear(&v);
			v = look_at(a, &b);
		}
		seen++;
		if (v.accepted || v.step != a->step || v.kind != a->kind) {
			fprintf(stderr, "%s: %s: expected %s/%s, got %s/%s: %s\n", a->class,
				a->variant, fmp_step_name(a->step), fmp_event_kind_name(a->kind),
				fmp_step_name(v.step), fmp_event_kind_name(v.kind), v.detail);
			wrong++;
		}
		fmp_inspection_clear(&v);
		free(b.p);
	}
	ck_assert_msg(wrong == 0, "%u of %u variants", wrong, seen);
	ck_assert_uint_gt(seen, 200);
}
END_TEST

START_TEST(each_class_has_three_variants)
{
	const struct attack *a, *other;

	for (size_t i = 0; (a = attack_get(i)); i++) {
		unsigned n = 0;

		for (size_t j = 0; (other = attack_get(j)); j++) {
			n += strcmp(a->class, other->class) == 0;
			ck_assert_msg(i == j || strcmp(a->class, other->class) ||
					      strcmp(a->variant, other->variant),
				      "%s: %s stands twice", a->class, a->variant);
		}
		ck_assert_msg(n >= 3, "%s has %u variants", a->class, n);
	}
}
END_TEST

/* Else a table that refuses everything would pass. */
START_TEST(good_messages_are_accepted)
{
	static const size_t sizes[] = { 0, 10000, 100000, 300000 };

	for (enum fmp_security s = FMP_SECURITY_BC; s <= FMP_SECURITY_BCE; s++) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct attack_bytes b = attack_accepted(world, s, sizes[i]);
			struct fmp_inspection v = look_at(&(struct attack){ .security = s }, &b);

			ck_assert_msg(v.accepted, "%s, %zu bytes: %s: %s", fmp_security_name(s),
				      b.len, fmp_step_name(v.step), v.detail);
			ck_assert_msg(b.len * 10 >= sizes[i] * 8, "%zu bytes for %zu", b.len,
				      sizes[i]);
			fmp_inspection_clear(&v);
			free(b.p);
		}
	}
}
END_TEST

/* The dearest tree that the limits let through is one of as many elements as they allow. */
static size_t memory_of_the_largest_order(void)
{
	struct attack_bytes b = attack_accepted(world, FMP_SECURITY_BCV, 1 << 20);
	struct fmp_inspection v;
	size_t most;

	memory_begin();
	v = look_at(&(struct attack){ .security = FMP_SECURITY_BCV }, &b);
	most = memory_end();
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	free(b.p);
	return most;
}

START_TEST(none_takes_more_memory_than_twice_the_limit)
{
	size_t limit = 2 * (size_t)vector_limits().body_bytes, good = memory_of_the_largest_order();
	const struct attack *a;
	unsigned wrong = 0;

	/* With 20000 elements a good message takes more than that itself. */
	if (good > limit)
		limit = good;

	for (size_t i = 0; (a = attack_get(i)); i++) {
		struct attack_bytes b;
		struct fmp_inspection v;
		size_t most;

		if (is_for_the_gateway(a))
			continue;
		b = attack_make(world, a);
		memory_begin();
		v = look_at(a, &b);
		most = memory_end();
		if (most > limit) {
			fprintf(stderr, "%s: %s: %zu bytes for %zu\n", a->class, a->variant, most,
				b.len);
			wrong++;
		}
		fmp_inspection_clear(&v);
		free(b.p);
	}
	ck_assert_msg(wrong == 0, "%u variants", wrong);
}
END_TEST

static int64_t thread_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* The least of a few rounds, each long enough for the clock. */
static double cost_ns(const struct attack *a, const struct attack_bytes *b)
{
	double least = 1e18;

	for (int round = 0; round < ROUNDS; round++) {
		int64_t from = thread_ns(), took;
		unsigned n = 0;

		do {
			struct fmp_inspection v = look_at(a, b);

			fmp_inspection_clear(&v);
			took = thread_ns() - from;
			n++;
		} while (took < LEAST_NS);
		if ((double)took / n < least)
			least = (double)took / n;
	}
	return least;
}

/* A certificate costs most when it is new, and one that is refused is new each time. */
static double first_cost_ns(enum fmp_security security, const struct attack_bytes *b)
{
	struct fmp_inspect_config cfg = vector_config(security);
	double least = 1e18;

	cfg.trust = ca_path;
	for (int round = 0; round < ROUNDS; round++) {
		struct fmp_inspector *i = make_inspector(&cfg);
		struct fmp_message m = { .bytes = b->p, .len = b->len, .now_s = now_s };
		struct fmp_inspection v;
		int64_t from = thread_ns(), took;

		ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
		took = thread_ns() - from;
		ck_assert_msg(v.accepted, "%s", v.detail);
		fmp_inspection_clear(&v);
		fmp_inspector_free(i);
		if ((double)took < least)
			least = (double)took;
	}
	return least;
}

START_TEST(none_costs_much_more_than_a_good_message)
{
	const struct attack *a;
	unsigned wrong = 0;

	for (size_t i = 0; (a = attack_get(i)); i++) {
		struct attack_bytes b, good;
		double bad_ns, good_ns;

		if (is_for_the_gateway(a))
			continue;
		b = attack_make(world, a);
		good = attack_accepted(world, a->security, b.len);
		bad_ns = cost_ns(a, &b);
		good_ns = a->kind == FMP_EVENT_TOKEN
				  ? first_cost_ns(a->security, &good)
				  : cost_ns(&(struct attack){ .security = a->security }, &good);
		if (bad_ns > MOST_TIMES_DEARER * good_ns) {
			fprintf(stderr, "%s: %s: %.0f us for %zu bytes, a good one %.0f us\n",
				a->class, a->variant, bad_ns / 1000, b.len, good_ns / 1000);
			wrong++;
		}
		free(b.p);
		free(good.p);
	}
	ck_assert_msg(wrong == 0, "%u variants", wrong);
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
	tcase_add_test(tc, none_takes_more_memory_than_twice_the_limit);
	tcase_add_test(tc, none_costs_much_more_than_a_good_message);
	return run_tcase("attacks", tc);
}
