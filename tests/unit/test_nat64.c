// SPDX-License-Identifier: GPL-2.0
/* When a network's NAT64 prefix is reported as found, when it is requested, and what the kernel's messages say. */
#include <check.h>
#include <linux/icmpv6.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/nat64/finder.h"
#include "../../daemon/nat64/resolve.h"
#include "../../daemon/nat64/router.h"
#include "run.h"

#define REPORTED_MAX 64

static struct fmp_nat64_found reported[REPORTED_MAX];
static unsigned n_reported;
static bool is_router;
static struct nat64_finder finder;

static void report_prefix(void *ctx, const struct fmp_nat64_found *f)
{
	ck_assert_uint_lt(n_reported, REPORTED_MAX);
	reported[n_reported++] = *f;
}

static bool is_default(const struct nat64_router *r)
{
	return is_router;
}

static void set_up_finder(void)
{
	n_reported = 0;
	is_router = true;
	nat64_finder_init(&finder, is_default, report_prefix, NULL, 1000);
}

static struct fmp_nat64_found make_found(enum fmp_nat64_found_by by, uint8_t net,
					 uint32_t lifetime_s)
{
	return (struct fmp_nat64_found){ .by = by,
					 .prefix_len = 96,
					 .lifetime_s = lifetime_s,
					 .prefix = { 0x20, 0x01, 0x0d, 0xb8, 0, net } };
}

static void advertise_prefix(uint8_t net, uint32_t lifetime_s, uint64_t now_s)
{
	const struct nat64_router router = { 1, { 0xfe, 0x80 } };
	struct fmp_nat64_found f = make_found(FMP_NAT64_BY_RA, net, lifetime_s);

	nat64_finder_advertised(&finder, &f, &router, now_s);
}

static void resolve_prefix(uint8_t net, uint32_t ttl_s, uint64_t now_s)
{
	struct fmp_nat64_found f = make_found(FMP_NAT64_BY_DNS, net, ttl_s);

	nat64_finder_resolved(&finder, &f, 1, now_s);
}

START_TEST(advertised_until_its_end)
{
	advertise_prefix(1, 80, 1000);
	ck_assert_uint_eq(n_reported, 1);
	/* Advertisements by the thousand are one. */
	for (unsigned i = 0; i < 1000; i++)
		advertise_prefix(1, 80, 1001);
	ck_assert_uint_eq(n_reported, 1);
	advertise_prefix(1, 80, 1010);
	ck_assert_uint_eq(n_reported, 2);
	nat64_finder_resolved(&finder, NULL, 0, 1010);
	ck_assert_uint_eq(nat64_finder_due(&finder), 1090);
	ck_assert(!nat64_finder_run(&finder, 1089));
	ck_assert_uint_eq(n_reported, 2);
	nat64_finder_run(&finder, 1090);
	ck_assert_uint_eq(n_reported, 3);
	ck_assert_uint_eq(reported[2].lifetime_s, 0);
}
END_TEST

START_TEST(advertised_and_taken_back)
{
	advertise_prefix(1, 0, 1000); /* nobody knew it */
	ck_assert_uint_eq(n_reported, 0);
	advertise_prefix(1, 80, 1000);
	advertise_prefix(1, 0, 1001);
	ck_assert_uint_eq(n_reported, 2);
	ck_assert_uint_eq(reported[1].lifetime_s, 0);
	ck_assert_uint_eq(reported[1].prefix[5], 1);
}
END_TEST

START_TEST(no_room_pushes_nobody_out)
{
	for (unsigned i = 0; i < 200; i++)
		advertise_prefix((uint8_t)i, 80, 1000);
	ck_assert_uint_eq(n_reported, NAT64_FINDER_MAX);
	for (unsigned i = 0; i < n_reported; i++)
		ck_assert_uint_eq(reported[i].prefix[5], i);
}
END_TEST

START_TEST(router_is_none_any_more)
{
	nat64_finder_resolved(&finder, NULL, 0, 1000);
	advertise_prefix(1, 80, 1000);
	nat64_finder_changed(&finder, 1001);
	nat64_finder_run(&finder, 1003);
	ck_assert_uint_eq(n_reported, 1);
	is_router = false;
	/* Without a change nobody looks. */
	nat64_finder_run(&finder, 1010);
	ck_assert_uint_eq(n_reported, 1);
	nat64_finder_changed(&finder, 1020);
	nat64_finder_run(&finder, 1022);
	ck_assert_uint_eq(n_reported, 2);
	ck_assert_uint_eq(reported[1].lifetime_s, 0);
}
END_TEST

START_TEST(asked_before_the_ttl_ends)
{
	ck_assert(nat64_finder_run(&finder, 1000));
	resolve_prefix(1, 100, 1000);
	ck_assert_uint_eq(n_reported, 1);
	ck_assert(!nat64_finder_run(&finder, 1074));
	ck_assert_uint_eq(nat64_finder_due(&finder), 1075);
	ck_assert(nat64_finder_run(&finder, 1075));
	/* No answer: it holds until its end, and the next try comes before. */
	nat64_finder_resolved(&finder, NULL, NAT64_NO_ANSWER, 1075);
	ck_assert_uint_eq(n_reported, 1);
	ck_assert(nat64_finder_run(&finder, 1085));
	nat64_finder_resolved(&finder, NULL, NAT64_NO_ANSWER, 1085);
	nat64_finder_run(&finder, 1100);
	ck_assert_uint_eq(n_reported, 2);
	ck_assert_uint_eq(reported[1].lifetime_s, 0);
}
END_TEST

