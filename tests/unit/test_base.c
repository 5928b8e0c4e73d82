// SPDX-License-Identifier: GPL-2.0
/* libfmp/base: errors, source keys. */
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include <fmp/error.h>
#include <fmp/source.h>

#include "addr.h"

/* ---- error ---- */

START_TEST(error_formats_only_what_is_known)
{
	struct fmp_error err;
	char buf[600];

	ck_assert_int_eq(fmp_error_at(&err, FMP_ERR_SCHEMA, "p.xml", 3, 7, "no \"%s\"", "x"),
			 FMP_ERR_SCHEMA);
	ck_assert_str_eq(fmp_error_format(&err, buf, sizeof(buf)), "p.xml:3:7: no \"x\"");
	(void)fmp_error_at(&err, FMP_ERR_SCHEMA, "p.xml", 3, 0, "m");
	ck_assert_str_eq(fmp_error_format(&err, buf, sizeof(buf)), "p.xml:3: m");
	(void)fmp_error_at(&err, FMP_ERR_SCHEMA, "p.xml", 0, 7, "m");
	ck_assert_str_eq(fmp_error_format(&err, buf, sizeof(buf)), "p.xml: m");
	(void)fmp_error_at(&err, FMP_ERR_SCHEMA, NULL, 4, 7, "m");
	ck_assert_str_eq(fmp_error_format(&err, buf, sizeof(buf)), "4:7: m");
	(void)fmp_error_set(&err, FMP_ERR_LIMIT, "m");
	ck_assert_str_eq(fmp_error_format(&err, buf, sizeof(buf)), "m");
	ck_assert_str_eq(fmp_error_format(&(struct fmp_error){ .code = FMP_ERR_LIMIT }, buf, 4),
			 "lim");
}
END_TEST

START_TEST(error_is_one_line_and_says_errno)
{
	struct fmp_error err;

	ck_assert_int_eq(fmp_error_set(&err, FMP_ERR_SYNTAX, "a\nb\r\n\n"), FMP_ERR_SYNTAX);
	ck_assert_str_eq(err.message, "a b");
	ck_assert_int_eq(fmp_error_sys(&err, FMP_ERR_IO, ENOENT, "open %s", "f"), FMP_ERR_IO);
	ck_assert_str_eq(err.message, "open f: No such file or directory");
	ck_assert_int_eq(err.sys_errno, ENOENT);
	/* Wrapping its own message must not read what it overwrites. */
	(void)fmp_error_set(&err, FMP_ERR_IO, "first");
	(void)fmp_error_at(&err, FMP_ERR_IO, err.file, 1, 0, "again: %s", err.message);
	ck_assert_str_eq(err.message, "again: first");
	ck_assert_int_eq(fmp_error_set(NULL, FMP_ERR_IO, "x"), FMP_ERR_IO);
	ck_assert_int_eq(fmp_error_sys(NULL, FMP_ERR_IO, 1, "x"), FMP_ERR_IO);
	ck_assert_int_eq(fmp_error_at(NULL, FMP_ERR_IO, "f", 1, 1, "x"), FMP_ERR_IO);
}
END_TEST

START_TEST(error_cuts_what_is_too_long)
{
	struct fmp_error err;
	char big[2000];

	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	(void)fmp_error_sys(&err, FMP_ERR_IO, EPERM, "%s", big);
	ck_assert_uint_eq(strlen(err.message), sizeof(err.message) - 1);
	(void)fmp_error_at(&err, FMP_ERR_IO, big, 1, 1, "m");
	ck_assert_uint_eq(strlen(err.file), sizeof(err.file) - 1);
}
END_TEST

START_TEST(code_names_are_distinct)
{
	for (int a = 0; a >= FMP_ERR_AGAIN; a--) {
		ck_assert_str_ne(fmp_code_name(a), "unknown");
		for (int b = a - 1; b >= FMP_ERR_AGAIN; b--)
			ck_assert_str_ne(fmp_code_name(a), fmp_code_name(b));
	}
	ck_assert_str_eq(fmp_code_name(1), "unknown");
	ck_assert_str_eq(fmp_code_name(FMP_ERR_AGAIN - 1), "unknown");
	ck_assert_str_eq(fmp_code_name(-2147483647 - 1), "unknown");
}
END_TEST

/* ---- source ---- */

