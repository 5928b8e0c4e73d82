// SPDX-License-Identifier: GPL-2.0
/*
 * Events for the multicast group of the family: rationed, losses counted
 */
#include "event.h"
#include "message.h"
#include "netlink.h"

#include <linux/netdevice.h>
#include <linux/timekeeping.h>
#include <net/genetlink.h>

/**
 * struct fmp_event - an event on its way out
 * @fn: who hears it
 * @msg: message
 * @hdr: its header
 */
struct fmp_event {
	struct fmp_net *fn;
	struct sk_buff *msg;
	void *hdr;
};

/**
 * fmp_event_kind() - with which others is an event rationed
 * @type: enum fmp_event_type
 *
 * Context: any.
 * Return: the kind.
 */
static enum fmp_event_kind fmp_event_kind(u8 type)
{
	switch (type) {
	case FMP_EVENT_TYPE_RULE_HIT:
		return FMP_EVENT_KIND_HIT;
	case FMP_EVENT_TYPE_DEV_ATTACHED:
	case FMP_EVENT_TYPE_DEV_DETACHED:
	case FMP_EVENT_TYPE_DEV_WAITING:
		return FMP_EVENT_KIND_DEV;
	}
	return FMP_EVENT_KIND_RULE;
}

/**
 * fmp_event_lose() - count events that are not sent
 * @ev: events of the namespace
 * @n: how many
 *
 * genl_has_listeners() knows those of all namespaces only: nothing is lost where
 * the last event found none. A listener may have joined since, so the next event
 * carries their number all the same.
 *
 * Context: process, ev->lock held.
 */
static void fmp_event_lose(struct fmp_events *ev, u64 n)
{
	lockdep_assert_held(&ev->lock);
	ev->untold += n;
	if (ev->heard)
		ev->lost += n;
}

/**
 * fmp_event_sent() - note that an event was sent, and whether one listens
 * @ev: events of the namespace
 * @err: what sending it gave
 *
 * -ESRCH: no listener of the namespace took the event; there is none, or its
 * buffer is full, which its socket tells it. Another error comes of a listener
 * that asked for it by NETLINK_BROADCAST_ERROR, and says nothing of the others.
 *
 * Context: process, ev->lock held.
 */
static void fmp_event_sent(struct fmp_events *ev, int err)
{
	lockdep_assert_held(&ev->lock);
	ev->heard = err != -ESRCH;
	ev->untold = 0;
}

/**
 * fmp_event_make() - begin the message of an event
 * @ev: the event
 * @type: enum fmp_event_type
 *
 * Context: process, ev->fn->events.lock held.
 * Return: 0 or -ENOMEM.
 */
static int fmp_event_make(struct fmp_event *ev, u8 type)
{
	u64 untold = ev->fn->events.untold;

	ev->msg = genlmsg_new(FMP_MESSAGE_SIZE, GFP_KERNEL);
	if (!ev->msg)
		return -ENOMEM;
	ev->hdr = genlmsg_put(ev->msg, 0, 0, &fmp_family, 0, FMP_CMD_EVENT);
	if (ev->hdr && !nla_put_u8(ev->msg, FMP_A_EVENT, type) &&
	    (!untold || !nla_put_u64_64bit(ev->msg, FMP_A_LOST, untold, FMP_A_PAD)))
		return 0;
	nlmsg_free(ev->msg);
	return -ENOMEM;
}

/**
 * fmp_event_begin() - start an event
 * @ev: the event
 * @fn: who hears it
 * @type: enum fmp_event_type
 *
 * Context: process, may sleep; with true fn->events.lock is held on return,
 * until fmp_event_commit().
 * Return: false if nobody listens or the event is lost.
 */
static bool fmp_event_begin(struct fmp_event *ev, struct fmp_net *fn, u8 type)
{
	struct fmp_rate *rate = &fn->events.rate[fmp_event_kind(type)];

	if (!genl_has_listeners(&fmp_family, fn->net, FMP_MCGRP_EVENTS))
		return false;
	ev->fn = fn;
	mutex_lock(&fn->events.lock);
	if (fmp_rate_take(rate, ktime_get_boottime_ns(), FMP_EVENT_RATE, FMP_EVENT_BURST) &&
	    !fmp_event_make(ev, type))
		return true;
	fmp_event_lose(&fn->events, 1);
	mutex_unlock(&fn->events.lock);
	return false;
}

/**
 * fmp_event_commit() - send an event
 * @ev: the event
 * @err: what filling it gave; with an error it is thrown away
 *
 * Context: process, may sleep; ev->fn->events.lock held, given back.
 */
static void fmp_event_commit(struct fmp_event *ev, int err)
{
	struct fmp_events *events = &ev->fn->events;

	if (err) {
		nlmsg_free(ev->msg);
		fmp_event_lose(events, 1);
	} else {
		genlmsg_end(ev->msg, ev->hdr);
		fmp_event_sent(events, genlmsg_multicast_netns(&fmp_family, ev->fn->net, ev->msg, 0,
							       FMP_MCGRP_EVENTS, GFP_KERNEL));
	}
	mutex_unlock(&events->lock);
}

/**
 * fmp_events_lost() - how many events were lost
 * @fn: the namespace
 *
 * Context: process, may sleep.
 * Return: their number.
 */
u64 fmp_events_lost(struct fmp_net *fn)
{
	u64 lost;

	mutex_lock(&fn->events.lock);
	lost = fn->events.lost;
	mutex_unlock(&fn->events.lock);
	return lost;
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
	struct fmp_net *fn = container_of(ts, struct fmp_net, tables);
	struct fmp_event ev;

	if (fmp_event_begin(&ev, fn, type))
		fmp_event_commit(&ev, fmp_message_put_rule(ev.msg, rule, now));
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

	if (!genl_has_listeners(&fmp_family, fn->net, FMP_MCGRP_EVENTS))
		return;
	mutex_lock(&fn->events.lock);
	fmp_event_lose(&fn->events, n);
	mutex_unlock(&fn->events.lock);
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
	struct fmp_event ev;

	if (fmp_event_begin(&ev, fmp_net(dev_net(port->dev)), type))
		fmp_event_commit(&ev, fmp_message_put_dev(ev.msg, port, false));
}

/**
 * fmp_event_wish() - tell that a wish waits, or ended while it waited
 * @fn: the namespace
 * @wish: the wish
 * @type: enum fmp_event_type
 *
 * Context: process, RTNL held.
 */
void fmp_event_wish(struct fmp_net *fn, const struct fmp_wish *wish, u8 type)
{
	struct fmp_event ev;

	if (fmp_event_begin(&ev, fn, type))
		fmp_event_commit(&ev, fmp_message_put_wish(ev.msg, wish));
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

	if (fmp_event_begin(&ev, fn, FMP_EVENT_TYPE_RULES_CHANGED))
		fmp_event_commit(&ev, nla_put_u32(ev.msg, FMP_A_GENERATION,
						  READ_ONCE(fn->tables.generation)));
}
