// SPDX-License-Identifier: GPL-2.0
/* Checks before canonicalization: namespace URIs, and the list of inclusive prefixes. */
#include <fmp/error.h>

#include "c14n.h"

/* The parser has checked the URI, so it is absolute if it starts with a scheme. */
static bool has_scheme(const char *uri)
{
	const char *p = uri;

	while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
	       (p > uri && ((*p >= '0' && *p <= '9') || *p == '+' || *p == '-' || *p == '.')))
		p++;
	return p > uri && *p == ':';
}

static bool declares_absolute(const xmlNode *e)
{
	for (const xmlNs *ns = e->nsDef; ns; ns = ns->next)
		if (ns->href && *ns->href && !has_scheme((const char *)ns->href))
			return false;
	return true;
}

bool fmpi_c14n_absolute(const xmlNode *root)
{
	const xmlNode *n = root;

	for (;;) {
		if (n->type == XML_ELEMENT_NODE) {
			if (!declares_absolute(n))
				return false;
			if (n->children) {
				n = n->children;
				continue;
			}
		}
		while (n != root && !n->next)
			n = n->parent;
		if (n == root)
			return true;
		n = n->next;
	}
}

int fmpi_prefixes_read(const char *list, struct fmpi_prefixes *out)
{
	out->n = 0;
	while (*list) {
		size_t len = strcspn(list, " \t\r\n");
		bool none = len == strlen("#default") && memcmp(list, "#default", len) == 0;

		if (out->n == FMPI_C14N_PREFIXES || (list[len] && list[len] != ' '))
			return FMP_ERR_UNSUPPORTED;
		out->prefix[out->n].p = list;
		out->prefix[out->n++].len = none ? 0 : len;
		list += len + (list[len] == ' ');
	}
	return 0;
}
