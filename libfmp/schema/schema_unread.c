// SPDX-License-Identifier: GPL-2.0
#include "schema_unread.h"

#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

/* The state of one check. */
struct unread {
	struct fmpi_schema_set *s;
	xmlHashTable *references; /* by namespace: the first node that refers to it */
	const xmlNode *wildcard; /* the first one that covers any namespace; NULL: none */
	struct fmp_error *err;
};

static int set_no_memory(const struct unread *u)
{
	return fmp_error_set(u->err, FMP_ERR_NOMEM, "no memory for the schema");
}

int fmpi_schema_unread_use(struct fmpi_schema_set *s, const char *ns)
{
	if (!s->used)
		s->used = xmlHashCreate(64);
	if (!s->used)
		return FMP_ERR_NOMEM;
	if (!xmlHashLookup(s->used, (const xmlChar *)ns) &&
	    xmlHashAddEntry(s->used, (const xmlChar *)ns, s))
		return FMP_ERR_NOMEM;
	return 0;
}

static int add_namespace(const struct unread *u, xmlNode *n, const char *ns)
{
	if (!xmlHashLookup(u->references, (const xmlChar *)ns) &&
	    xmlHashAddEntry(u->references, (const xmlChar *)ns, n))
		return set_no_memory(u);
	return 0;
}

/* @text: a list of QNames; most attributes have one */
static int add_references(const struct unread *u, xmlNode *n, const char *text)
{
	static const char space[] = " \t\r\n";

	for (text += strspn(text, space); *text; text += strspn(text, space)) {
		size_t len = strcspn(text, space);
		char *name = strndup(text, len);
		const char *ns;
		int ret = 0;

		if (!name)
			return set_no_memory(u);
		if (fmpi_schema_qname(u->s, n, name, &ns))
			ret = add_namespace(u, n, ns);
		free(name);
		if (ret)
			return ret;
		text += len;
	}
	return 0;
}

static bool is_skipping(const xmlNode *wildcard)
{
	const char *how = fmpi_attribute(wildcard, NULL, "processContents");

	return how && strcmp(how, "skip") == 0;
}

/* What becomes of elements of a namespace that is not here, where a wildcard takes any. */
static void describe_wildcard(const struct unread *u, char *out, size_t size)
{
	const char *how = u->wildcard ? fmpi_attribute(u->wildcard, NULL, "processContents") : NULL;

	*out = '\0';
	if (u->wildcard)
		snprintf(out, size, "; the wildcard at %s:%u %s",
			 fmpi_schema_set_of(u->s, u->wildcard)->file, fmpi_line(u->wildcard),
			 how && strcmp(how, "lax") == 0 ? "takes its elements unchecked"
							: "refuses its elements");
}

/*
 * Namespaces that a wildcard names: a lax one would let all pass of a namespace that is not here, a
 * strict one nothing.
 */
static int add_wildcard(struct unread *u, xmlNode *n)
{
	static const char space[] = " \t\r\n";
	bool is_element = fmpi_is(n, NS_XSD, "any");
	const char *text = is_element || fmpi_is(n, NS_XSD, "anyAttribute")
				   ? fmpi_attribute(n, NULL, "namespace")
				   : NULL;
	int ret = 0;

	if (!u->wildcard && is_element && !is_skipping(n) &&
	    (!text || strcmp(text, "##any") == 0 || strcmp(text, "##other") == 0))
		u->wildcard = n;

	for (text = text ? text + strspn(text, space) : ""; *text && !ret;) {
		size_t len = strcspn(text, space);
		char *ns = strndup(text, len);

		ret = ns ? add_namespace(u, n, ns) : set_no_memory(u);
		free(ns);
		text += len;
		text += strspn(text, space);
	}
	return ret;
}

