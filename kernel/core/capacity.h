/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_CAPACITY_H
#define _FMP_CAPACITY_H

#include "tables.h"

/**
 * struct fmp_room - room that a batch needs, before anything is changed
 * @ts: the tables
 * @used: rules in each table, with the new ones and without the victims
 * @total: all of them
 * @next: in each table, the next victim
 */
struct fmp_room {
	struct fmp_tables *ts;
	u32 used[FMP_FAMILIES];
	u32 total;
	struct rb_node *next[FMP_FAMILIES];
};

void fmp_room_begin(struct fmp_room *room, struct fmp_tables *ts);
enum fmp_fault fmp_room_take(struct fmp_room *room, enum fmp_family family,
			     struct fmp_rule **victim);

#endif /* _FMP_CAPACITY_H */
