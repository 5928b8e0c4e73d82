// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "fmp": the family, commands and dumps of rules
 *
 * <linux/fmp.h> is the contract. Policies are strict: handlers get only known
 * attributes of the right length. Each error has a text in the extended ack.
 */
#include "netlink.h"
#include "batch.h"
#include "event.h"
#include "message.h"
#include "netlink_dev.h"
#include "right.h"

#include <net/genetlink.h>
#include <net/sock.h>

/* Not const: nla_policy.range of kernel 6.1 is not a pointer to const. */
static struct netlink_range_validation fmp_timeout_range = {
	.max = FMP_TIMEOUT_MAX_MS,
};

#define FMP_ADDRESS_POLICY                                                 \
	[FMP_RULE_A_MAC] = NLA_POLICY_EXACT_LEN(FMP_MAC_LEN),              \
	[FMP_RULE_A_IPV4] = NLA_POLICY_EXACT_LEN(sizeof(struct in_addr)),  \
	[FMP_RULE_A_IPV6] = NLA_POLICY_EXACT_LEN(sizeof(struct in6_addr)), \
	[FMP_RULE_A_PREFIX_LEN] = NLA_POLICY_RANGE(NLA_U8, 1, FMP_PLEN_MAX)

#define FMP_VERDICT_POLICY \
	[FMP_RULE_A_VERDICT] = NLA_POLICY_RANGE(NLA_U8, FMP_VERDICT_BLOCK, FMP_VERDICT_MAX)

static const struct nla_policy fmp_add_rule_policy[FMP_RULE_A_MAX + 1] = {
	FMP_ADDRESS_POLICY,
	FMP_VERDICT_POLICY,
	[FMP_RULE_A_PAD] = { .type = NLA_BINARY },
	[FMP_RULE_A_TIMEOUT_MS] = NLA_POLICY_FULL_RANGE(NLA_U64, &fmp_timeout_range),
	[FMP_RULE_A_ID] = { .type = NLA_U64 },
};

static const struct nla_policy fmp_del_rule_policy[FMP_RULE_A_MAX + 1] = {
	FMP_ADDRESS_POLICY,
};

static const struct nla_policy fmp_flush_rule_policy[FMP_RULE_A_MAX + 1] = {
	FMP_VERDICT_POLICY,
};

static const struct nla_policy fmp_add_policy[FMP_A_MAX + 1] = {
	[FMP_A_RULE] = NLA_POLICY_NESTED(fmp_add_rule_policy),
};

static const struct nla_policy fmp_del_policy[FMP_A_MAX + 1] = {
	[FMP_A_RULE] = NLA_POLICY_NESTED(fmp_del_rule_policy),
};

static const struct nla_policy fmp_flush_policy[FMP_A_MAX + 1] = {
	[FMP_A_RULE] = NLA_POLICY_NESTED(fmp_flush_rule_policy),
};

/* Commands without attributes. */
static const struct nla_policy fmp_empty_policy[FMP_A_MAX + 1] = {};

/* Before 6.1.69 the flag of a multicast group had the name of a command's flag. */
#ifndef GENL_MCAST_CAP_NET_ADMIN
#define GENL_MCAST_CAP_NET_ADMIN GENL_UNS_ADMIN_PERM
#endif

static const struct genl_multicast_group fmp_mcgrps[] = {
	[FMP_MCGRP_EVENTS] = { .name = FMP_GENL_MCGRP_EVENTS, .flags = GENL_MCAST_CAP_NET_ADMIN },
};

/* Flags that FMP_CMD_RULE_ADD accepts; it replaces a rule unless NLM_F_EXCL is set. */
#define FMP_ADD_FLAGS \
	(NLM_F_REQUEST | NLM_F_ACK | NLM_F_ECHO | NLM_F_CREATE | NLM_F_REPLACE | NLM_F_EXCL)

/**
 * fmp_check_add_flags() - check flags and reserved field of FMP_CMD_RULE_ADD
 *
 * From 6.1 on genl checks those of all other commands, see genl_family.resv_start_op.
 *
 * @info: the message
 *
 * Context: any.
 * Return: 0, or -EINVAL.
 */
static int fmp_check_add_flags(const struct genl_info *info)
{
	if (info->genlhdr->reserved) {
		NL_SET_ERR_MSG_MOD(info->extack, "the reserved field of the header is not 0");
		return -EINVAL;
	}
	if (info->nlhdr->nlmsg_flags & ~FMP_ADD_FLAGS) {
		NL_SET_ERR_MSG_MOD(info->extack, "unsupported flags in the netlink header");
		return -EINVAL;
	}
	return 0;
}

/**
 * fmp_cmd_rule_add() - FMP_CMD_RULE_ADD
 * @skb: the message
 * @info: the message, parsed
 *
 * Context: process, in parallel with other commands.
 * Return: 0 or a negative error.
 */
