// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "fmp": commands and dumps of devices
 */
#include "netlink_dev.h"
#include "attach.h"
#include "event.h"
#include "message.h"
#include "netlink.h"

#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/genetlink.h>
#include <net/sock.h>

static const struct nla_policy fmp_attach_dev_policy[FMP_DEV_A_MAX + 1] = {
	[FMP_DEV_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FMP_DEV_A_NAME] = { .type = NLA_NUL_STRING, .len = FMP_NAME_MAX - 1 },
	[FMP_DEV_A_FLAGS] = NLA_POLICY_MASK(NLA_U32, FMP_DEV_F_MASK),
};

static const struct nla_policy fmp_detach_dev_policy[FMP_DEV_A_MAX + 1] = {
	[FMP_DEV_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FMP_DEV_A_NAME] = { .type = NLA_NUL_STRING, .len = FMP_NAME_MAX - 1 },
};

const struct nla_policy fmp_attach_policy[FMP_A_MAX + 1] = {
	[FMP_A_DEV] = NLA_POLICY_NESTED(fmp_attach_dev_policy),
};

const struct nla_policy fmp_detach_policy[FMP_A_MAX + 1] = {
	[FMP_A_DEV] = NLA_POLICY_NESTED(fmp_detach_dev_policy),
};

/**
 * fmp_parse_dev() - find the device that a message names
 * @info: the message
 * @policy: what the device nest may hold
 * @tb: filled with its attributes
 *
 * Context: process, RTNL held.
 * Return: the device, or an ERR_PTR.
 */
static struct net_device *fmp_parse_dev(struct genl_info *info, const struct nla_policy *policy,
					struct nlattr **tb)
{
	struct nlattr *nest = info->attrs[FMP_A_DEV];
	struct net *net = genl_info_net(info);
	struct net_device *dev;
	int err;

	if (!nest) {
		NL_SET_ERR_MSG(info->extack, "no device in the message");
		return ERR_PTR(-EINVAL);
	}
	err = nla_parse_nested(tb, FMP_DEV_A_MAX, nest, policy, info->extack);
	if (err)
		return ERR_PTR(err);
	if (!tb[FMP_DEV_A_IFINDEX] == !tb[FMP_DEV_A_NAME]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest,
				    "a device needs its index or its name, not both");
		return ERR_PTR(-EINVAL);
	}
	if (tb[FMP_DEV_A_IFINDEX])
		dev = __dev_get_by_index(net, nla_get_u32(tb[FMP_DEV_A_IFINDEX]));
	else
		dev = __dev_get_by_name(net, nla_data(tb[FMP_DEV_A_NAME]));
	if (!dev) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest, "no such device");
		return ERR_PTR(-ENODEV);
	}
	return dev;
}

/**
 * fmp_cmd_dev_attach() - FMP_CMD_DEV_ATTACH
 * @skb: the message
 * @info: the message, parsed
 *
 * Context: process, genl lock held.
 * Return: 0 or a negative error.
 */
int fmp_cmd_dev_attach(struct sk_buff *skb, struct genl_info *info)
{
	struct fmp_net *fn = fmp_net(genl_info_net(info));
	struct nlattr *tb[FMP_DEV_A_MAX + 1];
	struct fmp_rx_port *port;
	struct net_device *dev;
	int err = 0;
	u32 flags;

	rtnl_lock();
	dev = fmp_parse_dev(info, fmp_attach_dev_policy, tb);
	if (IS_ERR(dev)) {
		err = PTR_ERR(dev);
		goto out;
	}
	if (!fn->live) {
		NL_SET_ERR_MSG(info->extack, "the module is on its way in or out");
		err = -ESHUTDOWN;
		goto out;
	}
	flags = tb[FMP_DEV_A_FLAGS] ? nla_get_u32(tb[FMP_DEV_A_FLAGS]) : 0;
	port = fmp_attach(&fn->tables, dev, flags, info->extack);
	if (IS_ERR(port))
		err = PTR_ERR(port);
	else
		fmp_event_dev(port, FMP_EVENT_TYPE_DEV_ATTACHED);
out:
	rtnl_unlock();
	return err;
}

/**
 * fmp_cmd_dev_detach() - FMP_CMD_DEV_DETACH
 * @skb: the message
 * @info: the message, parsed
 *
 * Context: process, genl lock held.
 * Return: 0 or a negative error.
 */
int fmp_cmd_dev_detach(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *tb[FMP_DEV_A_MAX + 1];
	struct fmp_rx_port *port;
	struct net_device *dev;
	int err = 0;

	rtnl_lock();
	dev = fmp_parse_dev(info, fmp_detach_dev_policy, tb);
	if (IS_ERR(dev)) {
		err = PTR_ERR(dev);
		goto out;
	}
	port = fmp_port_find(dev);
	if (!port || port->hook == FMP_HOOK_NONE) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[FMP_A_DEV],
				    "the device is not attached");
		err = -ENOENT;
		goto out;
	}
	fmp_event_dev(port, FMP_EVENT_TYPE_DEV_DETACHED);
	fmp_detach(port);
out:
	rtnl_unlock();
	return err;
}

/**
 * fmp_dump_devs() - FMP_CMD_DEV_GET
 * @msg: to be filled
 * @cb: the dump; ports seen so far are in its args
 *
 * Context: process, genl lock held.
 * Return: bytes filled, 0 at the end.
 */
int fmp_dump_devs(struct sk_buff *msg, struct netlink_callback *cb)
{
	const struct net *net = sock_net(msg->sk);
	struct fmp_rx_port *port;
	long i = 0;

	rtnl_lock();
	cb->seq = fmp_port_generation;
	list_for_each_entry(port, &fmp_ports, list) {
		void *hdr;

		if (!net_eq(dev_net(port->dev), net) || i++ < cb->args[0])
			continue;
		hdr = genlmsg_put(msg, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, &fmp_family,
				  NLM_F_MULTI, FMP_CMD_DEV_GET);
		if (!hdr)
			break;
		genl_dump_check_consistent(cb, hdr);
		if (fmp_message_put_dev(msg, port)) {
			genlmsg_cancel(msg, hdr);
			break;
		}
		genlmsg_end(msg, hdr);
		cb->args[0] = i;
	}
	rtnl_unlock();
	return msg->len;
}
