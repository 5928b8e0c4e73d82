/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_NETNS_H
#define _FMP_NETNS_H

#include "rate.h"
#include "tables.h"

#include <net/net_namespace.h>
#include <net/netns/generic.h>

/**
 * enum fmp_event_kind - events that are rationed together
 * @FMP_EVENT_KIND_HIT: first hits, which the network brings about
 * @FMP_EVENT_KIND_RULE: all others of rules
 * @FMP_EVENT_KIND_DEV: of devices
 * @FMP_EVENT_KINDS: how many there are
 */
enum fmp_event_kind {
	FMP_EVENT_KIND_HIT,
	FMP_EVENT_KIND_RULE,
	FMP_EVENT_KIND_DEV,
	FMP_EVENT_KINDS,
};

/**
 * struct fmp_events - what a network namespace keeps for its events
 * @lock: held while an event is made and sent; taken last
 * @rate: what may be sent of each kind
 * @heard: the last event that was sent reached a listener of the namespace
 * @lost: events that were not sent while the namespace had a listener
 * @untold: events that were not sent since the last one that was
 */
struct fmp_events {
	struct mutex lock; /* held while an event is made and sent */
	struct fmp_rate rate[FMP_EVENT_KINDS];
	bool heard;
	u64 lost;
	u64 untold;
};

/**
 * struct fmp_net - all that the module keeps for a network namespace
 * @net: the namespace
 * @tables: its rules
 * @events: what is kept for its events
 * @wishes: devices to be attached whenever they are there; RTNL
 * @n_wishes: how many; RTNL
 * @dev_generation: changes with every change of the devices and wishes; RTNL
 * @live: devices may be attached; RTNL
 */
struct fmp_net {
	struct net *net;
	struct fmp_tables tables;
	struct fmp_events events;
	struct list_head wishes;
	unsigned int n_wishes;
	u32 dev_generation;
	bool live;
};

extern unsigned int fmp_net_id;

/**
 * fmp_net() - the module's part of a network namespace
 * @net: the namespace
 *
 * Context: any.
 * Return: the part.
 */
static inline struct fmp_net *fmp_net(const struct net *net)
{
	return net_generic(net, fmp_net_id);
}

#endif /* _FMP_NETNS_H */
