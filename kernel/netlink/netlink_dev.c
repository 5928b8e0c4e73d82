// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "fmp": commands and dumps of devices
 */
#include "netlink_dev.h"
#include "../hook/devices.h"
#include "message.h"
#include "netlink.h"
#include "right.h"
#include "../core/netns.h"

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

const struct nla_policy fmp_dev_get_policy[FMP_A_MAX + 1] = {
	[FMP_A_PER_CPU] = { .type = NLA_FLAG },
};

/**
 * struct fmp_dev_request - the device nest of a message
 * @dev: the device, NULL if there is none
 * @name: its name, NULL if its index was given
 * @flags: FMP_DEV_F_*
 */
struct fmp_dev_request {
	struct net_device *dev;
	const char *name;
	u32 flags;
};

/**
 * fmp_parse_dev() - parse the device nest of a message
 * @info: the message
 * @policy: policy of its attributes
 * @req: filled
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int fmp_parse_dev(struct genl_info *info, const struct nla_policy *policy,
			 struct fmp_dev_request *req)
{
	struct nlattr *nest = info->attrs[FMP_A_DEV];
	struct nlattr *tb[FMP_DEV_A_MAX + 1];
	struct net *net = genl_info_net(info);
	int err;

	if (!nest) {
		NL_SET_ERR_MSG(info->extack, "no device in the message");
		return -EINVAL;
	}
	err = nla_parse_nested(tb, FMP_DEV_A_MAX, nest, policy, info->extack);
	if (err)
		return err;
	if (!tb[FMP_DEV_A_IFINDEX] == !tb[FMP_DEV_A_NAME]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest,
				    "a device needs its index or its name, not both");
		return -EINVAL;
	}
	req->flags = tb[FMP_DEV_A_FLAGS] ? nla_get_u32(tb[FMP_DEV_A_FLAGS]) : 0;
	if (tb[FMP_DEV_A_IFINDEX]) {
		req->name = NULL;
		req->dev = __dev_get_by_index(net, nla_get_u32(tb[FMP_DEV_A_IFINDEX]));
	} else {
		req->name = nla_data(tb[FMP_DEV_A_NAME]);
		req->dev = __dev_get_by_name(net, req->name);
	}
	return 0;
}

/**
 * fmp_dev_attach() - handle FMP_CMD_DEV_ATTACH
 * @info: the message
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int fmp_dev_attach(struct genl_info *info)
{
	struct fmp_net *fn = fmp_net(genl_info_net(info));
	struct nlattr *nest = info->attrs[FMP_A_DEV];
	struct fmp_dev_request req;
	int err;

	err = fmp_parse_dev(info, fmp_attach_dev_policy, &req);
	if (err)
		return err;
	if (!(req.flags & FMP_DEV_F_WAIT)) {
		req.name = NULL;
	} else if (!req.name) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest, "only a name can be waited for");
		return -EINVAL;
	}
	if (!req.dev && !req.name) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest, "no such device");
		return -ENODEV;
	}
	err = fmp_devices_attach(fn, req.dev, req.name, req.flags, info->extack);
	if (err)
		NL_SET_BAD_ATTR(info->extack, nest);
	return err;
}

/**
 * fmp_cmd_dev_attach() - FMP_CMD_DEV_ATTACH
 * @skb: the message
 * @info: the message, parsed
 *
 * Context: process, in parallel with other commands.
 * Return: 0 or a negative error.
 */
int fmp_cmd_dev_attach(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	err = fmp_check_admin(skb, info->extack);
	if (err)
		return err;
	rtnl_lock();
	err = fmp_dev_attach(info);
	rtnl_unlock();
	return err;
}

/**
 * fmp_cmd_dev_detach() - FMP_CMD_DEV_DETACH
 * @skb: the message
 * @info: the message, parsed
 *
 * Context: process, in parallel with other commands.
 * Return: 0 or a negative error.
 */
