// SPDX-License-Identifier: GPL-2.0
/* libfmp/enforce: what should be beside what is; and a dump that others' changes leave without an end. */
#include <check.h>
#include <errno.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/fmp.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

#include <layers/nft.h>
#include <enforce/rule_diff.h>

#include "run.h"

#define MANY 5000u

static struct fmp_rule nth_rule(unsigned i)
{
	const uint8_t bytes[4] = { 10, 0, (uint8_t)(i >> 8), (uint8_t)i };

	return (struct fmp_rule){ .addr = fmp_addr_ipv4(bytes), .left_ms = 1000 + i };
}

START_TEST(in_any_order)
{
	struct fmpi_rule_diff p = { .seed = 7 };

	for (unsigned i = 0; i < MANY; i++) {
		struct fmp_rule r = nth_rule(i);

		if (i % 2)
			ck_assert_int_eq(fmpi_rule_diff_want(&p, &r), 0);
		if (i % 3)
			ck_assert_int_eq(fmpi_rule_diff_found(&p, &r), 0);
	}
	for (unsigned i = MANY; i--;) {
		struct fmp_rule r = nth_rule(i);

		if (!(i % 2))
			ck_assert_int_eq(fmpi_rule_diff_want(&p, &r), 0);
		if (!(i % 3))
			ck_assert_int_eq(fmpi_rule_diff_found(&p, &r), 0);
	}
	ck_assert_uint_eq(p.n, MANY);
	for (unsigned i = 0; i < MANY; i++) {
		struct fmp_rule r = nth_rule(i);

		ck_assert(fmpi_rule_pair_agrees(fmpi_rule_diff_at(&p, &r)));
	}
	ck_assert_uint_eq(p.n, MANY);
	fmpi_rule_diff_free(&p);
}
END_TEST

/* Address, port, limit or block, and the MAC of a pair make a key. */
START_TEST(keys)
{
	struct fmpi_rule_diff p = { .seed = 7 };
	struct fmp_rule r = nth_rule(1);

	ck_assert_int_eq(fmpi_rule_diff_want(&p, &r), 0);
	r.dest_port = 80;
	ck_assert_int_eq(fmpi_rule_diff_found(&p, &r), 0);
	r.rate = 5;
	ck_assert_int_eq(fmpi_rule_diff_found(&p, &r), 0);
	ck_assert_uint_eq(p.n, 3);
	r.pair_mac = fmp_addr_mac((const uint8_t[]){ 2, 0, 0, 0, 0, 1 });
	ck_assert_int_eq(fmpi_rule_diff_found(&p, &r), 0);
	r.pair_mac.bytes[5] = 2;
	ck_assert_int_eq(fmpi_rule_diff_found(&p, &r), 0);
	ck_assert_uint_eq(p.n, 5);
	r.pair_mac = (struct fmp_addr){ 0 };
	/* Another rate is another limit of the same key. */
	r.rate = 6;
	ck_assert_int_eq(fmpi_rule_diff_want(&p, &r), 0);
	ck_assert_uint_eq(p.n, 5);
	ck_assert(!fmpi_rule_pair_agrees(fmpi_rule_diff_at(&p, &r)));
	fmpi_rule_diff_free(&p);
}
END_TEST

START_TEST(the_longest_stands)
{
	static const uint64_t left[] = { 900000, 60000, 0, 60000 };
	struct fmpi_rule_diff p = { .seed = 7 };
	struct fmp_rule r = nth_rule(1);

	for (unsigned i = 0; i < 4; i++) {
		r.id = i + 1;
		r.left_ms = left[i];
		ck_assert_int_eq(fmpi_rule_diff_want(&p, &r), 0);
		ck_assert_uint_eq(p.v[0].want_left_ms, i < 2 ? 900000 : 0);
		ck_assert_uint_eq(p.v[0].want_id, i < 2 ? 1 : 3);
	}
	ck_assert_int_eq(fmpi_rule_diff_found(&p, &r), 0);
	ck_assert(!fmpi_rule_pair_agrees(&p.v[0]));
	r.left_ms = 0;
	ck_assert_int_eq(fmpi_rule_diff_found(&p, &r), 0);
	ck_assert(fmpi_rule_pair_agrees(&p.v[0]));
	ck_assert_uint_eq(p.n, 1);
	fmpi_rule_diff_free(&p);
}
END_TEST

