// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of a netlink message: parsing, checks and error reports
 */
#include "batch.h"

#include <linux/etherdevice.h>
#include <linux/slab.h>
#include <net/genetlink.h>

/**
 * fmp_parse_mac() - read the MAC address of a rule
 * @attr: the address
 * @key: set to the address as a word of a key
 * @extack: filled with the reason on error
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
static int fmp_parse_mac(const struct nlattr *attr, __be64 *key, struct netlink_ext_ack *extack)
{
	if (!is_valid_ether_addr(nla_data(attr))) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "not a unicast MAC address");
		return -EINVAL;
	}
	*key = fmp_key_word(nla_data(attr), ETH_ALEN);
	return 0;
}

/**
 * fmp_parse_address() - read the address of a rule
 * @nest: the rule
 * @tb: its attributes
 * @spec: filled
 * @extack: filled with the reason on error
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
static int fmp_parse_address(const struct nlattr *nest, struct nlattr **tb,
			     struct fmp_rule_spec *spec, struct netlink_ext_ack *extack)
{
	struct nlattr *mac = tb[FMP_RULE_A_MAC];
	struct nlattr *v4 = tb[FMP_RULE_A_IPV4];
	struct nlattr *v6 = tb[FMP_RULE_A_IPV6];
	/* In the key of a pair the IP address follows the MAC address. */
	__be64 *ip = &spec->key.word[!!mac];

	if ((v4 && v6) || (!mac && !v4 && !v6)) {
		NL_SET_ERR_MSG_ATTR(extack, nest,
				    "a rule needs a MAC address, an IP address, or one of each");
		return -EINVAL;
	}
	spec->family = FMP_FAMILY_MAC;
	spec->plen = FMP_PLEN_MAC;
	if (v4) {
		spec->family = mac ? FMP_FAMILY_PAIR4 : FMP_FAMILY_IPV4;
		spec->plen = 32;
		ip[0] = fmp_key_word(nla_data(v4), sizeof(__be32));
	} else if (v6) {
		spec->family = mac ? FMP_FAMILY_PAIR6 : FMP_FAMILY_IPV6;
		spec->plen = 128;
		ip[0] = fmp_key_word(nla_data(v6), sizeof(*ip));
		ip[1] = fmp_key_word(nla_data(v6) + sizeof(*ip), sizeof(*ip));
	}
	return mac ? fmp_parse_mac(mac, &spec->key.word[0], extack) : 0;
}

/**
 * fmp_parse_prefix() - read the prefix length of a rule
 * @tb: its attributes
 * @spec: its address is set; its prefix length is filled
 * @extack: filled with the reason on error
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
static int fmp_parse_prefix(struct nlattr **tb, struct fmp_rule_spec *spec,
			    struct netlink_ext_ack *extack)
{
	struct nlattr *attr = tb[FMP_RULE_A_PREFIX_LEN];
	struct fmp_key cut;

	if (!attr)
		return 0;
	if (tb[FMP_RULE_A_MAC]) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "a MAC address has no prefix length, nor has a pair with one");
		return -EINVAL;
	}
	if (nla_get_u8(attr) > spec->plen) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "prefix longer than the address");
		return -EINVAL;
	}
	spec->plen = nla_get_u8(attr);
	cut = fmp_key_mask(spec->key, spec->plen);
	if (!fmp_key_equal(&cut, &spec->key)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "the address has bits set after its prefix");
		return -EINVAL;
	}
	return 0;
}

/**
 * fmp_parse_rule() - read one rule
 * @nest: the rule
 * @policy: policy of its attributes
 * @spec: filled; zeroed by the caller
 * @extack: filled with the reason on error
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
static int fmp_parse_rule(const struct nlattr *nest, const struct nla_policy *policy,
			  struct fmp_rule_spec *spec, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[FMP_RULE_A_MAX + 1];
	int err;

	err = nla_parse_nested(tb, FMP_RULE_A_MAX, nest, policy, extack);
	if (err)
		return err;
	err = fmp_parse_address(nest, tb, spec, extack);
	if (err)
		return err;
	err = fmp_parse_prefix(tb, spec, extack);
	if (err)
		return err;
	if (tb[FMP_RULE_A_VERDICT])
		spec->verdict = nla_get_u8(tb[FMP_RULE_A_VERDICT]);
	if (tb[FMP_RULE_A_TIMEOUT_MS])
		spec->timeout_ms = nla_get_u64(tb[FMP_RULE_A_TIMEOUT_MS]);
	if (tb[FMP_RULE_A_ID])
		spec->id = nla_get_u64(tb[FMP_RULE_A_ID]);
	return 0;
}

/**
 * fmp_batch_free() - free a batch
 * @batch: the batch
 *
 * Context: process.
 */
