/* SPDX-License-Identifier: GPL-2.0 */
/* What a timeline says of the link and of whom this machine relies on: the same net view and protected
 * set that fmpd has, told instead of asked of a kernel. */
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
	bool has_facts; /* something of the link: only then MACs are worth a word */
};

/* Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_link_init(struct fmpi_link *l, const struct fmp_policy *policy,
				  struct fmp_error *err);
void fmpi_link_exit(struct fmpi_link *l);
/* Another policy protects others. Return: 0, FMP_ERR_NOMEM, FMP_ERR_INVALID. */
FMP_MUST_CHECK int fmpi_link_policy(struct fmpi_link *l, const struct fmp_policy *policy,
				    struct fmp_error *err);

/* fmpi_link_at() - what comes now is of this time. */
void fmpi_link_at(struct fmpi_link *l, uint64_t now_ms);

/* fmpi_link_is_verb() - is it one of those that fmpi_link_add_fact() takes? */
bool fmpi_link_is_verb(const char *verb);
/* Return: 0, FMP_ERR_INVALID: that can't be said of this address; FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_link_add_fact(struct fmpi_link *l, const char *verb,
				      const struct fmpi_args *a);
/* The neighbour entry that an event's source had. Return: 1 others are protected now, else as fmpi_link_add_fact(). */
FMP_MUST_CHECK int fmpi_link_observe(struct fmpi_link *l, const struct fmp_addr *source,
				     const struct fmp_addr *mac);

/* The guard of an engine. @ctx: the link */
bool fmpi_link_protect_check(const struct fmp_addr *addr, void *ctx);
/* The kin of an engine. @ctx: the link */
bool fmpi_link_mac_siblings(const struct fmp_addr *addr, const struct fmp_event *by,
			    struct fmp_addr *mac, void *ctx);
/* The MAC of a block, or why it has none; where nothing was told, neither. @ip: as of fmp_mac_decide() */
void fmpi_link_decide(const struct fmpi_link *l, const struct fmp_engine *e,
		      const struct fmp_addr *ip, uint64_t now_ms, struct fmp_decision *d);

#endif
