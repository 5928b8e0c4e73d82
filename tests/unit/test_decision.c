// SPDX-License-Identifier: GPL-2.0
/* Names of layers and vetoes; which addresses a decision means on which layer. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/decision.h>

START_TEST(layers_parse_and_format)
{
	static const struct {
		const char *text, *shown;
		unsigned bits;
	} good[] = {
		{ "ip", "ip", 1 },
		{ "mac", "mac", 2 },
		{ "premac", "premac", 4 },
		{ "ip mac premac", "ip mac premac", 7 },
		{ " premac,ip\t", "ip premac", 5 },
		{ "all", "ip mac premac", 7 },
		{ "none", "none", 0 },
		{ "ip ip", "ip", 1 },
	};
	char buf[32];
	unsigned bits;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		bits = 99;
		ck_assert_int_eq(fmp_layers_parse(good[i].text, &bits), 0);
		ck_assert_uint_eq(bits, good[i].bits);
		ck_assert_str_eq(fmp_layers_format(bits, buf, sizeof(buf)), good[i].shown);
	}
}
END_TEST

START_TEST(layers_refuse)
{
	static const char *const bad[] = { "",	      " ",	   "ipp", "i",
					   "ip none", "none none", "MAC", "auto" };
	unsigned bits = 99;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(fmp_layers_parse(bad[i], &bits), FMP_ERR_SYNTAX);
	ck_assert_int_eq(fmp_layers_parse(NULL, &bits), FMP_ERR_SYNTAX);
	ck_assert_uint_eq(bits, 99);
}
END_TEST

START_TEST(layers_format_is_bounded)
{
	char buf[8];

	memset(buf, 'x', sizeof(buf));
	ck_assert_str_eq(fmp_layers_format(7, buf, 6), "ip ma");
	ck_assert_int_eq(buf[6], 'x');
	fmp_layers_format(7, buf, 0);
	ck_assert_str_eq(fmp_layer_name(FMP_LAYERS), "unknown");
}
END_TEST

START_TEST(every_veto_has_a_text)
{
	for (unsigned v = 0; v < FMP_MAC_VETOES; v++) {
		ck_assert_ptr_nonnull(fmp_mac_veto_text(v));
		ck_assert_str_ne(fmp_mac_veto_text(v), "unknown");
	}
	ck_assert_str_eq(fmp_mac_veto_text(FMP_MAC_VETOES), "unknown");
	/* The second bit of the first byte says it, be it a group's or not. */
	for (unsigned first = 0; first < 256; first++) {
		struct fmp_addr mac =
			fmp_addr_mac((const uint8_t[]){ (uint8_t)first, 0, 0, 0, 0, 1 });

		ck_assert_int_eq(fmp_mac_is_local(&mac), first / 2 % 2);
	}
}
END_TEST

START_TEST(every_measure_has_a_name)
{
	ck_assert_str_eq(fmp_action_kind_name(FMP_ACTION_KIND_BLOCK), "block");
	ck_assert_str_eq(fmp_action_kind_name(FMP_ACTION_KIND_LIMIT), "limit");
	ck_assert_str_eq(fmp_action_kind_name(FMP_ACTION_KINDS), "unknown");
}
END_TEST

static struct fmp_addr parse_address(const char *text)
{
	struct fmp_addr a = { 0 };

	if (*text)
		ck_assert_int_eq(fmp_addr_parse(text, &a, NULL), 0);
	return a;
}

static void expect_decision(const char *source, const char *mac, enum fmp_layer layer,
			    const char *first, const char *second)
{
	struct fmp_decision d = { .source = parse_address(source), .mac = parse_address(mac) };
	struct fmp_addr want[2] = { parse_address(first), parse_address(second) },
			got[2] = { { 0 } };
	unsigned n = fmp_decision_targets(&d, layer, got);

	ck_assert_uint_eq(n, !!*first + !!*second);
	for (unsigned i = 0; i < n; i++)
		ck_assert(fmp_addr_equal(&got[i], &want[i]));
}

