/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The services of a policy without its gateway: their inspectors, for commands that evaluate recorded
 * messages or those of files.
 */
#ifndef FMPCTL_OFFLINE_SERVICES_H
#define FMPCTL_OFFLINE_SERVICES_H

#include <fmp/internal/evaluate.h>
#include <fmp/internal/http.h>

/** struct offline_services - must not be copied; starts as all 0 */
struct offline_services {
	struct fmp_evaluator evaluator;
	uint32_t body_max; /**< of any service, as it is sent */
	struct fmp_policy single; /**< private */
};

/**
 * offline_services_init() - load the inspectors of all services, or of <gateway> if there are none
 * @policy: borrowed
 *
 * Return: 0; a code, with the file in err.
 */
FMP_MUST_CHECK int offline_services_init(struct offline_services *s,
					 const struct fmp_policy *policy, struct fmp_error *err);

/**
 * offline_services_init_single() - load one inspector: every request is for this service
 * @from: of the policy; NULL: the demands of <gateway>
 */
FMP_MUST_CHECK int offline_services_init_single(struct offline_services *s,
						const struct fmp_policy *policy,
						const struct fmp_policy_service *from,
						struct fmp_error *err);

/**
 * offline_services_body_limit() - most bytes of the body of a request
 * @h: its header is complete
 *
 * One with attachments may be longer than others, if the gateway passes it as it comes.
 */
uint32_t offline_services_body_limit(const struct offline_services *s, unsigned service,
				     const struct fmp_http *h);

/** offline_services_exit() - does nothing if nothing is loaded. */
void offline_services_exit(struct offline_services *s);

#endif
