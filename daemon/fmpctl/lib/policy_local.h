/* SPDX-License-Identifier: GPL-2.0 */
/* Whether fmpd of this machine could do what a policy says. */
#ifndef FMPCTL_POLICY_LOCAL_H
#define FMPCTL_POLICY_LOCAL_H

#include <fmp/policy.h>

/**
 * policy_check_local() - tries files, user, log and folders as fmpd would, with its rights
 *
 * What is not there, but may be when fmpd starts, becomes a warning of the policy.
 * Return: 0, or a code with the place of what fmpd could not start with.
 */
int policy_check_local(struct fmp_policy *p, const char *file, struct fmp_error *err);

#endif
