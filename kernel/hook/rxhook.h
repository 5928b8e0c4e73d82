/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_RXHOOK_H
#define _FMP_RXHOOK_H

#include <linux/errno.h>
#include <linux/types.h>

struct netlink_ext_ack;

#define FMP_RXHOOK_MODULE "mac80211"

/**
 * struct fmp_rxhook_way - a way to see all frames that enter mac80211
 * @hook: enum fmp_hook of the devices that it hooks
 * @probe: check whether it exists in this kernel, as far as that is known before the
 *	first device: 0, or -EOPNOTSUPP with the reason
 * @arm: set the hook: 0, or a negative error with the reason
 * @disarm: remove the hook; on return no CPU is in it. mac80211 may be going
 *
 * Context: process; @arm and @disarm with the lock of rxhook.c held, @arm with RTNL.
 */
struct fmp_rxhook_way {
	u8 hook;
	int (*probe)(struct netlink_ext_ack *extack);
	int (*arm)(struct netlink_ext_ack *extack);
	void (*disarm)(void);
};

extern const struct fmp_rxhook_way fmp_rxhook_patched;
#ifdef FMP_HAVE_FTRACE
extern const struct fmp_rxhook_way fmp_rxhook_ftrace;
#endif

#endif /* _FMP_RXHOOK_H */
