// SPDX-License-Identifier: GPL-2.0
/*
 * libfmp/enforce: a set that is busy for a moment is asked again, one that stays so is reported; a block that
 * is renewed takes one transaction where it is in the set, and is taken where it is not.
 */
#include <check.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <libmnl/libmnl.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

#include <layers/nft.h>

#include "run.h"

static int ends[2];
static unsigned transactions, busy, elements, deletions;
static bool there; /* the element, in the one set */

ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *sk, const void *buf, size_t len);
int __wrap_mnl_socket_get_fd(const struct mnl_socket *sk);

int __wrap_mnl_socket_get_fd(const struct mnl_socket *sk)
{
	return ends[0];
}

static void answer_request(const struct nlmsghdr *to, int error)
{
	struct {
		struct nlmsghdr nlh;
		struct nlmsgerr e;
	} m = { .nlh = { .nlmsg_len = sizeof(m),
			 .nlmsg_type = NLMSG_ERROR,
			 .nlmsg_flags = NLM_F_CAPPED,
			 .nlmsg_seq = to->nlmsg_seq },
		.e = { .error = -error, .msg = *to } };

	ck_assert_int_eq(send(ends[1], &m, sizeof(m), 0), sizeof(m));
}

/* What an element's message makes of the set. Return: the kernel's error number. */
static int change_set(const struct nlmsghdr *nlh, bool refuse, bool *has)
{
	bool add = nlh->nlmsg_type == (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWSETELEM);

	if (!add && nlh->nlmsg_type != (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_DELSETELEM))
		return 0;
	if (add && refuse)
		return EBUSY;
	if (add && *has && (nlh->nlmsg_flags & NLM_F_EXCL))
		return EEXIST;
	if (!add && !*has && !refuse)
		return ENOENT;
	*has = add;
	elements += add;
	deletions += !add;
	return 0;
}

/* The kernel: as long as it is busy it refuses what adds elements; a transaction counts as a whole. */
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *sk, const void *buf, size_t len)
{
	const struct nlmsghdr *nlh = buf;
	int left = (int)len;
	bool refuse = busy > 0, has = there, failed = false;
	int error;

	transactions++;
	elements = deletions = 0;
	busy -= refuse;
	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		error = change_set(nlh, refuse, &has);
		failed |= error != 0;
		if (error)
			answer_request(nlh, error);
		if (nlh->nlmsg_flags & NLM_F_ACK)
			answer_request(nlh, 0);
	}
	there = failed ? there : has;
	return (ssize_t)len;
}

static int block_one(unsigned busy_for, bool is_there, bool renews, struct fmpi_change *c)
{
	struct nft_layer l = { .family = NFPROTO_INET };
	int rc;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
	transactions = 0;
	there = is_there;
	busy = busy_for;
	*c = (struct fmpi_change){ .block = true, .renews = renews, .id = 1, .left_ms = 1000 };
	ck_assert_int_eq(fmp_addr_parse("192.0.2.7", &c->addr, NULL), 0);
	*fmpi_nft_shape_at(&l.shape, fmpi_nft_set_of_change(c)) = true;
	rc = fmpi_nft_apply(&l, c, 1, NULL);
	close(ends[0]);
	close(ends[1]);
	return rc;
}

START_TEST(busy_for_a_moment)
{
	struct fmpi_change c;

	ck_assert_int_eq(block_one(0, false, false, &c), 0);
	ck_assert_uint_eq(transactions, 1);
	ck_assert_int_eq(block_one(2, false, false, &c), 0);
	ck_assert(c.done);
	ck_assert_int_eq(c.result.sys_errno, 0);
	/* The same one, not a more careful one: nothing was there already. */
	ck_assert_uint_eq(transactions, 3);
	ck_assert_uint_eq(elements, 1);
}
END_TEST

START_TEST(busy_for_ever)
{
	struct fmpi_change c;

	/* The change is done with, and says why it was not made. */
	ck_assert_int_eq(block_one(1000000, false, false, &c), 0);
	ck_assert(c.done);
	ck_assert_int_eq(c.result.sys_errno, EBUSY);
	ck_assert_uint_eq(elements, 0);
	ck_assert_uint_lt(transactions, 50);
}
END_TEST

START_TEST(renewed)
{
	struct fmpi_change c;

	ck_assert_int_eq(block_one(0, true, true, &c), 0);
	ck_assert_int_eq(c.result.sys_errno, 0);
	ck_assert_uint_eq(transactions, 1);
	ck_assert_uint_eq(deletions, 1);
	ck_assert_uint_eq(elements, 1);
	ck_assert(there);
}
END_TEST

/* Neither what is said to be there and is not, nor what is there unknown, is an error. */
START_TEST(renewed_by_mistake)
{
	struct fmpi_change c;

	for (unsigned is_there = 0; is_there < 2; is_there++) {
		ck_assert_int_eq(block_one(0, is_there, !is_there, &c), 0);
		ck_assert_int_eq(c.result.sys_errno, 0);
		ck_assert_uint_eq(transactions, 2);
		ck_assert(there);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("nft_busy");

	tcase_add_test(tc, busy_for_a_moment);
	tcase_add_test(tc, busy_for_ever);
	tcase_add_test(tc, renewed);
	tcase_add_test(tc, renewed_by_mistake);
	return run_tcase("nft_busy", tc);
}
