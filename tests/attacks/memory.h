/* SPDX-License-Identifier: GPL-2.0 */
/* How much memory of malloc() a piece of work takes at most, whoever calls it. */
#ifndef FMP_TESTS_ATTACK_MEMORY_H
#define FMP_TESTS_ATTACK_MEMORY_H

#include <stddef.h>

/** memory_begin() - counts from here on; one thread at a time. */
void memory_begin(void);
/** memory_end() - Return: the most bytes that were taken at once since then. */
size_t memory_end(void);
/** memory_kept() - bytes that were taken between the two and not given back; below 0: others were. */
long memory_kept(void);

#endif
