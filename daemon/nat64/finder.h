/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was found and until when it holds, when DNS is asked again, and what of it is said. Time is passed in,
 * seconds of CLOCK_BOOTTIME; no I/O.
 */
#ifndef NAT64_FINDER_H
#define NAT64_FINDER_H

#include "router.h"

/** What is kept of each way: more than fmpd takes, for it may refuse some. */
#define NAT64_FINDER_MAX 8u

struct nat64_finder {
	struct nat64_one {
		struct fmp_nat64_found f; /* lifetime_s 0: free */
		uint64_t said_s, end_s;
		struct nat64_router from; /* of an advertisement */
	} advertised[NAT64_FINDER_MAX], resolved[NAT64_FINDER_MAX];
	uint64_t ask_s; /* when DNS is to be asked */
	uint64_t asked_s; /* when it was */
	uint64_t check_s; /* when routers are to be looked at; 0: not */
	uint32_t delay_s; /* before the next try of one that failed */
	bool (*is_default)(const struct nat64_router *r);
	void (*say)(void *ctx, const struct fmp_nat64_found *f);
	void *ctx;
};

void nat64_finder_init(struct nat64_finder *n, bool (*is_default)(const struct nat64_router *r),
		       void (*say)(void *ctx, const struct fmp_nat64_found *f), void *ctx,
		       uint64_t now_s);
/** nat64_finder_advertised() - a default router says so. */
void nat64_finder_advertised(struct nat64_finder *n, const struct fmp_nat64_found *f,
			     const struct nat64_router *from, uint64_t now_s);
/** nat64_finder_changed() - addresses or routes are other ones. */
void nat64_finder_changed(struct nat64_finder *n, uint64_t now_s);
/** nat64_finder_answered() - of DNS. @n_found: as of nat64_resolve() */
void nat64_finder_answered(struct nat64_finder *n, const struct fmp_nat64_found *found, int n_found,
			   uint64_t now_s);
/** nat64_finder_due() - when there is something to do. */
uint64_t nat64_finder_due(const struct nat64_finder *n);
/** nat64_finder_turn() - what is over goes. Return: DNS is to be asked now. */
bool nat64_finder_turn(struct nat64_finder *n, uint64_t now_s);

#endif
