// SPDX-License-Identifier: GPL-2.0
/* The strict HTTP reader: each input whole, byte by byte and in odd pieces, with one result. */
#include <check.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http_cuts.h"

#define VECTORS "tests/interop/vectors/"

static const struct fmp_http_limits limits = {
	.header_bytes = 2048, .fields = 16, .target_bytes = 1024, .body_bytes = 65536
};

static void check_refused(const char *bytes, size_t n, int status, enum fmp_event_kind kind)
{
	struct fmp_http h = http_read(&limits, bytes, n);

	ck_assert_msg(h.state == FMP_HTTP_REFUSED, "not refused: %.200s", bytes);
	ck_assert_msg(h.status == status, "status %d, not %d (%s): %.200s", h.status, status,
		      h.detail, bytes);
	ck_assert_int_eq(h.kind, kind);
	ck_assert(!h.keep_alive);
	ck_assert_ptr_nonnull(h.detail);
	fmp_http_exit(&h);
}

#define REFUSED(status, text)  check_refused(text, sizeof(text) - 1, status, FMP_EVENT_HTTP)
#define PAGES(status, text)    check_refused(text, sizeof(text) - 1, status, FMP_EVENT_BROWSER)
#define OVERSIZE(status, text) check_refused(text, sizeof(text) - 1, status, FMP_EVENT_OVERSIZE)
#define READ(text)	       http_read(&limits, text, sizeof(text) - 1)
#define START		       "POST /orders HTTP/1.1\r\nHost: gw\r\n"
#define CHUNKED		       START "Transfer-Encoding: chunked\r\n\r\n"

static char *load_file(const char *name, size_t *n)
{
	char path[256], *bytes = malloc(1 << 20);
	FILE *f;

	snprintf(path, sizeof(path), VECTORS "%s", name);
	f = fopen(path, "rb");
	ck_assert_msg(f != NULL, "%s is not there (run from the top of the repository)", path);
	*n = fread(bytes, 1, 1 << 20, f);
	fclose(f);
	return bytes;
}

START_TEST(vectors)
{
	struct json_object *manifest = json_object_from_file(VECTORS "MANIFEST.json");
	unsigned seen = 0;

	ck_assert_ptr_nonnull(manifest);
	for (size_t i = 0; i < json_object_array_length(manifest); i++) {
		struct json_object *row = json_object_array_get_idx(manifest, i);
		const char *file = json_object_get_string(json_object_object_get(row, "file"));
		const char *expect = json_object_get_string(json_object_object_get(row, "expect"));
		struct fmp_http h;
		char *bytes;
		size_t n;

		if (strncmp(file, "http/", 5))
			continue;
		bytes = load_file(file, &n);
		h = http_read(&limits, bytes, n);
		/* "policy" is ours to decide: bare line feeds are refused. */
		ck_assert_msg((h.state == FMP_HTTP_DONE) == !strcmp(expect, "accept"),
			      "%s: state %d (%s), expected %s", file, h.state,
			      h.detail ? h.detail : "-", expect);
		seen++;
		fmp_http_exit(&h);
		free(bytes);
	}
	ck_assert_uint_ge(seen, 8);
	json_object_put(manifest);
}
END_TEST

START_TEST(same_body_plain_and_chunked)
{
	size_t n, m, k;
	char *plain = load_file("http/ok.http", &n), *chunked = load_file("http/chunk-ok.http", &m);
	char *xml = load_file("plain/plain-1k.xml", &k);
	struct fmp_http a = http_read(&limits, plain, n), b = http_read(&limits, chunked, m);

	ck_assert_uint_eq(a.body_len, k);
	ck_assert_mem_eq(a.body, xml, k);
	ck_assert_uint_eq(b.body_len, k);
	ck_assert_mem_eq(b.body, xml, k);
	ck_assert_str_eq(a.content_type, "text/xml; charset=utf-8");
	ck_assert_str_eq(a.soap_action, "");
	ck_assert(a.has_action && a.keep_alive && !a.expect_continue);
	fmp_http_exit(&a);
	fmp_http_exit(&b);
	free(plain);
	free(chunked);
	free(xml);
}
END_TEST

