/* SPDX-License-Identifier: GPL-2.0 */
/* The rules that fmpctl export apf compiles: of fmpd, or of files. */
#ifndef FMPCTL_APF_RULES_H
#define FMPCTL_APF_RULES_H

#include <fmp/internal/apf.h>

#include "fmpctl.h"

struct apf_rules {
	struct fmp_apf_rule *v;
	size_t n, cap;
	size_t narrowed; /* limits and blocks of one port, which are not in it */
	size_t observed; /* blocks that fmpd only observes, which are not in it either */
};

/** apf_rules_of_fmpd() - its blocks and its protected addresses. Return: an exit code. */
int apf_rules_of_fmpd(const struct ctl *ctl, struct apf_rules *l);
/** apf_rules_of_file() - the addresses of a list, see list_file_load(). Return: an exit code. */
int apf_rules_of_file(const struct ctl *ctl, struct apf_rules *l, const char *file, bool protect);
void apf_rules_free(struct apf_rules *l);

#endif
