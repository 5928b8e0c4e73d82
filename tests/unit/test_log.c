// SPDX-License-Identifier: GPL-2.0
/* daemon/fmpctl/log/: lines of logs to lines of a timeline. */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../daemon/fmpctl/log/log_reader.h"
#include "../../daemon/fmpctl/log/log_watch.h"
#include "run.h"

static struct access_map map;

static void setup(void)
{
	access_map_default(&map);
}

/* Return: the result of access_parse_line(); the kind if the line is an entry. */
static int parse_access(const char *line, struct log_entry *e)
{
	return access_parse_line(&map, line, e);
}

#define AT "192.0.2.66 - - [22/Nov/2026:02:30:00 +0000] "

START_TEST(access_common)
{
	struct log_entry e;

	ck_assert_int_eq(parse_access(AT "\"POST /a HTTP/1.1\" 400 312", &e), 1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_HTTP);
	ck_assert_uint_eq(e.event.time_ns, UINT64_C(1795314600) * 1000000000);
	ck_assert(e.event.proven);
	ck_assert_str_eq(e.event.detail, "answered 400 to POST /a HTTP/1.1");
	ck_assert_int_eq(
		parse_access("2001:db8::1 - bob [22/Nov/2026:03:30:00 +0100] \"GET / HTTP/1.0\" "
			     "304 - \"-\" \"x\"",
			     &e),
		1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_GOOD);
	ck_assert_uint_eq(e.event.time_ns, UINT64_C(1795314600) * 1000000000);
	ck_assert_uint_eq(e.event.source.family, FMP_FAMILY_IPV6);
	ck_assert_int_eq(parse_access(AT "\"GET /\\\"q\\\" HTTP/1.1\" 413 0", &e), 1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_OVERSIZE);
	ck_assert_int_eq(parse_access(AT "\"GET / HTTP/1.1\" 500 0", &e), 0);
	ck_assert_int_eq(parse_access(AT "\"GET / HTTP/1.1\" 404 0", &e), 0);
}
END_TEST

START_TEST(access_own)
{
	struct log_entry e;

	ck_assert_int_eq(parse_access(AT "\"POST /a HTTP/1.1\" 500 312 port=4711 kind=schema "
					 "step=schema cpu_us=120",
				      &e),
			 1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_SCHEMA);
	ck_assert_uint_eq(e.event.cpu_ns, 120000);
	ck_assert_uint_eq(e.event.source_port, 4711);
	ck_assert_int_eq(parse_access(AT
				      "\"POST /a HTTP/1.1\" 503 312 port=4711 kind=good step=done "
				      "cpu_us=120 backend=\"it is away\"",
				      &e),
			 1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_GOOD);
	/* Refused, but not charged: fmpd got no event. */
	ck_assert_int_eq(
		parse_access(AT "\"POST /a HTTP/1.1\" 503 312 port=4711 kind=good step=signature "
				"cpu_us=120 reason=\"no list\"",
			     &e),
		0);
	ck_assert_int_eq(
		parse_access(AT "\"POST /a HTTP/1.1\" 500 312 port=4711 kind=evil step=schema "
				"cpu_us=120",
			     &e),
		FMP_ERR_SYNTAX);
}
END_TEST

/* Text in quotes is from the client: it sets no kind, no address and no status. */
/* What the gateway observed of a good message; what a client writes is replaced, or stands in other quotes. */
START_TEST(access_observed)
{
	struct log_entry e;

	ck_assert_int_eq(parse_access(AT
				      "\"POST /a HTTP/1.1\" 200 312 port=4711 kind=good step=done "
				      "cpu_us=1 reason=\"seen head=80 header={urn:a}b\"",
				      &e),
			 1);
	ck_assert_str_eq(e.event.detail, "seen head=80 header={urn:a}b");
	ck_assert_int_eq(
		parse_access(AT "\"POST /a HTTP/1.1\" 500 312 port=4711 kind=schema step=schema "
				"cpu_us=1 reason=\"seen head=80\"",
			     &e),
		1);
	ck_assert_str_eq(e.event.detail, "answered 500 to POST /a HTTP/1.1");
	ck_assert_int_eq(
		parse_access(AT "\"POST /a HTTP/1.1\" 200 312 \"-\" \"x reason=\"seen head=80\"",
			     &e),
		1);
	ck_assert_str_eq(e.event.detail, "answered 200 to POST /a HTTP/1.1");
}
END_TEST