/* Find the namespaces of all QNames (XSD 1.0 part 1, 3.15.3) and wildcards of the documents. */
static int find_references(struct unread *u)
{
	static const char *const all[] = { "type",     "ref",	      "base",
					   "itemType", "memberTypes", "substitutionGroup",
					   "refer" };
	int ret = 0;

	u->references = xmlHashCreate(64);
	if (!u->references)
		return set_no_memory(u);
	for (unsigned i = 0; i < u->s->n && !ret; i++) {
		xmlNode *root = xmlDocGetRootElement(u->s->docs[i].doc);

		for (xmlNode *n = root; n && !ret; n = (xmlNode *)fmpi_walk_next(root, n)) {
			ret = add_wildcard(u, n);
			for (unsigned k = 0; k < sizeof(all) / sizeof(all[0]) && !ret; k++) {
				const char *text = fmpi_is(n, NS_XSD, (const char *)n->name)
							   ? fmpi_attribute(n, NULL, all[k])
							   : NULL;

				ret = text ? add_references(u, n, text) : 0;
			}
		}
	}
	return ret;
}

/* Do the documents define nothing but what is built in? Then the import is the schema. */
static bool is_empty(const struct fmpi_schema_set *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		const xmlNode *n = fmpi_first(xmlDocGetRootElement(s->docs[i].doc));

		for (; n && !s->docs[i].is_builtin; n = fmpi_next(n))
			if (fmpi_is(n, NS_XSD, (const char *)n->name) &&
			    fmpi_attribute(n, NULL, "name"))
				return false;
	}
	return true;
}

static int refuse_import(const struct unread *u, const struct fmpi_schema_doc *d, const xmlNode *n,
			 const char *location)
{
	const char *ns = fmpi_attribute(n, NULL, "namespace");
	const xmlNode *at = xmlHashLookup(u->references, (const xmlChar *)(ns ? ns : ""));
	char use[300] = "";

	if (at)
		snprintf(use, sizeof(use), "; %s:%u refers to it",
			 fmpi_schema_set_of(u->s, at)->file, fmpi_line(at));
	return fmp_error_at(u->err, FMP_ERR_SCHEMA, d->file, fmpi_line(n), 0,
			    "imports \"%.160s\": nothing is fetched; save a copy below %s and name "
			    "that, or map it in a catalog (catalog=)%s",
			    location, u->s->places->folder, use);
}

static int note_unread(const struct unread *u, const struct fmpi_schema_doc *d, const xmlNode *n,
		       const char *location)
{
	struct fmpi_schema_set *s = u->s;
	char wildcard[300];

	describe_wildcard(u, wildcard, sizeof(wildcard));
	if (!s->note)
		s->note = calloc(FMPI_SCHEMA_NOTES, sizeof(*s->note));
	if (!s->note)
		return set_no_memory(u);
	if (s->n_notes < FMPI_SCHEMA_NOTES)
		(void)fmp_error_at(&s->note[s->n_notes++], FMP_ERR_SCHEMA, d->file, fmpi_line(n), 0,
				   "imports \"%.160s\", which is not read: nothing is fetched, and "
				   "nothing here refers to it%s",
				   location, wildcard);
	return 0;
}

static int check_import(struct unread *u, const struct fmpi_schema_doc *d, const xmlNode *n)
{
	const char *ns = fmpi_attribute(n, NULL, "namespace");
	const char *location = fmpi_attribute(n, NULL, "schemaLocation");
	const xmlChar *key = (const xmlChar *)(ns ? ns : "");
	int ret = 0;

	if (!fmpi_is(n, NS_XSD, "import") || n->_private || !location ||
	    strcmp((const char *)key, NS_XSD) == 0 || fmpi_schema_set_has(u->s, (const char *)key))
		return 0;
	if (!u->references)
		ret = find_references(u);
	if (ret)
		return ret;
	if (xmlHashLookup(u->references, key) || is_empty(u->s) ||
	    (u->s->used && xmlHashLookup(u->s->used, key)))
		return refuse_import(u, d, n, location);
	return note_unread(u, d, n, location);
}

int fmpi_schema_unread_check(struct fmpi_schema_set *s, struct fmp_error *err)
{
	struct unread u = { .s = s, .err = err };
	int ret = 0;

	for (unsigned i = 0; i < s->n && !ret; i++) {
		const xmlNode *n = fmpi_first(xmlDocGetRootElement(s->docs[i].doc));

		for (; n && !ret; n = fmpi_next(n))
			ret = check_import(&u, &s->docs[i], n);
	}
	xmlHashFree(u.references, NULL);
	return ret;
}
