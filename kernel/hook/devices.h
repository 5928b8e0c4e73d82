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
 * struct fmp_pending_attach - request to attach a device of a name whenever it exists
 * @list: entry of fmp_net.pending; RTNL
 * @name: name of the device
 * @flags: FMP_DEV_F_*, always with %FMP_DEV_F_WAIT
 *
 * It has no pointer to its device: fmp_rx_port.pending points here, so that a
 * port can be freed by itself.
 */
struct fmp_pending_attach {
	struct list_head list;
	char name[IFNAMSIZ];
	u32 flags;
};

int fmp_devices_attach(struct fmp_net *fn, struct net_device *dev, const char *name, u32 flags,
		       struct netlink_ext_ack *extack);
int fmp_devices_detach(struct fmp_net *fn, struct net_device *dev, const char *name,
		       struct netlink_ext_ack *extack);
struct fmp_rx_port *fmp_pending_port(const struct fmp_pending_attach *pending);

int fmp_devices_notify(struct notifier_block *nb, unsigned long event, void *ptr);
void fmp_devices_start(struct fmp_net *fn);
void fmp_devices_stop(struct fmp_net *fn);

#endif /* _FMP_DEVICES_H */
