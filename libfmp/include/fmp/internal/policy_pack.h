/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A checked policy as bytes, from a program that has read it to one that only follows it and
 * needs no XML for that. Both are of one build, which the bytes say and who reads them demands.
 */
#ifndef FMP_POLICY_PACK_H
#define FMP_POLICY_PACK_H

#include <stdio.h>

#include <fmp/policy.h>

/** fmp_policy_pack() - policy NULL: why there is none, in error. Errors are those of the stream. */
void fmp_policy_pack(FILE *out, const struct fmp_policy *policy, const struct fmp_error *error);
/**
 * fmp_policy_unpack() - what the other side has found
 *
 * Return: 0; the other side's error; FMP_ERR_SYNTAX for bytes that are not its, or not all of
 * them; FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmp_policy_unpack(const void *bytes, size_t len, struct fmp_policy **out,
				     struct fmp_error *err);

#endif
