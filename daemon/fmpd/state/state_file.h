/* SPDX-License-Identifier: GPL-2.0 */
/* Where the state file is, and how much time has passed since it was written. */
#ifndef FMPD_STATE_FILE_H
#define FMPD_STATE_FILE_H

#include <fmp/policy.h>

#include "../common/options.h"
#include "state_format.h"

/** fmpd_state_path() - of --state, the policy or $STATE_DIRECTORY. Return: path; NULL: none is kept. */
const char *fmpd_state_path(const struct fmpd_options *o, const struct fmp_policy *policy,
			    char *path, size_t size);
/** fmpd_state_now() - this moment by every clock. */
void fmpd_state_now(struct fmpd_state_time *t);
/**
 * fmpd_state_age() - how long ago a file was written
 *
 * Within one boot CLOCK_BOOTTIME tells, whatever was done to the wall clock. Over a reboot only the
 * wall clock can; one that went back, or ahead by more than 30 days, says nothing: then no time is
 * counted, so that a wrong clock frees nobody, and holds nobody for longer than was left.
 */
uint64_t fmpd_state_age(const struct fmpd_state_time *then, const struct fmpd_state_time *now);

/** fmpd_state_other_boot() - is it known that both are of different boots? */
bool fmpd_state_other_boot(const struct fmpd_state_time *then, const struct fmpd_state_time *now);

#endif