void fmp_batch_free(struct fmp_batch *batch)
{
	kvfree(batch->nest);
	kvfree(batch->spec);
}

/**
 * fmp_batch_parse() - read all rules of a message
 * @info: the message
 * @policy: policy of a rule's attributes
 * @verdict: each rule must have a verdict
 * @batch: filled; freed by the caller if this returns 0
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int fmp_batch_parse(struct genl_info *info, const struct nla_policy *policy, bool verdict,
		    struct fmp_batch *batch)
{
	const struct nlattr *attr;
	unsigned int n = 0;
	int err = -ENOMEM;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		n += nla_type(attr) == FMP_A_RULE;
	if (!n) {
		NL_SET_ERR_MSG(info->extack, "no rule in the message");
		return -EINVAL;
	}
	if (n > FMP_BATCH_MAX) {
		NL_SET_ERR_MSG(info->extack, "too many rules in one message");
		return -E2BIG;
	}

	batch->n = 0;
	batch->spec = kvcalloc(n, sizeof(*batch->spec), GFP_KERNEL_ACCOUNT);
	batch->nest = kvcalloc(n, sizeof(*batch->nest), GFP_KERNEL_ACCOUNT);
	if (!batch->spec || !batch->nest) {
		NL_SET_ERR_MSG(info->extack, "out of memory");
		goto free;
	}
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		struct fmp_rule_spec *spec = &batch->spec[batch->n];

		if (nla_type(attr) != FMP_A_RULE)
			continue;
		err = fmp_parse_rule(attr, policy, spec, info->extack);
		if (err)
			goto free;
		if (verdict && !spec->verdict) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr, "a rule needs a verdict");
			err = -EINVAL;
			goto free;
		}
		batch->nest[batch->n++] = attr;
	}
	return 0;

free:
	fmp_batch_free(batch);
	return err;
}

/**
 * fmp_batch_report_error() - fill the extended ack of a batch that is refused
 * @info: the message
 * @batch: its rules
 * @bad: number of the rule at fault
 * @rule_err: why it is refused
 *
 * Context: any.
 * Return: the error for the caller.
 */
int fmp_batch_report_error(struct genl_info *info, const struct fmp_batch *batch, unsigned int bad,
			   enum fmp_rule_err rule_err)
{
	struct netlink_ext_ack *extack = info->extack;
	const struct nlattr *attr = batch->nest[bad];

	switch (rule_err) {
	case FMP_RULE_ERR_DUPLICATE:
		NL_SET_ERR_MSG_ATTR(extack, attr, "the address is twice in the message");
		return -EINVAL;
	case FMP_RULE_ERR_PROTECTED:
		NL_SET_ERR_MSG_ATTR(extack, attr, "a protect rule covers the address");
		return -EPERM;
	case FMP_RULE_ERR_EXISTS:
		NL_SET_ERR_MSG_ATTR(extack, attr, "the address has a rule already");
		return -EEXIST;
	case FMP_RULE_ERR_MISSING:
		NL_SET_ERR_MSG_ATTR(extack, attr, "the address has no rule");
		return -ENOENT;
	case FMP_RULE_ERR_TABLE_FULL:
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "the table is full: all rules protect or have no timeout");
		return -ENOSPC;
	case FMP_RULE_ERR_TOTAL_FULL:
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "the tables are full: all rules protect or have no timeout");
		return -ENOSPC;
	default:
		NL_SET_ERR_MSG_ATTR(extack, attr, "out of memory");
		return -ENOMEM;
	}
}
