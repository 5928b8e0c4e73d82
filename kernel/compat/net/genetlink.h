/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <net/genetlink.h>: from 6.6 on a dump has its attributes in a struct genl_info; from 6.1
 * on a family says from which command on what is reserved in its header must be 0
 */
#ifndef _FMP_COMPAT_NET_GENETLINK_H
#define _FMP_COMPAT_NET_GENETLINK_H

#include <linux/version.h>
#include_next <net/genetlink.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
/* For its ->attrs only. */
#define genl_info_dump(cb) genl_dumpit_info(cb)
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
#define FMP_HAVE_RESV_START_OP
#endif

#endif /* _FMP_COMPAT_NET_GENETLINK_H */
