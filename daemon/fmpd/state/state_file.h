/* SPDX-License-Identifier: GPL-2.0 */
/* Where the state file is, and how much time has passed since it was written. */
#ifndef FMPD_STATE_FILE_H
#define FMPD_STATE_FILE_H

#include <fmp/policy.h>

#include "../common/options.h"
#include "state_format.h"

/** fmpd_state_path() - from --state, the policy or $STATE_DIRECTORY. Return: path; NULL: no state is kept. */
const char *fmpd_state_path(const struct fmpd_options *o, const struct fmp_policy *policy,
			    char *path, size_t size);
/** fmpd_state_now() - the time by each clock; all else is empty. */
void fmpd_state_now(struct fmpd_state_time *t);
/**
 * fmpd_state_age() - how long ago a file was written
 *
 * Within one boot CLOCK_BOOTTIME counts, whatever was done to the wall clock. Over a reboot only the
 * wall clock can tell. One that went back, or ahead by more than 30 days, is not trusted: then no time
 * has passed. So a wrong clock frees no source, and blocks none for longer than was left.
 */
uint64_t fmpd_state_age(const struct fmpd_state_time *then, const struct fmpd_state_time *now);

/** fmpd_state_other_boot() - are both known to be of different boots? */
bool fmpd_state_other_boot(const struct fmpd_state_time *then, const struct fmpd_state_time *now);

#endif
