// SPDX-License-Identifier: GPL-2.0
/* libfmp/base: wire messages. */
#include <stdlib.h>
#include <string.h>

#include <fmp/wire.h>

#include "addr.h"
#include "run.h"

static size_t write_sample(uint8_t *buf, size_t cap)
{
	struct fmp_addr a = addr("2001:db8::/64");
	struct fmp_wire_out w;

	fmp_wire_begin(&w, buf, cap, 0x1234);
	fmp_wire_put_u64(&w, 1, 0x0102030405060708u);
	fmp_wire_put_str(&w, 2, "hello");
	fmp_wire_put_addr(&w, 3, &a);
	fmp_wire_put_bytes(&w, 4, NULL, 0);
	if (fmp_wire_end(&w))
		return 0;
	return w.len;
}

START_TEST(wire_round_trip)
{
	uint8_t buf[256];
	size_t len = write_sample(buf, sizeof(buf)), used = 0;
	struct fmp_addr a, want = addr("2001:db8::/64");
	struct fmp_wire_field f;
	struct fmp_wire_in in;
	char text[6];
	uint64_t v;

	ck_assert_uint_gt(len, 0);
	buf[len] = 0xee; /* the start of the next message */
	ck_assert_int_eq(fmp_wire_parse(buf, len + 1, FMP_WIRE_MAX, &in, &used), 0);
	ck_assert_uint_eq(used, len);
	ck_assert_uint_eq(in.type, 0x1234);

	ck_assert_int_eq(fmp_wire_next(&in, &f), 1);
	ck_assert_uint_eq(f.id, 1);
	ck_assert_int_eq(fmp_wire_get_u64(&f, &v), 0);
	ck_assert_uint_eq(v, 0x0102030405060708u);
	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), FMP_ERR_SYNTAX);

	ck_assert_int_eq(fmp_wire_next(&in, &f), 1);
	ck_assert_int_eq(fmp_wire_get_str(&f, text, 5), FMP_ERR_INVALID);
	ck_assert_int_eq(fmp_wire_get_str(&f, text, 0), FMP_ERR_INVALID);
	ck_assert_int_eq(fmp_wire_get_str(&f, text, 6), 0);
	ck_assert_str_eq(text, "hello");
	ck_assert_int_eq(fmp_wire_get_u64(&f, &v), FMP_ERR_SYNTAX);

	ck_assert_int_eq(fmp_wire_next(&in, &f), 1);
	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), 0);
	ck_assert(fmp_addr_equal(&a, &want));

	ck_assert_int_eq(fmp_wire_next(&in, &f), 1);
	ck_assert_uint_eq(f.len, 0);
	ck_assert_int_eq(fmp_wire_get_str(&f, text, 1), 0);
	ck_assert_int_eq(fmp_wire_next(&in, &f), 0);
	ck_assert_int_eq(fmp_wire_next(&in, &f), 0);
}
END_TEST

/* The bytes are at the very end of a heap block, so that ASan detects a read too far. */
static int parse_exact(const uint8_t *bytes, size_t len, uint32_t max)
{
	uint8_t *p = malloc(len ? len : 1);
	struct fmp_wire_field f;
	struct fmp_wire_in in;
	size_t used;
	int rc;

	memcpy(p, bytes, len);
	rc = fmp_wire_parse(p, len, max, &in, &used);
	while (!rc) {
		rc = fmp_wire_next(&in, &f);
		if (rc == 1) {
			char text[8];
			struct fmp_addr a;
			uint64_t v;

			(void)!fmp_wire_get_u64(&f, &v);
			(void)!fmp_wire_get_str(&f, text, sizeof(text));
			(void)!fmp_wire_get_addr(&f, &a);
			rc = 0;
		} else if (!rc) {
			break;
		}
	}
	free(p);
	return rc;
}

START_TEST(wire_truncated_at_every_byte)
{
	uint8_t buf[256];
	size_t len = write_sample(buf, sizeof(buf));
	/* At the end of a field, where the message may end too. */
	const size_t ends[] = { 6, 20, 31, 55, 61 };
	unsigned whole = 0;

	ck_assert_uint_eq(len, ends[4]);
	for (size_t n = 0; n < len; n++)
		ck_assert_int_eq(parse_exact(buf, n, FMP_WIRE_MAX), FMP_ERR_AGAIN);
	ck_assert_int_eq(parse_exact(buf, len, FMP_WIRE_MAX), 0);

	/* The same cut, but the length claims to be complete. */
	for (size_t n = 6; n <= len; n++) {
		int want = FMP_ERR_SYNTAX;

		for (size_t i = 0; i < 5; i++)
			if (n == ends[i])
				want = 0;
		buf[3] = (uint8_t)(n - 4);
		ck_assert_int_eq(parse_exact(buf, n, FMP_WIRE_MAX), want);
		whole += !want;
	}
	ck_assert_uint_eq(whole, 5);
}
END_TEST