int fmp_cmd_dev_detach(struct sk_buff *skb, struct genl_info *info)
{
	struct fmp_net *fn = fmp_net(genl_info_net(info));
	struct fmp_dev_request req;
	int err;

	err = fmp_check_admin(skb, info->extack);
	if (err)
		return err;
	rtnl_lock();
	err = fmp_parse_dev(info, fmp_detach_dev_policy, &req);
	if (err)
		goto out;
	err = fmp_devices_detach(fn, req.dev, req.name, info->extack);
	if (err)
		NL_SET_BAD_ATTR(info->extack, info->attrs[FMP_A_DEV]);
out:
	rtnl_unlock();
	return err;
}

/**
 * fmp_dump_devs_start() - prepare FMP_CMD_DEV_GET
 * @cb: the dump
 *
 * Context: process, in parallel with other commands.
 * Return: 0.
 */
int fmp_dump_devs_start(struct netlink_callback *cb)
{
	/* One device must fit with the counters of all processors. */
	if (genl_info_dump(cb)->attrs[FMP_A_PER_CPU])
		cb->min_dump_alloc = max_t(size_t, NLMSG_GOODSIZE,
					   FMP_MESSAGE_SIZE + nr_cpu_ids * FMP_MESSAGE_CPU_SIZE);
	return 0;
}

/**
 * fmp_dump_dev() - add one message to a dump of devices
 * @msg: the dump's buffer
 * @cb: the dump
 * @port: the device, or NULL
 * @pending: the pending attach, if there is no device
 *
 * Context: process, RTNL held.
 * Return: 0 or -EMSGSIZE.
 */
static int fmp_dump_dev(struct sk_buff *msg, struct netlink_callback *cb,
			const struct fmp_rx_port *port, const struct fmp_pending_attach *pending)
{
	void *hdr = genlmsg_put(msg, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, &fmp_family,
				NLM_F_MULTI, FMP_CMD_DEV_GET);
	int err;

	if (!hdr)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, hdr);
	if (port)
		err = fmp_message_put_dev(msg, port, genl_info_dump(cb)->attrs[FMP_A_PER_CPU]);
	else
		err = fmp_message_put_pending(msg, pending);
	if (err) {
		genlmsg_cancel(msg, hdr);
		return err;
	}
	genlmsg_end(msg, hdr);
	cb->args[0]++;
	return 0;
}

/**
 * fmp_dump_ports_and_pending() - add devices and pending attaches to a dump
 * @msg: filled with as many as fit
 * @cb: the dump; its args hold the number dumped before
 * @fn: the namespace
 *
 * Context: process, RTNL held.
 * Return: 0 if all was dumped, or -EMSGSIZE.
 */
static int fmp_dump_ports_and_pending(struct sk_buff *msg, struct netlink_callback *cb,
				      const struct fmp_net *fn)
{
	struct fmp_rx_port *port;
	struct fmp_pending_attach *pending;
	long done = cb->args[0];
	int err;

	list_for_each_entry(port, &fmp_ports, list) {
		if (!net_eq(dev_net(port->dev), fn->net) || done-- > 0)
			continue;
		err = fmp_dump_dev(msg, cb, port, NULL);
		if (err)
			return err;
	}
	list_for_each_entry(pending, &fn->pending, list) {
		if (fmp_pending_port(pending) || done-- > 0)
			continue;
		err = fmp_dump_dev(msg, cb, NULL, pending);
		if (err)
			return err;
	}
	return 0;
}

/**
 * fmp_dump_devs() - FMP_CMD_DEV_GET
 * @msg: filled
 * @cb: the dump
 *
 * Context: process, in parallel with other commands.
 * Return: bytes filled, 0 at the end, -EMSGSIZE if not one device fits.
 */
int fmp_dump_devs(struct sk_buff *msg, struct netlink_callback *cb)
{
	const struct fmp_net *fn = fmp_net(sock_net(msg->sk));
	int err;

	rtnl_lock();
	cb->seq = fn->dev_generation;
	err = fmp_dump_ports_and_pending(msg, cb, fn);
	rtnl_unlock();
	return msg->len ?: err;
}
