/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <linux/ftrace.h>: from 6.2 on a hook gets the arguments of a function without all
 * its registers; before, x86 had helpers of its own
 */
#ifndef _FMP_COMPAT_LINUX_FTRACE_H
#define _FMP_COMPAT_LINUX_FTRACE_H

#include <linux/version.h>
#include_next <linux/ftrace.h>

/* Not every machine can set it: only where the hook is built. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0) && defined(FMP_HAVE_FTRACE)
#define ftrace_regs_has_args(fregs)	   (!!ftrace_get_regs(fregs))
#define ftrace_regs_get_argument(fregs, n) regs_get_kernel_argument(ftrace_get_regs(fregs), n)
#define FMP_FTRACE_ARGS			   FTRACE_OPS_FL_SAVE_REGS

static inline void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long ip)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	if (regs)
		instruction_pointer_set(regs, ip);
}
#else
#define FMP_FTRACE_ARGS 0
#endif

#endif /* _FMP_COMPAT_LINUX_FTRACE_H */
