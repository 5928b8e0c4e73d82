/* SPDX-License-Identifier: GPL-2.0 */
/* The lists of BSD: of the C library, or of libbsd where that has none (musl) */
#ifndef FMP_QUEUE_H
#define FMP_QUEUE_H

#if __has_include(<sys/queue.h>)
#include <sys/queue.h>
#else
#include <bsd/sys/queue.h>
#endif

#endif
