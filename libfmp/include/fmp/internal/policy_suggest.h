/* SPDX-License-Identifier: GPL-2.0 */
/* A policy for the services of a WSDL, to begin with. */
#ifndef FMP_POLICY_SUGGEST_H
#define FMP_POLICY_SUGGEST_H

#include <fmp/error.h>

/** struct fmp_policy_suggestion - what the WSDL does not say */
struct fmp_policy_suggestion {
	const char *wsdl; /**< its path, for schema= */
	const char *port; /**< only this port; NULL: all SOAP ports */
	const char *backend; /**< URL of the service; NULL: the port's address */
};

/**
 * fmp_policy_suggest() - write a policy with a service for each path of its SOAP ports
 * @out: free it. XML with comments, which say what has to be decided or does not map
 *
 * Return: 0; FMP_ERR_NOTFOUND: it has no such port; as fmp_description_load().
 */
FMP_MUST_CHECK int fmp_policy_suggest(const struct fmp_policy_suggestion *s, char **out,
				      struct fmp_error *err);

#endif
