/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBB_STATION_H
#define _FMPBB_STATION_H

#include "counters.h"
#include "medium.h"

#include <linux/netdevice.h>
#include <net/rtnetlink.h>

struct fmp_rx_port;

/**
 * struct fmpbb_station - a radio
 * @dev: its device
 * @port: its port of the pre-MAC filter
 * @napi: its receiver, a kernel thread
 * @cursor: number of the next frame to receive; used by the receiver only
 * @rx: counters of the receiver
 * @tx: counters of the sender
 * @list: entry of fmpbb_medium.stations while the device is up; the medium's lock
 * @staging: first bytes of the frame in progress; used by the receiver only
 */
struct fmpbb_station {
	struct net_device *dev;
	struct fmp_rx_port *port;
	struct napi_struct napi;
	unsigned long cursor;
	struct fmpbb_rx_counters rx;
	struct fmpbb_tx_counters tx;
	struct list_head list;
	u8 staging[FMPBB_FRAME_MAX];
};

extern struct rtnl_link_ops fmpbb_link_ops;

int fmpbb_station_create(unsigned int number);

#endif /* _FMPBB_STATION_H */
