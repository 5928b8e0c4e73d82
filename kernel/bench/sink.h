/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBENCH_SINK_H
#define _FMPBENCH_SINK_H

#include <linux/types.h>

struct net_device;

/**
 * struct fmpbench_arrived - frames that arrived
 * @handler: at the rx_handler, directly above the driver
 * @socket: at a UDP socket
 */
struct fmpbench_arrived {
	u64 handler;
	u64 socket;
};

extern struct fmpbench_arrived fmpbench_arrived;

int fmpbench_sink_init(void);
void fmpbench_sink_exit(void);
int fmpbench_sink_set(struct net_device *dev, bool handler);
void fmpbench_sink_drain(void);

#endif /* _FMPBENCH_SINK_H */
