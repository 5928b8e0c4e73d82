// SPDX-License-Identifier: GPL-2.0
/* The control protocol: requests as fmpd takes them, records as fmpctl takes them, the client. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <fmp/control.h>
#include <fmp/decision.h>

#include "../../daemon/fmpctl/lib/record.h"
#include "../../daemon/fmpd/control/request.h"

static struct fmp_addr parse_address(const char *text)
{
	struct fmp_addr a;

	ck_assert_int_eq(fmp_addr_parse(text, &a, NULL), 0);
	return a;
}

/* ---- the field table ---- */

START_TEST(every_field_has_a_row)
{
	for (uint16_t id = 1; id < FMP_F_MAX; id++) {
		const struct fmp_ctl_field_info *info = fmp_ctl_field_info(id);

		ck_assert_msg(info != NULL, "field %u has no row", id);
		ck_assert_uint_eq(info->id, id);
		ck_assert_uint_gt(strlen(info->label), 0);
		for (const char *p = info->name; *p; p++)
			ck_assert_msg(*p == '_' || (*p >= 'a' && *p <= 'z') ||
					      (p > info->name && *p >= '0' && *p <= '9'),
				      "%s", info->name);
		for (uint16_t other = 1; other < id; other++)
			ck_assert_str_ne(info->name, fmp_ctl_field_info(other)->name);
	}
	ck_assert_ptr_null(fmp_ctl_field_info(0));
	ck_assert_ptr_null(fmp_ctl_field_info(FMP_F_MAX));
}
END_TEST

/* ---- requests ---- */

static size_t block_request(uint8_t *buf, size_t cap)
{
	struct fmp_addr a = parse_address("2001:db8:1::/64");
	struct fmp_wire_out w;

	fmp_wire_begin(&w, buf, cap, FMP_CTL_BLOCK);
	fmp_wire_put_addr(&w, FMP_F_ADDR, &a);
	fmp_wire_put_u64(&w, FMP_F_DURATION_MS, 600000);
	fmp_wire_put_str(&w, FMP_F_LAYERS, "ip premac");
	fmp_wire_put_str(&w, FMP_F_REASON, "seen\x1b in the log");
	ck_assert_int_eq(fmp_wire_end(&w), 0);
	return w.len;
}

static int decode_request(const uint8_t *buf, size_t len, struct fmpd_request *r)
{
	struct fmp_wire_in in;
	size_t used;
	int rc = fmp_wire_parse(buf, len, FMP_WIRE_MAX, &in, &used);

	return rc ? rc : fmpd_request_decode(&in, r, NULL);
}

START_TEST(request_round_trip)
{
	struct fmp_addr want = parse_address("2001:db8:1::/64");
	struct fmpd_request r;
	uint8_t buf[256];
	size_t len = block_request(buf, sizeof(buf));

	ck_assert_int_eq(decode_request(buf, len, &r), 0);
	ck_assert_uint_eq(r.type, FMP_CTL_BLOCK);
	ck_assert(fmp_addr_equal(&r.addr, &want));
	ck_assert(r.has_duration);
	ck_assert_uint_eq(r.duration_ms, 600000);
	ck_assert(r.has_layers);
	ck_assert_uint_eq(r.layers, FMP_LAYER_BIT(FMP_LAYER_IP) | FMP_LAYER_BIT(FMP_LAYER_PREMAC));
	ck_assert_str_eq(r.reason, "seen? in the log");
}
END_TEST

/* Cut at any byte: bytes are missing; cut and the length made to fit: refused, or whole fields. */
START_TEST(request_truncated_everywhere)
{
	struct fmpd_request r;
	uint8_t buf[256];
	size_t len = block_request(buf, sizeof(buf));

	for (size_t cut = 0; cut < len; cut++) {
		uint8_t *copy = malloc(cut ? cut : 1);
		int rc;

		memcpy(copy, buf, cut);
		ck_assert_int_eq(decode_request(copy, cut, &r), FMP_ERR_AGAIN);
		if (cut >= FMP_WIRE_HEADER) {
			copy[2] = (uint8_t)((cut - 4) >> 8);
			copy[3] = (uint8_t)(cut - 4);
			rc = decode_request(copy, cut, &r);
			ck_assert(rc == FMP_ERR_SYNTAX || rc == FMP_ERR_INVALID || !rc);
			if (!rc)
				ck_assert_uint_eq(r.addr.family, FMP_FAMILY_IPV6);
		}
		free(copy);
	}
}
END_TEST

