/* SPDX-License-Identifier: GPL-2.0 */
/* The policy, read by a program of its own. */
#ifndef FMPD_POLICY_FILE_H
#define FMPD_POLICY_FILE_H

#include <fmp/policy.h>

/** fmpd_policy_load() - fmp_policy_load() in another process. fmpd waits for it. */
FMP_MUST_CHECK int fmpd_policy_load(const char *file, struct fmp_policy **out,
				    struct fmp_error *err);

/**
 * fmpd_policy_seal() - a checked policy as a file in memory that nobody changes any more
 *
 * What a gateway is given: whatever becomes of the policy's own file, all that start follow the one
 * that is in force. Return: its descriptor, close-on-exec; FMP_ERR_IO.
 */
FMP_MUST_CHECK int fmpd_policy_seal(const struct fmp_policy *policy, struct fmp_error *err);

#endif
