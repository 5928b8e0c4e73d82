/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The network's own NAT64 prefixes. fmp-nat64, a process without rights, finds them; fmpd checks each of its records, and
 * uses a prefix until its lifetime is over, if it is plausible and contains nothing protected.
 */
#ifndef FMPD_NAT64_H
#define FMPD_NAT64_H

#include <event2/event.h>

#include <fmp/internal/nat64_discovery.h>

#include "../plane/plane.h"

struct fmpd_nat64;

/** struct fmpd_nat64_hooks - notifications */
struct fmpd_nat64_hooks {
	void *ctx;
	/** A prefix is one of the network's translators, or is no longer. */
	void (*on_prefix)(void *ctx, const struct fmp_addr *prefix, bool gone);
	/** All changes were notified, and the plane has them. */
	void (*on_changed)(void *ctx);
};

/** fmpd_nat64_new() - start looking, if the policy allows it. */
FMP_MUST_CHECK int fmpd_nat64_new(struct event_base *base, struct fmpd_plane *plane,
				  const struct fmpd_nat64_hooks *hooks, struct fmpd_nat64 **out,
				  struct fmp_error *err);
void fmpd_nat64_free(struct fmpd_nat64 *n);
/** fmpd_nat64_policy() - another policy is in force. @n may be NULL, here and below. */
void fmpd_nat64_policy(struct fmpd_nat64 *n);
/** fmpd_nat64_protected() - the protected set changed. */
void fmpd_nat64_protected(struct fmpd_nat64 *n);

/** struct fmpd_nat64_prefix - a prefix in use */
struct fmpd_nat64_prefix {
	struct fmp_addr prefix;
	uint64_t left_ms;
	enum fmp_nat64_found_by by;
};
/** fmpd_nat64_list() - @out: room for 2 * FMP_NAT64_FOUND_MAX. Return: how many. */
size_t fmpd_nat64_list(const struct fmpd_nat64 *n, struct fmpd_nat64_prefix *out);

/** fmpd_nat64_find_conflict() - the protected entry that keeps a prefix from being used; NULL: none. It is an address of
 * ours, a gateway, or a protected prefix inside it, which can't be the translator's. A resolver or another server may be
 * inside, as the form of an IPv4 host. */
const struct fmp_protect_entry *fmpd_nat64_find_conflict(const struct fmp_addr *prefix,
							 const struct fmp_protect_entry *set,
							 size_t n);

#endif
