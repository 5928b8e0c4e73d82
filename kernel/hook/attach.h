/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_ATTACH_H
#define _FMP_ATTACH_H

#include "../path/port.h"

struct netlink_ext_ack;

struct fmp_rx_port *fmp_attach(struct fmp_tables *ts, struct net_device *dev, u32 flags,
			       struct netlink_ext_ack *extack);
void fmp_detach(struct fmp_rx_port *port);

#endif /* _FMP_ATTACH_H */
