/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The enforcer's state: what it was told to do, and the protected set. What
 * stands in the kernel is asked, never remembered.
 */
#ifndef FMP_ENFORCE_ENFORCER_H
#define FMP_ENFORCE_ENFORCER_H

#include <enforce/layer.h>

struct fmpi_slot {
	struct fmpi_layer *l; /* NULL: could not be opened */
	bool up; /* built once; what is missing since is mended */
	char why[256]; /* why it is not up */
};

struct fmp_enforcer {
	unsigned wanted; /* bits; 0: observe only */
	char (*devices)[16];
	unsigned n_devices;
	struct fmpi_slot slots[FMP_LAYERS];
	/* NULL: not told yet; what the kernel protects is kept until then. */
	struct fmp_protect_entry *set;
	size_t n_set;
	struct fmp_survey *survey; /* NULL: none is kept up with what is changed */
};

/* What a survey has of a layer. */
struct fmpi_surveyed {
	struct fmpi_rules rules;
	/* Those that were changed since it was begun: of them it says nothing. */
	struct fmpi_rules touched;
	size_t touched_before; /* it was begun to be read */
	bool torn; /* changes went on while they were read: one that is not there may be there */
	int rc; /* FMP_ERR_AGAIN: not read yet; _UNSUPPORTED: used up, or the layer was not there */
	struct fmp_error err;
};

struct fmp_survey {
	struct fmp_enforcer *e;
	uint64_t begun_ms;
	unsigned at; /* the layer being read */
	struct fmpi_dump *dump; /* of it; NULL: not begun */
	struct fmpi_surveyed layers[FMP_LAYERS];
};

/* Takes note of changes of a layer for the survey that is kept up, if one is. */
void fmpi_survey_touch(struct fmp_enforcer *e, enum fmp_layer layer, const struct fmpi_change *c,
		       size_t n);

/* Open and build the wanted layers that are not up. */
void fmpi_enforcer_raise(struct fmp_enforcer *e);

/*
 * The changes that a block means on a layer: its addresses less the protected ones.
 * Return: how many, 0..2; *spared tells that one was left out.
 */
unsigned fmpi_enforcer_changes(const struct fmp_enforcer *e, const struct fmp_decision *d,
			       enum fmp_layer layer, struct fmpi_change out[2], bool *spared);

#endif
