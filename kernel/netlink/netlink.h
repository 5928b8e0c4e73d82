/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_NETLINK_H
#define _FMP_NETLINK_H

struct genl_family;

/**
 * enum fmp_mcgrp - multicast groups of the family
 * @FMP_MCGRP_EVENTS: FMP_CMD_EVENT
 */
enum fmp_mcgrp {
	FMP_MCGRP_EVENTS,
};

extern struct genl_family fmp_family;

int fmp_netlink_init(void);
void fmp_netlink_exit(void);

#endif /* _FMP_NETLINK_H */
