/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_PORT_H
#define _FMP_PORT_H

#include "filter.h"
#include "stats.h"

#include <linux/list.h>
#include <linux/netfilter.h>
#include <net/fmp_rx.h>

struct fmp_pending_attach;
struct wiphy;

/**
 * enum fmp_cover - which frames of a device were evaluated before netdev ingress
 * @FMP_COVER_NONE: none yet
 * @FMP_COVER_ALL: all frames that reach ingress
 * @FMP_COVER_PART: some; ingress evaluates all that reach it. Never changes back
 */
enum fmp_cover {
	FMP_COVER_NONE,
	FMP_COVER_ALL,
	FMP_COVER_PART,
};

/**
 * struct fmp_rx_port - a device that the filter knows
 * @tables: rules of the device, NULL while it is not attached; RCU
 * @dev: the device; the port is freed before the device is
 * @stats: counters
 * @ops: callbacks of the driver, NULL for a device at netdev ingress
 * @pending: the pending attach that it fulfils, or NULL; RTNL
 * @flags: FMP_DEV_F_*
 * @hook: enum fmp_hook; RTNL
 * @cover: enum fmp_cover; frames that @nf need not evaluate
 * @nf: the netdev ingress hook, in use unless the driver has the
 *	hook, and for 802.11 headers if it is %FMP_HOOK_DRIVER
 * @wiphy: the radio, if the device is hooked before mac80211, otherwise NULL; RTNL
 * @radio: entry of the list of devices hooked before mac80211; RTNL, RCU
 * @list: entry of fmp_ports; RTNL
 * @rcu: defers the freeing
 */
struct fmp_rx_port {
	struct fmp_tables __rcu *tables;
	struct net_device *dev;
	struct fmp_stats __percpu *stats;
	const struct fmp_rx_ops *ops;
	struct fmp_pending_attach *pending;
	u32 flags;
	u8 hook;
	u32 cover;
	struct nf_hook_ops nf;
	const struct wiphy *wiphy;
	struct list_head radio;
	struct list_head list;
	struct rcu_head rcu;
};

/* All ports of all network namespaces; RTNL. */
extern struct list_head fmp_ports;

struct fmp_rx_port *fmp_port_alloc(struct net_device *dev, const struct fmp_rx_ops *ops);
void fmp_port_free(struct fmp_rx_port *port);
struct fmp_rx_port *fmp_port_find(const struct net_device *dev);
bool fmp_port_finish_frame(struct fmp_rx_port *port, struct fmp_rx *rx, enum fmp_decision decision);
bool fmp_port_takes_80211(struct fmp_rx_port *port, u8 scope);
bool fmp_port_shares_80211(const struct net_device *dev, bool group);
bool fmp_port_shares_80211_late(const struct net_device *dev, const u8 *dst);

/**
 * fmp_port_is_80211() - check whether a driver asks for frames with 802.11 headers
 * @port: the port
 *
 * Context: process, RTNL held.
 * Return: true if it does: what it can't decide is evaluated at netdev ingress.
 */
static inline bool fmp_port_is_80211(const struct fmp_rx_port *port)
{
	return port->ops && port->ops->flags & FMP_RX_F_80211;
}

#endif /* _FMP_PORT_H */
