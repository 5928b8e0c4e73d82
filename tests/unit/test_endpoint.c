// SPDX-License-Identifier: GPL-2.0
/* ADDR:PORT as text, and listening sockets, also before the machine has the address. */
#include <stdio.h>
#include <unistd.h>

#include <fmp/internal/endpoint.h>
#include "run.h"

static const struct {
	const char *text;
	int family; /* 0: refused */
} rows[] = {
	{ "127.0.0.1:0", AF_INET },
	{ "127.0.0.1:65535", AF_INET },
	{ "[::1]:8080", AF_INET6 },
	{ "::1:8080", AF_INET6 },
	{ "", 0 },
	{ ":", 0 },
	{ ":80", 0 },
	{ "127.0.0.1", 0 },
	{ "127.0.0.1:", 0 },
	{ "127.0.0.1:65536", 0 },
	{ "127.0.0.1:99999", 0 },
	{ "127.0.0.1:000080", 0 },
	{ "127.0.0.1:-1", 0 },
	{ "127.0.0.1: 1", 0 },
	{ "127.0.0.1:http", 0 },
	{ "localhost:80", 0 },
	{ "[]:80", 0 },
	{ "[::1:80", 0 },
	{ "1111111111111111111111111111111111111111111111111111111111111111111111:80", 0 },
};

START_TEST(numbers_only)
{
	struct fmp_error err = { 0 };
	struct fmp_endpoint e = { 0 };
	int ret = fmp_endpoint_parse(rows[_i].text, &e, &err);

	ck_assert_msg((ret == 0) == (rows[_i].family != 0), "%s: %s", rows[_i].text, err.message);
	if (ret)
		ck_assert_str_ne(err.message, "");
	else
		ck_assert_int_eq(e.address.ss_family, rows[_i].family);
}
END_TEST

/* No machine has a documentation address. */
START_TEST(listens_before_it_has_the_address)
{
	static const struct {
		const char *text, *bound;
		bool waits;
	} places[] = {
		{ "127.0.0.1:0", "127.0.0.1:", false },
		{ "[::1]:0", "[::1]:", false },
		{ "192.0.2.77:0", "192.0.2.77:", true },
		{ "[2001:db8::7]:0", "[2001:db8::7]:", true },
	};
	struct fmp_error err = { 0 };
	struct fmp_endpoint e = { 0 };
	char text[80];
	bool waits;
	int fd;

	ck_assert_int_eq(fmp_endpoint_parse(places[_i].text, &e, &err), 0);
	fd = fmp_endpoint_listen(&e, SOCK_NONBLOCK, &waits, &err);
	ck_assert_msg(fd >= 0, "%s: %s", places[_i].text, err.message);
	ck_assert(waits == places[_i].waits);
	ck_assert(fmp_endpoint_format(fd, text, sizeof(text)));
	ck_assert_msg(strncmp(text, places[_i].bound, strlen(places[_i].bound)) == 0, "%s", text);
	ck_assert_str_ne(strrchr(text, ':'), ":0");
	/* A port in use is reported. */
	ck_assert_int_eq(fmp_endpoint_parse(text, &e, &err), 0);
	ck_assert_int_eq(fmp_endpoint_listen(&e, 0, &waits, &err), FMP_ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.message, "can't listen"));
	close(fd);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("endpoint");

	tcase_add_loop_test(tc, numbers_only, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_loop_test(tc, listens_before_it_has_the_address, 0, 4);
	return run_tcase("endpoint", tc);
}
