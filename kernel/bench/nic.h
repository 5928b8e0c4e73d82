/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBENCH_NIC_H
#define _FMPBENCH_NIC_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/fmp_rx.h>

struct fmpbench_air;

/**
 * struct fmpbench_nic - a device whose frames are made on demand
 * @dev: the device
 * @port: what the pre-MAC filter knows it by, NULL if its driver doesn't ask
 * @stopped: frames that ended before they had an skb, by enum fmp_rx_reason
 * @taken: frames given to the stack
 */
struct fmpbench_nic {
	struct net_device *dev;
	struct fmp_rx_port *port;
	u64 stopped[FMP_RX_REASON_FOREIGN + 1];
	u64 taken;
};

struct fmpbench_nic *fmpbench_nic_make(const char *name, bool asks);
void fmpbench_nic_drop(struct fmpbench_nic *nic);
void fmpbench_nic_receive(struct fmpbench_nic *nic, struct fmpbench_air *air, unsigned int n);
void fmpbench_nic_ask_receive(struct fmpbench_nic *nic, struct fmpbench_air *air, unsigned int n);

#endif /* _FMPBENCH_NIC_H */
