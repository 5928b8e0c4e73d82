/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sources grouped by prefix: the number of rows, the blocked ones, and the time of the newest good
 * message. Kept only if the policy aggregates blocks (rollup). A group exists as long as it has a
 * row, so there are never more groups than rows.
 */
#ifndef FMPI_SUSPICION_PREFIX_GROUP_H
#define FMPI_SUSPICION_PREFIX_GROUP_H

#include <fmp/internal/hmap.h>
#include <fmp/policy.h>

struct fmpi_row;
struct fmpi_table;

struct fmpi_prefix_group {
	struct fmp_hmap_link link;
	struct fmp_addr prefix;
	uint32_t rows;
	uint32_t blocked, cap; /* size of members */
	uint64_t good_ms; /* 0: never */
	struct fmpi_row **members; /* the blocked rows, unordered */
};

struct fmpi_prefix_groups {
	struct fmp_hmap all; /* zeroed: no aggregation */
	uint8_t ipv4, ipv6; /* prefix lengths */
	/* Translated addresses belong to no group. */
	struct fmp_translators nat64, found;
};

/** fmpi_prefix_groups_set() - regroup all rows by the policy. Without memory nothing is
 * aggregated. */
void fmpi_prefix_groups_set(struct fmpi_table *t, const struct fmp_policy_rollup *r,
			    const struct fmp_translators *nat64);
void fmpi_prefix_groups_exit(struct fmpi_table *t);
/** fmpi_prefix_group_find() - the group of a prefix; NULL: none of its sources is in the table. */
struct fmpi_prefix_group *fmpi_prefix_group_find(const struct fmpi_table *t,
						 const struct fmp_addr *prefix);
/** fmpi_prefix_group_good() - record a good message of a member. */
void fmpi_prefix_group_good(struct fmpi_row *row, uint64_t when_ms);
/** fmpi_prefix_group_join() / _leave() - add a new row, remove a row. */
void fmpi_prefix_group_join(struct fmpi_table *t, struct fmpi_row *row);
void fmpi_prefix_group_leave(struct fmpi_table *t, struct fmpi_row *row);
/** fmpi_prefix_group_block() / _unblock() - the block of a member begins, ends. Without memory it
 * is not counted. */
void fmpi_prefix_group_block(struct fmpi_row *row);
void fmpi_prefix_group_unblock(struct fmpi_row *row);

#endif