START_TEST(request_bent_everywhere)
{
	struct fmpd_request r;
	uint8_t buf[256], bent[256];
	size_t len = block_request(buf, sizeof(buf));

	for (size_t at = 0; at < len; at++) {
		for (unsigned v = 0; v < 256; v++) {
			memcpy(bent, buf, len);
			bent[at] = (uint8_t)v;
			if (decode_request(bent, len, &r))
				continue;
			ck_assert_uint_lt(strlen(r.reason), sizeof(r.reason));
			ck_assert_uint_le(r.layers, FMP_LAYERS_ALL);
		}
	}
}
END_TEST

static int decode_fields(uint16_t type, void (*put)(struct fmp_wire_out *w))
{
	struct fmpd_request r;
	struct fmp_wire_out w;
	uint8_t buf[1024];

	fmp_wire_begin(&w, buf, sizeof(buf), type);
	if (put)
		put(&w);
	ck_assert_int_eq(fmp_wire_end(&w), 0);
	return decode_request(buf, w.len, &r);
}

static void put_relative(struct fmp_wire_out *w)
{
	fmp_wire_put_str(w, FMP_F_FILE, "policy.xml");
}

static void put_absolute(struct fmp_wire_out *w)
{
	fmp_wire_put_str(w, FMP_F_FILE, "/etc/fmp/policy.xml");
}

static void put_long_reason(struct fmp_wire_out *w)
{
	struct fmp_addr a = parse_address("192.0.2.1");
	char text[161];

	memset(text, 'x', sizeof(text));
	text[160] = '\0';
	fmp_wire_put_addr(w, FMP_F_ADDR, &a);
	fmp_wire_put_str(w, FMP_F_REASON, text);
}

static void put_address_twice(struct fmp_wire_out *w)
{
	struct fmp_addr a = parse_address("192.0.2.1"), b = parse_address("192.0.2.2");

	fmp_wire_put_addr(w, FMP_F_ADDR, &a);
	fmp_wire_put_addr(w, FMP_F_ADDR, &b);
}

static void put_no_layer(struct fmp_wire_out *w)
{
	struct fmp_addr a = parse_address("192.0.2.1");

	fmp_wire_put_addr(w, FMP_F_ADDR, &a);
	fmp_wire_put_str(w, FMP_F_LAYERS, "none");
}

static void put_ages(struct fmp_wire_out *w)
{
	struct fmp_addr a = parse_address("192.0.2.1");

	fmp_wire_put_addr(w, FMP_F_ADDR, &a);
	fmp_wire_put_u64(w, FMP_F_DURATION_MS, UINT64_MAX);
}

static void put_newer(struct fmp_wire_out *w)
{
	fmp_wire_put_str(w, 60000, "a field of a newer client");
}

static void put_verify(struct fmp_wire_out *w)
{
	fmp_wire_put_u64(w, FMP_F_VERIFY, 1);
}

static void put_verify_two(struct fmp_wire_out *w)
{
	fmp_wire_put_u64(w, FMP_F_VERIFY, 2);
}