static const struct {
	const char *in, *out;
} good_addr[] = {
	{ "192.0.2.1", "192.0.2.1" },
	{ "0.0.0.0/0", "0.0.0.0/0" },
	{ "192.0.2.0/24", "192.0.2.0/24" },
	{ "192.0.2.1/32", "192.0.2.1" },
	{ "2001:DB8::1", "2001:db8::1" },
	{ "2001:db8::/64", "2001:db8::/64" },
	{ "::", "::" },
	{ "::/0", "::/0" },
	{ "2001:db8:1234:5678:9abc:def0:1234:5678/128", "2001:db8:1234:5678:9abc:def0:1234:5678" },
	{ "::ffff:192.0.2.1", "192.0.2.1" },
	{ "::ffff:192.0.2.0/120", "192.0.2.0/24" },
	{ "fe80::1%wlan0", "fe80::1" },
	{ "fe80::1%3", "fe80::1" },
	{ "fe80::%br-lan.100/64", "fe80::/64" },
	{ "2001:db8:1234:5678:9abc:def0:255.255.255.255%0123456789abcde/128",
	  "2001:db8:1234:5678:9abc:def0:ffff:ffff" },
	{ "::ffff:192.0.2.1%eth0", "192.0.2.1" },
	{ "02:00:5E:00:53:01", "02:00:5e:00:53:01" },
};

START_TEST(addr_round_trip)
{
	char buf[FMP_ADDR_STRLEN];
	struct fmp_addr a = addr(good_addr[_i].in), again;

	ck_assert_str_eq(fmp_addr_format(&a, buf, sizeof(buf)), good_addr[_i].out);
	again = addr(buf);
	ck_assert(fmp_addr_equal(&a, &again));
	ck_assert_uint_eq(fmp_addr_hash(&a, 7), fmp_addr_hash(&again, 7));
}
END_TEST

static const char *const bad_addr[] = {
	"",
	"/",
	"/24",
	"192.0.2",
	"192.0.2.1.1",
	"192.0.2.256",
	"192.0.2.01",
	" 192.0.2.1",
	"192.0.2.1 ",
	"192.0.2.1/",
	"192.0.2.1/33",
	"192.0.2.1/24",
	"192.0.2.0/024",
	"192.0.2.0/+24",
	"192.0.2.0/-1",
	"192.0.2.0/24x",
	"192.0.2.0/24/24",
	"192.0.2.0/4294967320",
	"2001:db8::1/64",
	"2001:db8::/129",
	"fe80::1%",
	"%eth0",
	"fe80::1%eth0%1",
	"fe80::1%a b",
	"fe80::1%eth:0",
	"fe80::1%\x01",
	"fe80::1%0123456789abcdef", /* longer than a device's name */
	"fe80::1%eth0/64", /* bits behind the prefix */
	"192.0.2.1%eth0",
	"02:00:5e:00:53:01%eth0",
	":::",
	"1:2:3:4:5:6:7:8:9",
	"02:00:5e:00:53",
	"02:00:5e:00:53:1",
	"02:00:5e:00:53:0g",
	"02:00:5e:00:53:01:",
	"02-00-5e-00-53-01",
	"02:00:5e:00:53:01/24",
	"none",
	"host.example",
	"11111111111111111111111111111111111111111111111111111111111111111111111111111111",
};

START_TEST(addr_refuses)
{
	struct fmp_addr a = { 0 };
	struct fmp_error err = { 0 };

	ck_assert_msg(fmp_addr_parse(bad_addr[_i], &a, &err) == FMP_ERR_SYNTAX, "taken: %s",
		      bad_addr[_i]);
	ck_assert_int_eq(err.code, FMP_ERR_SYNTAX);
	ck_assert_str_ne(err.message, "");
	ck_assert_int_eq(a.family, FMP_FAMILY_NONE);
	ck_assert_int_eq(fmp_addr_parse(bad_addr[_i], &a, NULL), FMP_ERR_SYNTAX);
}
END_TEST

static bool is_in_link(const struct fmp_addr *prefix, void *ctx)
{
	struct fmp_addr own = addr(ctx);

	return fmp_addr_overlaps(prefix, &own);
}

static const struct {
	const char *in, *key;
} keys[] = {
	{ "192.0.2.1", "192.0.2.1" },
	{ "2001:db8:9:9:1:2:3:4", "2001:db8:9:9::/64" },
	{ "::1:2", "::/64" },
	/* on the local link */
	{ "fd07::1234", "fd07::1234" },
	{ "fd07:0:0:1::1234", "fd07:0:0:1::/64" },
	{ "fe80::1", "fe80::1" },
	{ "febf::1", "febf::1" },
	{ "fec0::1", "fec0::/64" },
	/* behind a translator */
	{ "64:ff9b::198.51.100.1", "64:ff9b::c633:6401" },
	{ "64:ff9b::1:c633:6401", "64:ff9b::/64" }, /* outside of the /96 */
	{ "64:ff9b:1::c633:6401", "64:ff9b:1::c633:6401" },
	{ "64:ff9b:1:c633:64:100::", "64:ff9b:1:c633:64:100::" },
	{ "64:ff9b:2::c633:6401", "64:ff9b:2::/64" },
	{ "2001:db8:64::c633:6401", "2001:db8:64::c633:6401" },
	{ "2001:db8:64::1:0:0:1", "2001:db8:64::/64" },
	{ "2001:db8:65:c633:64:100::", "2001:db8:65:c633:64:100::" },
	/* behind a discovered prefix: only forms of a host, whatever else the prefix contains */
	{ "2001:db8:66::c633:6401", "2001:db8:66::c633:6401" },
	{ "2001:db8:66::7f00:1", "2001:db8:66::/64" },
	{ "2001:db9:c633:6401::", "2001:db9:c633:6401::" },
	{ "2001:db9:c633:6401::1", "2001:db9:c633:6401::/64" },
	{ "2001:db9:c633:6401:100::", "2001:db9:c633:6401::/64" },
	/* tunnels carry the prefix of one host: 6to4, Teredo */
	{ "2002:c633:6401::1", "2002:c633:6401::/64" },
	{ "02:00:5e:00:53:01", "02:00:5e:00:53:01" },
};

