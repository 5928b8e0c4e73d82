/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_HITS_H
#define _FMP_HITS_H

#include "rule.h"

#include <linux/spinlock.h>
#include <linux/workqueue.h>

/* First hits that wait for the event room; more at a time are counted as lost. */
#define FMP_HITS_MAX 64

/**
 * struct fmp_rule_name - what finds a rule again
 * @key: address
 * @family: enum fmp_family
 * @plen: significant bits of the address
 */
struct fmp_rule_name {
	struct fmp_key key;
	u8 family;
	u8 plen;
};

/**
 * struct fmp_hits - first hits on their way from the packet path to the event room
 * @lock: for all of it; taken with bottom halves off
 * @waiting: rules in @name
 * @lost: first hits that found no place since the last look
 * @stopped: nobody comes to look any more
 * @name: rules that were hit; names, for a rule may go before somebody looks
 * @work: looks
 */
struct fmp_hits {
	spinlock_t lock; /* for all of it */
	unsigned int waiting;
	unsigned int lost;
	bool stopped;
	struct fmp_rule_name name[FMP_HITS_MAX];
	struct work_struct work;
};

void fmp_hits_init(struct fmp_hits *hits);
void fmp_hits_start(struct fmp_hits *hits);
void fmp_hits_stop(struct fmp_hits *hits);
void fmp_hits_push(struct fmp_hits *hits, struct fmp_rule *rule);

#endif /* _FMP_HITS_H */
