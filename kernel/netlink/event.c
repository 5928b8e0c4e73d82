// SPDX-License-Identifier: GPL-2.0
/*
 * Events for the multicast group of the family: rate limits, counters of losses
 */
#include "event.h"
#include "message.h"
#include "netlink.h"

#include <linux/jiffies.h>
#include <linux/netdevice.h>
#include <linux/timekeeping.h>
#include <net/genetlink.h>

/* The next event usually follows sooner and has the number of lost ones. */
#define FMP_EVENT_REPORT_DELAY HZ

/**
 * struct fmp_event - an event under construction
 * @fn: the network namespace that it is sent to
 * @type: enum fmp_event_type
 * @msg: message
 * @hdr: its header
 */
struct fmp_event {
	struct fmp_net *fn;
	u8 type;
	struct sk_buff *msg;
	void *hdr;
};

/**
 * fmp_event_class() - get the class of an event, by which it is rate limited
 * @type: enum fmp_event_type
 *
 * Context: any.
 * Return: the class.
 */
static enum fmp_event_class fmp_event_class(u8 type)
{
	switch (type) {
	case FMP_EVENT_TYPE_RULE_HIT:
		return FMP_EVENT_CLASS_HIT;
	case FMP_EVENT_TYPE_DEV_ATTACHED:
	case FMP_EVENT_TYPE_DEV_DETACHED:
	case FMP_EVENT_TYPE_DEV_WAITING:
		return FMP_EVENT_CLASS_DEV;
	}
	return FMP_EVENT_CLASS_RULE;
}

/**
 * fmp_event_count_lost() - count events that are not sent
 * @ev: events of the namespace
 * @type: enum fmp_event_type
 * @n: number of events
 *
 * genl_has_listeners() covers all namespaces together: if the last event found no
 * listener in this one, the events are not lost. A listener may have joined since,
 * so the next event has their number in each case.
 *
 * Context: process, ev->lock held.
 */
static void fmp_event_count_lost(struct fmp_events *ev, u8 type, u64 n)
{
	lockdep_assert_held(&ev->lock);
	ev->unreported += n;
	if (type == FMP_EVENT_TYPE_RULE_HIT)
		ev->unreported_hits += n;
	if (!ev->has_listener)
		return;
	ev->lost += n;
	if (ev->reporting)
		queue_delayed_work(system_power_efficient_wq, &ev->reporter,
				   FMP_EVENT_REPORT_DELAY);
}

/**
 * fmp_event_note_sent() - record that an event was sent, and whether a listener got it
 * @ev: events of the namespace
 * @err: result of the multicast
 *
 * -ESRCH: no listener of the namespace got the event; there is none, or its
 * receive buffer is full, which its socket reports to it. Another error is due to
 * a listener with NETLINK_BROADCAST_ERROR and tells nothing of other listeners.
 *
 * Context: process, ev->lock held.
 */
static void fmp_event_note_sent(struct fmp_events *ev, int err)
{
	lockdep_assert_held(&ev->lock);
	ev->has_listener = err != -ESRCH;
	ev->unreported = 0;
	ev->unreported_hits = 0;
}

/**
 * fmp_event_put_lost() - add the numbers of lost events to an event
 * @msg: message of the event
 * @events: events of the namespace
 *
 * Context: process, events->lock held.
 * Return: 0 or -EMSGSIZE.
 */
static int fmp_event_put_lost(struct sk_buff *msg, const struct fmp_events *events)
{
	if (events->unreported && nla_put_u64_64bit(msg, FMP_A_LOST, events->unreported, FMP_A_PAD))
		return -EMSGSIZE;
	if (events->unreported_hits &&
	    nla_put_u64_64bit(msg, FMP_A_LOST_HITS, events->unreported_hits, FMP_A_PAD))
		return -EMSGSIZE;
	return 0;
}

/**
 * fmp_event_alloc() - allocate and start the message of an event
 * @ev: the event, with its namespace and type
 *
 * Context: process, ev->fn->events.lock held.
 * Return: 0 or -ENOMEM.
 */