START_TEST(wire_every_byte_flipped_is_survived)
{
	uint8_t buf[256];
	size_t len = write_sample(buf, sizeof(buf));

	for (size_t i = 0; i < len; i++)
		for (int bit = 0; bit < 8; bit++) {
			buf[i] ^= (uint8_t)(1 << bit);
			(void)parse_exact(buf, len, FMP_WIRE_MAX);
			buf[i] ^= (uint8_t)(1 << bit);
		}
}
END_TEST

START_TEST(wire_length_limits)
{
	uint8_t buf[16] = { 0, 0, 0, 1, 0, 0 };

	ck_assert_int_eq(parse_exact(buf, 6, FMP_WIRE_MAX), FMP_ERR_SYNTAX);
	buf[3] = 0;
	ck_assert_int_eq(parse_exact(buf, 6, FMP_WIRE_MAX), FMP_ERR_SYNTAX);
	memcpy(buf, "\xff\xff\xff\xff", 4);
	ck_assert_int_eq(parse_exact(buf, 6, FMP_WIRE_MAX), FMP_ERR_LIMIT);
	memcpy(buf, "\x00\x01\x00\x01", 4);
	ck_assert_int_eq(parse_exact(buf, 6, FMP_WIRE_MAX), FMP_ERR_LIMIT);
	memcpy(buf, "\x00\x01\x00\x00", 4);
	ck_assert_int_eq(parse_exact(buf, 6, FMP_WIRE_MAX), FMP_ERR_AGAIN);
	/* A field that claims 4 GiB. */
	memcpy(buf, "\x00\x00\x00\x08\x00\x01\x00\x01\xff\xff\xff\xff", 12);
	ck_assert_int_eq(parse_exact(buf, 12, FMP_WIRE_MAX), FMP_ERR_SYNTAX);
}
END_TEST

START_TEST(wire_overflow_at_every_size)
{
	uint8_t *buf;
	size_t need;
	uint8_t whole[256];

	need = write_sample(whole, sizeof(whole));
	for (size_t cap = 0; cap < need; cap++) {
		buf = malloc(cap ? cap : 1);
		ck_assert_uint_eq(write_sample(buf, cap), 0);
		free(buf);
	}
	buf = malloc(need);
	ck_assert_uint_eq(write_sample(buf, need), need);
	ck_assert_mem_eq(buf, whole, need);
	free(buf);
}
END_TEST

START_TEST(wire_overflow_stays)
{
	uint8_t buf[32];
	struct fmp_wire_out w;

	fmp_wire_begin(&w, buf, sizeof(buf), 1);
	fmp_wire_put_str(&w, 1, "much longer than what is left of the buffer");
	fmp_wire_put_u64(&w, 2, 1); /* would fit */
	ck_assert_uint_eq(w.len, FMP_WIRE_HEADER);
	ck_assert_int_eq(fmp_wire_end(&w), FMP_ERR_LIMIT);
}
END_TEST

START_TEST(wire_refuses_values_that_are_not_canonical)
{
	uint8_t bytes[18] = { 4, 24, 192, 0, 2 };
	struct fmp_wire_field f = { .id = 1, .len = sizeof(bytes), .data = bytes };
	struct fmp_addr a;
	char text[8];

	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), 0);
	bytes[5] = 1; /* behind the prefix */
	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), FMP_ERR_INVALID);
	bytes[5] = 0;
	bytes[17] = 1; /* not of the family */
	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), FMP_ERR_INVALID);
	bytes[17] = 0;
	bytes[1] = 33;
	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), FMP_ERR_INVALID);
	bytes[1] = 24;
	bytes[0] = 5;
	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), FMP_ERR_INVALID);
	bytes[0] = 0;
	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), FMP_ERR_INVALID);
	memset(bytes, 0, sizeof(bytes));
	ck_assert_int_eq(fmp_wire_get_addr(&f, &a), 0);
	ck_assert_int_eq(a.family, FMP_FAMILY_NONE);

	f = (struct fmp_wire_field){ .len = 3, .data = (const uint8_t *)"a\0b" };
	ck_assert_int_eq(fmp_wire_get_str(&f, text, sizeof(text)), FMP_ERR_INVALID);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("wire");

	tcase_add_test(t, wire_round_trip);
	tcase_add_test(t, wire_truncated_at_every_byte);
	tcase_add_test(t, wire_every_byte_flipped_is_survived);
	tcase_add_test(t, wire_length_limits);
	tcase_add_test(t, wire_overflow_at_every_size);
	tcase_add_test(t, wire_overflow_stays);
	tcase_add_test(t, wire_refuses_values_that_are_not_canonical);
	return run_tcase("wire", t);
}
