/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Serializes a checked policy, to pass it from the process that reads XML to one that does not.
 * Both must be of the same build; the bytes carry a build id that the reader verifies.
 */
#ifndef FMP_POLICY_PACK_H
#define FMP_POLICY_PACK_H

#include <stdio.h>

#include <fmp/policy.h>

/** fmp_policy_pack() - write a policy; NULL: write @error, why there is none. Write errors stay in
 * the stream. */
void fmp_policy_pack(FILE *out, const struct fmp_policy *policy, const struct fmp_error *error);
/**
 * fmp_policy_unpack() - read a packed policy
 *
 * Return: 0; the packed error; FMP_ERR_SYNTAX for bytes of another build, or incomplete ones;
 * FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmp_policy_unpack(const void *bytes, size_t len, struct fmp_policy **out,
				     struct fmp_error *err);

#endif
