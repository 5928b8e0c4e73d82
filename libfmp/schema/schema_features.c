// SPDX-License-Identifier: GPL-2.0
#include "schema_features.h"

#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

/* Compare local names in any namespace: a false match only costs an additional check. */
static bool contains_type(const char *s, const char *type)
{
	size_t want = strlen(type);

	while (*s) {
		size_t n = strcspn(s, " \t\r\n");

		if (n >= want && memcmp(s + n - want, type, want) == 0 &&
		    (n == want || s[n - want - 1] == ':'))
			return true;
		s += n;
		s += strspn(s, " \t\r\n");
	}
	return false;
}

static void record_types(const xmlNode *e, struct fmpi_schema_features *out)
{
	static const char *const attributes[] = { "type", "base", "itemType", "memberTypes" };

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		const char *names = fmpi_attribute(e, NULL, attributes[i]);

		if (!names)
			continue;
		out->ids = out->ids || contains_type(names, "ID");
		out->qnames = out->qnames || contains_type(names, "QName") ||
			      contains_type(names, "NOTATION");
	}
}

struct fmpi_schema_features fmpi_schema_features_find(const struct fmpi_schema_set *s)
{
	struct fmpi_schema_features out = { 0 };

	for (unsigned i = 0; i < s->n; i++) {
		const xmlNode *root = xmlDocGetRootElement(s->docs[i].doc);

		for (const xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
			record_types(n, &out);
			out.patterns = out.patterns || fmpi_is(n, NS_XSD, "pattern");
			out.lengths = out.lengths || fmpi_is(n, NS_XSD, "maxLength") ||
				      fmpi_is(n, NS_XSD, "length");
		}
	}
	return out;
}
