// SPDX-License-Identifier: GPL-2.0
/* The module's events, as its watch reads them: single messages as the kernel makes them. */
#include <linux/fmp.h>
#include <linux/genetlink.h>

#include <enforce/watch.h>

#include "run.h"

#define FAMILY 0x1c

static _Alignas(struct nlmsghdr) char room[512];

static struct nlmsghdr *begin_event(uint8_t type)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(room);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = FAMILY;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = FMP_CMD_EVENT;
	mnl_attr_put_u8(nlh, FMP_A_EVENT, type);
	return nlh;
}

START_TEST(event_without_a_loss)
{
	uint64_t lost = 7;

	ck_assert_uint_eq(fmpi_watch_event(begin_event(FMP_EVENT_TYPE_RULE_EXPIRED), &lost),
			  FMP_EVENT_TYPE_RULE_EXPIRED);
	ck_assert_uint_eq(lost, 0);
}
END_TEST

START_TEST(loss_by_an_older_module)
{
	struct nlmsghdr *nlh = begin_event(FMP_EVENT_TYPE_LOST);
	uint64_t lost;

	mnl_attr_put_u64(nlh, FMP_A_LOST, 5);
	ck_assert_uint_eq(fmpi_watch_event(nlh, &lost), FMP_EVENT_TYPE_LOST);
	ck_assert_uint_eq(lost, 5);
}
END_TEST

/* A flood of frames causes first hits. If they counted, it would cause comparisons without end. */
START_TEST(lost_first_hits_change_nothing)
{
	struct nlmsghdr *nlh = begin_event(FMP_EVENT_TYPE_RULE_HIT);
	uint64_t lost;

	mnl_attr_put_u64(nlh, FMP_A_LOST, 5000);
	mnl_attr_put_u64(nlh, FMP_A_LOST_HITS, 5000);
	ck_assert_uint_eq(fmpi_watch_event(nlh, &lost), FMP_EVENT_TYPE_RULE_HIT);
	ck_assert_uint_eq(lost, 0);
}
END_TEST

START_TEST(loss_beside_first_hits)
{
	struct nlmsghdr *nlh = begin_event(FMP_EVENT_TYPE_LOST);
	uint64_t lost;

	mnl_attr_put_u64(nlh, FMP_A_LOST, 5000);
	mnl_attr_put_u64(nlh, FMP_A_LOST_HITS, 4999);
	ck_assert_uint_eq(fmpi_watch_event(nlh, &lost), FMP_EVENT_TYPE_LOST);
	ck_assert_uint_eq(lost, 1);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("watch");

	tcase_add_test(tc, event_without_a_loss);
	tcase_add_test(tc, loss_by_an_older_module);
	tcase_add_test(tc, lost_first_hits_change_nothing);
	tcase_add_test(tc, loss_beside_first_hits);
	return run_tcase("watch", tc);
}
