// SPDX-License-Identifier: GPL-2.0
#include <apf/near.h>

unsigned fmpi_apf_near_label(struct fmpi_apf_near *near, struct fmpi_apf_code *c, uint32_t action)
{
	for (unsigned i = 0; i < near->n; i++)
		if (near->v[i].action == action)
			return near->v[i].label;
	if (!near->wanted || near->n == sizeof(near->v) / sizeof(near->v[0]))
		return near->to->label(near->to->ctx, action);
	near->v[near->n].action = action;
	near->v[near->n].label = fmpi_apf_new_label(c);
	return near->v[near->n++].label;
}

void fmpi_apf_near_place(const struct fmpi_apf_near *near, struct fmpi_apf_code *c)
{
	for (unsigned i = 0; i < near->n; i++) {
		fmpi_apf_place(c, near->v[i].label);
		near->to->go(near->to->ctx, near->v[i].action);
	}
}