START_TEST(pipelined)
{
	size_t n, used, second;
	char *bytes = load_file("http/pipelined-2.http", &n);
	struct fmp_http h;

	fmp_http_init(&h, &limits);
	ck_assert_int_eq(fmp_http_feed(&h, bytes, n, &used), FMP_HTTP_DONE);
	ck_assert_uint_lt(used, n);
	ck_assert_uint_eq(h.bytes, used);
	/* A finished reader takes nothing more. */
	ck_assert_int_eq(fmp_http_feed(&h, bytes + used, n - used, &second), FMP_HTTP_DONE);
	ck_assert_uint_eq(second, 0);
	fmp_http_next(&h);
	ck_assert(!h.started && !h.body);
	ck_assert_int_eq(fmp_http_feed(&h, bytes + used, n - used, &second), FMP_HTTP_DONE);
	ck_assert_uint_eq(used + second, n);
	fmp_http_exit(&h);
	free(bytes);
}
END_TEST

START_TEST(lengths)
{
	REFUSED(400, START "Content-Length: +5\r\n\r\nhello");
	REFUSED(400, START "Content-Length: -5\r\n\r\nhello");
	REFUSED(400, START "Content-Length: 5 5\r\n\r\nhello");
	REFUSED(400, START "Content-Length: 5, 5\r\n\r\nhello");
	REFUSED(400, START "Content-Length: 0x5\r\n\r\nhello");
	REFUSED(400, START "Content-Length:\r\n\r\nhello");
	REFUSED(400, START "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello");
	REFUSED(411, START "\r\n");
	OVERSIZE(413, START "Content-Length: 65537\r\n\r\n");
	OVERSIZE(413, START "Content-Length: 18446744073709551621\r\n\r\nhello");
	OVERSIZE(413, START "Content-Length: 99999999999999999999999999999999\r\n\r\n");
}
END_TEST

START_TEST(promised_bytes_cost_no_memory)
{
	static const char head[] = START "Content-Length: 65536\r\n\r\nx";
	struct fmp_http h;
	size_t used;

	fmp_http_init(&h, &limits);
	fmp_http_feed(&h, head, sizeof(head) - 2, &used);
	ck_assert_int_eq(h.state, FMP_HTTP_READING);
	ck_assert_ptr_null(h.body);
	fmp_http_feed(&h, "x", 1, &used);
	ck_assert_uint_le(h.body_cap, 4096);
	fmp_http_exit(&h);
}
END_TEST

