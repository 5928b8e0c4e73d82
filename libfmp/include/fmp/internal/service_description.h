/* SPDX-License-Identifier: GPL-2.0 */
/* What a service answers a GET of its WSDL with, by the policy. */
#ifndef FMP_SERVICE_DESCRIPTION_H
#define FMP_SERVICE_DESCRIPTION_H

#include <fmp/policy.h>

#include <fmp/internal/description.h>

/** struct fmp_service_description - starts as all 0 */
struct fmp_service_description {
	enum fmp_describe describe; /**< never FMP_DESCRIBE_AUTO */
	struct fmp_description *text; /**< of FMP_DESCRIBE_ANSWER; for fmp_description_free() */
	bool left_out; /**< by default it would be answered, but can't be: why tells the reason */
	struct fmp_error why;
};

/**
 * fmp_service_description_load() - decide, and read the WSDL if it is to be offered
 * @folder: of the policy; "": none
 *
 * Return: 0; a code: the policy wants it to be answered, and it can't be.
 */
FMP_MUST_CHECK int fmp_service_description_load(const struct fmp_policy_gateway *demands,
						const char *folder,
						struct fmp_service_description *out,
						struct fmp_error *err);

#endif
