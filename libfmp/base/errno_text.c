// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/errno_text.h>

#include <stdio.h>
#include <string.h>

const char *fmp_errno_text(int sys_errno, char *buf, size_t size)
{
#ifdef __GLIBC__
	return strerror_r(sys_errno, buf, size);
#else
	if (strerror_r(sys_errno, buf, size))
		snprintf(buf, size, "error %d", sys_errno);
	return buf;
#endif
}
