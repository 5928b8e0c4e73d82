// SPDX-License-Identifier: GPL-2.0
/* fmp-flood: reading responses, segmenting and building frames, parsing targets and sources. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/flood/response.h"
#include "../../daemon/flood/frame.h"
#include "../../daemon/flood/source.h"
#include "../../daemon/flood/target.h"

/* ---- responses ---- */

static enum flood_reading read_in_pieces(struct flood_response *a, const char *text, size_t piece)
{
	enum flood_reading r = FLOOD_READING_MORE;
	size_t len = strlen(text);
	size_t at;

	flood_response_init(a);
	for (at = 0; at < len && r == FLOOD_READING_MORE; at += piece)
		r = flood_response_feed(a, text + at, len - at < piece ? len - at : piece);
	return r;
}

#define FAULT \
	"<e:Envelope><e:Body><e:Fault><faultcode>e:Client</faultcode></e:Fault></e:Body></e:Envelope>"

START_TEST(an_answer_is_read_in_pieces_of_any_size)
{
	static struct flood_response a;
	size_t piece;

	for (piece = 1; piece < 200; piece++) {
		ck_assert_int_eq(
			read_in_pieces(&a, "HTTP/1.1 500 No\r\ncontent-LENGTH: 92 \r\n\r\n" FAULT,
				       piece),
			FLOOD_READING_DONE);
		ck_assert_int_eq(a.status, 500);
		ck_assert(flood_response_is_fault(&a));
		ck_assert(!a.close);
		ck_assert_int_eq(
			read_in_pieces(
				&a,
				"HTTP/1.1 100 Continue\r\n\r\n"
				"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
				"5;ab=1f\r\n<a/>\n\r\n00A\r\n<ok></ok>\n\r\n0\r\nX: y\r\n\r\n",
				piece),
			FLOOD_READING_DONE);
		ck_assert_int_eq(a.status, 200);
		ck_assert_uint_eq(a.body_head_len, 15);
		ck_assert(!memcmp(a.body_head, "<a/>\n<ok></ok>\n", 15));
		ck_assert(!flood_response_is_fault(&a));
	}
}
END_TEST

START_TEST(an_answer_without_length_ends_with_the_connection)
{
	static struct flood_response a;

	ck_assert_int_eq(read_in_pieces(&a, "HTTP/1.0 400 Bad\r\n\r\nno", 3), FLOOD_READING_MORE);
	ck_assert_int_eq(flood_response_eof(&a), FLOOD_READING_DONE);
	ck_assert(a.close);
}
END_TEST