START_TEST(key_of_a_source)
{
	const struct fmp_translators nat64 = {
		2, { addr("2001:db8:64::/96"), addr("2001:db8:65::/48") }
	};
	const struct fmp_translators found = {
		2, { addr("2001:db8:66::/96"), addr("2001:db9::/32") }
	};
	char own[] = "fd07::1", text[FMP_ADDR_STRLEN];
	const struct fmp_key_rule rule = { 64, &nat64, &found, is_in_link, own, false };
	struct fmp_addr a = addr(keys[_i].in), key = fmp_addr_key(&a, &rule);

	ck_assert_str_eq(fmp_addr_format(&key, text, sizeof(text)), keys[_i].key);
}
END_TEST

START_TEST(addr_mask_cuts_every_length)
{
	struct fmp_addr all = addr("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");

	for (unsigned n = 0; n <= 128; n++) {
		struct fmp_addr a = fmp_addr_mask(all, (uint8_t)n);

		ck_assert_uint_eq(a.prefix_len, n);
		for (unsigned bit = 0; bit < 128; bit++) {
			bool set = a.bytes[bit / 8] >> (7 - bit % 8) & 1;

			ck_assert_msg(set == (bit < n), "/%u bit %u", n, bit);
		}
		/* Never longer than before. */
		a = fmp_addr_mask(a, 128);
		ck_assert_uint_eq(a.prefix_len, n);
	}
}
END_TEST

START_TEST(addr_contains_and_overlaps)
{
	struct fmp_addr net = addr("192.0.2.0/24"), in = addr("192.0.2.77"),
			out = addr("192.0.3.1"), wide = addr("192.0.0.0/16"),
			any = addr("0.0.0.0/0"), v6 = addr("::/0"), mac = addr("00:00:00:00:00:00"),
			none = { 0 };

	ck_assert(fmp_addr_contains(&net, &in));
	ck_assert(fmp_addr_contains(&net, &net));
	ck_assert(!fmp_addr_contains(&in, &net));
	ck_assert(!fmp_addr_contains(&net, &out));
	ck_assert(!fmp_addr_contains(&net, &wide));
	ck_assert(fmp_addr_overlaps(&net, &wide));
	ck_assert(fmp_addr_overlaps(&wide, &net));
	ck_assert(!fmp_addr_overlaps(&net, &out));
	ck_assert(fmp_addr_contains(&any, &wide));
	ck_assert(!fmp_addr_contains(&v6, &in));
	ck_assert(!fmp_addr_overlaps(&any, &v6));
	ck_assert(!fmp_addr_overlaps(&any, &mac));
	ck_assert(!fmp_addr_contains(&none, &none));
	ck_assert(!fmp_addr_equal(&net, &in));
	ck_assert_int_lt(fmp_addr_compare(&in, &out), 0);
	ck_assert_int_gt(fmp_addr_compare(&v6, &any), 0);
	ck_assert_int_lt(fmp_addr_compare(&any, &wide), 0);
}
END_TEST

/* Every length, with one different bit at every position, inside the prefix or behind it. */
START_TEST(addr_contains_by_every_bit)
{
	struct fmp_addr a = addr("2001:db8:1234:5678:9abc:def0:1234:5678");

	for (unsigned len = 0; len <= 128; len++) {
		struct fmp_addr prefix = fmp_addr_mask(a, (uint8_t)len);

		ck_assert(fmp_addr_contains(&prefix, &a));
		for (unsigned bit = 0; bit < 128; bit++) {
			struct fmp_addr other = a;

			other.bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
			ck_assert_int_eq(fmp_addr_contains(&prefix, &other), bit >= len);
			ck_assert_int_eq(fmp_addr_overlaps(&other, &prefix), bit >= len);
		}
	}
}
END_TEST

