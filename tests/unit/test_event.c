// SPDX-License-Identifier: GPL-2.0
/* Events on the wire: what goes in comes out; what is cut or bent is refused. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/event.h>
#include <fmp/internal/text.h>

static struct fmp_event make_sample(void)
{
	struct fmp_event ev = {
		.kind = FMP_EVENT_SIGNATURE,
		.proven = true,
		.source_port = 40123,
		.dest_port = 8080,
		.time_ns = 123456789012345,
		.cpu_ns = 987654321,
		.bytes = 5057,
		.step = "signature",
		.service = "orders",
		.detail = "the digest of the Body does not match",
	};

	ck_assert_int_eq(fmp_addr_parse("2001:db8::7", &ev.source, NULL), 0);
	return ev;
}

static size_t encode_event(const struct fmp_event *ev, uint8_t *buf, size_t cap)
{
	size_t len = 0;

	ck_assert_int_eq(fmp_event_encode(ev, buf, cap, &len), 0);
	return len;
}

static int decode_event(const uint8_t *buf, size_t len, struct fmp_event *ev)
{
	struct fmp_wire_in in;
	size_t used;
	int rc = fmp_wire_parse(buf, len, FMP_WIRE_MAX, &in, &used);

	if (rc)
		return rc;
	ck_assert_uint_eq(in.type, FMP_MSG_EVENT);
	ck_assert_uint_le(used, len);
	return fmp_event_decode(&in, ev);
}

START_TEST(round_trip)
{
	struct fmp_event ev = make_sample(), got;
	uint8_t buf[512];
	size_t len = encode_event(&ev, buf, sizeof(buf));

	ck_assert_int_eq(decode_event(buf, len, &got), 0);
	ck_assert_int_eq(got.kind, ev.kind);
	ck_assert(got.proven);
	ck_assert(fmp_addr_equal(&got.source, &ev.source));
	ck_assert_uint_eq(got.source_port, ev.source_port);
	ck_assert_uint_eq(got.dest_port, ev.dest_port);
	ck_assert_uint_eq(got.time_ns, ev.time_ns);
	ck_assert_str_eq(got.step, "signature");
	ck_assert_str_eq(got.service, "orders");
	ck_assert_uint_eq(got.cpu_ns, ev.cpu_ns);
	ck_assert_uint_eq(got.bytes, ev.bytes);
	ck_assert_str_eq(got.detail, ev.detail);
}
END_TEST

/* Every shorter buffer is refused by the encoder, never written over. */
START_TEST(encode_short_buffer)
{
	struct fmp_event ev = make_sample();
	uint8_t whole[512], *exact;
	size_t len = encode_event(&ev, whole, sizeof(whole)), got;

	for (size_t cap = 0; cap < len; cap++) {
		exact = malloc(cap ? cap : 1);
		ck_assert_int_eq(fmp_event_encode(&ev, exact, cap, &got), FMP_ERR_LIMIT);
		free(exact);
	}
}
END_TEST

/* A stream cut at any byte is "not complete yet"; a message cut inside never decodes whole. */
START_TEST(truncated_everywhere)
{
	struct fmp_event ev = make_sample(), got;
	uint8_t buf[512];
	size_t len = encode_event(&ev, buf, sizeof(buf)), cut;

	for (cut = 0; cut < len; cut++) {
		uint8_t *copy = malloc(cut ? cut : 1);
		int rc;

		memcpy(copy, buf, cut);
		ck_assert_int_eq(decode_event(copy, cut, &got), FMP_ERR_AGAIN);
		if (cut >= FMP_WIRE_HEADER) {
			/* The length made to fit: what is missing now is fields, whole or half. */
			copy[0] = copy[1] = 0;
			copy[2] = (uint8_t)((cut - 4) >> 8);
			copy[3] = (uint8_t)(cut - 4);
			rc = decode_event(copy, cut, &got);
			ck_assert(rc == FMP_ERR_SYNTAX || !rc);
			if (!rc)
				ck_assert(fmp_addr_equal(&got.source, &ev.source));
		}
		free(copy);
	}
}
END_TEST