static int fmp_event_alloc(struct fmp_event *ev)
{
	ev->msg = genlmsg_new(FMP_MESSAGE_SIZE, GFP_KERNEL);
	if (!ev->msg)
		return -ENOMEM;
	ev->hdr = genlmsg_put(ev->msg, 0, 0, &fmp_family, 0, FMP_CMD_EVENT);
	if (ev->hdr && !nla_put_u8(ev->msg, FMP_A_EVENT, ev->type) &&
	    !fmp_event_put_lost(ev->msg, &ev->fn->events))
		return 0;
	nlmsg_free(ev->msg);
	return -ENOMEM;
}

/**
 * fmp_event_begin() - start an event
 * @ev: the event
 * @fn: the network namespace
 * @type: enum fmp_event_type
 *
 * Context: process, may sleep; if it returns true, fn->events.lock is held until
 * fmp_event_commit().
 * Return: false if there is no listener or the event is lost.
 */
static bool fmp_event_begin(struct fmp_event *ev, struct fmp_net *fn, u8 type)
{
	struct fmp_rate *rate = &fn->events.rate[fmp_event_class(type)];

	if (!genl_has_listeners(&fmp_family, fn->net, FMP_MCGRP_EVENTS))
		return false;
	ev->fn = fn;
	ev->type = type;
	mutex_lock(&fn->events.lock);
	if (fmp_rate_take(rate, ktime_get_boottime_ns(), FMP_EVENT_RATE, FMP_EVENT_BURST) &&
	    !fmp_event_alloc(ev))
		return true;
	fmp_event_count_lost(&fn->events, type, 1);
	mutex_unlock(&fn->events.lock);
	return false;
}

/**
 * fmp_event_commit() - send an event
 * @ev: the event
 * @err: result of filling it; an event with an error is counted as lost
 *
 * Context: process, may sleep; ev->fn->events.lock held, released.
 */
static void fmp_event_commit(struct fmp_event *ev, int err)
{
	struct fmp_events *events = &ev->fn->events;

	if (err) {
		nlmsg_free(ev->msg);
		fmp_event_count_lost(events, ev->type, 1);
	} else {
		genlmsg_end(ev->msg, ev->hdr);
		fmp_event_note_sent(events,
				    genlmsg_multicast_netns(&fmp_family, ev->fn->net, ev->msg, 0,
							    FMP_MCGRP_EVENTS, GFP_KERNEL));
	}
	mutex_unlock(&events->lock);
}

/**
 * fmp_event_report_lost() - report lost events that no other event has reported
 * @work: fmp_events.reporter
 *
 * A listener that is never told of a loss would not dump the state again.
 *
 * Context: workqueue.
 */
static void fmp_event_report_lost(struct work_struct *work)
{
	struct fmp_net *fn = container_of(work, struct fmp_net, events.reporter.work);
	struct fmp_events *events = &fn->events;
	struct fmp_event ev = { .fn = fn, .type = FMP_EVENT_TYPE_LOST };

	mutex_lock(&events->lock);
	if (!events->unreported || !genl_has_listeners(&fmp_family, fn->net, FMP_MCGRP_EVENTS))
		goto unlock;
	/* Without a limit of its own: it is sent once per delay at most. */
	if (!fmp_event_alloc(&ev)) {
		fmp_event_commit(&ev, 0);
		return;
	}
	if (events->reporting)
		queue_delayed_work(system_power_efficient_wq, &events->reporter,
				   FMP_EVENT_REPORT_DELAY);
unlock:
	mutex_unlock(&events->lock);
}

/**
 * fmp_events_init() - initialize the event state of a namespace, stopped
 * @events: the state, zeroed
 *
 * Context: process.
 */
void fmp_events_init(struct fmp_events *events)
{
	mutex_init(&events->lock);
	INIT_DELAYED_WORK(&events->reporter, fmp_event_report_lost);
}

/**
 * fmp_events_start() - start reporting lost events
 * @events: the state
 *
 * Context: process, may sleep.
 */
void fmp_events_start(struct fmp_events *events)
{
	mutex_lock(&events->lock);
	events->reporting = true;
	mutex_unlock(&events->lock);
}

/**
 * fmp_events_stop() - stop reporting lost events
 * @events: the state
 *
 * Context: process, may sleep.
 */
void fmp_events_stop(struct fmp_events *events)
{
	mutex_lock(&events->lock);
	events->reporting = false;
	mutex_unlock(&events->lock);
	cancel_delayed_work_sync(&events->reporter);
}

