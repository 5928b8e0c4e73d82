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

enum kind {
	SCHEMA,
	WIDER,
	WSDL
};

/* A WSDL has the namespace of no schema here: its root is one of the two. */
static enum kind kind_of_text(const char *text)
{
	if (strstr(text, "<w:definitions"))
		return WSDL;
	return strstr(text, " version=\"fmp-wider\"") ? WIDER : SCHEMA;
}

static const char *find_builtin(const char *ns, enum kind kind)
{
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (is_of_namespace(all[i].text, ns) && kind_of_text(all[i].text) == kind)
			return all[i].text;
	return NULL;
}

const char *fmpi_schema_find_builtin(const char *ns)
{
	return find_builtin(ns, SCHEMA);
}

const char *fmpi_schema_find_wider(const char *ns)
{
	return find_builtin(ns, WIDER);
}

const char *fmpi_wsdl_find_builtin(const char *ns)
{
	return find_builtin(ns, WSDL);
}
