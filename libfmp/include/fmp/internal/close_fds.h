/* SPDX-License-Identifier: GPL-2.0 */
/* Closing descriptors in a process that was forked */
#ifndef FMP_CLOSE_FDS_H
#define FMP_CLOSE_FDS_H

#include <sys/syscall.h>
#include <unistd.h>

/**
 * fmp_close_fds() - close all descriptors from @first to @last
 * @last: ~0u: all that there are
 *
 * By the system call (Linux 5.9): musl has no function for it.
 *
 * Return: 0, or -1 with errno set.
 */
static inline int fmp_close_fds(unsigned first, unsigned last)
{
	return (int)syscall(SYS_close_range, first, last, 0);
}

#endif
