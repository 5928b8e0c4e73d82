/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel's own headers do not tell gcc's static analyzer: who gives memory, and who
 * takes it back. Included in front of each file that it looks at; what comes of it is not
 * to be loaded.
 */
#ifndef _FMP_ANALYZER_H
#define _FMP_ANALYZER_H

#include <linux/percpu.h>
#include <linux/slab.h>

#define FMP_GIVES_BACK(f) __attribute__((malloc(f, 1)))

FMP_GIVES_BACK(kfree) void *kzalloc_known(size_t size, gfp_t flags);
FMP_GIVES_BACK(kvfree) void *kvcalloc_known(size_t n, size_t size, gfp_t flags);

#define kzalloc(size, flags)	 kzalloc_known(size, flags)
#define kvcalloc(n, size, flags) kvcalloc_known(n, size, flags)
#define kvzalloc(size, flags)	 kvcalloc_known(1, size, flags)

#endif /* _FMP_ANALYZER_H */
