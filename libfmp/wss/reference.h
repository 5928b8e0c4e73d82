/* SPDX-License-Identifier: GPL-2.0 */
/* What all References of a signature have: Transforms, DigestMethod, DigestValue. */
#ifndef FMPI_WSS_REFERENCE_H
#define FMPI_WSS_REFERENCE_H

#include "signedinfo.h"

/** fmpi_reference_refuse() - the element is malformed. Return: FMPI_REFUSED. */
int fmpi_reference_refuse(const xmlNode *where, struct fmp_inspection *v);

/** fmpi_reference_algorithm() - its Algorithm; NULL: another element, or no Algorithm */
const char *fmpi_reference_algorithm(const xmlNode *n, const char *local);

/**
 * fmpi_reference_refuse_algorithm() - @alg is not supported, or not allowed
 * @only: what is supported instead, with a leading comma; "": see the policy
 *
 * Return: FMPI_REFUSED.
 */
int fmpi_reference_refuse_algorithm(const xmlNode *n, const char *local, const char *alg,
				    const char *only, struct fmp_inspection *v);

/** fmpi_reference_check_c14n() - is it exclusive canonicalization? Return: 0, FMPI_REFUSED. */
int fmpi_reference_check_c14n(const xmlNode *n, const char *local, struct fmp_inspection *v);

/**
 * fmpi_reference_value() - decode the Base64 of an element
 *
 * A comment in a value is not signed, but would split its text: it is refused. Return: 0,
 * FMPI_REFUSED.
 */
int fmpi_reference_value(const xmlNode *n, size_t max_text, uint8_t *out, size_t *len,
			 struct fmp_inspection *v);

/**
 * fmpi_reference_read() - read a Reference
 * @check: judges the Transforms
 * @out: its next digest
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_reference_read(const xmlNode *ref,
			int (*check)(const xmlNode *transforms, struct fmp_inspection *v),
			struct fmpi_signedinfo *out, struct fmp_inspection *v);

#endif
