/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_HITS_H
#define _FMP_HITS_H

#include "rule.h"

#include <linux/spinlock.h>
#include <linux/workqueue.h>

/* Size of the queue of first hits; first hits beyond it are counted as lost. */
#define FMP_HITS_MAX 64

/**
 * struct fmp_rule_ref - identifies a rule without a pointer to it
 * @key: address
 * @family: enum fmp_family
 * @plen: significant bits of the address
 */
struct fmp_rule_ref {
	struct fmp_key key;
	u8 family;
	u8 plen;
};

/**
 * struct fmp_hits - queue of first hits from the packet path to the events
 * @lock: protects all members; taken with interrupts off
 * @count: entries of @ref in use
 * @lost: first hits that found the queue full since @work last ran
 * @stopped: @work is not to be queued any more
 * @ref: rules that were hit; references, because a rule may be deleted before
 *	@work runs
 * @work: reports the hits
 */
struct fmp_hits {
	spinlock_t lock; /* protects all members */
	unsigned int count;
	unsigned int lost;
	bool stopped;
	struct fmp_rule_ref ref[FMP_HITS_MAX];
	struct work_struct work;
};

void fmp_hits_init(struct fmp_hits *hits);
void fmp_hits_start(struct fmp_hits *hits);
void fmp_hits_stop(struct fmp_hits *hits);
void fmp_hits_push(struct fmp_hits *hits, struct fmp_rule *rule);

#endif /* _FMP_HITS_H */
