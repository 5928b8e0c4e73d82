// SPDX-License-Identifier: GPL-2.0
/* IPv4 addresses in IPv6 ones (RFC 6052), and how a network tells its prefix (RFC 8781, RFC 7050). */
#include <check.h>
#include <string.h>

#include <fmp/internal/nat64_discovery.h>

#include "addr.h"
#include "run.h"

/* RFC 6052 2.4, and the same host behind the well-known prefix. */
static const struct {
	const char *prefix, *form;
} forms[] = {
	{ "2001:db8::/32", "2001:db8:c000:221::" },
	{ "2001:db8:100::/40", "2001:db8:1c0:2:21::" },
	{ "2001:db8:122::/48", "2001:db8:122:c000:2:2100::" },
	{ "2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::" },
	{ "2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::" },
	{ "2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33" },
	{ "64:ff9b::/96", "64:ff9b::192.0.2.33" },
};

START_TEST(forms_of_rfc_6052)
{
	struct fmp_addr prefix = addr(forms[_i].prefix), form = addr(forms[_i].form), a,
			host = addr("192.0.2.33");

	ck_assert(fmp_addr_embed(&host, &prefix, &a));
	ck_assert(fmp_addr_equal(&a, &form));
	ck_assert(fmp_addr_extract(&form, &prefix, &a));
	ck_assert(fmp_addr_equal(&a, &host));
	ck_assert(fmp_addr_is_form(&form, &prefix));
	/* Bits 64 to 71 are zero; what is behind the IPv4 address says nothing, but it is no form then. */
	form.bytes[15] ^= 1;
	ck_assert(fmp_addr_extract(&form, &prefix, &a));
	ck_assert(fmp_addr_is_form(&form, &prefix) == (prefix.prefix_len == 96));
	form.bytes[8] = 1;
	ck_assert(!fmp_addr_extract(&form, &prefix, &a));
}
END_TEST

START_TEST(prefixes_that_no_translator_has)
{
	static const char *const bad[] = {
		"2001:db8::/31",  "2001:db8::/33",	   "2001:db8::/72",
		"2001:db8::/100", "2001:db8::1",	   "192.0.2.0/24",
		"::/0",		  "2001:db8:0:0:100::/96", "02:00:5e:00:53:01"
	};
	struct fmp_addr host = addr("192.0.2.33"), net = addr("192.0.2.0/24"), out;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct fmp_addr prefix = addr(bad[i]);

		ck_assert_msg(!fmp_translator_valid(&prefix), "%s", bad[i]);
		ck_assert(!fmp_addr_embed(&host, &prefix, &out));
	}
	out = addr("2001:db8::/96");
	ck_assert(!fmp_addr_embed(&net, &out, &out));
}
END_TEST

/* NULL: it is the form of no IPv4 host */
static const struct {
	const char *in, *host;
} hosts[] = {
	{ "64:ff9b::198.51.100.1", "198.51.100.1" },
	/* RFC 6052 3.1 */
	{ "64:ff9b::10.0.0.1", NULL },
	{ "64:ff9b::172.31.0.1", NULL },
	{ "64:ff9b::192.168.1.1", NULL },
	{ "64:ff9b::100.64.0.1", NULL },
	{ "64:ff9b::169.254.0.1", NULL },
	{ "64:ff9b::127.0.0.1", NULL },
	{ "64:ff9b::224.0.0.1", NULL },
	{ "64:ff9b::", NULL },
	{ "64:ff9b::255.255.255.255", NULL },
	/* RFC 8215: prefixes of any length */
	{ "64:ff9b:1:c633:64:100::", "198.51.100.1" },
	{ "64:ff9b:1::198.51.100.1", "198.51.100.1" },
	{ "64:ff9b:1:fffe::198.51.100.1", "198.51.100.1" },
	{ "64:ff9b:1:7:c6:3364:100::", "198.51.100.1" }, /* of 64 bits, listed */
	{ "64:ff9b:1::10.0.0.1", NULL },
	{ "64:ff9b:1::7:c633:6401", NULL },
	{ "64:ff9b:2::198.51.100.1", NULL },
	/* listed; the longest counts */
	{ "2001:db8:64::198.51.100.1", "198.51.100.1" },
	{ "2001:db8:65:c633:64:100::", "198.51.100.1" },
	{ "2001:db8:65:c633:64:100::9", "198.51.100.1" },
	{ "2001:db8:65:c633:164:100::", NULL },
	{ "2001:db8:65:7::198.51.100.1", "198.51.100.1" },
	{ "2001:db8:9::198.51.100.1", NULL },
};