START_TEST(transfer_encoding)
{
	REFUSED(400, START "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
	REFUSED(400, START "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n");
	REFUSED(501, START "Transfer-Encoding: gzip, chunked\r\n\r\n");
	REFUSED(501, START "Transfer-Encoding: xchunked\r\n\r\n");
	REFUSED(400, START "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n");
	REFUSED(400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
	REFUSED(400, CHUNKED "+5\r\nhello\r\n0\r\n\r\n");
	REFUSED(400, CHUNKED "\r\nhello\r\n0\r\n\r\n");
	REFUSED(400, CHUNKED "0x5\r\nhello\r\n0\r\n\r\n");
	REFUSED(400, CHUNKED "5\nhello\r\n0\r\n\r\n");
	REFUSED(400, CHUNKED "5\r\nhello!\r\n0\r\n\r\n");
	REFUSED(400, CHUNKED "5\r\nhello!\n0\r\n\r\n");
	REFUSED(400, CHUNKED "5;a\0b\r\nhello\r\n0\r\n\r\n");
	REFUSED(400, CHUNKED "0\r\n folded: x\r\n\r\n");
	OVERSIZE(413, CHUNKED "10001\r\n");
	OVERSIZE(413, CHUNKED "ffffffffffffffff\r\n");
	OVERSIZE(413, CHUNKED "000000005\r\n");
}
END_TEST

START_TEST(chunks_join)
{
	struct fmp_http h =
		READ(CHUNKED "5\r\nhello\r\n6;x=\"y\"\r\n world\r\n0\r\nX-T: 1\r\n\r\nREST");

	ck_assert_int_eq(h.state, FMP_HTTP_DONE);
	ck_assert_uint_eq(h.body_len, 11);
	ck_assert_mem_eq(h.body, "hello world", 11);
	fmp_http_exit(&h);
	/* A length in a trailer changes nothing. */
	h = READ(CHUNKED "2\r\nhi\r\n0\r\nContent-Length: none\r\nHost: b\r\n\r\n");
	ck_assert_int_eq(h.state, FMP_HTTP_DONE);
	ck_assert_uint_eq(h.body_len, 2);
	fmp_http_exit(&h);
}
END_TEST

START_TEST(fields)
{
	REFUSED(400, "POST / HTTP/1.1\r\nHost : gw\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START " folded\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "X: a\r\n\tfolded\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "X: a\rb\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "X: a\nY: b\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "X: a\0b\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "X\0: a\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START ": a\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "no colon\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "Host: other\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, "POST / HTTP/1.1\r\nHost: a, b\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "SOAPAction: \"a\"\r\nSOAPAction: \"b\"\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, START "SOAPAction: \"a\r\nContent-Length: 0\r\n\r\n");
	REFUSED(415, START "Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n");
	REFUSED(417, START "Expect: the-unexpected\r\nContent-Length: 0\r\n\r\n");
}
END_TEST

START_TEST(start_line)
{
	PAGES(405, "GET / HTTP/1.1\r\nHost: gw\r\n\r\n");
	REFUSED(405, "post / HTTP/1.1\r\n");
	REFUSED(400, " POST / HTTP/1.1\r\n");
	REFUSED(400, "\nPOST / HTTP/1.1\r\n");
	REFUSED(400, "\r\n\r\nPOST / HTTP/1.1\r\n");
	REFUSED(400, "POST  / HTTP/1.1\r\n");
	REFUSED(400, "POST /a b HTTP/1.1\r\n");
	REFUSED(400, "POST /\x01 HTTP/1.1\r\n");
	REFUSED(400, "POST /\r\n");
	REFUSED(400, "POST / HTTP/1.1 \r\n");
	REFUSED(400, "POST / HTTP/1.1\n");
	REFUSED(505, "POST / HTTP/2.0\r\n");
	REFUSED(505, "POST / HTTP/1.2\r\n");
	REFUSED(400, "POST / http/1.1\r\n");
	PAGES(400, "\x16\x03\x01\x02");
}
END_TEST

START_TEST(limits_hold)
{
	char text[8192], *p = text;

	p += sprintf(p, START);
	for (int i = 0; i < 20; i++)
		p += sprintf(p, "X-%d: y\r\n", i);
	check_refused(text, (size_t)(p - text), 431, FMP_EVENT_HTTP);

	p = text + sprintf(text, START "X: ");
	memset(p, 'a', 4000);
	check_refused(text, (size_t)(p - text) + 4000, 431, FMP_EVENT_HTTP);

	p = text + sprintf(text, START);
	memset(p, 'a', 200);
	check_refused(text, (size_t)(p - text) + 200, 431, FMP_EVENT_HTTP);

	p = text + sprintf(text, START "Content-Type: ");
	memset(p, 'a', 600);
	check_refused(text, (size_t)(p - text) + 600, 431, FMP_EVENT_HTTP);

	p = text + sprintf(text, "POST /");
	memset(p, 'a', 1100);
	strcpy(p + 1100, " HTTP/1.1\r\nHost: gw\r\nContent-Length: 0\r\n\r\n");
	check_refused(text, strlen(text), 414, FMP_EVENT_HTTP);
	strcpy(p + 1100,
	       " HTTP/1.1\r\nHost: gw\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n");
	check_refused(text, strlen(text), 414, FMP_EVENT_BROWSER);
	memset(p, 'a', 3000);
	check_refused(text, (size_t)(p - text) + 3000, 414, FMP_EVENT_BROWSER);

	/* One byte a chunk: more framing than message. */
	p = text + sprintf(text, CHUNKED);
	for (int i = 0; i < 1000; i++)
		p += sprintf(p, "1\r\nx\r\n");
	check_refused(text, (size_t)(p - text), 431, FMP_EVENT_HTTP);
}
END_TEST

/* What any web page can make its reader's browser send is told from what a program alone sends. */
#define FORM(type)  START "Content-Type: " type "\r\n"
#define FROM(site)  "Origin: " site "\r\n"
#define SITE(value) "Sec-Fetch-Site: " value "\r\n"
#define REST	    "Content-Length: 0\r\n\r\n"

/* A form's action may take as much of the header as it likes: what comes behind need not fit any more. */
static void longest_targets(void)
{
	for (unsigned n = 1000; n < 2100; n += 5) {
		char text[4096];
		int len = snprintf(text, sizeof(text),
				   "POST /%0*u HTTP/1.1\r\nHost: gw\r\nContent-Type: text/plain\r\n"
				   "User-Agent: %0100u\r\nContent-Length: 0\r\n\r\n",
				   (int)n, 0u, 0u);
		struct fmp_http h;
		size_t used;

		fmp_http_init(&h, &limits);
		fmp_http_feed(&h, text, (size_t)len, &used);
		ck_assert_msg(h.state == FMP_HTTP_DONE ||
				      (h.state == FMP_HTTP_REFUSED && h.status == 414 &&
				       h.kind == FMP_EVENT_BROWSER),
			      "%u: %d %s", n, h.status, h.detail);
		fmp_http_exit(&h);
	}
}

/* RFC 9112 3.2.2: its host counts, not that of the field. */
START_TEST(absolute_form)
{
	static const struct {
		const char *target, *path, *host;
	} rows[] = {
		{ "/a", "/a", "gw" },
		{ "http://b/a?c", "/a?c", "b" },
		{ "HTTP://b:80/a", "/a", "b:80" },
		{ "https://[2001:db8::1]:8443//a/./b", "/a/b", "[2001:db8::1]:8443" },
		{ "http://b", "/", "b" },
		{ "http:/b/a", "http:/b/a", "gw" },
		{ "ftp://b/a", "ftp://b/a", "gw" },
		{ "/http://b/a", "/http:/b/a", "gw" },
	};
	char text[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct fmp_http h;

		snprintf(text, sizeof(text),
			 "POST %s HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\n"
			 "Origin: http://%s\r\nContent-Length: 0\r\n\r\n",
			 rows[i].target, rows[i].host);
		h = http_read(&limits, text, strlen(text));
		ck_assert_msg(h.state == FMP_HTTP_DONE, "%s: %s", rows[i].target, h.detail);
		ck_assert_str_eq(fmp_http_path(&h), rows[i].path);
		ck_assert_str_eq(h.target, rows[i].target);
		ck_assert_msg(!h.cross_site, "%s", rows[i].target);
		fmp_http_exit(&h);
	}
	REFUSED(400, "POST http:///a HTTP/1.1\r\nHost: gw\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, "POST http://u@gw/a HTTP/1.1\r\nHost: gw\r\nContent-Length: 0\r\n\r\n");
	REFUSED(400, "POST http://a,b/a HTTP/1.1\r\nHost: gw\r\nContent-Length: 0\r\n\r\n");
	PAGES(413,
	      "POST http://b/ HTTP/1.1\r\nHost: gw\r\nOrigin: http://gw\r\nContent-Type: text/xml\r\n"
	      "Content-Length: 70000\r\n\r\n");
}
END_TEST

START_TEST(pages)
{
	static const struct {
		const char *text;
		bool cross, page;
	} rows[] = {
		{ START REST, false, false },
		{ FORM("text/xml") REST, false, false },
		{ FORM("text/plain") REST, false, true },
		{ FORM("Text/Plain; charset=x") REST, false, true },
		{ FORM("application/x-www-form-urlencoded") REST, false, true },
		{ FORM("multipart/form-data; boundary=b") REST, false, true },
		{ FORM("multipart/related; boundary=b") REST, false, false },
		{ FORM("text/plain") "SOAPAction: a\r\n" REST, false, false },
		{ START FROM("null") REST, false, true },
		{ FORM("text/xml") FROM("null") REST, false, false },
		{ FORM("text/xml") FROM("file://") REST, false, false },
		{ FORM("text/xml") FROM("http://gw") REST, false, false },
		{ FORM("text/xml") FROM("https://GW") REST, false, false },
		{ FORM("text/xml") FROM("http://gw:8080") REST, true, true },
		{ FORM("text/xml") FROM("http://evil.example") REST, true, true },
		{ FORM("text/xml") FROM("http://gw.evil.example") REST, true, true },
		{ FORM("text/xml") SITE("cross-site") REST, true, true },
		{ FORM("text/xml") SITE("same-site") REST, true, true },
		{ FORM("text/xml") SITE("same-origin") FROM("http://front.example") REST, false,
		  false },
		{ FORM("text/xml") SITE("none") REST, false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct fmp_http h = http_read(&limits, rows[i].text, strlen(rows[i].text));

		ck_assert_msg(h.state == FMP_HTTP_DONE, "%s", rows[i].text);
		ck_assert_msg(h.cross_site == rows[i].cross, "%s", rows[i].text);
		ck_assert_msg(fmp_http_is_browser_request(&h) == rows[i].page, "%s", rows[i].text);
		fmp_http_exit(&h);
	}
	PAGES(405, "GET /?wsdl HTTP/1.1\r\n");
	PAGES(405, "HEAD / HTTP/1.1\r\n");
	PAGES(405, "OPTIONS / HTTP/1.1\r\nHost: gw\r\nAccess-Control-Request-Method: POST\r\n\r\n");
	PAGES(400, "\x16\x03\x01\x02\x00\x01");
	check_refused("\0\x03\0\x08\x21\x12\xa4\x42", 8, 400, FMP_EVENT_BROWSER);
	PAGES(413, FORM("text/plain") "Content-Length: 70000\r\n\r\n");
	OVERSIZE(413, FORM("text/xml") "Content-Length: 70000\r\n\r\n");
	PAGES(413, FORM("text/xml") FROM("http://evil.example") "Content-Length: 70000\r\n\r\n");
	OVERSIZE(413, FORM("text/xml") FROM(
			      "http://evil.example") "Transfer-Encoding: chunked\r\n\r\n11171\r\n");
	longest_targets();
	REFUSED(405, "PUT / HTTP/1.1\r\n");
	REFUSED(405, "CONNECT a:1 HTTP/1.1\r\n");
	REFUSED(405, "GETS / HTTP/1.1\r\n");
}
END_TEST

/* Behind a proxy Host may be the proxy's word: what the browser says of the site alone counts. */
START_TEST(pages_behind_a_proxy)
{
	static const char own[] = FORM("text/xml") FROM("http://front.example") REST;
	static const char other[] = FORM("text/xml") SITE("cross-site") REST;
	struct fmp_http_limits behind = limits;
	struct fmp_http h;

	behind.forwarded = true;
	h = http_read(&behind, own, sizeof(own) - 1);
	ck_assert(h.state == FMP_HTTP_DONE && !h.cross_site);
	fmp_http_exit(&h);
	h = http_read(&behind, other, sizeof(other) - 1);
	ck_assert(h.state == FMP_HTTP_DONE && h.cross_site);
	fmp_http_exit(&h);
}
END_TEST

/* Wherever in the header the refusal falls: who sent it is told, and its end is found; a body tells nothing. */
START_TEST(held_anywhere)
{
	static const char head[] =
		"POST / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n";
	static const char text[] =
		"POST / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n"
		"x\r\nX-Forwarded-For: 192.0.2.66\r\n\r\n";
	struct fmp_http_limits behind = limits;
	char filler[1024];
	struct fmp_http h;
	size_t used;

	behind.forwarded = true;
	memset(filler, 'b', sizeof(filler));
	for (uint32_t n = sizeof(head) / 2; n < sizeof(head) - 1; n++) {
		behind.header_bytes = n;
		fmp_http_init(&h, &behind);
		ck_assert_int_eq(fmp_http_feed(&h, text, sizeof(text) - 1, &used),
				 FMP_HTTP_REFUSED);
		ck_assert_msg(h.refusal_pending && h.status == 431, "%u", n);
		ck_assert_msg(h.has_forwarded && !strcmp(h.forwarded, "192.0.2.9"), "%u: %s", n,
			      h.forwarded);
		ck_assert_msg(used == sizeof(head) - 1, "%u: %zu", n, used);
		fmp_http_exit(&h);
	}
	behind.header_bytes = limits.header_bytes;
	behind.fields = 1;
	fmp_http_init(&h, &behind);
	ck_assert_int_eq(fmp_http_feed(&h, text, sizeof(text) - 1, &used), FMP_HTTP_REFUSED);
	ck_assert(h.refusal_pending && h.has_forwarded);
	ck_assert_str_eq(h.forwarded, "192.0.2.9");
	ck_assert_uint_eq(used, sizeof(head) - 1);
	fmp_http_exit(&h);
	/* Without an end the last field may be missing: it is nobody that is known. */
	behind.header_bytes = 30;
	fmp_http_init(&h, &behind);
	ck_assert_int_eq(fmp_http_feed(&h, head, sizeof(head) - 3, &used), FMP_HTTP_READING);
	ck_assert(h.refusal_pending && h.has_forwarded);
	for (unsigned n = 0; n < 300 && h.state == FMP_HTTP_READING; n++)
		fmp_http_feed(&h, filler, sizeof(filler), &used);
	ck_assert_int_eq(h.state, FMP_HTTP_REFUSED);
	ck_assert(h.refusal_pending && !h.has_forwarded);
	fmp_http_exit(&h);
}
END_TEST

START_TEST(connection)
{
	struct fmp_http h = READ("POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n");

	ck_assert_int_eq(h.state, FMP_HTTP_DONE);
	ck_assert(!h.keep_alive);
	fmp_http_exit(&h);
	h = READ("POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n");
	ck_assert(h.state == FMP_HTTP_DONE && h.keep_alive);
	fmp_http_exit(&h);
	h = READ(START "Connection: TE, Close\r\nContent-Length: 0\r\n\r\n");
	ck_assert(h.state == FMP_HTTP_DONE && !h.keep_alive);
	fmp_http_exit(&h);
	h = READ(START "SOAPAction: \"a\"\r\nSOAPAction: a\r\nContent-Length: 0\r\n\r\n");
	ck_assert(h.state == FMP_HTTP_DONE && !strcmp(h.soap_action, "a"));
	fmp_http_exit(&h);
	h = READ(START "Connection: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
	ck_assert(h.state == FMP_HTTP_DONE && !h.keep_alive);
	fmp_http_exit(&h);
	h = READ("\r\n" START
		 "Expect: 100-Continue\r\nSOAPAction: urn:a \t\r\nContent-Length: 7\r\n\r\n");
	ck_assert(h.state == FMP_HTTP_READING && h.headers_done && h.expect_continue);
	ck_assert_str_eq(h.soap_action, "urn:a");
	/* RFC 9110 10.1.1 */
	fmp_http_exit(&h);
	h = READ("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n");
	ck_assert(h.state == FMP_HTTP_READING && h.headers_done && !h.expect_continue);
	fmp_http_exit(&h);
}
END_TEST

START_TEST(between)
{
	static const struct {
		const char *text;
		bool between;
	} rows[] = {
		{ "", true },	    { "\r", true },
		{ "\r\n", true },   { "P", false },
		{ "\r\nP", false }, { "\r\n\r", false },
		{ "\rP", false },   { "\n", false },
		{ START, false },   { START "Content-Length: 0\r\n\r\n", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct fmp_http h = http_read(&limits, rows[i].text, strlen(rows[i].text));

		ck_assert_msg(fmp_http_is_between_messages(&h) == rows[i].between, "row %zu", i);
		fmp_http_next(&h);
		ck_assert(fmp_http_is_between_messages(&h));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("http");
	TCase *tc = tcase_create("reader");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, vectors);
	tcase_add_test(tc, same_body_plain_and_chunked);
	tcase_add_test(tc, pipelined);
	tcase_add_test(tc, lengths);
	tcase_add_test(tc, promised_bytes_cost_no_memory);
	tcase_add_test(tc, transfer_encoding);
	tcase_add_test(tc, chunks_join);
	tcase_add_test(tc, fields);
	tcase_add_test(tc, start_line);
	tcase_add_test(tc, limits_hold);
	tcase_add_test(tc, pages);
	tcase_add_test(tc, pages_behind_a_proxy);
	tcase_add_test(tc, held_anywhere);
	tcase_add_test(tc, connection);
	tcase_add_test(tc, absolute_form);
	tcase_add_test(tc, between);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
