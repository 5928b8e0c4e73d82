// SPDX-License-Identifier: GPL-2.0
/*
 * Changes the rules of the kernel
 */
#include "ruleset.h"
#include "frame.h"

#include <errno.h>
#include <linux/fmp.h>
#include <stdio.h>
#include <string.h>

/* Longer than any run: the model has no timeouts. */
#define LONG_MS 86400000

static struct nlmsghdr *begin_request(const struct channel *ch, char *buf, uint8_t cmd)
{
	return channel_begin(ch, buf, cmd, NLM_F_ACK);
}

static void put_addresses(struct nlmsghdr *nlh, const struct model_rule *rule)
{
	if (rule->by_mac)
		mnl_attr_put(nlh, FMP_RULE_A_MAC, sizeof(rule->mac), rule->mac);
	if (rule->ip)
		mnl_attr_put(nlh, rule->ip == 4 ? FMP_RULE_A_IPV4 : FMP_RULE_A_IPV6, rule->ip,
			     rule->addr);
	if (rule->ip && !rule->by_mac)
		mnl_attr_put_u8(nlh, FMP_RULE_A_PREFIX_LEN, rule->plen);
}

int ruleset_add(struct channel *ch, const struct model_rule *rule, uint64_t timeout_ms)
{
	char buf[512] __attribute__((aligned(8)));
	struct nlmsghdr *nlh = begin_request(ch, buf, FMP_CMD_RULE_ADD);
	struct nlattr *nest = mnl_attr_nest_start(nlh, FMP_A_RULE);

	put_addresses(nlh, rule);
	mnl_attr_put_u8(nlh, FMP_RULE_A_VERDICT, rule->verdict);
	if (timeout_ms)
		mnl_attr_put_u64(nlh, FMP_RULE_A_TIMEOUT_MS, timeout_ms);
	mnl_attr_nest_end(nlh, nest);
	return channel_send(ch, nlh);
}

int ruleset_del(struct channel *ch, const struct model_rule *rule)
{
	char buf[512] __attribute__((aligned(8)));
	struct nlmsghdr *nlh = begin_request(ch, buf, FMP_CMD_RULE_DEL);
	struct nlattr *nest = mnl_attr_nest_start(nlh, FMP_A_RULE);

	put_addresses(nlh, rule);
	mnl_attr_nest_end(nlh, nest);
	return channel_send(ch, nlh);
}

int ruleset_flush(struct channel *ch)
{
	char buf[64] __attribute__((aligned(8)));

	return channel_send(ch, begin_request(ch, buf, FMP_CMD_RULE_FLUSH));
}

static int change_dev(struct channel *ch, uint8_t cmd, const char *dev, uint32_t flags)
{
	char buf[512] __attribute__((aligned(8)));
	struct nlmsghdr *nlh = begin_request(ch, buf, cmd);
	struct nlattr *nest = mnl_attr_nest_start(nlh, FMP_A_DEV);

	mnl_attr_put_strz(nlh, FMP_DEV_A_NAME, dev);
	if (flags)
		mnl_attr_put_u32(nlh, FMP_DEV_A_FLAGS, flags);
	mnl_attr_nest_end(nlh, nest);
	return channel_send(ch, nlh);
}

int ruleset_attach(struct channel *ch, const char *dev, bool observe)
{
	return change_dev(ch, FMP_CMD_DEV_ATTACH, dev, observe ? FMP_DEV_F_OBSERVE : 0);
}

int ruleset_detach(struct channel *ch, const char *dev)
{
	return change_dev(ch, FMP_CMD_DEV_DETACH, dev, 0);
}

/* A rule for the same addresses replaces the old one, as in the kernel. */
static void model_add(struct model *m, const struct model_rule *rule)
{
	unsigned int i;

	for (i = 0; i < m->rules; i++) {
		struct model_rule *old = &m->rule[i];

		if (old->by_mac == rule->by_mac && old->ip == rule->ip && old->plen == rule->plen &&
		    !memcmp(old->mac, rule->mac, sizeof(rule->mac)) &&
		    !memcmp(old->addr, rule->addr, sizeof(rule->addr)))
			break;
	}
	m->rule[i] = *rule;
	if (i == m->rules)
		m->rules++;
}

void ruleset_change(struct channel *ch, struct test_random *r, struct model *m, const char *dev)
{
	unsigned int n = random_once_in(r, 10) ? 0 : random_below(r, MODEL_RULES_MAX);
	struct model_rule rule;
	int err;

	if (ruleset_flush(ch))
		channel_die("a flush is refused");
	m->rules = 0;
	while (n--) {
		frame_rule(r, &rule);
		err = ruleset_add(ch, &rule, random_once_in(r, 4) ? LONG_MS : 0);
		errno = err;
		/* EPERM: a block of a protected address. */
		if (err && err != EPERM)
			channel_die("a rule is refused");
		if (!err)
			model_add(m, &rule);
	}
	m->observe = random_once_in(r, 8);
	ruleset_detach(ch, dev);
	errno = ruleset_attach(ch, dev, m->observe);
	if (errno)
		channel_die("the device is not attached");
}

void ruleset_clear(struct channel *ch, const char *dev)
{
	ruleset_flush(ch);
	ruleset_detach(ch, dev);
}

void ruleset_print(const struct model *m)
{
	unsigned int i, k;

	printf("    device %s\n", m->observe ? "observes" : "filters");
	for (i = 0; i < m->rules; i++) {
		const struct model_rule *rule = &m->rule[i];

		printf("    rule verdict=%u", rule->verdict);
		for (k = 0; rule->by_mac && k < 6; k++)
			printf("%s%02x", k ? ":" : " mac=", rule->mac[k]);
		for (k = 0; k < rule->ip; k++)
			printf("%s%02x", k ? "" : " ip=", rule->addr[k]);
		printf(" plen=%u\n", rule->plen);
	}
}