/* Every single byte set to every value: no crash, and what is taken is in range. */
START_TEST(bent_everywhere)
{
	struct fmp_event ev = make_sample(), got;
	uint8_t buf[512], bent[512];
	size_t len = encode_event(&ev, buf, sizeof(buf));

	for (size_t at = 0; at < len; at++) {
		for (unsigned v = 0; v < 256; v++) {
			struct fmp_wire_in in;
			size_t used;

			memcpy(bent, buf, len);
			bent[at] = (uint8_t)v;
			if (fmp_wire_parse(bent, len, FMP_WIRE_MAX, &in, &used) ||
			    fmp_event_decode(&in, &got))
				continue;
			ck_assert_uint_lt(got.kind, FMP_EVENT_KINDS);
			ck_assert(fmp_addr_is_ip(&got.source));
			ck_assert_uint_lt(strlen(got.detail), sizeof(got.detail));
		}
	}
}
END_TEST

static int decode_with(const char *source, uint64_t kind, uint64_t port, const char *detail,
		       int times, struct fmp_event *ev)
{
	struct fmp_wire_out w;
	struct fmp_addr a = { 0 };
	uint8_t buf[1024];

	if (source)
		ck_assert_int_eq(fmp_addr_parse(source, &a, NULL), 0);
	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_EVENT);
	for (int i = 0; i < times; i++)
		fmp_wire_put_u64(&w, 1, kind);
	if (source)
		fmp_wire_put_addr(&w, 3, &a);
	fmp_wire_put_u64(&w, 4, port);
	if (detail)
		fmp_wire_put_str(&w, 9, detail);
	fmp_wire_put_str(&w, 999, "a field of a newer peer");
	ck_assert_int_eq(fmp_wire_end(&w), 0);
	return decode_event(buf, w.len, ev);
}

START_TEST(refusals)
{
	struct fmp_event ev;
	char longer[FMP_EVENT_DETAIL + 1];

	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	ck_assert_int_eq(decode_with("192.0.2.1", 1, 1, NULL, 1, &ev), 0);
	/* What no sender of ours makes: the message can't be trusted. */
	ck_assert_int_eq(decode_with(NULL, 1, 1, NULL, 1, &ev), FMP_ERR_SYNTAX);
	ck_assert_int_eq(decode_with("192.0.2.1", 1, 1, NULL, 0, &ev), FMP_ERR_SYNTAX);
	ck_assert_int_eq(decode_with("192.0.2.1", 1, 1, NULL, 2, &ev), FMP_ERR_SYNTAX);
	/* What a client's bytes could shape: this event alone is dropped. */
	ck_assert_int_eq(decode_with("192.0.2.1", FMP_EVENT_KINDS, 1, NULL, 1, &ev),
			 FMP_ERR_INVALID);
	ck_assert_int_eq(decode_with("192.0.2.1", 1, 65536, NULL, 1, &ev), FMP_ERR_INVALID);
	ck_assert_int_eq(decode_with("192.0.2.1", 1, 1, longer, 1, &ev), FMP_ERR_INVALID);
	/* Both: the worse counts. */
	ck_assert_int_eq(decode_with("192.0.2.0/24", 1, 1, NULL, 2, &ev), FMP_ERR_SYNTAX);
}
END_TEST

/* Addresses that no message comes from. */
static const char *const no_source[] = {
	"192.0.2.0/24",	     "2001:db8::/64",
	"0.0.0.0/0",	     "::/0",
	"0.0.0.0",	     "::",
	"255.255.255.255",   "224.0.0.1",
	"ff02::1",	     "239.255.255.250",
	"02:00:5e:00:53:01",
};

