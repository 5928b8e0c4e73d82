/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <net/genetlink.h>: from 6.6 on a dump has its attributes in a struct genl_info
 */
#ifndef _FMP_COMPAT_NET_GENETLINK_H
#define _FMP_COMPAT_NET_GENETLINK_H

#include <linux/version.h>
#include_next <net/genetlink.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
/* For its ->attrs only. */
#define genl_info_dump(cb) genl_dumpit_info(cb)
#endif

#endif /* _FMP_COMPAT_NET_GENETLINK_H */
