/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_EXPIRY_H
#define _FMP_EXPIRY_H

#include "tables.h"

void fmp_expiry_set(struct fmp_tables *ts, struct fmp_rule *rule, u64 timeout_ms);
void fmp_expiry_clear(struct fmp_tables *ts, struct fmp_rule *rule);
struct rb_node *fmp_expiry_first_evictable(const struct fmp_table *t);
void fmp_expiry_reap(struct fmp_tables *ts, unsigned int max);
void fmp_expiry_init(struct fmp_tables *ts);
void fmp_expiry_arm(struct fmp_tables *ts);

#endif /* _FMP_EXPIRY_H */
