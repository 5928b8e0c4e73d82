/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Proposes settings of the gateway from what good messages had: header blocks and HTTP fields that did not reach the service,
 * and limits above the sizes seen. Pure.
 *
 * A name is proposed only if several sources sent it, and a good part of all; sources that were ever suspicious do not count.
 * What nothing vouches for is shown, but not proposed, where the policy demands signatures: who changes messages on the way
 * could add it to all of them.
 */
#ifndef FMPCTL_LEARN_GATEWAY_H
#define FMPCTL_LEARN_GATEWAY_H

#include <fmp/policy.h>

#include "observed.h"

/** Fewest sources of a proposal. */
#define LEARN_SOURCES_MIN  3u
/** Fewest of all sources of the service that must have sent a header block, in percent. */
#define LEARN_HEADER_SHARE 10u
/** The same for an HTTP field: any client can write it, and services believe it. */
#define LEARN_FIELD_SHARE  50u
#define LEARN_FEW_MAX	   16u /**< names with too few sources that are listed */
#define LEARN_FINDINGS_MAX 96u

enum finding_state {
	FINDING_PROPOSED,
	FINDING_FEW, /**< not enough sources */
	FINDING_UNSIGNED, /**< signatures are demanded, and it has none */
	FINDING_MIXED, /**< signed by some sources, not by others, who would be refused */
	FINDING_STRIPPED, /**< the policy says that no header block is forwarded */
	FINDING_FULL, /**< the policy has no room for another one */
	FINDING_SAMPLED, /**< a limit: it is not known whether larger messages came */
	FINDING_STATES
};
/** finding_state_name() - "proposed", "few" ... */
const char *finding_state_name(enum finding_state state);
/** finding_reason() - why it is not proposed; "" if it is */
const char *finding_reason(enum finding_state state);

/** struct finding - a name or a limit; points into what was observed, and to static text */
struct finding {
	enum finding_state state;
	const char *service; /**< "": <gateway> */
	const char *setting; /**< "headers/header", "fields/keep", "http/header" ... */
	const char *name; /**< of a header block or a field; NULL: a limit */
	uint64_t value; /**< of a limit */
	size_t sources; /**< that sent it, or that the limit is above */
	size_t of; /**< all sources of the service */
};

struct findings {
	struct finding v[LEARN_FINDINGS_MAX];
	unsigned n;
	unsigned n_few; /**< that had too few sources, listed or not */
	bool proposed; /**< any of them is */
};

struct learn_gateway {
	const struct observed *observed;
	/** Was the source never suspicious? */
	bool (*counts)(const struct fmp_addr *source, void *ctx);
	void *ctx;
	uint32_t margin_pct; /**< of limits */
	/** Bytes of the largest good message of all, as only some are observed; 0: not known. */
	uint32_t largest;
};

/**
 * learn_gateway_propose() - @policy: becomes the proposal; its services are replaced by a copy if they change
 * @services: that copy, for free(); NULL: none
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int learn_gateway_propose(const struct learn_gateway *l, struct fmp_policy *policy,
					 struct fmp_policy_service **services,
					 struct findings *out);

#endif
