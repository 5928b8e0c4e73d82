/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_BATCH_H
#define _FMP_BATCH_H

#include "../core/tables.h"

struct genl_info;
struct nla_policy;
struct nlattr;

/**
 * struct fmp_batch - the rules of one message
 * @spec: the rules
 * @nest: attribute of each rule in the message
 * @n: number of rules
 */
struct fmp_batch {
	struct fmp_rule_spec *spec;
	const struct nlattr **nest;
	unsigned int n;
};

int fmp_batch_parse(struct genl_info *info, const struct nla_policy *policy, bool verdict,
		    struct fmp_batch *batch);
int fmp_batch_report_error(struct genl_info *info, const struct fmp_batch *batch, unsigned int bad,
			   enum fmp_rule_err rule_err);
void fmp_batch_free(struct fmp_batch *batch);

#endif /* _FMP_BATCH_H */
