/* SPDX-License-Identifier: GPL-2.0 */
/* Sources as sources and top show them. */
#ifndef FMPCTL_SOURCES_TABLE_H
#define FMPCTL_SOURCES_TABLE_H

#include "record.h"

/** sources_sort() - the worst first: blocked ones, then by rank, then by address. */
void sources_sort(struct records *l);
/** sources_compare() - by that order, as qsort(3) takes it. */
int sources_compare(const struct record *x, const struct record *y);
/** sources_print() - Return: rows. */
size_t sources_print(const struct records *l);

#endif
