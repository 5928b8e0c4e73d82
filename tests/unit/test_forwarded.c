// SPDX-License-Identifier: GPL-2.0
/* What proxies tell of their clients: PROXY protocol version 2, X-Forwarded-For. */
#include <string.h>

#include <fmp/internal/forwarded.h>
#include "run.h"

#define SIGNATURE "\r\n\r\n\0\r\nQUIT\n"
#define TCP4	  SIGNATURE "\x21\x11"
#define TCP6	  SIGNATURE "\x21\x21"
#define ADDR4	  "\xc0\x00\x02\x42\xc6\x33\x64\x01\xd4\x31\x00\x50" /* 192.0.2.66:54321 to port 80 */

static struct fmp_forwarded_client client;

/* Return: NULL, or what is wrong; "length" where the head says so. */
static const char *parse_header(const char *text, size_t n)
{
	/* Exactly as long: a sanitizer sees a byte too far. */
	uint8_t *bytes = malloc(n);
	const char *why = "length";

	memcpy(bytes, text, n);
	if (fmp_proxy_protocol_length(bytes)) {
		ck_assert_uint_eq(fmp_proxy_protocol_length(bytes), n);
		why = fmp_proxy_protocol_parse(bytes, n, &client);
	}
	free(bytes);
	return why;
}

#define PARSE(text) parse_header(text, sizeof(text) - 1)

static void is_client(const char *address, unsigned port)
{
	char text[FMP_ADDR_STRLEN];

	ck_assert_str_eq(fmp_addr_format(&client.source, text, sizeof(text)), address);
	ck_assert_uint_eq(client.source_port, port);
}

START_TEST(header_is_read)
{
	ck_assert_ptr_null(PARSE(TCP4 "\x00\x0c" ADDR4));
	is_client("192.0.2.66", 54321);
	/* With a field behind the addresses (type, length, value). */
	ck_assert_ptr_null(PARSE(TCP4 "\x00\x11" ADDR4 "\x04\x00\x02xy"));
	is_client("192.0.2.66", 54321);
	ck_assert_ptr_null(PARSE(TCP6 "\x00\x24"
				      "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01"
				      "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x02"
				      "\x00\x07\x00\x50"));
	is_client("2001:db8::1", 7);
	/* One machine is one source, however it is written. */
	ck_assert_ptr_null(PARSE(TCP6 "\x00\x24"
				      "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\x00\x02\x01"
				      "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\x00\x02\x02"
				      "\x00\x07\x00\x50"));
	is_client("192.0.2.1", 7);
	/* The proxy speaks for itself, whatever follows. */
	ck_assert_ptr_null(PARSE(SIGNATURE "\x20\x00\x00\x00"));
	ck_assert_uint_eq(client.source.family, 0);
	ck_assert_ptr_null(PARSE(SIGNATURE "\x20\x11\x00\x03zzz"));
	ck_assert_uint_eq(client.source.family, 0);
}
END_TEST

START_TEST(bent_header_is_refused)
{
	uint8_t head[FMP_PROXY_PROTOCOL_HEAD] = SIGNATURE;

	ck_assert_str_eq(PARSE("POST / HTTP/1.1\r\n"), "length");
	ck_assert_str_eq(PARSE("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n"), "length");
	ck_assert_ptr_nonnull(PARSE(SIGNATURE "\x11\x11\x00\x0c" ADDR4)); /* version 1 */
	ck_assert_ptr_nonnull(PARSE(SIGNATURE "\x22\x11\x00\x0c" ADDR4)); /* command 2 */
	ck_assert_ptr_nonnull(PARSE(SIGNATURE "\x21\x12\x00\x0c" ADDR4)); /* UDP */
	ck_assert_ptr_nonnull(PARSE(SIGNATURE "\x21\x00\x00\x0c" ADDR4)); /* unspecified */
	ck_assert_ptr_nonnull(PARSE(SIGNATURE "\x21\x31\x00\x0c" ADDR4)); /* a path */
	ck_assert_ptr_nonnull(PARSE(TCP6 "\x00\x0c" ADDR4));
	ck_assert_ptr_nonnull(PARSE(TCP4 "\x00\x0b\xc0\x00\x02\x42\xc6\x33\x64\x01\xd4\x31\x00"));
	ck_assert_ptr_nonnull(PARSE(TCP4 "\x00\x11" ADDR4 "\x04\x00\x03xy"));
	ck_assert_ptr_nonnull(PARSE(TCP4 "\x00\x0e" ADDR4 "\x04\x00"));
	/* Version 1 is text, and is refused before its addresses are read. */
	ck_assert_str_eq(PARSE("PROXY TCP6 ::1/64 ::1 1 2\r\n"), "length");
	ck_assert_str_eq(PARSE("PROXY UNKNOWN\r\n\r\n\0\r\nQUIT\n"), "length");
	head[14] = 0x03;
	head[15] = 0xf0;
	ck_assert_uint_eq(fmp_proxy_protocol_length(head), FMP_PROXY_PROTOCOL_MAX);
	head[15] = 0xf1;
	ck_assert_uint_eq(fmp_proxy_protocol_length(head), 0);
	head[14] = head[15] = 0xff;
	ck_assert_uint_eq(fmp_proxy_protocol_length(head), 0);
}
END_TEST

