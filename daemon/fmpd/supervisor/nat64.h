/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The network's own NAT64 prefix, as a process without rights finds it (fmp-nat64): fmpd takes what it says, record
 * by record, if it can be true and harms nobody, until it is over.
 */
#ifndef FMPD_NAT64_H
#define FMPD_NAT64_H

#include <event2/event.h>

#include <fmp/internal/nat64_discovery.h>

#include "../plane/plane.h"

struct fmpd_nat64;

/** struct fmpd_nat64_hooks - what wants to know */
struct fmpd_nat64_hooks {
	void *ctx;
	/** A prefix is one of the network's translators, or is no longer. */
	void (*on_prefix)(void *ctx, const struct fmp_addr *prefix, bool gone);
	/** All that changed was said; the plane knows it. */
	void (*on_changed)(void *ctx);
};

/** fmpd_nat64_new() - looks from now on, if the policy lets it. */
FMP_MUST_CHECK int fmpd_nat64_new(struct event_base *base, struct fmpd_plane *plane,
				  const struct fmpd_nat64_hooks *hooks, struct fmpd_nat64 **out,
				  struct fmp_error *err);
void fmpd_nat64_free(struct fmpd_nat64 *n);
/** fmpd_nat64_policy() - another policy is in force. NULL is nothing, here and below. */
void fmpd_nat64_policy(struct fmpd_nat64 *n);
/** fmpd_nat64_protected() - the protected set is another one. */
void fmpd_nat64_protected(struct fmpd_nat64 *n);

/** struct fmpd_nat64_prefix - one that holds */
struct fmpd_nat64_prefix {
	struct fmp_addr prefix;
	uint64_t left_ms;
	enum fmp_nat64_found_by by;
};
/** fmpd_nat64_list() - @out: room for 2 * FMP_NAT64_FOUND_MAX. Return: how many. */
size_t fmpd_nat64_list(const struct fmpd_nat64 *n, struct fmpd_nat64_prefix *out);

/** fmpd_nat64_find_conflict() - the protected entry for which a prefix is not taken; NULL: none. An address of ours, a
 * gateway, or a protected prefix behind it: the translator's it can't be. A resolver or another server that is
 * the form of an IPv4 host may be there. */
const struct fmp_protect_entry *fmpd_nat64_find_conflict(const struct fmp_addr *prefix,
							 const struct fmp_protect_entry *set,
							 size_t n);

#endif
