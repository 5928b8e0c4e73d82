/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <linux/net.h>: kernel_bind() took a struct sockaddr before 7.0
 */
#ifndef _FMP_COMPAT_LINUX_NET_H
#define _FMP_COMPAT_LINUX_NET_H

#include <linux/version.h>
#include_next <linux/net.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define sockaddr_unsized sockaddr
#endif

#endif /* _FMP_COMPAT_LINUX_NET_H */
