/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An index of the addresses of all groups: a source's group is looked up for each message and, when
 * sources are counted, for each source.
 */
#ifndef FMPI_POLICY_GROUP_INDEX_H
#define FMPI_POLICY_GROUP_INDEX_H

#include <fmp/policy.h>

/** fmpi_group_index_make() - build the index of a policy whose groups no longer change; the caller
 * frees it. Return: NULL without groups or memory, or if there are more than a policy may have. */
struct fmpi_group_index *fmpi_group_index_make(const struct fmp_policy *p);
/** fmpi_group_index_find() - as fmp_policy_group(). Return: number of the group; -1: none. */
int fmpi_group_index_find(const struct fmpi_group_index *x, const struct fmp_addr *source);

#endif
