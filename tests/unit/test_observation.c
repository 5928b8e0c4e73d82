// SPDX-License-Identifier: GPL-2.0
/* What is observed of good messages: its text, what it takes, and how often. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <fmp/internal/observation.h>

#include "../../daemon/gateway/common/observe_budget.h"
#include "run.h"

START_TEST(words)
{
	struct fmp_observation o = { 0 };
	char name[FMP_OBSERVATION_NAME], value[FMP_OBSERVATION_VALUE];
	const char *at = o.text;

	ck_assert(!fmp_observation_next(&at, name, value));
	ck_assert(fmp_observation_add_number(&o, "head", 812));
	ck_assert(fmp_observation_add(&o, "header", "{urn:a}B:signed"));
	ck_assert_str_eq(o.text, "seen head=812 header={urn:a}B:signed");
	at = o.text;
	ck_assert(fmp_observation_next(&at, name, value));
	ck_assert_str_eq(name, "head");
	ck_assert_str_eq(value, "812");
	ck_assert(fmp_observation_next(&at, name, value));
	ck_assert_str_eq(name, "header");
	ck_assert_str_eq(value, "{urn:a}B:signed");
	ck_assert(!fmp_observation_next(&at, name, value));
}
END_TEST

/* Nothing that means something in XML, in quotes or in a log, and nothing that is another word. */
START_TEST(other_characters)
{
	static const char *const bad[] = { "",
					   "a b",
					   "a\"b",
					   "a'b",
					   "a<b",
					   "a>b",
					   "a&b",
					   "a\\b",
					   "a\nb",
					   "a\x7f"
					   "b",
					   "a\tb",
					   "\x01",
					   "\xc3\xbc" };
	struct fmp_observation o = { 0 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!fmp_observation_add(&o, "header", bad[i]), "%s", bad[i]);
	ck_assert_str_eq(o.text, "");
}
END_TEST

/* A word that does not fit is left out, a shorter one behind it is not. */
START_TEST(too_long)
{
	struct fmp_observation o = { 0 }, other = { 0 };
	char value[FMP_OBSERVATION_VALUE + 20];

	memset(value, 'a', sizeof(value));
	value[FMP_EVENT_DETAIL - strlen("seen x=")] = '\0';
	ck_assert(!fmp_observation_add(&o, "x", value));
	value[FMP_EVENT_DETAIL - strlen("seen x=") - 1] = '\0';
	ck_assert(fmp_observation_add(&o, "x", value));
	ck_assert_uint_eq(strlen(o.text), FMP_EVENT_DETAIL - 1);
	ck_assert(!fmp_observation_add(&o, "y", "1"));
	value[200] = '\0';
	ck_assert(fmp_observation_add(&other, "x", value));
	fmp_observation_append(
		&other, "seen part=1 header="
			"0123456789012345678901234567890123456789012345678901234567890 bytes=2");
	ck_assert_ptr_nonnull(strstr(other.text, " part=1 bytes=2"));
}
END_TEST

/* A worker that was taken over names neither another service nor a field, nor anything unknown. */
START_TEST(words_of_a_worker)
{
	struct fmp_observation o = { 0 };

	ck_assert(fmp_observation_add(&o, "service", "a"));
	fmp_observation_append(&o, "seen header={urn:a}B service=b field=x-remote-user head=1 "
				   "\x1b[2J=1 parts=1 part=2 bytes=3");
	ck_assert_str_eq(o.text, "seen service=a header={urn:a}B parts=1 part=2 bytes=3");
}
END_TEST

/* A reader takes any text: a refusal, one that was cut, one that somebody wrote. */
START_TEST(no_observation)
{
	static const char *const texts[] = { "",
					     "answered 200 to POST /",
					     "seen",
					     "seen ",
					     "seen =1",
					     "seen a=",
					     "seen  a=1",
					     "seen abcdefghijklmnopq=1",
					     "seen a=\"1\"",
					     "seen a=<",
					     "head=1" };
	char name[FMP_OBSERVATION_NAME], value[FMP_OBSERVATION_VALUE];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *at = texts[i];

		ck_assert_msg(!fmp_observation_next(&at, name, value), "%s", texts[i]);
	}
}
END_TEST

#define SECOND UINT64_C(1000000000)

static unsigned take_all(struct gw_observe_budget *b, const char *source, uint64_t now_ns)
{
	struct fmp_addr a;
	unsigned n = 0;

	ck_assert(!fmp_addr_parse(source, &a, NULL));
	while (gw_observe_budget_take(b, &a, now_ns))
		n++;
	return n;
}

START_TEST(budget)
{
	struct gw_observe_budget b = { 0 };
	uint64_t now = 1000 * SECOND;
	char source[32];
	unsigned n = 0;

	/* One source leaves most to the others; all together have their share. */
	ck_assert_uint_eq(take_all(&b, "192.0.2.1", now), GW_OBSERVE_SOURCE_RATE);
	ck_assert_uint_eq(take_all(&b, "192.0.2.1", now), 0);
	for (int i = 2; i < 100; i++) {
		snprintf(source, sizeof(source), "192.0.2.%d", i);
		n += take_all(&b, source, now);
	}
	ck_assert_uint_eq(n, GW_OBSERVE_RATE - GW_OBSERVE_SOURCE_RATE);
	ck_assert_uint_eq(take_all(&b, "192.0.2.1", now + SECOND / 2), 1);
	ck_assert_uint_eq(take_all(&b, "192.0.2.1", now + 10 * SECOND), GW_OBSERVE_SOURCE_RATE);
	ck_assert_uint_eq(take_all(&b, "2001:db8::1", now + 10 * SECOND), GW_OBSERVE_SOURCE_RATE);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("observation");

	tcase_add_test(tc, words);
	tcase_add_test(tc, other_characters);
	tcase_add_test(tc, too_long);
	tcase_add_test(tc, words_of_a_worker);
	tcase_add_test(tc, no_observation);
	tcase_add_test(tc, budget);
	return run_tcase("observation", tc);
}
