// SPDX-License-Identifier: GPL-2.0
/* The strict HTTP reader on answers of a service: where they end, and what is none. */
#include <stdio.h>
#include <string.h>

#include "http_cuts.h"
#include "run.h"

static const struct fmp_http_limits limits = {
	.header_bytes = 512, .fields = 8, .body_bytes = 1000, .response = true
};

#define OK	"HTTP/1.1 200 OK\r\n"
#define CHUNKED OK "Transfer-Encoding: chunked\r\n\r\n"

#define READ(text)    http_read(&limits, text, sizeof(text) - 1)
#define REFUSED(text) check_refused(text, sizeof(text) - 1)

static void check_refused(const char *bytes, size_t n)
{
	struct fmp_http h = http_read(&limits, bytes, n);

	ck_assert_msg(h.state == FMP_HTTP_REFUSED, "not refused: %.200s", bytes);
	ck_assert_ptr_nonnull(h.detail);
	ck_assert(!h.keep_alive);
	fmp_http_exit(&h);
}

static void is_answer(struct fmp_http h, int code, const char *body, bool keep_alive)
{
	ck_assert_msg(h.state == FMP_HTTP_DONE, "%s", h.detail ? h.detail : "not whole");
	ck_assert_int_eq(h.code, code);
	ck_assert_uint_eq(h.body_len, strlen(body));
	if (h.body_len)
		ck_assert_mem_eq(h.body, body, h.body_len);
	ck_assert_int_eq(h.keep_alive, keep_alive);
	fmp_http_exit(&h);
}

START_TEST(three_ends)
{
	is_answer(READ(OK "Content-Length: 5\r\n\r\nhello"), 200, "hello", true);
	is_answer(READ(CHUNKED "2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nX: y\r\n\r\n"), 200, "hello", true);
	is_answer(READ(OK "\r\nhello"), 200, "hello", false);
	is_answer(READ(OK "Content-Length: 0\r\n\r\n"), 200, "", true);
	is_answer(READ(OK "\r\n"), 200, "", false);
}
END_TEST

START_TEST(what_is_behind_is_left)
{
	struct fmp_http h = READ(OK "Content-Length: 2\r\n\r\nhi" OK "\r\n");

	ck_assert_uint_eq(h.bytes, strlen(OK "Content-Length: 2\r\n\r\nhi"));
	is_answer(h, 200, "hi", true);
}
END_TEST

