/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A dry run: what a policy would have decided of what happened, and what would not have
 * come through. Pure: a timeline (timeline.h) goes in line by line, blocks come out; two
 * runs of the same lines under two policies can be compared.
 *
 * While a source is blocked its messages do not arrive: they are counted at the block and
 * the engine never sees them, as it would have been. Under a policy that only observes, or
 * that names no layer, all arrive. A block that lets a rate through, or that is of another
 * port than the message's, lets the message arrive. What is protected, as far as
 * policy and log tell, is never blocked. A block of a MAC keeps out who has it, as far as the log tells;
 * that of an address in frames of one MAC alone lets others have the address.
 */
#ifndef FMP_DRYRUN_H
#define FMP_DRYRUN_H

#include <fmp/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Blocks that a run remembers; what comes behind them is an error. */
#define FMP_DRYRUN_BLOCKS_MAX (1u << 18)

/** struct fmp_dryrun_block - one block; times since the start of the timeline */
struct fmp_dryrun_block {
	struct fmp_addr source;
	uint64_t id; /**< of the decision */
	uint64_t from_ms;
	uint64_t until_ms; /**< its end, be it behind the timeline's; UINT64_MAX: without end */
	unsigned layers;
	enum fmp_action_kind action_kind;
	uint32_t rate; /**< of a limit */
	uint16_t dest_port; /**< 0: any */
	bool manual;
	struct fmp_addr mac; /**< blocked too; else {0}, and mac_veto says why if the
				log tells of the link */
	struct fmp_addr pair_mac; /**< of a pair: keeps out frames of this MAC alone, as far as
				     the log tells; {0}: any, or any since that MAC is protected */
	enum fmp_mac_veto mac_veto;
	uint64_t mac_until_ms; /**< so long at most; UINT64_MAX: as long as the block */
	uint64_t bad, good; /**< messages that it kept out */
	char reason[160];
};

/** struct fmp_dryrun_totals - of all lines so far */
struct fmp_dryrun_totals {
	uint64_t bad, good; /**< messages sent, those of addresses not proven among the bad */
	uint64_t unproven; /**< of them from addresses not proven */
	uint64_t kept_out_bad, kept_out_good; /**< of them not let in */
	uint64_t exempted; /**< blocks not taken: the source is protected */
	uint64_t refused; /**< blocks not taken: there were too many */
	uint64_t end_ms; /**< of the timeline */
	uint32_t sources, blocked; /**< in the table, and of them blocked, at the end */
};

struct fmp_dryrun;

/** fmp_dryrun_new() - @policy and @name are not owned. Return: 0, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_dryrun_new(const struct fmp_policy *policy, const char *name,
					  struct fmp_dryrun **out, struct fmp_error *err);
FMP_API void fmp_dryrun_free(struct fmp_dryrun *d);
/** fmp_dryrun_line() - Return: 0, FMP_ERR_SYNTAX, FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_dryrun_line(struct fmp_dryrun *d, const char *text, size_t len,
					   struct fmp_error *err);
/** fmp_dryrun_engine() - to look at between lines. */
FMP_API struct fmp_engine *fmp_dryrun_engine(struct fmp_dryrun *d);
/** fmp_dryrun_get_totals() - up to now. */
FMP_API void fmp_dryrun_get_totals(struct fmp_dryrun *d, struct fmp_dryrun_totals *out);
/** fmp_dryrun_blocks() - all, in the order in which they were taken; valid until the next line. */
FMP_API const struct fmp_dryrun_block *fmp_dryrun_blocks(const struct fmp_dryrun *d, size_t *n);

/** struct fmp_dryrun_side - what one run did to a source */
struct fmp_dryrun_side {
	uint64_t blocks; /**< 0: it was let be, and the rest is 0 */
	uint64_t from_ms; /**< start of the first block */
	uint64_t blocked_ms; /**< all of them together; UINT64_MAX: without end */
	uint64_t bad, good; /**< messages kept out */
};

/** struct fmp_dryrun_difference - a source that two runs treat differently */
struct fmp_dryrun_difference {
	struct fmp_addr source;
	struct fmp_dryrun_side side[2];
};

/**
 * fmp_dryrun_compare() - two runs of the same lines
 * @each: gets the sources by address whose number of blocks, first start or time differ;
 *	  non-zero stops
 *
 * Return: 0, what each() returned, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int
fmp_dryrun_compare(const struct fmp_dryrun *a, const struct fmp_dryrun *b,
		   int (*each)(const struct fmp_dryrun_difference *diff, void *ctx), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
