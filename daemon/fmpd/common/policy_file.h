/* SPDX-License-Identifier: GPL-2.0 */
/* Load the policy through fmp-policy-load, a process of its own, so that fmpd parses no XML. */
#ifndef FMPD_POLICY_FILE_H
#define FMPD_POLICY_FILE_H

#include <fmp/policy.h>

/** fmpd_policy_load() - fmp_policy_load() in another process; waits up to 10 s. */
FMP_MUST_CHECK int fmpd_policy_load(const char *file, struct fmp_policy **out,
				    struct fmp_error *err);

/**
 * fmpd_policy_seal() - a checked policy as a sealed memfd
 *
 * Gateways read this copy: whatever happens to the policy's file, each gateway that starts follows the
 * policy in force. Return: its descriptor, close-on-exec; FMP_ERR_IO.
 */
FMP_MUST_CHECK int fmpd_policy_seal(const struct fmp_policy *policy, struct fmp_error *err);

#endif
