/* SPDX-License-Identifier: GPL-2.0 */
/* Inspectors that want a SAML assertion, and what stands in those of WSS4J. */
#ifndef FMP_TESTS_SAML_H
#define FMP_TESTS_SAML_H

#include "tokens.h"

#define DATA  "<saml2:SubjectConfirmationData "
#define AFTER "NotOnOrAfter=\"2046-11-22T02:00:00Z\""

static inline struct fmp_inspector *saml_inspector(enum fmp_security security,
						   const struct fmp_policy_saml *s)
{
	struct fmp_inspect_config cfg = token_config(security);

	cfg.saml = s;
	return make_inspector(&cfg);
}

#endif
