/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_NETNS_H
#define _FMP_NETNS_H

#include "rate.h"
#include "tables.h"

#include <linux/workqueue.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

/**
 * enum fmp_event_class - events that share a rate limit
 * @FMP_EVENT_CLASS_HIT: first hits, which the network causes
 * @FMP_EVENT_CLASS_RULE: all other events of rules
 * @FMP_EVENT_CLASS_DEV: events of devices
 * @FMP_EVENT_CLASSES: number of classes
 */
enum fmp_event_class {
	FMP_EVENT_CLASS_HIT,
	FMP_EVENT_CLASS_RULE,
	FMP_EVENT_CLASS_DEV,
	FMP_EVENT_CLASSES,
};

/**
 * struct fmp_events - event state of a network namespace
 * @lock: held while an event is built and sent; taken last
 * @rate: token bucket of each class
 * @has_listener: the last event that was sent reached a listener of the namespace
 * @lost: events that were not sent while the namespace had a listener
 * @unreported: events that were not sent since the last one that was
 * @unreported_hits: how many of them were first hits
 * @reporter: sends %FMP_EVENT_TYPE_LOST if no other event follows a loss
 * @reporting: @reporter may be scheduled
 */
struct fmp_events {
	struct mutex lock; /* held while an event is built and sent */
	struct fmp_rate rate[FMP_EVENT_CLASSES];
	bool has_listener;
	u64 lost;
	u64 unreported;
	u64 unreported_hits;
	struct delayed_work reporter;
	bool reporting;
};

/**
 * struct fmp_net - state of a network namespace
 * @net: the namespace
 * @tables: its rules
 * @events: state of its events
 * @pending: list of struct fmp_pending_attach; RTNL
 * @n_pending: length of @pending; RTNL
 * @dev_generation: changes with every change of the devices and of @pending; RTNL
 * @live: devices may be attached; RTNL
 */
struct fmp_net {
	struct net *net;
	struct fmp_tables tables;
	struct fmp_events events;
	struct list_head pending;
	unsigned int n_pending;
	u32 dev_generation;
	bool live;
};

extern unsigned int fmp_net_id;

/**
 * fmp_net() - get the module's state of a network namespace
 * @net: the namespace
 *
 * Context: any.
 * Return: the state.
 */
static inline struct fmp_net *fmp_net(const struct net *net)
{
	return net_generic(net, fmp_net_id);
}

#endif /* _FMP_NETNS_H */