START_TEST(access_clients_say_nothing)
{
	struct log_entry e;

	ck_assert_int_eq(parse_access(AT
				      "\"GET / HTTP/1.1\" 200 5 \"-\" \" port=1 kind=crash step=x "
				      "cpu_us=1\"",
				      &e),
			 1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_GOOD);
	ck_assert_int_eq(parse_access(AT "\"GET /\\\" 200 5 \\\" HTTP/1.1\" 400 5", &e), 1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_HTTP);
	ck_assert_int_eq(parse_access(AT "\"\\x16\\x03\\x01\" 400 5", &e), 1);
}
END_TEST

START_TEST(access_no_line)
{
	static const char *const lines[] = {
		"",
		"-",
		"192.0.2.66",
		AT,
		AT "\"GET",
		AT "\"GET / HTTP/1.1\"",
		AT "\"GET / HTTP/1.1\" 99 1",
		AT "\"GET / HTTP/1.1\" 600 1",
		AT "\"GET / HTTP/1.1\" abc 1",
		"host.example - - [22/Nov/2026:02:30:00 +0000] \"x\" 400 1",
		"192.0.2.0/24 - - [22/Nov/2026:02:30:00 +0000] \"x\" 400 1",
		"192.0.2.66 - - [32/Nov/2026:02:30:00 +0000] \"x\" 400 1",
		"192.0.2.66 - - [22/Nov/2026:02:30:00 +9900] \"x\" 400 1",
		"192.0.2.66 - - [22/Nov/2026:02:30:00] \"x\" 400 1",
		"192.0.2.66 - - [22/Nov/9999:02:30:00 +0000] \"x\" 400 1",
		"02:00:00:00:00:01 - - [22/Nov/2026:02:30:00 +0000] \"x\" 400 1",
	};
	struct log_entry e;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert_msg(parse_access(lines[i], &e) == FMP_ERR_SYNTAX, "%s", lines[i]);
}
END_TEST

START_TEST(map_says_otherwise)
{
	static const char *const bad[] = { "",	       "4",	    "40",	"404",
					   "404=",     "404=evil",  "4x4=http", "600=http",
					   "099=http", "4xxx=http", "404 =http" };
	struct log_entry e;

	ck_assert(!access_map_add(&map, "4xx=none"));
	ck_assert(!access_map_add(&map, "404=structure"));
	ck_assert(!access_map_add(&map, "500=good"));
	ck_assert_int_eq(parse_access(AT "\"GET / HTTP/1.1\" 400 0", &e), 0);
	ck_assert_int_eq(parse_access(AT "\"GET / HTTP/1.1\" 499 0", &e), 0);
	ck_assert_int_eq(parse_access(AT "\"GET / HTTP/1.1\" 404 0", &e), 1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_STRUCTURE);
	ck_assert_int_eq(parse_access(AT "\"GET / HTTP/1.1\" 500 0", &e), 1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_GOOD);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(access_map_add(&map, bad[i]) == FMP_ERR_SYNTAX, "%s", bad[i]);
}
END_TEST

static int parse_watch(const char *line, struct log_entry *e)
{
	return watch_parse_line(line, strlen(line), e);
}

