/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A dry run: what a policy would have decided about recorded traffic, and which messages it would
 * have kept out. Pure: a timeline (timeline.h) goes in line by line, blocks come out; two runs of
 * the same lines under two policies can be compared.
 *
 * Messages of a blocked source do not arrive: they are counted at the block, and the engine never
 * sees them. Under a policy that only observes, or names no layer, all arrive. A message also
 * arrives if the block is a limit, or is of another port. Addresses that are protected, as far as
 * policy and log tell, are never blocked. A block of a MAC keeps out all addresses that have it, as
 * far as the log tells; a pair block lets other hosts use the address.
 */
#ifndef FMP_DRYRUN_H
#define FMP_DRYRUN_H

#include <fmp/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Upper bound on the blocks of a run; more are an error. */
#define FMP_DRYRUN_BLOCKS_MAX (1u << 18)

/** struct fmp_dryrun_block - one block; times since the start of the timeline */
struct fmp_dryrun_block {
	struct fmp_addr source;
	uint64_t id; /**< id of the decision */
	uint64_t from_ms;
	uint64_t until_ms; /**< its end, possibly after the timeline's; UINT64_MAX: without end */
	unsigned layers;
	enum fmp_action_kind action_kind;
	uint32_t rate; /**< of a limit */
	uint16_t dest_port; /**< 0: any */
	bool manual;
	/** blocked too; else {0}, with the reason in mac_veto if the log describes the link */
	struct fmp_addr mac;
	/** of a pair: drops only frames of this MAC, as far as the log tells; {0}: any, also after
	 * that MAC became protected */
	struct fmp_addr pair_mac;
	enum fmp_mac_veto mac_veto;
	uint64_t mac_until_ms; /**< upper bound for the MAC; UINT64_MAX: as long as the block */
	uint64_t bad, good; /**< messages that it kept out */
	char reason[160];
};

/** struct fmp_dryrun_totals - of all lines so far */
struct fmp_dryrun_totals {
	uint64_t bad, good; /**< messages sent; unproven ones count as bad */
	uint64_t unproven; /**< of these, from unproven addresses */
	uint64_t kept_out_bad, kept_out_good; /**< of these, kept out */
	uint64_t exempted; /**< decisions without effect: the source is protected */
	uint64_t refused; /**< decisions without effect: no room */
	uint64_t end_ms; /**< of the timeline */
	uint32_t sources, blocked; /**< rows of the table, and blocked ones, at the end */
};

struct fmp_dryrun;

/** fmp_dryrun_new() - start a run; @policy and @name are not owned. Return: 0, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_dryrun_new(const struct fmp_policy *policy, const char *name,
					  struct fmp_dryrun **out, struct fmp_error *err);
FMP_API void fmp_dryrun_free(struct fmp_dryrun *d);
/** fmp_dryrun_line() - play one line. Return: 0, FMP_ERR_SYNTAX, FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_dryrun_line(struct fmp_dryrun *d, const char *text, size_t len,
					   struct fmp_error *err);
/** fmp_dryrun_engine() - the engine, for reading between lines. */
FMP_API struct fmp_engine *fmp_dryrun_engine(struct fmp_dryrun *d);
/** fmp_dryrun_get_totals() - totals of the lines so far. */
FMP_API void fmp_dryrun_get_totals(struct fmp_dryrun *d, struct fmp_dryrun_totals *out);
/** fmp_dryrun_blocks() - all blocks, in order of their decisions; valid until the next line. */
FMP_API const struct fmp_dryrun_block *fmp_dryrun_blocks(const struct fmp_dryrun *d, size_t *n);

/** struct fmp_dryrun_side - the effect of one run on a source */
struct fmp_dryrun_side {
	uint64_t blocks; /**< 0: it was never blocked, and the rest is 0 */
	uint64_t from_ms; /**< start of the first block */
	uint64_t blocked_ms; /**< sum of all blocks; UINT64_MAX: without end */
	uint64_t bad, good; /**< messages kept out */
};

/** struct fmp_dryrun_difference - a source that two runs treat differently */
struct fmp_dryrun_difference {
	struct fmp_addr source;
	struct fmp_dryrun_side side[2];
};

/**
 * fmp_dryrun_compare() - compare two runs of the same lines
 * @each: called, in order of addresses, for each source whose number of blocks, first start or
 * 	 total time differ; non-zero stops
 *
 * Return: 0, each()'s value, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int
fmp_dryrun_compare(const struct fmp_dryrun *a, const struct fmp_dryrun *b,
		   int (*each)(const struct fmp_dryrun_difference *diff, void *ctx), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
