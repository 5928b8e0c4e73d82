/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_RIGHT_H
#define _FMP_RIGHT_H

#include <linux/capability.h>
#include <linux/netlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>

/**
 * fmp_check_admin() - check that the sender of a message may change and read rules
 * @skb: the message
 * @extack: filled with the reason on error; NULL for a dump before 6.2
 *
 * Instead of %GENL_UNS_ADMIN_PERM: genl refuses without a text.
 *
 * Context: process.
 * Return: 0 or -EPERM.
 */
static inline int fmp_check_admin(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_ns_capable(skb, sock_net(skb->sk)->user_ns, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "CAP_NET_ADMIN is needed in the user namespace of this network namespace");
	return -EPERM;
}

#endif /* _FMP_RIGHT_H */
