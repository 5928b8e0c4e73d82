/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBENCH_NIC_H
#define _FMPBENCH_NIC_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/fmp_rx.h>

struct fmpbench_source;

/**
 * struct fmpbench_nic - a device that receives generated frames
 * @dev: the device
 * @port: its port of the pre-MAC filter, NULL if its driver does not call it
 * @stopped: frames stopped before an skb was allocated, by enum fmp_rx_reason
 * @taken: frames delivered to the stack
 */
struct fmpbench_nic {
	struct net_device *dev;
	struct fmp_rx_port *port;
	u64 stopped[FMP_RX_REASON_FOREIGN + 1];
	u64 taken;
};

struct fmpbench_nic *fmpbench_nic_create(const char *name, bool with_filter);
void fmpbench_nic_destroy(struct fmpbench_nic *nic);
void fmpbench_nic_receive(struct fmpbench_nic *nic, struct fmpbench_source *src, unsigned int n);
void fmpbench_nic_filter_receive(struct fmpbench_nic *nic, struct fmpbench_source *src,
				 unsigned int n);

#endif /* _FMPBENCH_NIC_H */