START_TEST(targets_by_layer)
{
	static const char ip[] = "192.0.2.7", mac[] = "02:00:00:00:00:07";

	expect_decision(ip, mac, FMP_LAYER_IP, ip, "");
	expect_decision(ip, mac, FMP_LAYER_MAC, ip, mac);
	expect_decision(ip, mac, FMP_LAYER_PREMAC, ip, mac);
	expect_decision(ip, "", FMP_LAYER_MAC, ip, "");
	expect_decision("2001:db8::/64", mac, FMP_LAYER_PREMAC, "2001:db8::/64", mac);
	expect_decision(mac, "", FMP_LAYER_IP, "", "");
	expect_decision(mac, "", FMP_LAYER_MAC, mac, "");
	expect_decision(mac, mac, FMP_LAYER_PREMAC, mac, "");
}
END_TEST

/* What is narrowed binds the IP address, above the MAC. */
START_TEST(targets_of_what_is_narrowed)
{
	struct fmp_decision d = { .source = parse_address("192.0.2.7"),
				  .mac = parse_address("02:00:00:00:00:07"),
				  .action_kind = FMP_ACTION_KIND_LIMIT,
				  .rate = 10 };
	struct fmp_addr got[2];

	for (unsigned i = 0; i < 2; i++) {
		ck_assert(fmp_decision_narrowed(&d));
		ck_assert_uint_eq(fmp_decision_targets(&d, FMP_LAYER_PREMAC, got), 0);
		for (unsigned l = FMP_LAYER_IP; l <= FMP_LAYER_MAC; l++) {
			ck_assert_uint_eq(fmp_decision_targets(&d, l, got), 1);
			ck_assert(fmp_addr_equal(&got[0], &d.source));
		}
		d.action_kind = FMP_ACTION_KIND_BLOCK;
		d.dest_port = 80;
	}
	d.dest_port = 0;
	ck_assert(!fmp_decision_narrowed(&d));
}
END_TEST

/* An address and the MAC that its device made up; of a prefix, a person, or what is narrowed: never. */
START_TEST(inv3_pairs)
{
	static const char local[] = "02:00:00:00:00:07";
	const struct fmp_decision yes = { .source = parse_address("192.0.2.7"),
					  .mac = parse_address(local) };
	const struct fmp_decision v6 = { .source = parse_address("2001:db8::7"),
					 .mac = parse_address(local) };
	const struct fmp_decision no[] = {
		{ .source = parse_address("192.0.2.7"), .mac = parse_address("00:00:5e:00:53:07") },
		{ .source = parse_address("192.0.2.7") },
		{ .source = parse_address("192.0.2.0/25"), .mac = parse_address(local) },
		{ .source = parse_address("2001:db8::/64"), .mac = parse_address(local) },
		{ .source = parse_address(local), .mac = parse_address(local) },
		{ .source = parse_address("192.0.2.7"),
		  .mac = parse_address(local),
		  .manual = true },
		{ .source = parse_address("192.0.2.7"),
		  .mac = parse_address(local),
		  .dest_port = 80 },
		{ .source = parse_address("192.0.2.7"),
		  .mac = parse_address(local),
		  .action_kind = FMP_ACTION_KIND_LIMIT,
		  .rate = 1 },
	};

	ck_assert(fmp_decision_may_pair(&yes));
	ck_assert(fmp_decision_may_pair(&v6));
	for (unsigned i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		ck_assert_msg(!fmp_decision_may_pair(&no[i]), "%u", i);
	for (unsigned veto = FMP_MAC_OK + 1; veto < FMP_MAC_VETOES; veto++) {
		struct fmp_decision d = yes;

		d.mac_veto = veto;
		ck_assert_msg(!fmp_decision_may_pair(&d), "%s", fmp_mac_veto_text(veto));
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decision");
	TCase *c = tcase_create("decision");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_test(c, layers_parse_and_format);
	tcase_add_test(c, layers_refuse);
	tcase_add_test(c, layers_format_is_bounded);
	tcase_add_test(c, every_veto_has_a_text);
	tcase_add_test(c, every_measure_has_a_name);
	tcase_add_test(c, targets_by_layer);
	tcase_add_test(c, targets_of_what_is_narrowed);
	tcase_add_test(c, inv3_pairs);
	suite_add_tcase(s, c);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
