/* SPDX-License-Identifier: GPL-2.0 */
/* A binary heap of rows, smallest key first. Each row stores its position, so that it can be
 * removed. */
#ifndef FMPI_SUSPICION_HEAP_H
#define FMPI_SUSPICION_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fmpi_row;

struct fmpi_heap_entry {
	uint64_t key; /* ties are broken by the rows' creation order */
	struct fmpi_row *row;
};

/* The position of a row in no heap. */
#define FMPI_HEAP_NONE UINT32_MAX

struct fmpi_heap {
	struct fmpi_heap_entry *v;
	uint32_t n, cap;
	bool second; /* its rows may be in another heap too: store positions separately */
};

/** fmpi_heap_reserve() - allocate room for n rows; pushing up to n then can't fail. */
bool fmpi_heap_reserve(struct fmpi_heap *h, uint32_t n);
void fmpi_heap_exit(struct fmpi_heap *h);
void fmpi_heap_push(struct fmpi_heap *h, struct fmpi_row *row, uint64_t key);
void fmpi_heap_remove(struct fmpi_heap *h, struct fmpi_row *row);
/** fmpi_heap_move() - change the key of a row. */
void fmpi_heap_move(struct fmpi_heap *h, struct fmpi_row *row, uint64_t key);

#endif