START_TEST(watch_tells_of_the_link)
{
	static const struct {
		const char *rest, *line;
	} protected[] = {
		{ "\"addr\":\"192.0.2.2\",\"origin\":\"own\"", "5ms own 192.0.2.2" },
		{ "\"addr\":\"192.0.2.1\",\"origin\":\"gateway\",\"state\":\"new\"",
		  "5ms gateway 192.0.2.1" },
		{ "\"addr\":\"00:00:5e:00:53:0a\",\"origin\":\"access-point\"",
		  "5ms point 00:00:5e:00:53:0a" },
		{ "\"addr\":\"192.0.2.53\",\"origin\":\"resolver\"", "5ms protect 192.0.2.53" },
		{ "\"addr\":\"192.0.2.0/28\",\"origin\":\"manual\"", "5ms protect 192.0.2.0/28" },
		{ "\"addr\":\"192.0.2.67\",\"origin\":\"dhcp\",\"state\":\"gone\"",
		  "5ms gone 192.0.2.67" },
		{ "\"addr\":\"192.0.2.9\",\"origin\":\"policy\"", NULL },
		{ "\"addr\":\"127.0.0.0/8\",\"origin\":\"loopback\"", NULL },
	};
	struct log_entry e;
	char line[512];

	for (size_t i = 0; i < sizeof(protected) / sizeof(protected[0]); i++) {
		snprintf(line, sizeof(line), "{\"record\":\"protected\",%s}", protected[i].rest);
		ck_assert_int_eq(parse_watch(line, &e), protected[i].line != NULL);
		if (!protected[i].line)
			continue;
		log_entry_format(&e, 5, line, sizeof(line));
		ck_assert_str_eq(line, protected[i].line);
	}
	ck_assert_int_eq(parse_watch("{\"record\":\"protected\",\"origin\":\"own\"}", &e),
			 FMP_ERR_SYNTAX);
	ck_assert_int_eq(
		parse_watch("{\"record\":\"event\",\"addr\":\"192.0.2.7\",\"kind\":\"schema\","
			    "\"time_ns\":7,\"mac\":\"00:00:5e:00:53:07\"}",
			    &e),
		1);
	log_entry_format(&e, 5, line, sizeof(line));
	ck_assert_str_eq(line,
			 "5ms event 192.0.2.7 schema unproven mac=00:00:5e:00:53:07 text=\"\"");
	ck_assert_int_eq(
		parse_watch("{\"record\":\"event\",\"addr\":\"192.0.2.7\",\"kind\":\"schema\","
			    "\"time_ns\":7,\"mac\":\"192.0.2.7\"}",
			    &e),
		FMP_ERR_SYNTAX);
}
END_TEST

START_TEST(watch_lines)
{
	struct log_entry e;
	char line[512];

	ck_assert_int_eq(
		parse_watch("{\"record\":\"event\",\"addr\":\"192.0.2.7\",\"kind\":\"schema\","
			    "\"proven\":true,\"dest_port\":8080,\"bytes\":9,\"cpu_ns\":1500000,"
			    "\"time_ns\":77,\"service\":\"orders\",\"detail\":\"say \\\"no\\\"\"}",
			    &e),
		1);
	ck_assert_uint_eq(e.event.kind, FMP_EVENT_SCHEMA);
	ck_assert(e.event.proven);
	ck_assert_uint_eq(e.event.dest_port, 8080);
	ck_assert_uint_eq(e.event.bytes, 9);
	ck_assert_uint_eq(e.event.time_ns, 77);
	/* An override of the policy may match it. */
	ck_assert_str_eq(e.event.service, "orders");
	log_entry_format(&e, 0, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(line, " service=orders "));
	strcpy(e.event.service, "a b");
	log_entry_format(&e, 0, line, sizeof(line));
	ck_assert_ptr_null(strstr(line, "service="));
	ck_assert_int_eq(
		parse_watch(
			"{\"record\":\"decision\",\"addr\":\"192.0.2.0/24\",\"action\":"
			"\"block\",\"manual\":true,\"time_ns\":5,\"duration_ms\":60000,\"layers\":"
			"\"ip mac\",\"reason\":\"x\"}",
			&e),
		1);
	ck_assert_uint_eq(e.what, LOG_BLOCK);
	ck_assert_uint_eq(e.event.time_ns, 5);
	ck_assert_uint_eq(e.layers, FMP_LAYER_BIT(FMP_LAYER_IP) | FMP_LAYER_BIT(FMP_LAYER_MAC));
	ck_assert_int_eq(parse_watch("{\"record\":\"decision\",\"addr\":\"192.0.2.1\",\"action\":"
				     "\"block\",\"manual\":false}",
				     &e),
			 0);
	ck_assert_int_eq(parse_watch("{\"record\":\"gateway\"}", &e), 0);
}
END_TEST

START_TEST(watch_no_line)
{
#define EVENT "{\"record\":\"event\",\"addr\":\"192.0.2.7\",\"kind\":\"schema\","
	static const char *const lines[] = {
		"",
		"{",
		"{}",
		"[]",
		"{\"record\":1}",
		"{\"record\":\"event\"}",
		EVENT "\"time_ns\":-1}",
		EVENT "\"time_ns\":1.5}",
		EVENT "\"time_ns\":\"1\"}",
		EVENT "\"x\":1}",
		EVENT "\"time_ns\":1,\"dest_port\":65536}",
		EVENT "\"time_ns\":1,\"bytes\":4294967296}",
		EVENT "\"time_ns\":99999999999999999999}",
		EVENT "\"time_ns\":1,\"a\":[[[[[[1]]]]]]}",
		"{\"record\":\"event\",\"addr\":\"192.0.2.0/24\",\"kind\":\"schema\",\"time_ns\":1}",
		"{\"record\":\"event\",\"addr\":\"192.0.2.1\",\"kind\":\"evil\",\"time_ns\":1}",
		"{\"record\":\"decision\",\"manual\":true,\"addr\":\"x\",\"action\":\"block\"}",
	};
	struct log_entry e;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert_msg(parse_watch(lines[i], &e) == FMP_ERR_SYNTAX, "%s", lines[i]);
}
END_TEST

