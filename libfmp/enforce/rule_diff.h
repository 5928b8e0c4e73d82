/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rule diff: the rules a layer should have and those it has, paired by key. Both are added one
 * at a time, in any order, so the comparison can be done in steps.
 */
#ifndef FMPI_ENFORCE_RULE_DIFF_H
#define FMPI_ENFORCE_RULE_DIFF_H

#include <fmp/enforce.h>

struct fmpi_rule_pair {
	/* the key: address, MAC of a pair, port, and limit or block */
	struct fmp_addr addr, pair_mac;
	uint16_t dest_port;
	bool limit;
	bool wanted, there, touched;
	uint32_t want_rate, there_rate;
	uint64_t want_id, want_left_ms, there_left_ms; /* 0: without end */
};

/* All zero: empty. */
struct fmpi_rule_diff {
	struct fmpi_rule_pair *v; /* in the order of addition */
	size_t n, cap;
	struct fmpi_pair_slot {
		uint32_t hash, at; /* at: 0 for a free slot, else index + 1 */
	} * slots;
	size_t n_slots; /* 0 or a power of two */
	uint64_t seed; /* attackers choose the addresses */
};

/* fmpi_rule_diff_at() - the pair of a rule's key, created if there is none. Valid until the next
 * one is created. Return: NULL without memory. */
struct fmpi_rule_pair *fmpi_rule_diff_at(struct fmpi_rule_diff *p, const struct fmp_rule *key);
/* Add a wanted or a present rule; of several with one key the longest one counts. Return: 0,
 * FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_rule_diff_want(struct fmpi_rule_diff *p, const struct fmp_rule *r);
FMP_MUST_CHECK int fmpi_rule_diff_found(struct fmpi_rule_diff *p, const struct fmp_rule *r);
/* Does the present rule have the same effect as the wanted one, until the same time? */
bool fmpi_rule_pair_agrees(const struct fmpi_rule_pair *p);
void fmpi_rule_diff_free(struct fmpi_rule_diff *p);

#endif
