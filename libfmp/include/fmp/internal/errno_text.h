/* SPDX-License-Identifier: GPL-2.0 */
/* The text of a system's error number, on each C library */
#ifndef FMP_ERRNO_TEXT_H
#define FMP_ERRNO_TEXT_H

#include <stddef.h>

/**
 * fmp_errno_text() - what strerror() says, without its buffer that threads share
 * @sys_errno: a value of errno
 * @buf: may be used for the text
 *
 * With _GNU_SOURCE strerror_r() is not the same function everywhere: that of POSIX, which musl has, returns a number.
 *
 * Return: the text, in @buf or constant; never NULL.
 */
const char *fmp_errno_text(int sys_errno, char *buf, size_t size);

#endif
