/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_CONFLICT_H
#define _FMP_CONFLICT_H

#include "tables.h"

/**
 * struct fmp_clash - a batch, indexed by its addresses
 * @specs: its rules
 * @slot: hash array: numbers of rules, counted from 1; 0 for none
 * @mask: entries of @slot less 1
 * @seed: secret of the hash function
 * @protects: prefix lengths with which the batch protects, by family
 */
struct fmp_clash {
	const struct fmp_rule_spec *specs;
	u32 *slot;
	u32 mask;
	u32 seed;
	unsigned long protects[FMP_FAMILIES][BITS_TO_LONGS(FMP_PLEN_MAX + 1)];
};

enum fmp_fault fmp_clash_init(struct fmp_clash *clash, const struct fmp_rule_spec *specs,
			      unsigned int n, unsigned int *bad);
void fmp_clash_exit(struct fmp_clash *clash);
bool fmp_clash_protected(const struct fmp_clash *clash, const struct fmp_tables *ts,
			 const struct fmp_rule_spec *spec);

#endif /* _FMP_CONFLICT_H */
