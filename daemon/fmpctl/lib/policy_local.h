/* SPDX-License-Identifier: GPL-2.0 */
/* Checks a policy against this machine: files, user, group, folders, devices. */
#ifndef FMPCTL_POLICY_LOCAL_H
#define FMPCTL_POLICY_LOCAL_H

#include <fmp/policy.h>

/**
 * policy_check_local() - try files, user, log and folders as fmpd would, with its rights
 *
 * Anything missing that may exist by the time fmpd starts becomes a warning of the policy.
 * Return: 0; a code, with the place of the setting that fmpd could not start with.
 */
int policy_check_local(struct fmp_policy *p, const char *file, struct fmp_error *err);

#endif