static int fmp_cmd_rule_add(struct sk_buff *skb, struct genl_info *info)
{
	struct fmp_net *fn = fmp_net(genl_info_net(info));
	struct fmp_batch batch;
	enum fmp_rule_err rule_err;
	unsigned int bad;
	int err;

	err = fmp_check_admin(skb, info->extack);
	if (err)
		return err;
	err = fmp_check_add_flags(info);
	if (err)
		return err;
	err = fmp_batch_parse(info, fmp_add_rule_policy, true, &batch);
	if (err)
		return err;
	rule_err = fmp_tables_add(&fn->tables, batch.spec, batch.n,
				  info->nlhdr->nlmsg_flags & NLM_F_EXCL, &bad);
	if (rule_err)
		err = fmp_batch_report_error(info, &batch, bad, rule_err);
	else
		fmp_event_rules(fn);
	fmp_batch_free(&batch);
	return err;
}

/**
 * fmp_cmd_rule_del() - FMP_CMD_RULE_DEL
 * @skb: the message
 * @info: the message, parsed
 *
 * Context: process, in parallel with other commands.
 * Return: 0 or a negative error.
 */
static int fmp_cmd_rule_del(struct sk_buff *skb, struct genl_info *info)
{
	struct fmp_net *fn = fmp_net(genl_info_net(info));
	struct fmp_batch batch;
	enum fmp_rule_err rule_err;
	unsigned int bad;
	int err;

	err = fmp_check_admin(skb, info->extack);
	if (err)
		return err;
	err = fmp_batch_parse(info, fmp_del_rule_policy, false, &batch);
	if (err)
		return err;
	rule_err = fmp_tables_del(&fn->tables, batch.spec, batch.n, &bad);
	if (rule_err)
		err = fmp_batch_report_error(info, &batch, bad, rule_err);
	else
		fmp_event_rules(fn);
	fmp_batch_free(&batch);
	return err;
}

/**
 * fmp_cmd_rule_flush() - FMP_CMD_RULE_FLUSH
 * @skb: the message
 * @info: the message, parsed
 *
 * Context: process, in parallel with other commands.
 * Return: 0 or a negative error.
 */
static int fmp_cmd_rule_flush(struct sk_buff *skb, struct genl_info *info)
{
	struct fmp_net *fn = fmp_net(genl_info_net(info));
	struct nlattr *nest = info->attrs[FMP_A_RULE];
	u8 verdict = FMP_VERDICT_UNSPEC;
	struct nlattr *tb[FMP_RULE_A_MAX + 1];
	int err;

	err = fmp_check_admin(skb, info->extack);
	if (err)
		return err;
	if (nest) {
		err = nla_parse_nested(tb, FMP_RULE_A_MAX, nest, fmp_flush_rule_policy,
				       info->extack);
		if (err)
			return err;
		if (!tb[FMP_RULE_A_VERDICT]) {
			NL_SET_ERR_MSG_ATTR(info->extack, nest, "a flush by rule needs a verdict");
			return -EINVAL;
		}
		verdict = nla_get_u8(tb[FMP_RULE_A_VERDICT]);
	}
	if (fmp_tables_flush(&fn->tables, verdict))
		fmp_event_rules(fn);
	return 0;
}

/**
 * fmp_dump_rule() - add one message to a dump of rules
 * @msg: the dump's buffer
 * @cb: the dump
 * @ts: the rules
 * @rule: the rule
 *
 * Context: process, ts->lock held.
 * Return: 0 or -EMSGSIZE.
 */
