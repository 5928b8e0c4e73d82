/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_NETLINK_DEV_H
#define _FMP_NETLINK_DEV_H

#include <linux/fmp.h>
#include <net/netlink.h>

struct genl_info;
struct netlink_callback;
struct sk_buff;

extern const struct nla_policy fmp_attach_policy[FMP_A_MAX + 1];
extern const struct nla_policy fmp_detach_policy[FMP_A_MAX + 1];
extern const struct nla_policy fmp_dev_get_policy[FMP_A_MAX + 1];

int fmp_cmd_dev_attach(struct sk_buff *skb, struct genl_info *info);
int fmp_cmd_dev_detach(struct sk_buff *skb, struct genl_info *info);
int fmp_dump_devs_start(struct netlink_callback *cb);
int fmp_dump_devs(struct sk_buff *msg, struct netlink_callback *cb);

#endif /* _FMP_NETLINK_DEV_H */
