// SPDX-License-Identifier: GPL-2.0
#include "role.h"

#include <string.h>

#include "xml/names.h"

static bool is_uri(const struct fmpi_role *r, const char *uri)
{
	return r->len == strlen(uri) && memcmp(r->uri, uri, r->len) == 0;
}

bool fmpi_role_of(const xmlNode *block, const char *soap_ns, struct fmpi_role *out)
{
	bool soap12 = strcmp(soap_ns, NS_SOAP12) == 0;
	const char *uri = fmpi_attribute(block, soap_ns, soap12 ? "role" : "actor");

	if (!uri)
		return false;
	uri += strspn(uri, " \t\r\n");
	*out = (struct fmpi_role){ .uri = uri, .len = strlen(uri) };
	while (out->len && strchr(" \t\r\n", uri[out->len - 1]))
		out->len--;
	if (soap12)
		return out->len && !is_uri(out, SOAP12_ROLE "next") &&
		       !is_uri(out, SOAP12_ROLE "ultimateReceiver");
	return out->len && !is_uri(out, SOAP11_ACTOR_NEXT);
}