START_TEST(host_of_a_form)
{
	const struct fmp_translators own = { 4,
					     { addr("2001:db8:64::/96"), addr("2001:db8:65:7::/96"),
					       addr("2001:db8:65::/48"),
					       addr("64:ff9b:1:7::/64") } };
	struct fmp_addr a = addr(hosts[_i].in), host, want;
	bool is = fmp_addr_ipv4_host(&a, &own, &host);

	ck_assert_msg(is == (hosts[_i].host != NULL), "%s", hosts[_i].in);
	if (!is)
		return;
	want = addr(hosts[_i].host);
	ck_assert_msg(fmp_addr_equal(&host, &want), "%s", hosts[_i].in);
}
END_TEST

/* All names of a host, and of each the same host. */
START_TEST(names_of_a_host)
{
	const struct fmp_translators own = { 3,
					     { addr("2001:db8:65::/48"),
					       addr("2001:db8:65:c633::/64"),
					       addr("2001:db8:64::/96") } };
	const char *const want[] = { "64:ff9b::c633:6401",
				     "64:ff9b:1:c633:64:100::", "64:ff9b:1::c633:6401",
				     "2001:db8:65:c633:c6:3364:100:0", "2001:db8:64::c633:6401" };
	struct fmp_addr host = addr("198.51.100.1"), private = addr("10.0.0.1"), back,
			names[FMP_FORMS_MAX];
	char text[FMP_ADDR_STRLEN];
	size_t n = fmp_addr_forms(&host, &own, names);

	/* That of the 48 bits is in the 64 bits, where it is another host's. */
	ck_assert_uint_eq(n, sizeof(want) / sizeof(*want));
	for (size_t i = 0; i < n; i++) {
		struct fmp_addr a = addr(want[i]);

		ck_assert_msg(fmp_addr_equal(&names[i], &a), "%s, not %s",
			      fmp_addr_format(&names[i], text, sizeof(text)), want[i]);
		ck_assert(fmp_addr_ipv4_host(&names[i], &own, &back));
		ck_assert(fmp_addr_equal(&back, &host));
	}
	ck_assert_uint_eq(fmp_addr_forms(&private, &own, names), 0);
	ck_assert_uint_eq(fmp_addr_forms(&names[0], &own, names), 0);
}
END_TEST

#define P 0x20, 0x01, 0x0d, 0xb8