START_TEST(addr_format_of_every_octet)
{
	char buf[FMP_ADDR_STRLEN], want[FMP_ADDR_STRLEN];

	for (unsigned i = 0; i < 256; i++) {
		uint8_t bytes[4] = { (uint8_t)i, (uint8_t)(255 - i), 0, (uint8_t)i };
		struct fmp_addr a = fmp_addr_ipv4(bytes);

		snprintf(want, sizeof(want), "%u.%u.0.%u", i, 255 - i, i);
		ck_assert_str_eq(fmp_addr_format(&a, buf, sizeof(buf)), want);
		/* Truncated to the buffer, and terminated. */
		for (size_t size = 1; size < strlen(want) + 1; size++) {
			memset(buf, 'x', sizeof(buf));
			fmp_addr_format(&a, buf, size);
			ck_assert_uint_eq(strlen(buf), size - 1);
			ck_assert(!strncmp(buf, want, size - 1));
		}
	}
}
END_TEST

START_TEST(addr_from_sockaddr)
{
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(4711) };
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(80) };
	struct sockaddr un = { .sa_family = AF_UNIX };
	struct fmp_addr a, want = addr("192.0.2.9");
	uint16_t port = 0;

	memcpy(&v4.sin_addr, want.bytes, 4);
	ck_assert_int_eq(fmp_addr_from_sockaddr((struct sockaddr *)&v4, &a, &port), 0);
	ck_assert(fmp_addr_equal(&a, &want));
	ck_assert_uint_eq(port, 80);
	v6.sin6_addr.s6_addr[10] = v6.sin6_addr.s6_addr[11] = 0xff;
	memcpy(v6.sin6_addr.s6_addr + 12, want.bytes, 4);
	ck_assert_int_eq(fmp_addr_from_sockaddr((struct sockaddr *)&v6, &a, &port), 0);
	ck_assert(fmp_addr_equal(&a, &want));
	ck_assert_uint_eq(port, 4711);
	v6.sin6_addr.s6_addr[0] = 0x20;
	ck_assert_int_eq(fmp_addr_from_sockaddr((struct sockaddr *)&v6, &a, NULL), 0);
	ck_assert_int_eq(a.family, FMP_FAMILY_IPV6);
	ck_assert_int_eq(fmp_addr_from_sockaddr(&un, &a, NULL), FMP_ERR_INVALID);
}
END_TEST

START_TEST(addr_hash_depends_on_all)
{
	struct fmp_addr a = addr("192.0.2.0/24"), b = addr("192.0.2.0"), c = addr("2001:db8::1"), d;
	unsigned hits[64] = { 0 };

	ck_assert_uint_ne(fmp_addr_hash(&a, 1), fmp_addr_hash(&a, 2));
	ck_assert_uint_ne(fmp_addr_hash(&a, 1), fmp_addr_hash(&b, 1));
	for (int i = 0; i < 128; i++) {
		d = c;
		d.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		ck_assert_uint_ne(fmp_addr_hash(&c, 1), fmp_addr_hash(&d, 1));
	}
	/* 64k neighbouring addresses spread evenly: 1024 a bucket, +-20 %. */
	for (unsigned i = 0; i < 65536; i++) {
		uint8_t v4[4] = { 10, 0, (uint8_t)(i >> 8), (uint8_t)i };

		d = fmp_addr_ipv4(v4);
		hits[fmp_addr_hash(&d, 99) % 64]++;
	}
	for (int i = 0; i < 64; i++)
		ck_assert_msg(hits[i] > 820 && hits[i] < 1230, "bucket %d: %u", i, hits[i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("base");
	TCase *t = tcase_create("error");
	SRunner *r;
	int failed;

	tcase_add_test(t, error_formats_only_what_is_known);
	tcase_add_test(t, error_is_one_line_and_says_errno);
	tcase_add_test(t, error_cuts_what_is_too_long);
	tcase_add_test(t, code_names_are_distinct);
	suite_add_tcase(s, t);

	t = tcase_create("source");
	tcase_add_loop_test(t, addr_round_trip, 0, sizeof(good_addr) / sizeof(good_addr[0]));
	tcase_add_loop_test(t, key_of_a_source, 0, sizeof(keys) / sizeof(keys[0]));
	tcase_add_loop_test(t, addr_refuses, 0, sizeof(bad_addr) / sizeof(bad_addr[0]));
	tcase_add_test(t, addr_mask_cuts_every_length);
	tcase_add_test(t, addr_contains_and_overlaps);
	tcase_add_test(t, addr_contains_by_every_bit);
	tcase_add_test(t, addr_format_of_every_octet);
	tcase_add_test(t, addr_from_sockaddr);
	tcase_add_test(t, addr_hash_depends_on_all);
	suite_add_tcase(s, t);

	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
