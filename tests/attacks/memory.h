/* SPDX-License-Identifier: GPL-2.0 */
/* The most memory that code allocates at once through malloc(), by any caller. */
#ifndef FMP_TESTS_ATTACK_MEMORY_H
#define FMP_TESTS_ATTACK_MEMORY_H

#include <stddef.h>

/** memory_begin() - start to count; one thread at a time. */
void memory_begin(void);
/** memory_end() - Return: the most bytes allocated at once since memory_begin(). */
size_t memory_end(void);
/** memory_kept() - bytes allocated between the two and not freed; below 0: more was freed than allocated. */
long memory_kept(void);

#endif
