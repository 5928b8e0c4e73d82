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

/**
 * struct fmp_devices_ops - notifications about devices
 * @attached: a device was attached
 * @detached: a device is about to be detached
 * @waiting: a pending attach waits for a device from now on
 * @cancelled: a pending attach is removed that had no device
 *
 * Called under RTNL; may sleep. The port and the pending attach are valid during
 * the call.
 */
struct fmp_devices_ops {
	void (*attached)(const struct fmp_rx_port *port);
	void (*detached)(const struct fmp_rx_port *port);
	void (*waiting)(struct fmp_net *fn, const struct fmp_pending_attach *pending);
	void (*cancelled)(struct fmp_net *fn, const struct fmp_pending_attach *pending);
};

int fmp_devices_attach(struct fmp_net *fn, struct net_device *dev, const char *name, u32 flags,
		       struct netlink_ext_ack *extack);
int fmp_devices_detach(struct fmp_net *fn, struct net_device *dev, const char *name,
		       struct netlink_ext_ack *extack);
struct fmp_rx_port *fmp_pending_port(const struct fmp_pending_attach *pending);

void fmp_devices_init(const struct fmp_devices_ops *ops);
int fmp_devices_notify(struct notifier_block *nb, unsigned long event, void *ptr);
void fmp_devices_start(struct fmp_net *fn);
void fmp_devices_stop(struct fmp_net *fn);

#endif /* _FMP_DEVICES_H */
