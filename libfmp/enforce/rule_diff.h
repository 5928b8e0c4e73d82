/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a layer should have, what it has and what was changed meanwhile, side by side. Each is put
 * in by itself and in any order, so a comparison can be made bit by bit.
 */
#ifndef FMPI_ENFORCE_RULE_DIFF_H
#define FMPI_ENFORCE_RULE_DIFF_H

#include <fmp/enforce.h>

struct fmpi_rule_pair {
	/* what a layer has one rule of: address, MAC with it, port, and limit or block */
	struct fmp_addr addr, pair_mac;
	uint16_t dest_port;
	bool limit;
	bool wanted, there, touched;
	uint32_t want_rate, there_rate;
	uint64_t want_id, want_left_ms, there_left_ms; /* 0: without end */
};

/* All zero: there are none. */
struct fmpi_rule_diff {
	struct fmpi_rule_pair *v; /* in the order in which they came */
	size_t n, cap;
	struct fmpi_pair_slot {
		uint32_t hash, at; /* at 0: free; else v[at - 1] */
	} * slots;
	size_t n_slots; /* 0 or a power of two */
	uint64_t seed; /* others choose the addresses */
};

/* fmpi_rule_diff_at() - the pair of a rule's key, made if there is none. It stands until the next one is
 * made. Return: NULL without memory. */
struct fmpi_rule_pair *fmpi_rule_diff_at(struct fmpi_rule_diff *p, const struct fmp_rule *key);
/* Of several rules of one key the one that lasts longest stands. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_rule_diff_want(struct fmpi_rule_diff *p, const struct fmp_rule *r);
FMP_MUST_CHECK int fmpi_rule_diff_found(struct fmpi_rule_diff *p, const struct fmp_rule *r);
/* Is what is there what should be there: does it the same to packets, until the same time? */
bool fmpi_rule_pair_agrees(const struct fmpi_rule_pair *p);
void fmpi_rule_diff_free(struct fmpi_rule_diff *p);

#endif
