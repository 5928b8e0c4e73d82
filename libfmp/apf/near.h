/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places near by that actions lead to: a jump of at most 255 bytes is shorter than one to the end of the
 * program, if several share the place.
 */
#ifndef FMPI_APF_NEAR_H
#define FMPI_APF_NEAR_H

#include <apf/search.h>

struct fmpi_apf_near {
	const struct fmpi_apf_targets *to;
	bool wanted; /* false: all jumps go to the end of the program */
	struct {
		uint32_t action;
		unsigned label;
	} v[4];
	unsigned n;
};

/* fmpi_apf_near_label() - where an action leads; of more than four actions, the others go to the end. */
unsigned fmpi_apf_near_label(struct fmpi_apf_near *near, struct fmpi_apf_code *c, uint32_t action);
/* fmpi_apf_near_place() - the places are here. */
void fmpi_apf_near_place(const struct fmpi_apf_near *near, struct fmpi_apf_code *c);

#endif
