/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The enforcer's state: what it was told to do, and the protected set. What
 * stands in the kernel is asked, never remembered.
 */
#ifndef FMP_ENFORCE_ENFORCER_H
#define FMP_ENFORCE_ENFORCER_H

#include <layers/layer.h>
#include <enforce/rule_diff.h>

struct fmpi_slot {
	struct fmpi_layer *l; /* NULL: could not be opened */
	bool up; /* built once; what is missing since is mended */
	char why[256]; /* why it is not up */
	char (*devices)[16]; /* those it is used on, then those it is left out on */
	unsigned n_devices, n_left_out;
};

struct fmp_enforcer {
	unsigned wanted; /* bits; 0: observe only */
	struct fmpi_slot slots[FMP_LAYERS];
	/* NULL: not told yet; what the kernel protects is kept until then. */
	struct fmp_protect_entry *set;
	size_t n_set;
	uint64_t seed; /* of tables by address */
	struct fmp_snapshot *snapshot; /* NULL: none is kept up with what is changed */
};

/** fmpi_enforcer_why() - fmp_enforcer_why(), for the snapshot, which the enforcer calls. */
static inline const char *fmpi_enforcer_why(const struct fmp_enforcer *e, unsigned layer)
{
	if (layer >= FMP_LAYERS)
		return "there is no such layer";
	if (!(e->wanted & FMP_LAYER_BIT(layer)))
		return e->wanted ? "not asked for" : "nothing is enforced: observing only";
	return e->slots[layer].up ? e->slots[layer].l->why : e->slots[layer].why;
}

/* What a survey has of a layer, and how far its comparison is. */
struct fmpi_snapshot_layer {
	bool asked; /* it was up when the survey was begun: it has, and is wanted to have, what is told */
	struct fmpi_rules rules; /* until they stand in the pairs */
	struct fmpi_rule_diff pairs; /* those that were changed since it was begun say nothing */
	uint32_t touches, touches_before; /* such changes; those before it was begun to be read */
	bool torn; /* changes went on while they were read: one that is not there may be there */
	int rc; /* FMP_ERR_AGAIN: not read yet; _UNSUPPORTED: the layer was not there */
	struct fmp_error err;
	enum fmpi_compared {
		FMPI_COMPARE_BEGIN,
		FMPI_COMPARE_READ, /* again */
		FMPI_COMPARE_STRUCTURE, /* what else the layer is made of */
		FMPI_COMPARE_ADD, /* rules into the pairs */
		FMPI_COMPARE_RULES
	} stage;
	size_t at; /* which of them is next */
	bool intact, repairs;
};

struct fmp_snapshot {
	struct fmp_enforcer *e;
	uint64_t begun_ms;
	unsigned at; /* the layer being read */
	struct fmpi_dump *dump; /* of it; NULL: not begun */
	bool overrun; /* more was changed meanwhile than it takes note of */
	unsigned comparing; /* the layer being compared */
	struct fmp_reconciled sum;
	struct fmpi_snapshot_layer layers[FMP_LAYERS];
};

/* One datagram more of a layer. Return: 1 all that there will be, 0 more is to come, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_snapshot_read(struct fmp_snapshot *s, unsigned layer, uint64_t now_ms);

/* Takes note of changes of a layer for the survey that is kept up, if one is. */
void fmpi_snapshot_touch(struct fmp_enforcer *e, enum fmp_layer layer, const struct fmpi_change *c,
			 size_t n);

/* The entry of the protected set that forbids to block an address; NULL: none does. */
const struct fmp_protect_entry *fmpi_enforcer_is_protected(const struct fmp_enforcer *e,
							   const struct fmp_addr *a);

/* Is the very address an entry of the protected set? */
bool fmpi_enforcer_is_entry(const struct fmp_enforcer *e, const struct fmp_addr *a);

/*
 * The changes that a block means on a layer: its addresses less the protected ones. Of a pair whose
 * MAC is protected the address alone is left.
 * Return: how many, 0..2; *spared tells that one was left out.
 */
unsigned fmpi_enforcer_changes(const struct fmp_enforcer *e, const struct fmp_decision *d,
			       enum fmp_layer layer, struct fmpi_change out[2],
			       bool *skipped_protected);

#endif
