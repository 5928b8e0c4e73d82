/* SPDX-License-Identifier: GPL-2.0 */
/* What one call of `fmpctl inspect` evaluates its files with, and how it reports them. */
#ifndef FMPCTL_INSPECT_RUN_H
#define FMPCTL_INSPECT_RUN_H

#include "../lib/fmpctl.h"
#include "../lib/offline_services.h"
#include "http_description.h"
#include "verdict.h"

/** struct inspect_run - set the first members, the rest starts as all 0 */
struct inspect_run {
	const struct ctl *ctl;
	const struct fmp_policy *policy; /**< with the command's other options in it */
	const struct fmp_policy_service *service; /**< that all messages are for; NULL: see each */
	bool has_policy; /**< a policy's, not the built-in one */
	bool answer; /**< files are responses */
	const char *port; /**< that was asked for: there has to be a WSDL; NULL */
	bool has_now; /**< else the clock counts */
	int64_t now_s;

	bool rejected; /**< out: a message was */
	int failed; /**< out: an exit code: nothing more can be evaluated */
	/* private */
	struct offline_services single, all;
	struct described described; /* of those that requests are for */
};

/**
 * inspect_run_single() - the service that all messages are for, else the demands of <gateway>
 *
 * Loaded when it is asked for first. Return: NULL: it can't be used, which was printed.
 */
const struct offline_services *inspect_run_single(struct inspect_run *r);
/**
 * inspect_run_all() - all services, to choose from by the request; the same as single if there are none
 *
 * With their descriptions. Return: as inspect_run_single().
 */
const struct offline_services *inspect_run_all(struct inspect_run *r);

int64_t inspect_run_now(const struct inspect_run *r);
void inspect_run_report(struct inspect_run *r, const struct verdict *v);
void inspect_run_exit(struct inspect_run *r);

#endif
