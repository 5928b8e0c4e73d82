/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_MAC80211_H
#define _FMP_MAC80211_H

#include "../path/port.h"

#include <linux/errno.h>
#include <linux/netlink.h>
#include <linux/printk.h>

struct ieee80211_hw;
struct ieee80211_sta;

/* Module parameter: hook wireless devices before mac80211. */
extern bool fmp_mac80211;

#ifdef FMP_HAVE_MAC80211

int fmp_mac80211_init(void);
void fmp_mac80211_exit(void);
void fmp_mac80211_attach(struct fmp_rx_port *port, struct netlink_ext_ack *extack);
void fmp_mac80211_detach(struct fmp_rx_port *port);
bool fmp_mac80211_blocks(struct ieee80211_hw *hw, const struct ieee80211_sta *sta,
			 struct sk_buff *skb);
bool fmp_mac80211_is_supported(const struct net_device *dev, struct netlink_ext_ack *extack);
void fmp_mac80211_add_port(struct fmp_rx_port *port, u8 hook);
void fmp_mac80211_remove_port(struct fmp_rx_port *port);

#else

/**
 * fmp_mac80211_init() - refuse a hook before mac80211 in a kernel without mac80211
 *
 * Context: process.
 * Return: 0, or -EOPNOTSUPP if the module parameter asks for it.
 */
static inline int fmp_mac80211_init(void)
{
	if (!fmp_mac80211)
		return 0;
	pr_err("fmp: mac80211=1 refused, this kernel has no mac80211; load fmp without it\n");
	return -EOPNOTSUPP;
}

static inline void fmp_mac80211_exit(void)
{
}

static inline void fmp_mac80211_attach(struct fmp_rx_port *port, struct netlink_ext_ack *extack)
{
}

static inline void fmp_mac80211_detach(struct fmp_rx_port *port)
{
}

#endif /* FMP_HAVE_MAC80211 */

#endif /* _FMP_MAC80211_H */
