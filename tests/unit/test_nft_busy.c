// SPDX-License-Identifier: GPL-2.0
/* libfmp/enforce: a set that is busy for a moment is asked again; one that stays so is told. */
#include <check.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <libmnl/libmnl.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

#include <enforce/nft.h>

#include "run.h"

static int ends[2];
static unsigned transactions, busy, elements;

ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *sk, const void *buf, size_t len);
int __wrap_mnl_socket_get_fd(const struct mnl_socket *sk);

int __wrap_mnl_socket_get_fd(const struct mnl_socket *sk)
{
	return ends[0];
}

static void answer(const struct nlmsghdr *to, int error)
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

/* The kernel: as long as it is busy it refuses what adds elements, of all the rest nothing. */
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *sk, const void *buf, size_t len)
{
	const struct nlmsghdr *nlh = buf;
	int left = (int)len;
	bool refuse = busy > 0;

	transactions++;
	busy -= refuse;
	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		if (nlh->nlmsg_type == (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWSETELEM)) {
			elements += !refuse;
			if (refuse)
				answer(nlh, EBUSY);
		}
		if (nlh->nlmsg_flags & NLM_F_ACK)
			answer(nlh, 0);
	}
	return (ssize_t)len;
}

static int block_one(unsigned busy_for, struct fmpi_change *c)
{
	struct nft_layer l = { .family = NFPROTO_INET };
	int rc;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
	transactions = elements = 0;
	busy = busy_for;
	*c = (struct fmpi_change){ .block = true, .id = 1, .left_ms = 1000 };
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

	ck_assert_int_eq(block_one(0, &c), 0);
	ck_assert_uint_eq(transactions, 1);
	ck_assert_int_eq(block_one(2, &c), 0);
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
	ck_assert_int_eq(block_one(1000000, &c), 0);
	ck_assert(c.done);
	ck_assert_int_eq(c.result.sys_errno, EBUSY);
	ck_assert_uint_eq(elements, 0);
	ck_assert_uint_lt(transactions, 50);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("nft_busy");

	tcase_add_test(tc, busy_for_a_moment);
	tcase_add_test(tc, busy_for_ever);
	return run_tcase("nft_busy", tc);
}