START_TEST(status_lines)
{
	is_answer(READ("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"), 500, "",
		  true);
	is_answer(READ("HTTP/1.1 599 \r\nContent-Length: 0\r\n\r\n"), 599, "", true);
	is_answer(READ("HTTP/1.1 202\r\nContent-Length: 0\r\n\r\n"), 202, "", true);
	is_answer(READ("HTTP/1.1 200 \xc3\x96k\r\nContent-Length: 0\r\n\r\n"), 200, "", true);
	REFUSED("HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1 600 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1 +20 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1 200 OK\rContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("HTTP/2 200\r\nContent-Length: 0\r\n\r\n");
	REFUSED("http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
	REFUSED("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
	REFUSED("<html></html>");
}
END_TEST

/* What another reader could take otherwise. */
START_TEST(ambiguous)
{
	REFUSED(OK "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
	REFUSED(OK "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n");
	REFUSED(OK "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello");
	REFUSED(OK "Content-Length: 5, 5\r\n\r\nhello");
	REFUSED(OK "Content-Length: +5\r\n\r\nhello");
	REFUSED(OK "Content-Length : 5\r\n\r\nhello");
	REFUSED(OK "X: a\r\n folded\r\nContent-Length: 0\r\n\r\n");
	REFUSED(OK "Content-Length: 0\n\r\n");
	REFUSED(OK "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
	REFUSED("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
	REFUSED(OK "Content-Type: a\r\nContent-Type: b\r\nContent-Length: 0\r\n\r\n");
	REFUSED(CHUNKED "5\r\nhello!\r\n0\r\n\r\n");
	REFUSED(CHUNKED "x\r\n");
	REFUSED(CHUNKED "\r\n\r\n");
	is_answer(READ(CHUNKED "00000002\r\nhi\r\n0\r\n\r\n"), 200, "hi", true);
}
END_TEST

START_TEST(before_the_answer)
{
	struct fmp_http h =
		READ("HTTP/1.1 100 Continue\r\nContent-Type: a\r\nConnection: close\r\n\r\n"
		     "HTTP/1.1 103 Early Hints\r\n\r\n" OK
		     "Content-Type: b\r\nContent-Length: 2\r\n\r\nhi");

	ck_assert_str_eq(h.content_type, "b");
	is_answer(h, 200, "hi", true);
	is_answer(READ("HTTP/1.1 100 Continue\r\n\r\n" CHUNKED "2\r\nhi\r\n0\r\n\r\n"), 200, "hi",
		  true);
	h = READ("HTTP/1.1 100 Continue\r\nContent-Type: a\r\n\r\n" OK "Content-Length: 0\r\n\r\n");
	ck_assert_str_eq(h.content_type, "");
	is_answer(h, 200, "", true);
	REFUSED("HTTP/1.1 101 Switching Protocols\r\n\r\n" OK "\r\n");
	REFUSED("HTTP/1.1 099 Early\r\n\r\n" OK "\r\n");
	REFUSED("HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n" OK "\r\n");
	REFUSED("HTTP/1.1 100 Continue\r\nContent-Length: 2\r\n\r\nhi" OK
		"Content-Length: 0\r\n\r\n");
	REFUSED("HTTP/1.1 100 Continue\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" OK "\r\n");
	REFUSED("HTTP/1.1 100 Continue\r\n\r\n");
}
END_TEST

START_TEST(no_body)
{
	is_answer(READ("HTTP/1.1 204 No Content\r\n\r\n"), 204, "", true);
	is_answer(READ("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"), 204, "", true);
	is_answer(READ("HTTP/1.1 304 Not Modified\r\nContent-Length: 70\r\n\r\n"), 304, "", true);
	REFUSED("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello");
	REFUSED("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
}
END_TEST

static struct fmp_http begin_response(const char *text)
{
	struct fmp_http h;
	size_t used;

	fmp_http_init(&h, &limits);
	fmp_http_feed(&h, text, strlen(text), &used);
	return h;
}

/* A body that is handled piece by piece: only what is held counts for the limits. */
START_TEST(dropped_pieces)
{
	struct fmp_http h = begin_response(CHUNKED);
	uint64_t len;
	size_t used;

	ck_assert(!fmp_http_body_length(&h, &len));
	for (unsigned i = 0; i < 1000; i++) {
		char piece[128];
		int n = snprintf(piece, sizeof(piece), "50\r\n%080u\r\n", i);

		ck_assert_int_eq(fmp_http_feed(&h, piece, (size_t)n, &used), FMP_HTTP_READING);
		ck_assert_uint_eq(h.body_len, 80);
		fmp_http_drop_body(&h);
	}
	ck_assert_int_eq(fmp_http_feed(&h, "0\r\n\r\n", 5, &used), FMP_HTTP_DONE);
	fmp_http_exit(&h);

	h = begin_response(OK "Content-Length: 7\r\n\r\nhel");
	ck_assert(fmp_http_body_length(&h, &len));
	ck_assert_uint_eq(len, 7);
	fmp_http_drop_body(&h);
	ck_assert(fmp_http_body_length(&h, &len));
	ck_assert_uint_eq(len, 4);
	ck_assert_int_eq(fmp_http_feed(&h, "lo..", 4, &used), FMP_HTTP_DONE);
	fmp_http_exit(&h);
}
END_TEST

/* What has no length meets a limit that is set after the header. */
START_TEST(late_limit)
{
	struct fmp_http h = begin_response(OK "\r\nhello");
	size_t used;

	ck_assert_int_eq(fmp_http_limit_body(&h, 6), FMP_HTTP_READING);
	ck_assert_int_eq(fmp_http_feed(&h, "!", 1, &used), FMP_HTTP_READING);
	ck_assert_int_eq(fmp_http_feed(&h, "!", 1, &used), FMP_HTTP_REFUSED);
	fmp_http_exit(&h);
	h = begin_response(OK "\r\nhello");
	ck_assert_int_eq(fmp_http_limit_body(&h, 4), FMP_HTTP_REFUSED);
	fmp_http_exit(&h);
}
END_TEST

START_TEST(kept)
{
	is_answer(READ(OK "Connection: close\r\nContent-Length: 0\r\n\r\n"), 200, "", false);
	is_answer(READ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"), 200, "", false);
	is_answer(READ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"),
		  200, "", true);
}
END_TEST

/* Those say something in a request only. */
START_TEST(fields_of_requests)
{
	is_answer(READ(OK "Host: a b\r\nHost: c\r\nExpect: x\r\nSOAPAction: \"\r\n"
			  "X-Forwarded-For: x\r\nContent-Length: 0\r\n\r\n"),
		  200, "", true);
}
END_TEST

START_TEST(bounds)
{
	char text[8192], *p;
	struct fmp_http h;
	size_t n;

	REFUSED(OK "Content-Length: 1001\r\n\r\n");
	REFUSED(CHUNKED "3e9\r\n");
	n = (size_t)sprintf(text, OK "\r\n");
	memset(text + n, 'x', 1001);
	check_refused(text, n + 1001);
	h = http_read(&limits, text, n + 1000);
	ck_assert(h.state == FMP_HTTP_DONE && h.body_len == 1000);
	fmp_http_exit(&h);

	p = text;
	for (int i = 0; i < 30; i++)
		p += sprintf(p, "HTTP/1.1 100 Continue\r\n\r\n");
	p += sprintf(p, OK "Content-Length: 0\r\n\r\n");
	check_refused(text, (size_t)(p - text));

	p = text + sprintf(text, OK);
	for (int i = 0; i < 9; i++)
		p += sprintf(p, "X: y\r\n");
	p += sprintf(p, "Content-Length: 0\r\n\r\n");
	check_refused(text, (size_t)(p - text));

	p = text + sprintf(text, "HTTP/1.1 200 ");
	memset(p, 'a', 600);
	check_refused(text, (size_t)(p - text) + 600);
}
END_TEST

/* Wherever it is broken off, it is no answer. */
START_TEST(broken_off)
{
	static const char *const whole[] = {
		OK "Content-Length: 5\r\n\r\nhello", CHUNKED "5\r\nhello\r\n0\r\n\r\n",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 A\r\n\r\n"
	};

	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		for (size_t n = 0; n < strlen(whole[i]); n++)
			check_refused(whole[i], n);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("answer");

	tcase_add_test(tc, three_ends);
	tcase_add_test(tc, what_is_behind_is_left);
	tcase_add_test(tc, status_lines);
	tcase_add_test(tc, ambiguous);
	tcase_add_test(tc, before_the_answer);
	tcase_add_test(tc, no_body);
	tcase_add_test(tc, dropped_pieces);
	tcase_add_test(tc, late_limit);
	tcase_add_test(tc, kept);
	tcase_add_test(tc, fields_of_requests);
	tcase_add_test(tc, bounds);
	tcase_add_test(tc, broken_off);
	return run_tcase("http_answer", tc);
}
