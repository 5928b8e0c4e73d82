/* SPDX-License-Identifier: GPL-2.0 */
/* The table of sources, as the commands sources and top print it. */
#ifndef FMPCTL_SOURCES_TABLE_H
#define FMPCTL_SOURCES_TABLE_H

#include "record.h"

/** sources_sort() - the worst first: blocked ones, then by rank, then by address. */
void sources_sort(struct records *l);
/** sources_compare() - compare by that order, as for qsort(3). */
int sources_compare(const struct record *x, const struct record *y);
/** sources_print() - Return: the number of rows. */
size_t sources_print(const struct records *l);

#endif
