/* SPDX-License-Identifier: GPL-2.0 */
/* A node of a search, and what the values of its next bytes lead to. */
#ifndef FMPI_APF_SEGMENTS_H
#define FMPI_APF_SEGMENTS_H

#include <apf/search.h>

/*
 * Entries @from to @to, without the last, whose first @pos bytes are the same; @outer is the action of an
 * address that none of them matches.
 */
struct fmpi_apf_node {
	unsigned pos;
	size_t from, to;
	uint32_t outer;
};

/* Values that lead to the same: to an action, or (from < to) to a node. */
struct fmpi_apf_segment {
	uint32_t lo, hi;
	uint32_t action;
	size_t from, to;
	unsigned label; /* of the node */
};

/* They cover all values, in their order. */
struct fmpi_apf_segments {
	struct fmpi_apf_segment *v;
	size_t n, cap;
	bool failed; /* out of memory */
};

/* fmpi_apf_value_max() - of @width bytes: 1, 2 or 4 */
static inline uint32_t fmpi_apf_value_max(unsigned width)
{
	return UINT32_MAX >> (32 - 8 * width);
}

uint32_t fmpi_apf_value(const struct fmpi_apf_entry *e, unsigned pos, unsigned width);

/* fmpi_apf_segments() - of the values of @width bytes; free(v) */
struct fmpi_apf_segments fmpi_apf_segments(const struct fmpi_apf_table *t,
					   const struct fmpi_apf_node *node, unsigned width);

#endif
