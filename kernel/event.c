// SPDX-License-Identifier: GPL-2.0
/*
 * Events for the multicast group of the family
 */
#include "event.h"
#include "message.h"
#include "netlink.h"

#include <linux/netdevice.h>
#include <net/genetlink.h>

/**
 * struct fmp_event - an event on its way out
 * @msg: message
 * @hdr: its header
 */
struct fmp_event {
	struct sk_buff *msg;
	void *hdr;
};

/**
 * fmp_event_begin() - start an event
 * @ev: the event
 * @net: who hears it
 * @type: enum fmp_event_type
 *
 * Context: process, may sleep.
 * Return: false if nobody listens or there is no memory; an event may be lost,
 * the generation of a later dump still tells that something changed.
 */
static bool fmp_event_begin(struct fmp_event *ev, struct net *net, u8 type)
{
	if (!genl_has_listeners(&fmp_family, net, FMP_MCGRP_EVENTS))
		return false;
	ev->msg = genlmsg_new(FMP_MESSAGE_SIZE, GFP_KERNEL);
	if (!ev->msg)
		return false;
	ev->hdr = genlmsg_put(ev->msg, 0, 0, &fmp_family, 0, FMP_CMD_EVENT);
	if (ev->hdr && !nla_put_u8(ev->msg, FMP_A_EVENT, type))
		return true;
	nlmsg_free(ev->msg);
	return false;
}

/**
 * fmp_event_commit() - send an event
 * @ev: the event
 * @net: who hears it
 * @err: what filling it gave; with an error it is thrown away
 *
 * Context: process, may sleep.
 */
static void fmp_event_commit(struct fmp_event *ev, struct net *net, int err)
{
	if (err) {
		nlmsg_free(ev->msg);
		return;
	}
	genlmsg_end(ev->msg, ev->hdr);
	genlmsg_multicast_netns(&fmp_family, net, ev->msg, 0, FMP_MCGRP_EVENTS, GFP_KERNEL);
}

/**
 * fmp_event_rule() - tell what happened to a rule
 * @ts: its tables
 * @rule: the rule
 * @type: enum fmp_event_type
 * @now: ns of CLOCK_BOOTTIME
 *
 * Context: process, ts->lock held.
 */
static void fmp_event_rule(struct fmp_tables *ts, const struct fmp_rule *rule, u8 type, u64 now)
{
	struct net *net = container_of(ts, struct fmp_net, tables)->net;
	struct fmp_event ev;
	int err;

	if (!fmp_event_begin(&ev, net, type))
		return;
	err = fmp_message_put_rule(ev.msg, rule, now);
	fmp_event_commit(&ev, net, err);
}

/**
 * fmp_event_expired() - tell that a rule reached its end
 * @ts: its tables
 * @rule: the rule
 *
 * Context: process, ts->lock held.
 */
static void fmp_event_expired(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	fmp_event_rule(ts, rule, FMP_EVENT_TYPE_RULE_EXPIRED, atomic64_read(&rule->expires));
}

/**
 * fmp_event_evicted() - tell that a rule had to make room
 * @ts: its tables
 * @rule: the rule
 *
 * Context: process, ts->lock held.
 */
static void fmp_event_evicted(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	fmp_event_rule(ts, rule, FMP_EVENT_TYPE_RULE_EVICTED, ktime_get_boottime_ns());
}

/**
 * fmp_event_hit() - tell that a rule matched its first frame
 * @ts: its tables
 * @rule: the rule
 *
 * Context: process, ts->lock held.
 */
static void fmp_event_hit(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	fmp_event_rule(ts, rule, FMP_EVENT_TYPE_RULE_HIT, ktime_get_boottime_ns());
}

/**
 * fmp_event_hits_lost() - count first hits that can't be told of
 * @ts: the tables
 * @n: how many
 *
 * Context: process, ts->lock held.
 */
static void fmp_event_hits_lost(struct fmp_tables *ts, unsigned int n)
{
	struct fmp_net *fn = container_of(ts, struct fmp_net, tables);

	fn->events_lost += n;
}

const struct fmp_tables_ops fmp_event_tables_ops = {
	.expired = fmp_event_expired,
	.evicted = fmp_event_evicted,
	.first_hit = fmp_event_hit,
	.hits_lost = fmp_event_hits_lost,
};

/**
 * fmp_event_dev() - tell that a device was attached or detached
 * @port: the device
 * @type: enum fmp_event_type
 *
 * Context: process, RTNL held.
 */
void fmp_event_dev(const struct fmp_rx_port *port, u8 type)
{
	struct net *net = dev_net(port->dev);
	struct fmp_event ev;

	if (fmp_event_begin(&ev, net, type))
		fmp_event_commit(&ev, net, fmp_message_put_dev(ev.msg, port));
}

/**
 * fmp_event_rules() - tell that somebody changed rules
 * @fn: the namespace
 *
 * Context: process, may sleep.
 */
void fmp_event_rules(struct fmp_net *fn)
{
	struct fmp_event ev;

	if (fmp_event_begin(&ev, fn->net, FMP_EVENT_TYPE_RULES_CHANGED))
		fmp_event_commit(&ev, fn->net,
				 nla_put_u32(ev.msg, FMP_A_GENERATION,
					     READ_ONCE(fn->tables.generation)));
}
