/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sources of one prefix, counted: how many rows, which of them are blocked, and when the
 * newest good message came. Kept only where the policy rolls blocks up. There are never more
 * groups than rows: a group lives as long as it has one.
 */
#ifndef FMPI_SUSPICION_GROUP_H
#define FMPI_SUSPICION_GROUP_H

#include <fmp/policy.h>

struct fmpi_row;
struct fmpi_table;

struct fmpi_group {
	struct fmpi_group *next; /* in its bucket */
	struct fmp_addr prefix;
	uint32_t rows;
	uint32_t blocked, cap; /* of members */
	uint64_t good_ms; /* 0: never */
	struct fmpi_row **members; /* the blocked ones, in no order */
};

struct fmpi_groups {
	struct fmpi_group **buckets; /* NULL: nothing is rolled up */
	uint64_t mask;
	uint8_t ipv4, ipv6; /* lengths of prefix */
	/* Addresses behind them are of no group. */
	struct fmp_translators nat64, found;
};

/** fmpi_groups_set() - by the policy from now on; the rows there are find their groups. Without
 * memory nothing is rolled up. */
void fmpi_groups_set(struct fmpi_table *t, const struct fmp_policy_rollup *r,
		     const struct fmp_translators *nat64);
void fmpi_groups_exit(struct fmpi_table *t);
/** fmpi_group_find() - NULL: none of its sources is in the table. */
struct fmpi_group *fmpi_group_find(const struct fmpi_table *t, const struct fmp_addr *prefix);
/** fmpi_group_good() - a good message of a source in it. */
void fmpi_group_good(struct fmpi_row *row, uint64_t when_ms);
/** fmpi_group_join() / _leave() - a row is made, a row goes. */
void fmpi_group_join(struct fmpi_table *t, struct fmpi_row *row);
void fmpi_group_leave(struct fmpi_table *t, struct fmpi_row *row);
/** fmpi_group_block() / _unblock() - its block begins, its block is over. Without memory it does not
 * count in its group. */
void fmpi_group_block(struct fmpi_row *row);
void fmpi_group_unblock(struct fmpi_row *row);

#endif
