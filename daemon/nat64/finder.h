/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the prefixes found and their lifetimes, decides when to query DNS again and what to report.
 * Pure: the time is an argument, in seconds of CLOCK_BOOTTIME; no I/O.
 */
#ifndef NAT64_FINDER_H
#define NAT64_FINDER_H

#include "router.h"

/** Prefixes kept per method: more than fmpd accepts, which may refuse some. */
#define NAT64_FINDER_MAX 8u

struct nat64_finder {
	struct nat64_prefix {
		struct fmp_nat64_found f; /* lifetime_s 0: unused */
		uint64_t reported_s, end_s;
		struct nat64_router from; /* of an advertisement */
	} advertised[NAT64_FINDER_MAX], resolved[NAT64_FINDER_MAX];
	uint64_t next_query_s; /* next DNS query */
	uint64_t last_query_s; /* latest DNS query */
	uint64_t check_s; /* next check of default routers; 0: none */
	uint32_t delay_s; /* delay after a failed query */
	bool (*is_default)(const struct nat64_router *r);
	void (*report)(void *ctx, const struct fmp_nat64_found *f);
	void *ctx;
};

void nat64_finder_init(struct nat64_finder *n, bool (*is_default)(const struct nat64_router *r),
		       void (*report)(void *ctx, const struct fmp_nat64_found *f), void *ctx,
		       uint64_t now_s);
/** nat64_finder_advertised() - a default router advertised a prefix. */
void nat64_finder_advertised(struct nat64_finder *n, const struct fmp_nat64_found *f,
			     const struct nat64_router *from, uint64_t now_s);
/** nat64_finder_changed() - addresses or routes changed. */
void nat64_finder_changed(struct nat64_finder *n, uint64_t now_s);
/** nat64_finder_resolved() - DNS replied. @n_found: as returned by nat64_resolve() */
void nat64_finder_resolved(struct nat64_finder *n, const struct fmp_nat64_found *found, int n_found,
			   uint64_t now_s);
/** nat64_finder_due() - time of the next nat64_finder_run(). */
uint64_t nat64_finder_due(const struct nat64_finder *n);
/** nat64_finder_run() - remove expired prefixes. Return: query DNS now. */
bool nat64_finder_run(struct nat64_finder *n, uint64_t now_s);

#endif