/* The player reads each formatted entry; no text in it ends the quotes or the line. */
START_TEST(entries_play)
{
	struct log_entry e = { .event = { .kind = FMP_EVENT_SCHEMA,
					  .dest_port = 8080,
					  .bytes = UINT32_MAX,
					  .cpu_ns = 1 } };
	static const struct fmp_player_ops none = { 0 };
	struct fmp_policy *policy = fmp_policy_default();
	struct fmp_source_info info;
	struct fmp_player *p;
	struct fmp_error err;
	char line[1024];
	size_t n;

	ck_assert(!fmp_addr_parse("192.0.2.7", &e.event.source, NULL));
	snprintf(e.event.detail, sizeof(e.event.detail), "a \"b\" # \n\x1b\xff\xc3");
	n = log_entry_format(&e, 5, line, sizeof(line));
	ck_assert_str_eq(line,
			 "5ms event 192.0.2.7 schema unproven port=8080 bytes=4294967295 cpu=1ms "
			 "text=\"a 'b' # ????\"");
	ck_assert_uint_eq(n, strlen(line));
	ck_assert(!fmp_player_new(policy, 0, "log", &none, NULL, &p, &err));
	ck_assert_msg(!fmp_player_line(p, line, n, &err), "%s", err.message);

	e.event.proven = true;
	memset(e.event.detail, '"', sizeof(e.event.detail) - 1);
	n = log_entry_format(&e, UINT64_C(1) << 50, line, sizeof(line));
	ck_assert_msg(!fmp_player_line(p, line, n, &err), "%s", err.message);
	ck_assert(!fmp_engine_get(fmp_player_engine(p), &e.event.source, 0, &info));
	ck_assert_uint_eq(info.events, 1);
	ck_assert_uint_eq(info.unproven, 1);

	e.what = LOG_BLOCK;
	e.addr = e.event.source;
	e.layers = FMP_LAYERS_ALL;
	e.duration_ms = 60000;
	n = log_entry_format(&e, UINT64_C(1) << 50, line, sizeof(line));
	ck_assert_msg(!fmp_player_line(p, line, n, &err), "%s", err.message);
	e.what = LOG_UNBLOCK;
	n = log_entry_format(&e, UINT64_C(1) << 50, line, sizeof(line));
	ck_assert_msg(!fmp_player_line(p, line, n, &err), "%s", err.message);
	fmp_player_free(p);
	fmp_policy_free(policy);
}
END_TEST

struct lines {
	char text[8][256];
	unsigned n;
};

static int keep_line(const char *text, size_t len, void *ctx, struct fmp_error *err)
{
	struct lines *l = ctx;

	ck_assert_uint_lt(l->n, 8);
	snprintf(l->text[l->n++], sizeof(l->text[0]), "%.*s", (int)len, text);
	return 0;
}

static int read_text(struct log_reader *r, const char *text, struct lines *l, struct fmp_error *err)
{
	char path[] = "/tmp/fmp_test_log_XXXXXX";
	int fd = mkstemp(path), rc;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	r->line = keep_line;
	r->ctx = l;
	rc = log_read(r, path, err);
	unlink(path);
	return rc;
}