START_TEST(request_refusals)
{
	ck_assert_int_eq(decode_fields(FMP_CTL_STATUS, NULL), 0);
	ck_assert_int_eq(decode_fields(FMP_CTL_STATUS, put_verify), 0);
	ck_assert_int_eq(decode_fields(FMP_CTL_STATUS, put_verify_two), FMP_ERR_SYNTAX);
	ck_assert_int_eq(decode_fields(FMP_CTL_STATUS, put_newer), 0);
	ck_assert_int_eq(decode_fields(0x02ff, NULL), FMP_ERR_UNSUPPORTED);
	ck_assert_int_eq(decode_fields(FMP_CTL_WHY, NULL), FMP_ERR_INVALID);
	ck_assert_int_eq(decode_fields(FMP_CTL_POLICY_RELOAD, NULL), 0);
	ck_assert_int_eq(decode_fields(FMP_CTL_POLICY_RELOAD, put_absolute), 0);
	ck_assert_int_eq(decode_fields(FMP_CTL_POLICY_RELOAD, put_relative), FMP_ERR_INVALID);
	ck_assert_int_eq(decode_fields(FMP_CTL_BLOCK, put_no_layer), FMP_ERR_INVALID);
	ck_assert_int_eq(decode_fields(FMP_CTL_BLOCK, put_ages), FMP_ERR_INVALID);
	ck_assert_int_eq(decode_fields(FMP_CTL_BLOCK, put_long_reason), FMP_ERR_SYNTAX);
	ck_assert_int_eq(decode_fields(FMP_CTL_BLOCK, put_address_twice), FMP_ERR_SYNTAX);
	ck_assert_int_eq(decode_fields(FMP_MSG_EVENT, NULL), FMP_ERR_SYNTAX);
}
END_TEST

/* ---- records ---- */

static size_t sample_record(uint8_t *buf, size_t cap)
{
	struct fmp_addr a = parse_address("192.0.2.7");
	struct fmp_wire_out w;

	fmp_wire_begin(&w, buf, cap, FMP_CTL_RECORD);
	fmp_wire_put_str(&w, FMP_F_RECORD, "decision");
	fmp_wire_put_addr(&w, FMP_F_ADDR, &a);
	fmp_wire_put_u64(&w, FMP_F_LEFT_MS, 90000);
	fmp_wire_put_u64(&w, FMP_F_ENFORCEMENT_RATIO, 500000);
	fmp_wire_put_u64(&w, FMP_F_MANUAL, 1);
	fmp_wire_put_u64(&w, FMP_F_STOPPED_BYTES, 1536);
	fmp_wire_put_str(&w, FMP_F_REASON, "quote \" and \x1b and \xff");
	fmp_wire_put_u64(&w, 60000, 7);
	ck_assert_int_eq(fmp_wire_end(&w), 0);
	return w.len;
}

START_TEST(record_text_and_json)
{
	struct fmp_wire_in in;
	struct record r;
	uint8_t buf[512];
	char text[128];
	size_t used, len = sample_record(buf, sizeof(buf));
	struct json_object *o;

	ck_assert_int_eq(fmp_wire_parse(buf, len, FMP_WIRE_MAX, &in, &used), 0);
	ck_assert_int_eq(record_decode(&in, &r), 0);
	ck_assert(record_is(&r, "decision"));
	ck_assert(!record_has(&r, FMP_F_MAC));
	ck_assert_str_eq(record_text(&r, FMP_F_MAC, text, sizeof(text)), "");
	ck_assert_str_eq(record_text(&r, FMP_F_ADDR, text, sizeof(text)), "192.0.2.7");
	ck_assert_str_eq(record_text(&r, FMP_F_LEFT_MS, text, sizeof(text)), "1min30s");
	ck_assert_str_eq(record_text(&r, FMP_F_ENFORCEMENT_RATIO, text, sizeof(text)), "50 %");
	ck_assert_str_eq(record_text(&r, FMP_F_MANUAL, text, sizeof(text)), "yes");
	ck_assert_str_eq(record_text(&r, FMP_F_STOPPED_BYTES, text, sizeof(text)), "1.5 KiB");
	o = record_json(&r);
	ck_assert_str_eq(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN),
			 "{\"record\":\"decision\",\"addr\":\"192.0.2.7\",\"left_ms\":90000,"
			 "\"reason\":\"quote \\\" and ? and ?\",\"manual\":true,"
			 "\"enforcement_ratio\":0.5,\"stopped_bytes\":1536}");
	json_object_put(o);
	record_free(&r);
}
END_TEST

