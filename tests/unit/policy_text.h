/* SPDX-License-Identifier: GPL-2.0 */
/* Policies as text, for tests of their reader. */
#ifndef FMP_TESTS_POLICY_TEXT_H
#define FMP_TESTS_POLICY_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

/** top() - of the tree: FMP_TOP, or where the test was started. */
static inline const char *top(void)
{
	const char *path = getenv("FMP_TOP");

	return path ? path : ".";
}

static inline const char *xsd(void)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/policies/fmp-policy.xsd", top());
	return path;
}

#define ROOT "<policy xmlns=\"urn:fmp:policy:1\">"

/** load() - text as the file /etc/fmp/p.xml. */
static inline int load(const char *text, struct fmp_policy **p, struct fmp_error *err)
{
	memset(err, 0, sizeof(*err));
	return fmp_policy_load_memory(text, strlen(text), "/etc/fmp/p.xml", xsd(), p, err);
}

#endif
