/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_KSHIM_IN6_H
#define _FMP_KSHIM_IN6_H

#include <linux/types.h>

#include_next <linux/in6.h>

#endif /* _FMP_KSHIM_IN6_H */
