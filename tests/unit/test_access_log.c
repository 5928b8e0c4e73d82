// SPDX-License-Identifier: GPL-2.0
/* Lines of the access log: the format, and what a client can't write into it. */
#include <string.h>

#include "../../daemon/gateway/service/access_log.h"
#include "run.h"

static struct gw_access_log_entry entry = { .source_port = 4711,
					    .time = 1795314600, /* 2026-11-22 02:30 */
					    .target = "/orders",
					    .version = 11,
					    .status = 500,
					    .len = 312,
					    .kind = FMP_EVENT_SCHEMA,
					    .step = FMP_STEP_SCHEMA,
					    .cpu_ns = 120999 };

static void is_line(const char *expected)
{
	char line[GW_ACCESS_LOG_LINE_MAX];
	size_t n = gw_access_log_format(&entry, line);

	ck_assert_uint_eq(n, strlen(line));
	ck_assert_str_eq(line, expected);
}

START_TEST(common_format)
{
	ck_assert(!fmp_addr_parse("192.0.2.66", &entry.source, NULL));
	is_line("192.0.2.66 - - [22/Nov/2026:02:30:00 +0000] \"POST /orders HTTP/1.1\" 500 312 "
		"port=4711 kind=schema step=schema cpu_us=120\n");
}
END_TEST

START_TEST(no_answer_of_the_service)
{
	ck_assert(!fmp_addr_parse("192.0.2.66", &entry.source, NULL));
	entry.why = "broken off";
	is_line("192.0.2.66 - - [22/Nov/2026:02:30:00 +0000] \"POST /orders HTTP/1.1\" 500 312 "
		"port=4711 kind=schema step=schema cpu_us=120 backend=\"broken off\"\n");
	entry.why = NULL;
}
END_TEST

START_TEST(in_words)
{
	ck_assert(!fmp_addr_parse("192.0.2.66", &entry.source, NULL));
	entry.reason = "schema: \"x\"\n192.0.2.1 \\";
	is_line("192.0.2.66 - - [22/Nov/2026:02:30:00 +0000] \"POST /orders HTTP/1.1\" 500 312 "
		"port=4711 kind=schema step=schema cpu_us=120 reason=\"schema: ?x??192.0.2.1 ?\"\n");
	entry.reason = NULL;
}
END_TEST

/* What was no POST has no request line that could be believed. */
START_TEST(without_a_request_line)
{
	ck_assert(!fmp_addr_parse("192.0.2.66", &entry.source, NULL));
	entry.version = 0;
	is_line("192.0.2.66 - - [22/Nov/2026:02:30:00 +0000] \"-\" 500 312 "
		"port=4711 kind=schema step=schema cpu_us=120\n");
	entry.version = 11;
}
END_TEST

START_TEST(clients_write_no_lines)
{
	ck_assert(!fmp_addr_parse("2001:db8::1", &entry.source, NULL));
	entry.target = "/a\"\\b\n\x7f\xff c";
	entry.version = 10;
	is_line("2001:db8::1 - - [22/Nov/2026:02:30:00 +0000] \"POST /a??b????c HTTP/1.0\" 500 312 "
		"port=4711 kind=schema step=schema cpu_us=120\n");
}
END_TEST

START_TEST(longest)
{
	char target[2000], line[GW_ACCESS_LOG_LINE_MAX];

	memset(target, 'x', sizeof(target) - 1);
	target[sizeof(target) - 1] = 0;
	memset(entry.source.bytes, 0xab, 16);
	entry.source.family = FMP_FAMILY_IPV6;
	entry.source.prefix_len = 128;
	entry.target = target;
	entry.len = SIZE_MAX;
	entry.cpu_ns = UINT64_MAX;
	entry.why = "Content-Length and Transfer-Encoding stand together";
	entry.reason = target;
	ck_assert_uint_lt(gw_access_log_format(&entry, line), GW_ACCESS_LOG_LINE_MAX - 1);
	ck_assert_int_eq(line[strlen(line) - 1], '\n');
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("access");

	tcase_add_test(tc, common_format);
	tcase_add_test(tc, no_answer_of_the_service);
	tcase_add_test(tc, in_words);
	tcase_add_test(tc, without_a_request_line);
	tcase_add_test(tc, clients_write_no_lines);
	tcase_add_test(tc, longest);
	return run_tcase("access", tc);
}
