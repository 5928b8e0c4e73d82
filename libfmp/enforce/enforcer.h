/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The enforcer's state: its configuration and the protected set. The kernel's state is read when
 * needed, never cached.
 */
#ifndef FMP_ENFORCE_ENFORCER_H
#define FMP_ENFORCE_ENFORCER_H

#include <layers/layer.h>
#include <enforce/rule_diff.h>

struct fmpi_slot {
	struct fmpi_layer *l; /* NULL: could not be opened */
	bool up; /* built once; later losses are repaired */
	char why[256]; /* why it is not available */
	char (*devices)[16]; /* devices it is used on, then those it is left out on */
	unsigned n_devices, n_left_out;
};

struct fmp_enforcer {
	unsigned wanted; /* bits; 0: observe only */
	struct fmpi_slot slots[FMP_LAYERS];
	/* NULL: not set yet; until then the kernel's set is kept. */
	struct fmp_protect_entry *set;
	size_t n_set;
	uint64_t seed; /* for hash tables of addresses */
	struct fmp_snapshot *snapshot; /* the newest one, updated with every change; NULL: none */
};

/* A layer in a snapshot, and the progress of its comparison. */
struct fmpi_snapshot_layer {
	bool asked; /* it was up at the start of the snapshot */
	struct fmpi_rules rules; /* until they are added to the pairs */
	struct fmpi_rule_diff pairs; /* those changed since the start are ignored */
	uint32_t touches,
		touches_before; /* number of such changes; of those before reading started */
	bool torn; /* changes happened during the dump: an absent rule may be present */
	int rc; /* FMP_ERR_AGAIN: not read yet; FMP_ERR_UNSUPPORTED: the layer was not available */
	struct fmp_error err;
	enum fmpi_compared {
		FMPI_COMPARE_BEGIN,
		FMPI_COMPARE_READ, /* again */
		FMPI_COMPARE_STRUCTURE, /* tables, chains, attachments */
		FMPI_COMPARE_ADD, /* add the rules to the pairs */
		FMPI_COMPARE_RULES
	} stage;
	size_t at; /* index of the next one */
	bool intact, repairs;
};

struct fmp_snapshot {
	struct fmp_enforcer *e;
	uint64_t begun_ms;
	unsigned at; /* the layer being read */
	struct fmpi_dump *dump; /* its dump; NULL: not started */
	bool overrun; /* more changed meanwhile than can be recorded */
	unsigned comparing; /* the layer being compared */
	struct fmp_reconciled sum;
	struct fmpi_snapshot_layer layers[FMP_LAYERS];
};

/* Read one more datagram of a layer. Return: 1 it is complete, 0 more follows, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_snapshot_read(struct fmp_snapshot *s, unsigned layer, uint64_t now_ms);

/* The entry of the protected set that forbids blocking an address; NULL: none. */
const struct fmp_protect_entry *fmpi_enforcer_is_protected(const struct fmp_enforcer *e,
							   const struct fmp_addr *a);

/* Is the address itself an entry of the protected set? */
bool fmpi_enforcer_is_entry(const struct fmp_enforcer *e, const struct fmp_addr *a);

/*
 * The changes of a decision on a layer: its addresses without protected ones. A pair whose MAC is
 * protected becomes the address alone.
 * Return: how many, 0..2; *skipped_protected: something was left out.
 */
unsigned fmpi_enforcer_changes(const struct fmp_enforcer *e, const struct fmp_decision *d,
			       enum fmp_layer layer, struct fmpi_change out[2],
			       bool *skipped_protected);

#endif
