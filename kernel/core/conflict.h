/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_CONFLICT_H
#define _FMP_CONFLICT_H

#include "tables.h"

/**
 * struct fmp_conflict_index - a batch, indexed by its addresses
 * @specs: its rules
 * @slot: hash array of rule numbers, counted from 1; 0 for an empty slot
 * @mask: entries of @slot minus 1
 * @seed: secret of the hash function
 * @protects: prefix lengths of the batch's protect rules, by family
 */
struct fmp_conflict_index {
	const struct fmp_rule_spec *specs;
	u32 *slot;
	u32 mask;
	u32 seed;
	unsigned long protects[FMP_FAMILIES][BITS_TO_LONGS(FMP_PLEN_MAX + 1)];
};

enum fmp_rule_err fmp_conflict_init(struct fmp_conflict_index *index,
				    const struct fmp_rule_spec *specs, unsigned int n,
				    unsigned int *bad);
void fmp_conflict_exit(struct fmp_conflict_index *index);
bool fmp_conflict_is_protected(const struct fmp_conflict_index *index, const struct fmp_tables *ts,
			       const struct fmp_rule_spec *spec);

#endif /* _FMP_CONFLICT_H */