/* Of a block of ten years a rule holds one, and is put anew before that is over. */
START_TEST(longer_than_a_rule_lasts)
{
	static const uint64_t day = 24 * 3600 * 1000ull;
	struct fmpi_rule_pair one = { .wanted = true,
				      .there = true,
				      .want_left_ms = FMP_TIMEOUT_MAX_MS };

	for (unsigned days = 365; days; days -= 5) {
		one.there_left_ms = days * day;
		ck_assert(fmpi_rule_pair_agrees(&one) == (days > 182));
	}
	one.there_left_ms = 0;
	ck_assert(!fmpi_rule_pair_agrees(&one));
	one.want_left_ms = 364 * day;
	one.there_left_ms = 363 * day;
	ck_assert(!fmpi_rule_pair_agrees(&one));
}
END_TEST

/* ---- the kernel whose set others change at every read ---- */

static unsigned reads;
static uint32_t asked;

int __wrap_mnl_socket_bind(struct mnl_socket *sk, unsigned groups, pid_t pid);
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *sk, const void *buf, size_t len);
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *sk, void *buf, size_t size);

int __wrap_mnl_socket_bind(struct mnl_socket *sk, unsigned groups, pid_t pid)
{
	return 0;
}

ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *sk, const void *buf, size_t len)
{
	asked = ((const struct nlmsghdr *)buf)->nlmsg_seq;
	reads = 0;
	return (ssize_t)len;
}

/* An element, then none, again and again, and never an end. */
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *sk, void *buf, size_t size)
{
	static const uint8_t address[4] = { 192, 0, 2, 7 };
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct nlattr *list, *elem, *key;

	ck_assert_uint_lt(++reads, 100);
	nlh->nlmsg_type = NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWSETELEM;
	nlh->nlmsg_flags = NLM_F_MULTI;
	nlh->nlmsg_seq = asked;
	mnl_nlmsg_put_extra_header(nlh, sizeof(struct nfgenmsg));
	list = mnl_attr_nest_start(nlh, NFTA_SET_ELEM_LIST_ELEMENTS);
	if (reads == 1) {
		elem = mnl_attr_nest_start(nlh, NFTA_LIST_ELEM);
		key = mnl_attr_nest_start(nlh, NFTA_SET_ELEM_KEY);
		mnl_attr_put(nlh, NFTA_DATA_VALUE, sizeof(address), address);
		mnl_attr_nest_end(nlh, key);
		mnl_attr_nest_end(nlh, elem);
	}
	mnl_attr_nest_end(nlh, list);
	return nlh->nlmsg_len;
}

START_TEST(a_dump_without_an_end)
{
	const struct nft_set_id set = { NFT_USE_BLOCK, FMP_FAMILY_IPV4, 32 };
	struct nft_layer l = { .family = NFPROTO_INET };
	struct fmpi_rules rules = { 0 };
	struct fmpi_dump *d;
	int rc;

	ck_assert_int_eq(fmpi_nft_dump_elems(&l, set, &rules, NULL), 0);
	ck_assert_uint_eq(rules.n, 1);
	fmpi_rules_free(&rules);
	/* The same in steps says that something may be missing. */
	ck_assert_int_eq(fmpi_dump_new(NETLINK_NETFILTER, &d, NULL), 0);
	d->empty_is_end = true;
	while (!(rc = fmpi_nft_dump_step(&l, d, set, &rules, NULL)))
		ck_assert(!d->torn);
	ck_assert_int_eq(rc, 1);
	ck_assert(d->torn);
	ck_assert_uint_eq(rules.n, 1);
	fmpi_rules_free(&rules);
	fmpi_dump_free(d);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("pairs");

	tcase_add_test(tc, in_any_order);
	tcase_add_test(tc, keys);
	tcase_add_test(tc, the_longest_stands);
	tcase_add_test(tc, longer_than_a_rule_lasts);
	tcase_add_test(tc, a_dump_without_an_end);
	return run_tcase("pairs", tc);
}
