/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_KSHIM_MATH64_H
#define _FMP_KSHIM_MATH64_H

#include "../kshim.h"

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

#endif /* _FMP_KSHIM_MATH64_H */
