/* SPDX-License-Identifier: GPL-2.0 */
/* A message for the strict HTTP reader: whole, byte by byte and in odd pieces, with one result. */
#ifndef FMP_TESTS_HTTP_CUTS_H
#define FMP_TESTS_HTTP_CUTS_H

#include <check.h>

#include <fmp/internal/http.h>

/** http_feed() - in pieces of @piece bytes; behind an answer the connection is closed. Return: bytes taken. */
static inline size_t http_feed(struct fmp_http *h, const char *bytes, size_t n, size_t piece)
{
	size_t taken = 0;

	while (taken < n && h->state == FMP_HTTP_READING) {
		size_t used, give = n - taken < piece ? n - taken : piece;

		fmp_http_feed(h, bytes + taken, give, &used);
		ck_assert_uint_le(used, give);
		if (h->state == FMP_HTTP_READING)
			ck_assert_uint_eq(used, give);
		taken += used;
	}
	if (h->limits.response)
		fmp_http_finish(h);
	return taken;
}

/** http_read() - however it is cut, the end is the same. Return: the reader fed whole; fmp_http_exit() it. */
static inline struct fmp_http http_read(const struct fmp_http_limits *limits, const char *bytes,
					size_t n)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 64, 1000 };
	struct fmp_http whole;
	size_t taken;

	fmp_http_init(&whole, limits);
	taken = http_feed(&whole, bytes, n, n ? n : 1);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		struct fmp_http cut;

		fmp_http_init(&cut, limits);
		ck_assert_uint_eq(http_feed(&cut, bytes, n, pieces[i]), taken);
		ck_assert_int_eq(cut.state, whole.state);
		ck_assert_int_eq(cut.status, whole.status);
		ck_assert_int_eq(cut.code, whole.code);
		ck_assert_int_eq(cut.kind, whole.kind);
		ck_assert_ptr_eq(cut.detail, whole.detail);
		ck_assert_int_eq(cut.keep_alive, whole.keep_alive);
		ck_assert_uint_eq(cut.bytes, whole.bytes);
		ck_assert_uint_eq(cut.body_len, whole.body_len);
		if (whole.body_len)
			ck_assert_mem_eq(cut.body, whole.body, whole.body_len);
		ck_assert_str_eq(cut.content_type, whole.content_type);
		ck_assert_str_eq(cut.soap_action, whole.soap_action);
		fmp_http_exit(&cut);
	}
	return whole;
}

#endif
