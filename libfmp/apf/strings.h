/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A node that compares the bytes of its entries as strings. Of more than a few entries, a binary search by
 * the first bytes finds those that are compared.
 */
#ifndef FMPI_APF_STRINGS_H
#define FMPI_APF_STRINGS_H

#include <apf/near.h>
#include <apf/segments.h>

/* A node that can't be done so. */
#define FMPI_APF_NO_COST UINT32_MAX

/*
 * fmpi_apf_strings_cost() - bytes of the program, nearly
 * @width: bytes of the binary search; 0: there are so few entries that it needs none
 */
uint32_t fmpi_apf_strings_cost(const struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
			       const struct fmpi_apf_node *node, unsigned width);
void fmpi_apf_strings_emit(struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
			   const struct fmpi_apf_targets *to, const struct fmpi_apf_node *node,
			   unsigned width);

/* fmpi_apf_load() - load @width bytes of the address into R0 */
void fmpi_apf_load(struct fmpi_apf_code *c, const struct fmpi_apf_table *t, unsigned pos,
		   unsigned width);
/* fmpi_apf_load_fits() - are these bytes next to each other in the frame? */
bool fmpi_apf_load_fits(const struct fmpi_apf_table *t, unsigned pos, unsigned width);

#endif