START_TEST(what_is_cut_off_is_no_answer)
{
	static struct flood_response a;

	ck_assert_int_eq(read_in_pieces(&a, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", 99),
			 FLOOD_READING_MORE);
	ck_assert_int_eq(flood_response_eof(&a), FLOOD_READING_BAD);
	ck_assert_int_eq(read_in_pieces(&a, "", 1), FLOOD_READING_MORE);
	ck_assert_int_eq(flood_response_eof(&a), FLOOD_READING_BAD);
}
END_TEST

START_TEST(what_is_not_http_is_refused)
{
	static const char *const bad[] = {
		"SSH-2.0-OpenSSH\r\n\r\n",
		"HTTP/1.1 2x0 OK\r\n\r\n",
		"HTTP/1.1\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxx",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n123456789\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
	};
	static struct flood_response a;
	static char endless[FLOOD_HEADER_MAX + 2];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(read_in_pieces(&a, bad[i], 1000) == FLOOD_READING_BAD, "%s", bad[i]);
	memset(endless, 'x', sizeof(endless) - 1);
	ck_assert_int_eq(read_in_pieces(&a, endless, 1000), FLOOD_READING_BAD);
}
END_TEST

/* ---- frames ---- */

static struct flood_frame_spec make_spec(const char *src, const char *dst)
{
	struct flood_frame_spec s = {
		.src_mac = { 2, 0, 0, 0, 0, 1 },
		.dst_mac = { 2, 0, 0, 0, 0, 2 },
		.sport = 40000,
		.dport = 8080,
		.seq = 0xfffffff0,
		.ack = 7,
		.flags = FLOOD_TCP_ACK | FLOOD_TCP_PSH | FLOOD_TCP_FIN,
	};

	ck_assert_int_eq(fmp_addr_parse(src, &s.src, NULL), 0);
	ck_assert_int_eq(fmp_addr_parse(dst, &s.dst, NULL), 0);
	return s;
}

/* The ones' complement sum over a packet with a valid checksum is all ones. */
static unsigned ones_complement_sum(unsigned long s, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		s += i % 2 ? p[i] : (unsigned long)p[i] << 8;
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return (unsigned)s;
}

static void check_sums(const uint8_t *b, const struct flood_frame *f)
{
	bool v4 = f->src.family == FMP_FAMILY_IPV4;
	const uint8_t *addrs = b + f->ip + (v4 ? 12 : 8);
	size_t tcp_len = f->end - f->tcp;

	if (v4)
		ck_assert_uint_eq(ones_complement_sum(0, b + f->ip, f->tcp - f->ip), 0xffff);
	ck_assert_uint_eq(ones_complement_sum(ones_complement_sum(6 + tcp_len, addrs, v4 ? 8 : 32),
					      b + f->tcp, tcp_len),
			  0xffff);
}

struct cut {
	unsigned n;
	size_t bytes, longest;
	uint32_t next_seq;
	uint8_t flags_before, flags_last;
	char text[8192];
};

static void on_cut(const uint8_t *bytes, size_t len, void *ctx)
{
	struct cut *c = ctx;
	struct flood_frame f;

	ck_assert(flood_frame_parse(bytes, len, &f));
	ck_assert_uint_eq(f.end, len);
	check_sums(bytes, &f);
	if (c->n)
		ck_assert_uint_eq(f.seq, c->next_seq);
	c->flags_before |= c->flags_last;
	c->flags_last = f.flags;
	c->next_seq = f.seq + (uint32_t)(f.end - f.payload);
	memcpy(c->text + c->bytes, bytes + f.payload, f.end - f.payload);
	c->bytes += f.end - f.payload;
	c->longest = len > c->longest ? len : c->longest;
	c->n++;
}

static void cut_and_check(const char *src, const char *dst)
{
	static uint8_t buf[8192];
	static char payload[5000];
	struct flood_frame_spec s = make_spec(src, dst);
	struct cut c = { 0 };
	struct flood_frame f;
	size_t i, len;

	for (i = 0; i < sizeof(payload); i++)
		payload[i] = (char)('a' + i % 23);
	s.payload = payload;
	s.payload_len = sizeof(payload);
	len = flood_frame_build(&s, buf, sizeof(buf));
	ck_assert(flood_frame_parse(buf, len, &f));
	check_sums(buf, &f);
	/* Without a checksum, as for offload to hardware. */
	memset(buf + f.tcp + 16, 0, 2);
	ck_assert_uint_eq(flood_frame_cut(buf, &f, 1500, on_cut, &c), c.n);
	ck_assert_uint_eq(c.n, 4);
	ck_assert_uint_eq(c.longest, 1514);
	ck_assert_uint_eq(c.bytes, sizeof(payload));
	ck_assert(!memcmp(c.text, payload, sizeof(payload)));
	ck_assert_uint_eq(c.flags_before, FLOOD_TCP_ACK);
	ck_assert_uint_eq(c.flags_last, FLOOD_TCP_ACK | FLOOD_TCP_PSH | FLOOD_TCP_FIN);
	ck_assert_uint_eq(flood_frame_cut(buf, &f, f.payload - 14, on_cut, &c), 0);
}

START_TEST(a_large_frame_is_cut_to_the_mtu)
{
	cut_and_check("192.0.2.1", "192.0.2.2");
	cut_and_check("2001:db8::1", "2001:db8::2");
}
END_TEST

START_TEST(a_frame_without_data_stays_one)
{
	struct flood_frame_spec s = make_spec("192.0.2.1", "192.0.2.2");
	uint8_t buf[100];
	struct cut c = { 0 };
	struct flood_frame f;
	size_t len = flood_frame_build(&s, buf, sizeof(buf));

	ck_assert(flood_frame_parse(buf, len, &f));
	ck_assert_uint_eq(flood_frame_cut(buf, &f, 1500, on_cut, &c), 1);
	ck_assert_uint_eq(c.bytes, 0);
}
END_TEST

START_TEST(a_frame_cut_short_anywhere_is_refused)
{
	struct flood_frame_spec s = make_spec("192.0.2.1", "192.0.2.2");
	struct flood_frame_spec s6 = make_spec("2001:db8::1", "2001:db8::2");
	uint8_t buf[200], *exact;
	struct flood_frame f;
	size_t len, i;

	s.payload = s6.payload = "x";
	s.payload_len = s6.payload_len = 1;
	for (len = flood_frame_build(&s, buf, sizeof(buf)), i = 0; i < len; i++)
		ck_assert(!flood_frame_parse(buf, i, &f));
	/* A packet that ends inside its TCP header; ASan detects reads beyond it. */
	exact = malloc(14 + 24);
	ck_assert_ptr_nonnull(exact);
	memcpy(exact, buf, 14 + 24);
	exact[17] = 24;
	ck_assert(!flood_frame_parse(exact, 14 + 24, &f));
	free(exact);
	buf[14] = 0x44; /* a header of 16 bytes */
	ck_assert(!flood_frame_parse(buf, len, &f));
	buf[14] = 0x45;
	buf[21] = 1; /* a fragment */
	ck_assert(!flood_frame_parse(buf, len, &f));
	for (len = flood_frame_build(&s6, buf, sizeof(buf)), i = 0; i < len; i++)
		ck_assert(!flood_frame_parse(buf, i, &f));
	buf[14 + 40 + 12] = 0x40; /* a TCP header of 16 bytes */
	ck_assert(!flood_frame_parse(buf, len, &f));
}
END_TEST

START_TEST(a_frame_that_does_not_fit_is_not_built)
{
	struct flood_frame_spec s = make_spec("192.0.2.1", "192.0.2.2");
	uint8_t buf[54];

	ck_assert_uint_eq(flood_frame_build(&s, buf, 54), 54);
	ck_assert_uint_eq(flood_frame_build(&s, buf, 53), 0);
	s.dst = make_spec("2001:db8::1", "2001:db8::2").dst;
	ck_assert_uint_eq(flood_frame_build(&s, buf, 54), 0);
}
END_TEST

/* ---- targets ---- */

START_TEST(a_url_gives_address_port_and_path)
{
	struct flood_target t;

	ck_assert_int_eq(flood_target_parse(&t, "http://192.0.2.7:8080/orders?x", NULL), 0);
	ck_assert_uint_eq(t.port, 8080);
	ck_assert_str_eq(t.path, "/orders?x");
	ck_assert_str_eq(t.host, "192.0.2.7:8080");
	ck_assert_int_eq(flood_target_parse(&t, "http://[2001:db8::7]:81", NULL), 0);
	ck_assert_uint_eq(t.port, 81);
	ck_assert_str_eq(t.path, "/");
	ck_assert_uint_eq(t.addr.family, FMP_FAMILY_IPV6);
	ck_assert_int_eq(flood_target_parse(&t, "http://localhost/", NULL), 0);
	ck_assert_uint_eq(t.port, 80);
	ck_assert_uint_eq(t.addr.bytes[0], 127);
}
END_TEST

START_TEST(a_bad_url_is_refused)
{
	static const char *const bad[] = {
		"https://192.0.2.7/",
		"192.0.2.7",
		"http://",
		"http://:80/",
		"http://[::1/",
		"http://[::1]x/",
		"http://example.org/",
		"http://192.0.2.7:0/",
		"http://192.0.2.7:65536/",
		"http://192.0.2.7:8o/",
		"http://192.0.2.7:/",
		"http://192.0.2.7/a b",
		"http://192.0.2.7/a\r\nX: y",
		"http://02:00:00:00:00:01/",
		"http://192.0.2.0%2f24:80/",
	};
	struct flood_target t;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(flood_target_parse(&t, bad[i], NULL) == FMP_ERR_SYNTAX, "%s", bad[i]);
}
END_TEST

START_TEST(strangers_are_no_target)
{
	static const char *const fine[] = { "127.9.9.9",    "10.1.2.3",	   "172.31.0.1",
					    "192.168.1.1",  "169.254.7.7", "192.0.2.1",
					    "198.51.100.1", "203.0.113.9", "198.19.255.1",
					    "::1",	    "fe80::1",	   "fd00::1",
					    "2001:db8::1" };
	static const char *const not [] = { "8.8.8.8",	 "172.32.0.1",	"198.20.0.1",
					    "11.0.0.1",	 "192.169.0.1", "2001:4860:4860::8888",
					    "2600::1",	 "0.0.0.0",	"255.255.255.255",
					    "224.0.0.1", "ff02::1",	"::ffff:8.8.8.8" };
	struct fmp_error err;
	struct fmp_addr a;
	size_t i;

	for (i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
		ck_assert_int_eq(fmp_addr_parse(fine[i], &a, NULL), 0);
		ck_assert_msg(!flood_target_allowed(&a, &err), "%s", fine[i]);
	}
	for (i = 0; i < sizeof(not ) / sizeof(not [0]); i++) {
		ck_assert_int_eq(fmp_addr_parse(not [i], &a, NULL), 0);
		ck_assert_msg(flood_target_allowed(&a, &err) == FMP_ERR_DENIED, "%s", not [i]);
	}
}
END_TEST

/* ---- sources ---- */

static const char *format_addr(const struct flood_sources *s, uint32_t i)
{
	static char text[FMP_ADDR_STRLEN];

	return fmp_addr_format(&s->list[i].addr, text, sizeof(text));
}

START_TEST(a_range_begins_at_the_first_host)
{
	struct flood_sources s = { 0 };

	ck_assert_int_eq(flood_sources_add_range(&s, "192.0.2.0/23/400", NULL), 0);
	ck_assert_uint_eq(s.n, 400);
	ck_assert_str_eq(format_addr(&s, 0), "192.0.2.1");
	ck_assert_str_eq(format_addr(&s, 399), "192.0.3.144");
	ck_assert_int_eq(flood_sources_add_range(&s, "2001:db8::ffff/2", NULL), 0);
	ck_assert_str_eq(format_addr(&s, 400), "2001:db8::ffff");
	ck_assert_str_eq(format_addr(&s, 401), "2001:db8::1:0");
	ck_assert_int_eq(flood_sources_ready(&s, FMP_FAMILY_IPV4, NULL), FMP_ERR_INVALID);
	flood_sources_free(&s);
}
END_TEST

START_TEST(a_range_that_is_none_is_refused)
{
	static const char *const bad[] = { "192.0.2.0",	     "192.0.2.0/",	   "192.0.2.0/0",
					   "192.0.2.0/x",    "192.0.2.0/99999",	   "nonsense/3",
					   "192.0.2.1/24/3", "02:00:00:00:00:01/3" };
	struct flood_sources s = { 0 };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(flood_sources_add_range(&s, bad[i], NULL) == FMP_ERR_SYNTAX, "%s",
			      bad[i]);
	ck_assert_uint_eq(s.n, 0);
	ck_assert_int_eq(flood_sources_add_range(&s, "192.0.2.0/30/4", NULL), FMP_ERR_LIMIT);
	ck_assert_int_eq(flood_sources_add(&s, "192.0.2.0/24", NULL), FMP_ERR_SYNTAX);
	flood_sources_free(&s);
}
END_TEST

START_TEST(sources_take_turns_and_blocks_are_counted)
{
	struct flood_sources s = { 0 };
	unsigned i;

	ck_assert_int_eq(flood_sources_add_range(&s, "127.0.0.1/3", NULL), 0);
	for (i = 0; i < 7; i++)
		ck_assert_uint_eq(flood_sources_next(&s), i % 3);
	for (i = 0; i < 4; i++)
		flood_sources_end(&s, 1, FLOOD_TIMEOUT_CONNECT, 1 + i);
	ck_assert_uint_eq(s.blocked, 1);
	flood_sources_end(&s, 1, FLOOD_RESPONSE_GOOD, 9);
	ck_assert_uint_eq(s.blocked, 0);
	flood_sources_free(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("flood_wire");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_test(t, an_answer_is_read_in_pieces_of_any_size);
	tcase_add_test(t, an_answer_without_length_ends_with_the_connection);
	tcase_add_test(t, what_is_cut_off_is_no_answer);
	tcase_add_test(t, what_is_not_http_is_refused);
	tcase_add_test(t, a_large_frame_is_cut_to_the_mtu);
	tcase_add_test(t, a_frame_without_data_stays_one);
	tcase_add_test(t, a_frame_cut_short_anywhere_is_refused);
	tcase_add_test(t, a_frame_that_does_not_fit_is_not_built);
	tcase_add_test(t, a_url_gives_address_port_and_path);
	tcase_add_test(t, a_bad_url_is_refused);
	tcase_add_test(t, strangers_are_no_target);
	tcase_add_test(t, a_range_begins_at_the_first_host);
	tcase_add_test(t, a_range_that_is_none_is_refused);
	tcase_add_test(t, sources_take_turns_and_blocks_are_counted);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
