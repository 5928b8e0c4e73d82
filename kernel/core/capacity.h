/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_CAPACITY_H
#define _FMP_CAPACITY_H

#include "tables.h"

/**
 * struct fmp_capacity - capacity that a batch needs, counted before any rule changes
 * @ts: the tables
 * @used: rules in each table, with the new ones and without the victims
 * @total: sum of @used
 * @next: the next victim in each table
 */
struct fmp_capacity {
	struct fmp_tables *ts;
	u32 used[FMP_FAMILIES];
	u32 total;
	struct rb_node *next[FMP_FAMILIES];
};

void fmp_capacity_init(struct fmp_capacity *capacity, struct fmp_tables *ts);
enum fmp_rule_err fmp_capacity_reserve(struct fmp_capacity *capacity, enum fmp_family family,
				       struct fmp_rule **victim);

#endif /* _FMP_CAPACITY_H */
