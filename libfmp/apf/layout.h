/* SPDX-License-Identifier: GPL-2.0 */
/* The order in which a program looks at a frame: the same as the module's. */
#ifndef FMPI_APF_LAYOUT_H
#define FMPI_APF_LAYOUT_H

#include <apf/search.h>

/* The tables, as the module has them; and the protected addresses again, for frames of a blocked MAC. */
enum fmpi_apf_set {
	FMPI_APF_MAC,
	FMPI_APF_IPV4,
	FMPI_APF_IPV6,
	FMPI_APF_PAIR4,
	FMPI_APF_PAIR6,
	FMPI_APF_SPARED4,
	FMPI_APF_SPARED6,
	FMPI_APF_SETS
};

struct fmpi_apf_layout {
	struct fmpi_apf_table set[FMPI_APF_SETS]; /* reduced */
};

void fmpi_apf_layout_init(struct fmpi_apf_layout *l);
void fmpi_apf_layout_free(struct fmpi_apf_layout *l);
/* fmpi_apf_layout_reduce() - after all addresses are in the tables */
void fmpi_apf_layout_reduce(struct fmpi_apf_layout *l);
/* fmpi_apf_layout_emit() - the whole program. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_apf_layout_emit(const struct fmpi_apf_layout *l, struct fmpi_apf_code *c);

#endif