START_TEST(record_truncated_everywhere)
{
	struct fmp_wire_in in;
	struct record r;
	uint8_t buf[512];
	size_t used, len = sample_record(buf, sizeof(buf));

	for (size_t cut = FMP_WIRE_HEADER; cut < len; cut++) {
		uint8_t *copy = malloc(cut);
		int rc;

		memcpy(copy, buf, cut);
		copy[2] = (uint8_t)((cut - 4) >> 8);
		copy[3] = (uint8_t)(cut - 4);
		ck_assert_int_eq(fmp_wire_parse(copy, cut, FMP_WIRE_MAX, &in, &used), 0);
		rc = record_decode(&in, &r);
		ck_assert(rc == FMP_ERR_SYNTAX || !rc);
		if (!rc)
			record_free(&r);
		free(copy);
	}
}
END_TEST

/* ---- the client ---- */

static char socket_path[64];

/* A server that accepts one client and hands out its end. */
static int accept_client(struct fmp_client **client)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), fd;

	snprintf(socket_path, sizeof(socket_path), "/tmp/fmp-test-%d", (int)getpid());
	unlink(socket_path);
	memcpy(sun.sun_path, socket_path, sizeof(socket_path));
	ck_assert_int_eq(bind(listener, (struct sockaddr *)&sun, sizeof(sun)), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	ck_assert_int_eq(fmp_client_open(socket_path, client, NULL), 0);
	fd = accept(listener, NULL, NULL);
	ck_assert_int_ge(fd, 0);
	close(listener);
	unlink(socket_path);
	return fd;
}

START_TEST(client_takes_messages_byte_by_byte)
{
	struct fmp_client *c;
	struct fmp_wire_in in;
	uint8_t buf[512];
	size_t len = sample_record(buf, sizeof(buf));
	int fd = accept_client(&c);

	/* Two messages in one stream, the second one cut off. */
	for (size_t i = 0; i + 1 < len; i++) {
		ck_assert_int_eq((int)write(fd, buf + i, 1), 1);
		ck_assert_int_eq(fmp_client_receive(c, 0, &in, NULL), FMP_ERR_AGAIN);
	}
	ck_assert_int_eq((int)write(fd, buf + len - 1, 1), 1);
	ck_assert_int_eq((int)write(fd, buf, len - 1), (int)len - 1);
	ck_assert_int_eq(fmp_client_receive(c, 1000, &in, NULL), 0);
	ck_assert_uint_eq(in.type, FMP_CTL_RECORD);
	close(fd);
	ck_assert_int_eq(fmp_client_receive(c, 1000, &in, NULL), FMP_ERR_CLOSED);
	fmp_client_close(c);
}
END_TEST

START_TEST(client_refuses_nonsense)
{
	static const uint8_t too_long[] = { 0xff, 0xff, 0xff, 0xff, 0, 0 };
	struct fmp_client *c;
	struct fmp_wire_in in;
	struct fmp_error err;
	int fd = accept_client(&c);

	ck_assert_int_eq((int)write(fd, too_long, sizeof(too_long)), (int)sizeof(too_long));
	ck_assert_int_eq(fmp_client_receive(c, 1000, &in, NULL), FMP_ERR_SYNTAX);
	close(fd);
	fmp_client_close(c);
	ck_assert_int_eq(fmp_client_open("/nonexistent/socket", &c, &err), FMP_ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent/socket"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("control");
	TCase *tc = tcase_create("control");
	SRunner *sr;
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, every_field_has_a_row);
	tcase_add_test(tc, request_round_trip);
	tcase_add_test(tc, request_truncated_everywhere);
	tcase_add_test(tc, request_bent_everywhere);
	tcase_add_test(tc, request_refusals);
	tcase_add_test(tc, record_text_and_json);
	tcase_add_test(tc, record_truncated_everywhere);
	tcase_add_test(tc, client_takes_messages_byte_by_byte);
	tcase_add_test(tc, client_refuses_nonsense);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