/**
 * fmp_events_lost() - get the number of lost events
 * @fn: the namespace
 *
 * Context: process, may sleep.
 * Return: the number.
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
 * fmp_event_rule() - send an event of a rule
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
 * fmp_event_expired() - send the event that a rule expired
 * @ts: its tables
 * @rule: the rule
 *
 * Context: process, ts->lock held.
 */
static void fmp_event_expired(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	fmp_event_rule(ts, rule, FMP_EVENT_TYPE_RULE_EXPIRED, rule->expires.ns);
}

/**
 * fmp_event_evicted() - send the event that a rule was evicted
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
 * fmp_event_hit() - send the event that a rule matched its first frame
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
 * fmp_event_hits_lost() - count first hits that can't be reported
 * @ts: the tables
 * @n: number of hits
 *
 * Context: process, ts->lock held.
 */
static void fmp_event_hits_lost(struct fmp_tables *ts, unsigned int n)
{
	struct fmp_net *fn = container_of(ts, struct fmp_net, tables);

	if (!genl_has_listeners(&fmp_family, fn->net, FMP_MCGRP_EVENTS))
		return;
	mutex_lock(&fn->events.lock);
	fmp_event_count_lost(&fn->events, FMP_EVENT_TYPE_RULE_HIT, n);
	mutex_unlock(&fn->events.lock);
}

const struct fmp_tables_ops fmp_event_tables_ops = {
	.expired = fmp_event_expired,
	.evicted = fmp_event_evicted,
	.first_hit = fmp_event_hit,
	.hits_lost = fmp_event_hits_lost,
};

/**
 * fmp_event_dev() - send an event of a device
 * @port: the device
 * @type: enum fmp_event_type
 *
 * Context: process, RTNL held.
 */
static void fmp_event_dev(const struct fmp_rx_port *port, u8 type)
{
	struct fmp_event ev;

	if (fmp_event_begin(&ev, fmp_net(dev_net(port->dev)), type))
		fmp_event_commit(&ev, fmp_message_put_dev(ev.msg, port, false));
}

/**
 * fmp_event_attached() - send the event that a device was attached
 * @port: the device
 *
 * Context: process, RTNL held.
 */
static void fmp_event_attached(const struct fmp_rx_port *port)
{
	fmp_event_dev(port, FMP_EVENT_TYPE_DEV_ATTACHED);
}

/**
 * fmp_event_detached() - send the event that a device is detached
 * @port: the device, with its last counters
 *
 * Context: process, RTNL held.
 */
static void fmp_event_detached(const struct fmp_rx_port *port)
{
	fmp_event_dev(port, FMP_EVENT_TYPE_DEV_DETACHED);
}

/**
 * fmp_event_pending() - send an event of a pending attach without a device
 * @fn: the namespace
 * @pending: the pending attach
 * @type: enum fmp_event_type
 *
 * Context: process, RTNL held.
 */
static void fmp_event_pending(struct fmp_net *fn, const struct fmp_pending_attach *pending, u8 type)
{
	struct fmp_event ev;

	if (fmp_event_begin(&ev, fn, type))
		fmp_event_commit(&ev, fmp_message_put_pending(ev.msg, pending));
}

/**
 * fmp_event_waiting() - send the event that a pending attach waits
 * @fn: the namespace
 * @pending: the pending attach
 *
 * Context: process, RTNL held.
 */
static void fmp_event_waiting(struct fmp_net *fn, const struct fmp_pending_attach *pending)
{
	fmp_event_pending(fn, pending, FMP_EVENT_TYPE_DEV_WAITING);
}

/**
 * fmp_event_cancelled() - send the event that a pending attach no longer waits
 * @fn: the namespace
 * @pending: the pending attach
 *
 * Context: process, RTNL held.
 */
static void fmp_event_cancelled(struct fmp_net *fn, const struct fmp_pending_attach *pending)
{
	fmp_event_pending(fn, pending, FMP_EVENT_TYPE_DEV_DETACHED);
}

const struct fmp_devices_ops fmp_event_devices_ops = {
	.attached = fmp_event_attached,
	.detached = fmp_event_detached,
	.waiting = fmp_event_waiting,
	.cancelled = fmp_event_cancelled,
};

/**
 * fmp_event_rules() - send the event that a command changed rules
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
