/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <linux/unaligned.h>: in <asm/> before 6.12
 */
#ifndef _FMP_COMPAT_LINUX_UNALIGNED_H
#define _FMP_COMPAT_LINUX_UNALIGNED_H

#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include_next <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif /* _FMP_COMPAT_LINUX_UNALIGNED_H */