START_TEST(sources_are_hosts)
{
	struct fmp_event ev = make_sample(), got;
	uint8_t buf[512];
	size_t len;

	ck_assert_int_eq(decode_with(no_source[_i], 1, 1, NULL, 1, &ev), FMP_ERR_INVALID);
	/* Bytes that fmp_addr_parse() never makes: of another family, behind the prefix, mapped, none. */
	ev = make_sample();
	memset(&ev.source, 0, sizeof(ev.source));
	len = encode_event(&ev, buf, sizeof(buf));
	ck_assert_int_eq(decode_event(buf, len, &got), FMP_ERR_INVALID);
	ev.source = (struct fmp_addr){ .family = FMP_FAMILY_IPV6,
				       .prefix_len = 128,
				       .bytes = { [10] = 0xff, [11] = 0xff, 192, 0, 2, 1 } };
	len = encode_event(&ev, buf, sizeof(buf));
	ck_assert_int_eq(decode_event(buf, len, &got), FMP_ERR_INVALID);
	ev.source = (struct fmp_addr){ .family = 7, .prefix_len = 8, .bytes = { 1 } };
	len = encode_event(&ev, buf, sizeof(buf));
	ck_assert_int_eq(decode_event(buf, len, &got), FMP_ERR_INVALID);
	ev.source = fmp_addr_ipv4("\xc0\0\2\1");
	ev.source.bytes[15] = 1;
	len = encode_event(&ev, buf, sizeof(buf));
	ck_assert_int_eq(decode_event(buf, len, &got), FMP_ERR_INVALID);
}
END_TEST

START_TEST(detail_is_cleaned)
{
	struct fmp_event ev;

	ck_assert_int_eq(
		decode_with("192.0.2.1", 1, 1, "a\x1b[31m\nb\x7f\xc3\xa4\xff\xc2\x9b", 1, &ev), 0);
	ck_assert_str_eq(ev.detail, "a?[31m?b?\xc3\xa4?"
				    "??");
}
END_TEST

START_TEST(text_clean)
{
	/* overlong, surrogate, beyond Unicode, cut at the end */
	char s[] = "\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82\xac \xe2\x82";

	fmp_text_clean(s);
	ck_assert_str_eq(s, "?? ??? ???? \xe2\x82\xac ??");
}
END_TEST

/* What a terminal would act upon, of any length; what it shows stays. */
START_TEST(controls)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "a\x1b[31m\a\b\r\n\x7f", "a?[31m?????" },
		{ "\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "??????\xc2\xa0" },
		{ "\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", "????????" },
		{ "\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae",
		  "???????????????" },
		{ "\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9", "????????????" },
		{ "\xe2\x80\xa8\xe2\x80\xa9", "??????" },
		{ "\xd7\xa9\xd9\x84\xe2\x80\x93\xf0\x9f\x94\xa5",
		  "\xd7\xa9\xd9\x84\xe2\x80\x93\xf0\x9f\x94\xa5" },
	};
	struct fmp_error err;
	char s[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(s, sizeof(s), "%s", rows[i].in);
		fmp_text_clean(s);
		ck_assert_str_eq(s, rows[i].out);
		/* Errors are cleaned where they are made, and the file where it is shown. */
		fmp_error_at(&err, FMP_ERR_IO, rows[3].in, 1, 2, "x%sx", rows[1].in);
		ck_assert_str_eq(err.message, "x??????\xc2\xa0x");
		ck_assert_str_eq(fmp_error_format(&err, s, sizeof(s)),
				 "???????????????:1:2: x??????\xc2\xa0x");
	}
}
END_TEST

START_TEST(kind_names)
{
	enum fmp_event_kind kind;

	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++) {
		ck_assert_ptr_nonnull(fmp_event_kind_name(k));
		ck_assert_int_eq(fmp_event_kind_parse(fmp_event_kind_name(k), &kind), 0);
		ck_assert_uint_eq(kind, k);
	}
	ck_assert_ptr_null(fmp_event_kind_name(FMP_EVENT_KINDS));
	ck_assert_int_eq(fmp_event_kind_parse("Schema", &kind), FMP_ERR_NOTFOUND);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("event");
	TCase *tc = tcase_create("event");
	SRunner *sr;
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, round_trip);
	tcase_add_test(tc, encode_short_buffer);
	tcase_add_test(tc, truncated_everywhere);
	tcase_add_test(tc, bent_everywhere);
	tcase_add_test(tc, refusals);
	tcase_add_loop_test(tc, sources_are_hosts, 0, sizeof(no_source) / sizeof(*no_source));
	tcase_add_test(tc, detail_is_cleaned);
	tcase_add_test(tc, text_clean);
	tcase_add_test(tc, controls);
	tcase_add_test(tc, kind_names);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