/* RFC 8781 4: lifetime of 13 bits in 8 s, prefix length code of 3 bits. */
static const struct {
	uint8_t option[16];
	const char *prefix; /* NULL: it says nothing */
	uint32_t lifetime_s;
} options[] = {
	{ { 38, 2, 0x07, 0x08, P, 0, 0x64 }, "2001:db8:64::/96", 1800 },
	{ { 38, 2, 0x07, 0x09, P, 0, 0x64 }, "2001:db8:64::/64", 1800 },
	{ { 38, 2, 0x07, 0x0a, P, 0, 0x64 }, "2001:db8:64::/56", 1800 },
	{ { 38, 2, 0x07, 0x0b, P, 0, 0x64 }, "2001:db8:64::/48", 1800 },
	{ { 38, 2, 0x07, 0x0c, P, 1, 0x64 }, "2001:db8:100::/40", 1800 },
	{ { 38, 2, 0x07, 0x0d, P, 1, 0x64 }, "2001:db8::/32", 1800 },
	{ { 38, 2, 0xff, 0xf8, P }, "2001:db8::/96", 65528 },
	{ { 38, 2, 0x00, 0x00, P }, "2001:db8::/96", 0 },
	{ { 38, 2, 0x00, 0x08, 0xfd, 7 }, "fd07::/96", 8 },
	{ { 38, 2, 0x07, 0x0e, P }, NULL, 0 },
	{ { 38, 2, 0x07, 0x0f, P }, NULL, 0 },
	{ { 38, 1, 0x07, 0x08, P }, NULL, 0 },
	{ { 38, 3, 0x07, 0x08, P }, NULL, 0 },
	{ { 38, 0, 0x07, 0x08, P }, NULL, 0 },
	{ { 25, 2, 0x07, 0x08, P }, NULL, 0 },
	/* bits 64 to 71; link-local, multicast, IPv4-mapped, unspecified, known anyway */
	{ { 38, 2, 0x07, 0x08, P, 0, 0, 0, 0, 1 }, NULL, 0 },
	{ { 38, 2, 0x07, 0x09, 0xfe, 0x80 }, NULL, 0 },
	{ { 38, 2, 0x07, 0x08, 0xff, 0x02 }, NULL, 0 },
	{ { 38, 2, 0x07, 0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, NULL, 0 },
	{ { 38, 2, 0x07, 0x0d, 0 }, NULL, 0 },
	{ { 38, 2, 0x07, 0x08, 0, 0x64, 0xff, 0x9b }, NULL, 0 },
};

START_TEST(options_of_rfc_8781)
{
	struct fmp_nat64_found f;
	struct fmp_addr prefix, want;
	bool is = fmp_pref64_parse(options[_i].option, 16, &f);

	ck_assert_msg(is == (options[_i].prefix != NULL), "option %d", _i);
	ck_assert(!fmp_pref64_parse(options[_i].option, 15, &f));
	if (!is)
		return;
	ck_assert(fmp_pref64_parse(options[_i].option, 16, &f));
	ck_assert(fmp_nat64_found_prefix(&f, &prefix));
	want = addr(options[_i].prefix);
	ck_assert_msg(fmp_addr_equal(&prefix, &want), "option %d", _i);
	ck_assert_uint_eq(f.lifetime_s, options[_i].lifetime_s);
	ck_assert_uint_eq(f.by, FMP_NAT64_BY_RA);
}
END_TEST

/* RFC 7050 3 */
static const struct {
	const char *in, *prefix;
} answers[] = {
	{ "2001:db8:c000:aa::", "2001:db8::/32" },
	{ "2001:db8:1c0:0:aa::", "2001:db8:100::/40" },
	{ "2001:db8:122:c000:0:aa00::", "2001:db8:122::/48" },
	{ "2001:db8:122:3c0:0:ab::", "2001:db8:122:300::/56" },
	{ "2001:db8:122:344:c0:0:ab00::", "2001:db8:122:344::/64" },
	{ "2001:db8:43::192.0.0.170", "2001:db8:43::/96" },
	{ "2001:db8:43::192.0.0.171", "2001:db8:43::/96" },
	{ "2001:db8:43::192.0.0.172", NULL },
	{ "2001:db8:43::1", NULL },
	{ "2001:db8:122:c000:100:aa00::", NULL },
	{ "2001:db8:c000:aa::192.0.0.170", NULL }, /* at two places */
};

START_TEST(addresses_of_rfc_7050)
{
	struct fmp_addr a = addr(answers[_i].in), prefix, want;
	bool is = fmp_ipv4only_prefix(a.bytes, &prefix);

	ck_assert_msg(is == (answers[_i].prefix != NULL), "%s", answers[_i].in);
	if (!is)
		return;
	want = addr(answers[_i].prefix);
	ck_assert_msg(fmp_addr_equal(&prefix, &want), "%s", answers[_i].in);
}
END_TEST

#define HEAD(n)	       0x12, 0x34, 0x81, 0x80, 0, 1, 0, n, 0, 0, 0, 0
#define QUESTION       8, 'i', 'p', 'v', '4', 'o', 'n', 'l', 'y', 4, 'a', 'r', 'p', 'a', 0, 0, 28, 0, 1
#define AAAA(ttl, ...) 0xc0, 12, 0, 28, 0, 1, 0, 0, 0, ttl, 0, 16, __VA_ARGS__
#define AT(net, last)  P, 0, net, 0, 0, 0, 0, 0, 0, 192, 0, 0, last

START_TEST(answer_of_two_prefixes)
{
	static const uint8_t message[] = { HEAD(5),
					   QUESTION,
					   AAAA(200, AT(0x43, 170)),
					   AAAA(100, AT(0x43, 171)),
					   AAAA(150, AT(0x42, 170)),
					   AAAA(50, AT(0x41, 170)), /* one too many */
					   AAAA(60, AT(0x40, 1)) };
	struct fmp_nat64_found f[FMP_NAT64_FOUND_MAX];
	uint8_t *copy;

	ck_assert_int_eq(fmp_ipv4only_parse(message, sizeof(message), f), 2);
	ck_assert_uint_eq(f[0].lifetime_s, 100);
	ck_assert_uint_eq(f[0].by, FMP_NAT64_BY_DNS);
	ck_assert_uint_eq(f[0].prefix[5], 0x43);
	ck_assert_uint_eq(f[1].lifetime_s, 150);
	/* Cut anywhere it is none; what is read behind it ASan says. */
	for (size_t len = 0; len < sizeof(message); len++) {
		copy = malloc(len + !len);
		ck_assert_ptr_nonnull(copy);
		memcpy(copy, message, len);
		ck_assert_int_eq(fmp_ipv4only_parse(copy, len, f), -1);
		free(copy);
	}
}
END_TEST

START_TEST(answers_that_say_nothing)
{
	static const uint8_t none[] = { HEAD(0), QUESTION };
	static const uint8_t negative[] = { HEAD(1), QUESTION, 0xc0, 12,   0,
					    28,	     0,	       1,    0xff, 0,
					    0,	     9,	       0,    16,   AT(0x43, 170) };
	static const uint8_t other[] = { HEAD(1), QUESTION, 0xc0, 12, 0, 1,   0, 1, 0,
					 0,	  0,	    9,	  0,  4, 192, 0, 0, 170 };
	uint8_t question[sizeof(none)], refused[sizeof(none)];
	struct fmp_nat64_found f[FMP_NAT64_FOUND_MAX];

	ck_assert_int_eq(fmp_ipv4only_parse(none, sizeof(none), f), 0);
	ck_assert_int_eq(fmp_ipv4only_parse(other, sizeof(other), f), 0);
	ck_assert_int_eq(fmp_ipv4only_parse(negative, sizeof(negative), f), 1);
	ck_assert_uint_eq(f[0].lifetime_s, 0); /* RFC 2181 8 */
	memcpy(question, none, sizeof(none));
	question[2] = 1;
	ck_assert_int_eq(fmp_ipv4only_parse(question, sizeof(question), f), -1);
	memcpy(refused, none, sizeof(none));
	refused[3] = 0x85;
	ck_assert_int_eq(fmp_ipv4only_parse(refused, sizeof(refused), f), -1);
}
END_TEST

/* What fmpd takes of the process that looks. */
START_TEST(records_are_checked)
{
	const struct fmp_nat64_found good = {
		.by = FMP_NAT64_BY_DNS, .prefix_len = 96, .lifetime_s = 9, .prefix = { P }
	};
	struct fmp_nat64_found f = good;
	struct fmp_addr prefix;

	ck_assert(fmp_nat64_found_prefix(&f, &prefix));
	f.by = 3;
	ck_assert(!fmp_nat64_found_prefix(&f, &prefix));
	f = good;
	f.by = 0;
	ck_assert(!fmp_nat64_found_prefix(&f, &prefix));
	f = good;
	f.prefix[15] = 1; /* behind the prefix */
	ck_assert(!fmp_nat64_found_prefix(&f, &prefix));
	for (unsigned len = 0; len < 256; len++) {
		bool one = len == 96 || (len >= 32 && len <= 64 && len % 8 == 0);

		f = good;
		f.prefix_len = (uint8_t)len;
		ck_assert_msg(fmp_nat64_found_prefix(&f, &prefix) == one, "%u", len);
	}
}
END_TEST

#define COUNT(a) (int)(sizeof(a) / sizeof(*(a)))

int main(void)
{
	TCase *t = tcase_create("translate");

	tcase_add_loop_test(t, forms_of_rfc_6052, 0, COUNT(forms));
	tcase_add_test(t, prefixes_that_no_translator_has);
	tcase_add_loop_test(t, host_of_a_form, 0, COUNT(hosts));
	tcase_add_test(t, names_of_a_host);
	tcase_add_loop_test(t, options_of_rfc_8781, 0, COUNT(options));
	tcase_add_loop_test(t, addresses_of_rfc_7050, 0, COUNT(answers));
	tcase_add_test(t, answer_of_two_prefixes);
	tcase_add_test(t, answers_that_say_nothing);
	tcase_add_test(t, records_are_checked);
	return run_tcase("translate", t);
}
