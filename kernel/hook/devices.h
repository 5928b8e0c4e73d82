/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_DEVICES_H
#define _FMP_DEVICES_H

#include <linux/if.h>
#include <linux/list.h>
#include <linux/types.h>

struct fmp_net;
struct fmp_rx_port;
struct net_device;
struct netlink_ext_ack;
struct notifier_block;

/**
 * struct fmp_wish - a device that shall be attached whenever it is there
 * @list: in fmp_net.wishes; RTNL
 * @name: the device's
 * @flags: FMP_DEV_F_*, among them %FMP_DEV_F_WAIT
 *
 * A wish does not know its device: the port knows its wish, so that a port may
 * go by itself.
 */
struct fmp_wish {
	struct list_head list;
	char name[IFNAMSIZ];
	u32 flags;
};

int fmp_devices_attach(struct fmp_net *fn, struct net_device *dev, const char *name, u32 flags,
		       struct netlink_ext_ack *extack);
int fmp_devices_detach(struct fmp_net *fn, struct net_device *dev, const char *name,
		       struct netlink_ext_ack *extack);
struct fmp_rx_port *fmp_wish_port(const struct fmp_wish *wish);

int fmp_devices_notify(struct notifier_block *nb, unsigned long event, void *ptr);
void fmp_devices_start(struct fmp_net *fn);
void fmp_devices_stop(struct fmp_net *fn);

#endif /* _FMP_DEVICES_H */