START_TEST(reader_keeps_time)
{
	struct log_reader r = { .map = map };
	struct lines l = { 0 };
	struct fmp_error err;
	char moment[32];

	ck_assert(!read_text(&r,
			     "192.0.2.1 - - [22/Nov/2026:02:30:05 +0000] \"a\" 400 1\r\n\n"
			     "192.0.2.1 - - [22/Nov/2026:02:30:01 +0000] \"b\" 400 1\n"
			     "what\n"
			     "192.0.2.1 - - [22/Nov/2026:02:30:07 +0000] \"c\" 404 1\n"
			     "192.0.2.1 - - [22/Nov/2026:02:30:08 +0000] \"d\" 400 1",
			     &l, &err));
	ck_assert_uint_eq(l.n, 3);
	ck_assert_str_eq(l.text[0], "0ms event 192.0.2.1 http text=\"answered 400 to a\"");
	ck_assert_str_eq(l.text[1], "0ms event 192.0.2.1 http text=\"answered 400 to b\"");
	ck_assert_str_eq(l.text[2], "3000ms event 192.0.2.1 http text=\"answered 400 to d\"");
	ck_assert_uint_eq(r.late, 1);
	ck_assert_uint_eq(r.left_out, 1);
	ck_assert_uint_eq(r.not_understood, 1);
	ck_assert_uint_eq(r.first_bad, 4);
	ck_assert_str_eq(log_format_time(&r, 3000, moment, sizeof(moment)), "2026-11-22T02:30:08Z");
}
END_TEST

START_TEST(reader_finds_the_format)
{
	struct log_reader r = { .map = map };
	struct lines l = { 0 };
	struct fmp_error err;

	ck_assert(!read_text(&r, "# mine\n1s event 192.0.2.1 http\n", &l, &err));
	ck_assert_uint_eq(l.n, 2);
	ck_assert_str_eq(l.text[1], "1s event 192.0.2.1 http");
	l.n = 0;
	r = (struct log_reader){ .map = map };
	ck_assert(!read_text(&r, "{\"record\":\"gateway\"}\n", &l, &err));
	ck_assert_uint_eq(r.left_out, 1);
	r = (struct log_reader){ .map = map, .format = LOG_ACCESS };
	ck_assert_int_eq(read_text(&r, "1s event 192.0.2.1 http\n", &l, &err), FMP_ERR_SYNTAX);
	ck_assert_uint_eq(err.line, 1);
	ck_assert_int_eq(log_read(&r, "/nonexistent/x", &err), FMP_ERR_IO);
}
END_TEST

/* Events of one millisecond stay in it; events of two stay in two. */
START_TEST(reader_counts_milliseconds_by_the_clock)
{
#define AT_NS(ns)                                                                                         \
	"{\"record\":\"event\",\"addr\":\"192.0.2.7\",\"kind\":\"http\",\"proven\":true,\"time_ns\":" #ns \
	"}\n"
	struct log_reader r = { .map = map };
	struct lines l = { 0 };
	struct fmp_error err;

	ck_assert(!read_text(&r, AT_NS(1900000) AT_NS(1999999) AT_NS(2000000) AT_NS(2950000), &l,
			     &err));
	ck_assert_uint_eq(l.n, 4);
	ck_assert_int_eq(strncmp(l.text[1], "0ms ", 4), 0);
	ck_assert_int_eq(strncmp(l.text[2], "1ms ", 4), 0);
	ck_assert_int_eq(strncmp(l.text[3], "1ms ", 4), 0);
}
END_TEST

START_TEST(reader_bounds_lines)
{
	static char text[3 * LOG_LINE_MAX];
	struct log_reader r = { .map = map };
	struct lines l = { 0 };
	struct fmp_error err;

	/* Its start alone would be a valid line. */
	strcpy(text, AT "\"a\" 400 1\n" AT "\"x\" 400 1 ");
	memset(text + strlen(text), 'x', 2 * LOG_LINE_MAX);
	strcat(text, "\n" AT "\"b\" 400 1\n");
	ck_assert(!read_text(&r, text, &l, &err));
	ck_assert_uint_eq(l.n, 2);
	ck_assert_uint_eq(r.not_understood, 1);
	ck_assert_uint_eq(r.first_bad, 2);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("log");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, access_common);
	tcase_add_test(tc, access_own);
	tcase_add_test(tc, access_observed);
	tcase_add_test(tc, access_clients_say_nothing);
	tcase_add_test(tc, access_no_line);
	tcase_add_test(tc, map_says_otherwise);
	tcase_add_test(tc, watch_lines);
	tcase_add_test(tc, watch_tells_of_the_link);
	tcase_add_test(tc, watch_no_line);
	tcase_add_test(tc, entries_play);
	tcase_add_test(tc, reader_keeps_time);
	tcase_add_test(tc, reader_finds_the_format);
	tcase_add_test(tc, reader_counts_milliseconds_by_the_clock);
	tcase_add_test(tc, reader_bounds_lines);
	return run_tcase("log", tc);
}
