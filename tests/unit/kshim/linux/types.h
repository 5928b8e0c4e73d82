/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_KSHIM_TYPES_H
#define _FMP_KSHIM_TYPES_H

#include_next <linux/types.h>

#include "../kshim.h"

#endif /* _FMP_KSHIM_TYPES_H */
