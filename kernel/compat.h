/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that the module is built for (6.1 to 6.12)
 */
#ifndef _FMP_COMPAT_H
#define _FMP_COMPAT_H

#include <linux/version.h>

/* Moved in 6.12. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <asm/unaligned.h>
#else
#include <linux/unaligned.h>
#endif

#endif /* _FMP_COMPAT_H */
