/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_NETNS_H
#define _FMP_NETNS_H

#include "rules.h"

#include <net/net_namespace.h>
#include <net/netns/generic.h>

/**
 * struct fmp_net - all that the module keeps for a network namespace
 * @net: the namespace
 * @tables: its rules
 * @events_lost: events that were not sent; under tables.lock
 * @live: devices may be attached; RTNL
 */
struct fmp_net {
	struct net *net;
	struct fmp_tables tables;
	u64 events_lost;
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
