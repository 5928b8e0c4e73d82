/* SPDX-License-Identifier: GPL-2.0 */
/* The link and the protected set as a timeline describes them: the same network view and
 * protected set that fmpd has, from stated facts instead of the kernel. */
#ifndef FMPI_TIMELINE_LINK_H
#define FMPI_TIMELINE_LINK_H

#include <fmp/net.h>
#include <fmp/policy.h>
#include <fmp/suspicion.h>

#include <timeline/words.h>

struct fmpi_link {
	struct fmp_net *net;
	struct fmp_protect *protect;
	const struct fmp_policy *policy;
	uint64_t now_ms;
	bool has_facts; /* a fact about the link is known: only then MACs are reported */
};

/* Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_link_init(struct fmpi_link *l, const struct fmp_policy *policy,
				  struct fmp_error *err);
void fmpi_link_exit(struct fmpi_link *l);
/* Use another policy. Return: 0, FMP_ERR_NOMEM, FMP_ERR_INVALID. */
FMP_MUST_CHECK int fmpi_link_policy(struct fmpi_link *l, const struct fmp_policy *policy,
				    struct fmp_error *err);

/* fmpi_link_at() - the time of the following facts. */
void fmpi_link_at(struct fmpi_link *l, uint64_t now_ms);

/* fmpi_link_is_verb() - is it a verb of fmpi_link_add_fact()? */
bool fmpi_link_is_verb(const char *verb);
/* Return: 0, FMP_ERR_INVALID: not possible for this address; FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_link_add_fact(struct fmpi_link *l, const char *verb,
				      const struct fmpi_args *a);
/* Record the neighbour entry of an event's source. Return: 1 the protected set changed, else as
 * fmpi_link_add_fact(). */
FMP_MUST_CHECK int fmpi_link_observe(struct fmpi_link *l, const struct fmp_addr *source,
				     const struct fmp_addr *mac);

/* Protect check for an engine. @ctx: the link */
bool fmpi_link_protect_check(const struct fmp_addr *addr, void *ctx);
/* MAC lookup for an engine. @ctx: the link */
bool fmpi_link_mac_siblings(const struct fmp_addr *addr, const struct fmp_event *by,
			    struct fmp_addr *mac, void *ctx);
/* Fill in the MAC of a block, or the veto; nothing without facts. @ip: as for fmp_mac_decide() */
void fmpi_link_decide(const struct fmpi_link *l, const struct fmp_engine *e,
		      const struct fmp_addr *ip, uint64_t now_ms, struct fmp_decision *d);

#endif
