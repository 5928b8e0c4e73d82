/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <linux/netdevice.h>: dev_set_threaded() took a bool before 6.17, and
 * netif_napi_add() a weight before 6.1
 */
#ifndef _FMP_COMPAT_LINUX_NETDEVICE_H
#define _FMP_COMPAT_LINUX_NETDEVICE_H

#include <linux/version.h>
#include_next <linux/netdevice.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define NETDEV_NAPI_THREADED_ENABLED true
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#define netif_napi_add(dev, napi, poll) netif_napi_add(dev, napi, poll, NAPI_POLL_WEIGHT)
#endif

#endif /* _FMP_COMPAT_LINUX_NETDEVICE_H */
