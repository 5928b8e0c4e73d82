// SPDX-License-Identifier: GPL-2.0
#include "named_header.h"

#include <string.h>

#include "role.h"
#include "xml/names.h"

const struct fmp_policy_header *fmpi_named_header(const struct fmp_policy_headers *named,
						  const xmlNode *block, const char *soap_ns)
{
	const struct fmp_policy_header *found = NULL;
	struct fmpi_role role;

	if (!named || !block->ns || fmpi_is(block, NS_WSSE, "Security") ||
	    fmpi_is(block, NS_WSSE11, "EncryptedHeader"))
		return NULL;
	for (unsigned i = 0; i < named->n; i++) {
		const struct fmp_policy_header *h = &named->block[i];
		bool is_exact = strcmp(h->local, (const char *)block->name) == 0;

		if ((!is_exact && strcmp(h->local, "*") != 0) ||
		    strcmp(h->ns, (const char *)block->ns->href) != 0)
			continue;
		if (!found || is_exact)
			found = h;
	}
	return found && !fmpi_role_of(block, soap_ns, &role) ? found : NULL;
}

bool fmpi_named_header_is_understood(const struct fmp_policy_headers *named, const xmlNode *block,
				     const char *soap_ns)
{
	const struct fmp_policy_header *h = fmpi_named_header(named, block, soap_ns);

	return h && h->understood;
}