static int fmp_dump_rule(struct sk_buff *msg, struct netlink_callback *cb, struct fmp_tables *ts,
			 const struct fmp_rule *rule)
{
	void *hdr = genlmsg_put(msg, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, &fmp_family,
				NLM_F_MULTI, FMP_CMD_RULE_GET);

	if (!hdr)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, hdr);
	if (nla_put_u32(msg, FMP_A_GENERATION, ts->generation) ||
	    fmp_message_put_rule(msg, rule, ktime_get_boottime_ns())) {
		genlmsg_cancel(msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return 0;
}

/**
 * fmp_dump_rules_start() - check a request of FMP_CMD_RULE_GET
 * @cb: the dump
 *
 * Context: process.
 * Return: 0 or -EPERM.
 */
static int fmp_dump_rules_start(struct netlink_callback *cb)
{
	return fmp_check_admin(cb->skb, cb->extack);
}

/**
 * fmp_dump_rules() - FMP_CMD_RULE_GET
 * @msg: filled
 * @cb: the dump; its args hold the position
 *
 * Context: process, in parallel with other commands.
 * Return: bytes filled, 0 at the end.
 */
static int fmp_dump_rules(struct sk_buff *msg, struct netlink_callback *cb)
{
	struct fmp_tables *ts = &fmp_net(sock_net(msg->sk))->tables;
	struct fmp_table_pos *pos = (struct fmp_table_pos *)cb->args;
	struct fmp_rule *rule;

	BUILD_BUG_ON(sizeof(*pos) > sizeof(cb->args));
	mutex_lock(&ts->lock);
	cb->seq = ts->generation;
	for (; (rule = fmp_tables_next_rule(ts, pos)); pos->skip++) {
		if (!fmp_rule_live(rule, ktime_get_boottime_ns()))
			continue;
		if (fmp_dump_rule(msg, cb, ts, rule))
			break;
	}
	mutex_unlock(&ts->lock);
	return msg->len;
}

/**
 * fmp_cmd_stats_get() - FMP_CMD_STATS_GET
 * @skb: the message
 * @info: the message, parsed
 *
 * Context: process, in parallel with other commands.
 * Return: 0 or a negative error.
 */
static int fmp_cmd_stats_get(struct sk_buff *skb, struct genl_info *info)
{
	struct fmp_net *fn = fmp_net(genl_info_net(info));
	struct fmp_tables *ts = &fn->tables;
	struct sk_buff *msg;
	u64 memory, evicted;
	u32 rules, generation;
	void *hdr;

	mutex_lock(&ts->lock);
	rules = fmp_tables_count(ts);
	memory = fmp_tables_memory(ts);
	evicted = ts->evicted;
	generation = ts->generation;
	mutex_unlock(&ts->lock);

	msg = genlmsg_new(FMP_MESSAGE_SIZE, GFP_KERNEL);
	if (!msg) {
		NL_SET_ERR_MSG(info->extack, "out of memory");
		return -ENOMEM;
	}
	hdr = genlmsg_put_reply(msg, info, &fmp_family, 0, FMP_CMD_STATS_GET);
	if (!hdr || nla_put_u32(msg, FMP_A_RULES, rules) ||
	    nla_put_u32(msg, FMP_A_RULES_MAX, fmp_max_rules) ||
	    nla_put_u32(msg, FMP_A_RULES_MAX_TOTAL, fmp_max_rules_total) ||
	    nla_put_u64_64bit(msg, FMP_A_MEMORY, memory, FMP_A_PAD) ||
	    nla_put_u64_64bit(msg, FMP_A_EVICTED, evicted, FMP_A_PAD) ||
	    nla_put_u32(msg, FMP_A_GENERATION, generation) ||
	    nla_put_u64_64bit(msg, FMP_A_PROTECTED_HITS, fmp_counter_read(&ts->protected_hits),
			      FMP_A_PAD) ||
	    nla_put_u64_64bit(msg, FMP_A_EVENTS_LOST, fmp_events_lost(fn), FMP_A_PAD)) {
		NL_SET_ERR_MSG(info->extack, "the reply does not fit into the message");
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

#define FMP_OP(_cmd, _policy) .cmd = (_cmd), .policy = (_policy), .maxattr = FMP_A_MAX

static const struct genl_ops fmp_ops[] = {
	{
		FMP_OP(FMP_CMD_RULE_ADD, fmp_add_policy),
		.doit = fmp_cmd_rule_add,
	},
	{
		FMP_OP(FMP_CMD_RULE_DEL, fmp_del_policy),
		.doit = fmp_cmd_rule_del,
	},
	{
		FMP_OP(FMP_CMD_RULE_FLUSH, fmp_flush_policy),
		.doit = fmp_cmd_rule_flush,
	},
	{
		FMP_OP(FMP_CMD_RULE_GET, fmp_empty_policy),
		.start = fmp_dump_rules_start,
		.dumpit = fmp_dump_rules,
	},
	{
		FMP_OP(FMP_CMD_DEV_ATTACH, fmp_attach_policy),
		.doit = fmp_cmd_dev_attach,
	},
	{
		FMP_OP(FMP_CMD_DEV_DETACH, fmp_detach_policy),
		.doit = fmp_cmd_dev_detach,
	},
	{
		FMP_OP(FMP_CMD_DEV_GET, fmp_dev_get_policy),
		.start = fmp_dump_devs_start,
		.dumpit = fmp_dump_devs,
	},
	{
		FMP_OP(FMP_CMD_STATS_GET, fmp_empty_policy),
		.doit = fmp_cmd_stats_get,
	},
};

struct genl_family fmp_family __ro_after_init = {
	.name = FMP_GENL_NAME,
	.version = FMP_GENL_VERSION,
	.maxattr = FMP_A_MAX,
	.netnsok = true,
	/* Batches wait for grace periods, flushes are long: other families must not. */
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = fmp_ops,
	.n_ops = ARRAY_SIZE(fmp_ops),
#ifdef FMP_HAVE_RESV_START_OP
	/* From here on genl refuses all flags of its own; RULE_ADD accepts NLM_F_EXCL. */
	.resv_start_op = FMP_CMD_RULE_ADD + 1,
#endif
	.mcgrps = fmp_mcgrps,
	.n_mcgrps = ARRAY_SIZE(fmp_mcgrps),
};

/**
 * fmp_netlink_init() - register the family
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int __init fmp_netlink_init(void)
{
	return genl_register_family(&fmp_family);
}

/**
 * fmp_netlink_exit() - unregister the family; no event may follow
 *
 * Context: process.
 */
void fmp_netlink_exit(void)
{
	genl_unregister_family(&fmp_family);
}
