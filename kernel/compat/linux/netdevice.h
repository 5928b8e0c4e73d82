/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <linux/netdevice.h>: dev_set_threaded() took a bool before 6.17
 */
#ifndef _FMP_COMPAT_LINUX_NETDEVICE_H
#define _FMP_COMPAT_LINUX_NETDEVICE_H

#include <linux/version.h>
#include_next <linux/netdevice.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define NETDEV_NAPI_THREADED_ENABLED true
#endif

#endif /* _FMP_COMPAT_LINUX_NETDEVICE_H */