START_TEST(another_answer)
{
	resolve_prefix(1, 100, 1000);
	resolve_prefix(2, 100, 1075);
	ck_assert_uint_eq(n_reported, 3);
	ck_assert_uint_eq(reported[1].prefix[5], 1);
	ck_assert_uint_eq(reported[1].lifetime_s, 0);
	ck_assert_uint_eq(reported[2].prefix[5], 2);
	/* IPv6 leads nowhere: whose it was is far. */
	nat64_finder_resolved(&finder, NULL, NAT64_NO_ROUTE, 1100);
	ck_assert_uint_eq(n_reported, 4);
	ck_assert_uint_eq(reported[3].lifetime_s, 0);
}
END_TEST

START_TEST(ttl_is_bounded)
{
	resolve_prefix(1, 0, 1000);
	ck_assert_uint_eq(reported[0].lifetime_s, 10);
	ck_assert_uint_ge(nat64_finder_due(&finder), 1005);
	resolve_prefix(2, UINT32_MAX / 2, 1010);
	ck_assert_uint_eq(reported[2].lifetime_s, 86400);
}
END_TEST

START_TEST(changes_by_the_thousand)
{
	unsigned asked = 0;

	for (uint64_t t = 1000; t < 1100; t++) {
		nat64_finder_changed(&finder, t);
		if (nat64_finder_run(&finder, t)) {
			asked++;
			nat64_finder_resolved(&finder, NULL, 0, t);
		}
	}
	ck_assert_uint_ge(asked, 10);
	ck_assert_uint_le(asked, 21);
}
END_TEST

/* ---- what the kernel says ---- */

static unsigned n_prefixes, n_changes;
static struct fmp_nat64_found newest;
static struct nat64_router newest_from;

static void on_prefix(void *ctx, const struct fmp_nat64_found *f, const struct nat64_router *from)
{
	n_prefixes++;
	newest = *f;
	newest_from = *from;
}

static void on_change(void *ctx)
{
	n_changes++;
}

struct useropt {
	struct nlmsghdr head;
	struct nduseroptmsg nd;
	uint8_t options[24];
	struct nlattr attr;
	uint8_t from[16];
} __attribute__((aligned(4)));

static const struct useropt advertisement = {
	{ sizeof(struct useropt), RTM_NEWNDUSEROPT, 0, 0, 0 },
	{ .nduseropt_family = AF_INET6,
	  .nduseropt_opts_len = 24,
	  .nduseropt_ifindex = 7,
	  .nduseropt_icmp_type = 134 },
	{ 25, 1, 0, 0, 0, 0, 0, 0, 38, 2, 7, 8, 0x20, 1, 0xd, 0xb8 },
	{ 20, NDUSEROPT_SRCADDR },
	{ 0xfe, 0x80, [15] = 9 },
};

static void take_datagram(const void *bytes, size_t len)
{
	const struct nat64_events e = { NULL, on_prefix, on_change };

	n_prefixes = n_changes = 0;
	nat64_router_handle(bytes, (int)len, &e);
}

START_TEST(option_behind_another)
{
	take_datagram(&advertisement, sizeof(advertisement));
	ck_assert_uint_eq(n_prefixes, 1);
	ck_assert_uint_eq(n_changes, 0);
	ck_assert_uint_eq(newest.prefix_len, 96);
	ck_assert_int_eq(newest_from.ifindex, 7);
	ck_assert_mem_eq(newest_from.addr, advertisement.from, 16);
}
END_TEST

START_TEST(options_that_are_none)
{
	struct useropt u = advertisement;

	u.nd.nduseropt_icmp_type = 133;
	take_datagram(&u, sizeof(u));
	ck_assert_uint_eq(n_prefixes, 0);
	u = advertisement;
	u.nd.nduseropt_opts_len = 2000;
	take_datagram(&u, sizeof(u));
	ck_assert_uint_eq(n_prefixes, 0);
	u = advertisement;
	u.options[1] = 0; /* an option of no length, without end */
	take_datagram(&u, sizeof(u));
	ck_assert_uint_eq(n_prefixes, 0);
	u = advertisement;
	u.attr.nla_type = 77; /* of an unknown router */
	take_datagram(&u, sizeof(u));
	ck_assert_uint_eq(n_prefixes, 0);
	u = advertisement;
	u.nd.nduseropt_ifindex = 0;
	take_datagram(&u, sizeof(u));
	ck_assert_uint_eq(n_prefixes, 0);
}
END_TEST

START_TEST(datagram_is_cut)
{
	for (size_t len = 0; len < sizeof(advertisement); len++) {
		uint8_t *copy = malloc(len + !len);

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, &advertisement, len);
		take_datagram(copy, len);
		ck_assert_uint_eq(n_prefixes + n_changes, 0);
		free(copy);
	}
}
END_TEST

START_TEST(other_messages_are_changes)
{
	struct useropt u = advertisement;

	u.head.nlmsg_type = RTM_NEWROUTE;
	take_datagram(&u, sizeof(u));
	ck_assert_uint_eq(n_prefixes, 0);
	ck_assert_uint_eq(n_changes, 1);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("nat64");

	tcase_add_checked_fixture(t, set_up_finder, NULL);
	tcase_add_test(t, advertised_until_its_end);
	tcase_add_test(t, advertised_and_taken_back);
	tcase_add_test(t, no_room_pushes_nobody_out);
	tcase_add_test(t, router_is_none_any_more);
	tcase_add_test(t, asked_before_the_ttl_ends);
	tcase_add_test(t, another_answer);
	tcase_add_test(t, ttl_is_bounded);
	tcase_add_test(t, changes_by_the_thousand);
	tcase_add_test(t, option_behind_another);
	tcase_add_test(t, options_that_are_none);
	tcase_add_test(t, datagram_is_cut);
	tcase_add_test(t, other_messages_are_changes);
	return run_tcase("nat64", t);
}
