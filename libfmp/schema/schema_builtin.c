// SPDX-License-Identifier: GPL-2.0
/*
 * The well-known schemas that are built in. They are the files of known/, each a text of
 * schema_known.h, which the Makefile makes.
 */
#include "schema_builtin.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *text;
} all[] = {
#include "schema_known.h"
};

/* Is it the target namespace of the text? */
static bool is_of_namespace(const char *text, const char *ns)
{
	static const char attribute[] = "targetNamespace=\"";
	const char *at = strstr(text, attribute);
	size_t n = strlen(ns);

	return at && strncmp(at + sizeof(attribute) - 1, ns, n) == 0 &&
	       at[sizeof(attribute) - 1 + n] == '"';
}

/* A WSDL has the namespace of no schema here: its root is one of the two. */
static bool is_wsdl(const char *text)
{
	return strstr(text, "<w:definitions");
}

static const char *find_builtin(const char *ns, bool wsdl)
{
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (is_of_namespace(all[i].text, ns) && is_wsdl(all[i].text) == wsdl)
			return all[i].text;
	return NULL;
}

const char *fmpi_schema_find_builtin(const char *ns)
{
	return find_builtin(ns, false);
}

const char *fmpi_wsdl_find_builtin(const char *ns)
{
	return find_builtin(ns, true);
}
