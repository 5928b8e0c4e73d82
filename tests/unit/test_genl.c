// SPDX-License-Identifier: GPL-2.0
/* A rule in a message of the family "fmp": what is written is read again, and takes no more bytes than its bound. */
#include <net/genl.h>

#include "run.h"

#define MAC  "02:00:00:00:00:01"
#define IPV6 "2001:db8::1"

static const struct {
	const char *address, *pair_mac;
} rows[] = {
	{ MAC, NULL },	{ "192.0.2.1", NULL },	   { "192.0.2.0/24", NULL },
	{ IPV6, NULL }, { "2001:db8::/33", NULL }, { "192.0.2.1", MAC },
	{ IPV6, MAC },
};

static struct fmp_addr parse_address(const char *text)
{
	struct fmp_addr a = { 0 };

	if (text)
		ck_assert_int_eq(fmp_addr_parse(text, &a, NULL), 0);
	return a;
}

/* The attributes that a rule has in a message of ours; the module adds those that it counts. */
START_TEST(a_rule_is_read_as_written)
{
	static _Alignas(struct nlmsghdr) char buf[1024];
	struct fmp_addr a = parse_address(rows[_i].address), mac = parse_address(rows[_i].pair_mac);
	struct nlmsghdr *nlh = fmpi_genl_begin(buf, 0x1c, FMP_CMD_RULE_ADD, 0);
	const uint32_t before = nlh->nlmsg_len;
	enum fmp_verdict verdict;
	struct fmp_rule got;

	fmpi_genl_put_rule(nlh, &a, &mac, FMP_VERDICT_OBSERVE, FMP_TIMEOUT_MAX_MS, UINT64_MAX - 1);
	ck_assert_uint_le(nlh->nlmsg_len - before, FMPI_GENL_RULE_MAX);
	ck_assert(fmpi_genl_get_rule(nlh, &got, &verdict));
	ck_assert(fmp_addr_equal(&got.addr, &a));
	ck_assert(fmp_addr_equal(&got.pair_mac, &mac));
	ck_assert_int_eq(verdict, FMP_VERDICT_OBSERVE);
	ck_assert_uint_eq(got.left_ms, FMP_TIMEOUT_MAX_MS);
	ck_assert_uint_eq(got.id, UINT64_MAX - 1);
}
END_TEST

/* A rule without timeout and id: 0 is not sent, and read where there is none. */
START_TEST(what_is_left_out_is_0)
{
	static _Alignas(struct nlmsghdr) char buf[1024];
	struct fmp_addr a = parse_address(MAC), none = { 0 };
	struct nlmsghdr *nlh = fmpi_genl_begin(buf, 0x1c, FMP_CMD_RULE_DEL, 0);
	enum fmp_verdict verdict;
	struct fmp_rule got;

	fmpi_genl_put_rule(nlh, &a, &none, FMP_VERDICT_UNSPEC, 0, 0);
	ck_assert(fmpi_genl_get_rule(nlh, &got, &verdict));
	ck_assert_int_eq(verdict, FMP_VERDICT_UNSPEC);
	ck_assert(!got.left_ms && !got.id && !got.frames && !got.bytes && !got.first_hit_ns);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("genl");

	tcase_add_loop_test(tc, a_rule_is_read_as_written, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tc, what_is_left_out_is_0);
	return run_tcase("genl", tc);
}
