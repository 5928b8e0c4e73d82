/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The addresses of all groups in one order, so that the group of a source is found in a few comparisons: it is asked
 * for at each message, and of every source when they are counted.
 */
#ifndef FMPI_POLICY_GROUP_INDEX_H
#define FMPI_POLICY_GROUP_INDEX_H

#include <fmp/policy.h>

/** fmpi_group_index_make() - of a policy whose groups change no more; the caller frees it. Return: NULL without
 * groups or memory, or with more than a policy may have. */
struct fmpi_group_index *fmpi_group_index_make(const struct fmp_policy *p);
/** fmpi_group_index_find() - as fmp_policy_group(). Return: number of the group, -1: none. */
int fmpi_group_index_find(const struct fmpi_group_index *x, const struct fmp_addr *source);

#endif