/* Return: is the source taken? Nothing of one that is not stays behind: it goes into events. */
static bool takes_source(uint8_t over, const void *source, size_t n)
{
	uint8_t bytes[FMP_PROXY_PROTOCOL_HEAD + 36] = SIGNATURE "\x21";

	bytes[13] = over;
	bytes[15] = (uint8_t)(2 * n + 4);
	memcpy(bytes + FMP_PROXY_PROTOCOL_HEAD, source, n);
	bytes[FMP_PROXY_PROTOCOL_HEAD + n] = 1;
	memset(&client, 0xee, sizeof(client));
	if (!fmp_proxy_protocol_parse(bytes, FMP_PROXY_PROTOCOL_HEAD + 2 * n + 4, &client))
		return fmp_addr_is_source(&client.source);
	ck_assert_uint_eq(client.source.family, 0);
	return false;
}

START_TEST(header_names_a_host)
{
	static const char *const none4[] = { "\0\0\0\0", "\xff\xff\xff\xff", "\xe0\0\0\1",
					     "\xef\xff\xff\xfa" };
	static const char *const none6[] = {
		"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", /* :: */
		"\xff\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\1", /* ff02::1 */
		"\0\0\0\0\0\0\0\0\0\0\xff\xff\0\0\0\0", /* ::ffff:0.0.0.0 */
		"\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff",
		"\0\0\0\0\0\0\0\0\0\0\xff\xff\xe0\0\0\1",
	};

	for (size_t i = 0; i < sizeof(none4) / sizeof(*none4); i++)
		ck_assert(!takes_source(0x11, none4[i], 4));
	for (size_t i = 0; i < sizeof(none6) / sizeof(*none6); i++)
		ck_assert(!takes_source(0x21, none6[i], 16));
	ck_assert(takes_source(0x11, "\xc0\0\2\1", 4));
	ck_assert(takes_source(0x21, "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16));
}
END_TEST

static struct fmp_policy_gateway gateway;

static void list_proxies(void)
{
	ck_assert(!fmp_addr_parse("192.0.2.0/28", &gateway.proxies[0].address, NULL));
	ck_assert(!fmp_addr_parse("2001:db8::5", &gateway.proxies[1].address, NULL));
	gateway.n_proxies = 2;
}

static void check_forwarded(const char *list, const char *expected)
{
	char text[FMP_ADDR_STRLEN] = "refused";
	struct fmp_addr a = { .family = 0 };

	/* What is refused leaves nothing behind: the address goes into events, and fmpd takes no prefix there. */
	if (fmp_forwarded_for(&gateway, list, &a))
		fmp_addr_format(&a, text, sizeof(text));
	else
		ck_assert_uint_eq(a.family, 0);
	ck_assert_msg(!strcmp(text, expected), "\"%s\": %s, not %s", list, text, expected);
}

START_TEST(last_that_is_no_proxy_counts)
{
	check_forwarded("198.51.100.1", "198.51.100.1");
	check_forwarded("10.9.9.9, 198.51.100.1", "198.51.100.1");
	check_forwarded("10.9.9.9,198.51.100.1 ,\t192.0.2.7,2001:db8::5", "198.51.100.1");
	check_forwarded("192.0.2.3, 192.0.2.4", "192.0.2.3");
	check_forwarded("198.51.100.1:4711", "198.51.100.1");
	check_forwarded("2001:db8::77", "2001:db8::77");
	check_forwarded("[2001:db8::77]", "2001:db8::77");
	check_forwarded("[2001:db8::77]:443", "2001:db8::77");
	check_forwarded("::ffff:198.51.100.2", "198.51.100.2");
	check_forwarded("::ffff:c633:6402", "198.51.100.2");
	check_forwarded("[::ffff:198.51.100.2]:1", "198.51.100.2");
	check_forwarded("198.51.100.1:65535", "198.51.100.1");
	/* Apache writes the zone of a link-local client: it is the same client without. */
	check_forwarded("fe80::1%wlan0", "fe80::1");
	check_forwarded("[fe80::1%br-lan.100]:443", "fe80::1");
	check_forwarded("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1");
	check_forwarded("[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255%0123456789abcde]:65535",
			"refused");
	check_forwarded("[feff:ffff:ffff:ffff:ffff:ffff:255.255.255.255%0123456789abcde]:65535",
			"feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
	/* What the client itself wrote in front is never looked at. */
	check_forwarded("garbage, 198.51.100.1", "198.51.100.1");
}
END_TEST

START_TEST(no_address_is_refused)
{
	static const char *const bent[] = {
		"", ",", "198.51.100.1,", "unknown", "_hidden", "198.51.100.1/24", "9.0.0.0/8",
		"2001:db8::/32, 192.0.2.7", "02:00:5e:00:53:01", "198.51.100.1 192.0.2.77",
		"198.51.100", "[2001:db8::1", "[2001:db8::1]x", "garbage, 192.0.2.7",
		/* ports */
		"198.51.100.1:", "198.51.100.1:65536", "198.51.100.1:4x", "198.51.100.1:-1",
		"198.51.100.1:000080", ":80", "[2001:db8::1]:", "[2001:db8::1]:http",
		"[2001:db8::1]80",
		/* brackets */
		"[]", "[", "]", "[[2001:db8::1]]", "2001:db8::1]", "[2001:db8::/32]",
		/* zones */
		"fe80::1%", "fe80::1%wlan0%1", "fe80::1%averyveryverylongdevice",
		"198.51.100.1%wlan0",
		/* of nobody */
		"0.0.0.0", "::", "::ffff:0.0.0.0", "[::]:80", "255.255.255.255", "224.0.0.1",
		"ff02::1", "0.0.0.0/0", "::/0", "::ffff:0:0/96", "192.0.2.0/28, 192.0.2.7",
		/* other ways to write */
		"198.51.100.01", "0xc6336401", "3325256705", "198.51.100.1.", "2001:db8:::1",
		"1:2:3:4:5:6:7:8:9", "\"198.51.100.1\"", "for=198.51.100.1",
		"198.51.100.1\t192.0.2.7",
		"198.51.100.1.198.51.100.1.198.51.100.1.198.51.100.1."
		"198.51.100.1.198.51.100.1"
	};

	for (size_t i = 0; i < sizeof(bent) / sizeof(*bent); i++)
		check_forwarded(bent[i], "refused");
}
END_TEST

START_TEST(longest_prefix_counts)
{
	struct fmp_addr a;

	ck_assert(!fmp_addr_parse("192.0.2.9", &gateway.proxies[2].address, NULL));
	gateway.proxies[2].tells = FMP_PROXY_FORWARDED_FOR;
	gateway.n_proxies = 3;
	ck_assert(!fmp_addr_parse("192.0.2.9", &a, NULL));
	ck_assert_ptr_eq(fmp_forwarded_find_proxy(&gateway, &a), &gateway.proxies[2]);
	ck_assert(!fmp_addr_parse("192.0.2.8", &a, NULL));
	ck_assert_ptr_eq(fmp_forwarded_find_proxy(&gateway, &a), &gateway.proxies[0]);
	ck_assert(!fmp_addr_parse("192.0.2.77", &a, NULL));
	ck_assert_ptr_null(fmp_forwarded_find_proxy(&gateway, &a));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("proxy");

	tcase_add_checked_fixture(tc, list_proxies, NULL);
	tcase_add_test(tc, header_is_read);
	tcase_add_test(tc, bent_header_is_refused);
	tcase_add_test(tc, header_names_a_host);
	tcase_add_test(tc, last_that_is_no_proxy_counts);
	tcase_add_test(tc, no_address_is_refused);
	tcase_add_test(tc, longest_prefix_counts);
	return run_tcase("proxy", tc);
}
