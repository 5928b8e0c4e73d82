/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBENCH_SINK_H
#define _FMPBENCH_SINK_H

#include <linux/types.h>

struct net_device;

/**
 * struct fmpbench_sunk - frames that arrived
 * @handler: at the first reader above the driver
 * @socket: in a socket
 */
struct fmpbench_sunk {
	u64 handler;
	u64 socket;
};

extern struct fmpbench_sunk fmpbench_sunk;

int fmpbench_sink_init(void);
void fmpbench_sink_exit(void);
int fmpbench_sink_set(struct net_device *dev, bool handler);
void fmpbench_sink_drain(void);

#endif /* _FMPBENCH_SINK_H */
