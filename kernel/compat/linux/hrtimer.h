/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <linux/hrtimer.h>: hrtimer_setup() came in 6.13
 */
#ifndef _FMP_COMPAT_LINUX_HRTIMER_H
#define _FMP_COMPAT_LINUX_HRTIMER_H

#include <linux/version.h>
#include_next <linux/hrtimer.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *timer),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#endif /* _FMP_COMPAT_LINUX_HRTIMER_H */
