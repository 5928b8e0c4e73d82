// SPDX-License-Identifier: GPL-2.0
/*
 * Own code instead of libxml2's catalogs: these are global to the process, fetch what a catalog
 * names, and know no folder to stay in.
 */
#include "catalog.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/uri.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "xml/document.h"
#include "xml/names.h"
#include "schema_path.h"

#define NS_CATALOG "urn:oasis:names:tc:entity:xmlns:xml:catalog"

enum kind {
	EXACT,
	PREFIX,
	SUFFIX,
	DELEGATE,
	NEXT
};
enum names {
	SYSTEM = 1,
	URI = 2,
	PUBLIC = 4
};

struct entry {
	enum kind kind;
	enum names names; /* which identifiers it is about */
	char *from; /* NULL: of NEXT */
	char *to; /* absolute; of DELEGATE and NEXT NULL */
	unsigned file; /* of DELEGATE and NEXT: number of the other catalog */
};

struct file {
	char *path; /* real */
	unsigned first, end; /* its entries */
};

struct fmpi_catalog {
	struct file file[FMPI_CATALOG_FILES];
	struct entry *entry;
	unsigned n_files, n_entries, capacity;
	char *folder;
};

/* ---- reading ---- */

static const struct element {
	const char *name, *from, *to;
	enum kind kind;
	enum names names;
} elements[] = {
	{ "uri", "name", "uri", EXACT, URI },
	{ "system", "systemId", "uri", EXACT, SYSTEM },
	{ "public", "publicId", "uri", EXACT, PUBLIC },
	{ "rewriteURI", "uriStartString", "rewritePrefix", PREFIX, URI },
	{ "rewriteSystem", "systemIdStartString", "rewritePrefix", PREFIX, SYSTEM },
	{ "uriSuffix", "uriSuffix", "uri", SUFFIX, URI },
	{ "systemSuffix", "systemIdSuffix", "uri", SUFFIX, SYSTEM },
	{ "delegateURI", "uriStartString", "catalog", DELEGATE, URI },
	{ "delegateSystem", "systemIdStartString", "catalog", DELEGATE, SYSTEM },
	{ "delegatePublic", "publicIdStartString", "catalog", DELEGATE, PUBLIC },
	{ "nextCatalog", NULL, "catalog", NEXT, SYSTEM | URI | PUBLIC },
};

static int set_no_memory(struct fmp_error *err)
{
	return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the catalog");
}

/* The entry takes what it points to. */
static int add_entry(struct fmpi_catalog *c, const struct entry *e, const xmlNode *n,
		     struct fmp_error *err)
{
	struct entry *more;

	if (c->n_entries == FMPI_CATALOG_ENTRIES)
		return fmp_error_at(err, FMP_ERR_LIMIT, c->file[c->n_files - 1].path, fmpi_line(n),
				    0, "more than %u entries in a catalog", FMPI_CATALOG_ENTRIES);
	if (c->n_entries == c->capacity) {
		more = realloc(c->entry, (2 * c->capacity + 64) * sizeof(*more));
		if (!more)
			return set_no_memory(err);
		c->entry = more;
		c->capacity = 2 * c->capacity + 64;
	}
	c->entry[c->n_entries++] = *e;
	return 0;
}

/* Find the number of a catalog; a new one is only listed, and read later. */
static int add_file(struct fmpi_catalog *c, const char *uri, unsigned from, const xmlNode *n,
		    struct fmp_error *err, unsigned *out)
{
	const char *at = c->file[from].path;
	char *real = NULL;
	int ret = fmpi_path_resolve(uri, &real);

	if (ret == FMP_ERR_NOMEM)
		return set_no_memory(err);
	if (ret)
		return fmp_error_at(err, FMP_ERR_SCHEMA, at, fmpi_line(n), 0,
				    "%s \"%.200s\": there is no such file; nothing is fetched",
				    (const char *)n->name, uri);
	for (*out = 0; *out < c->n_files; ++*out)
		if (strcmp(c->file[*out].path, real) == 0) {
			free(real);
			return 0;
		}
	if (!fmpi_path_is_below(real, c->folder))
		ret = fmp_error_at(err, FMP_ERR_SCHEMA, at, fmpi_line(n), 0,
				   "%s \"%.200s\": that file is not below %s, the folder of the "
				   "catalog; copy it there",
				   (const char *)n->name, uri, c->folder);
	else if (c->n_files == FMPI_CATALOG_FILES)
		ret = fmp_error_at(err, FMP_ERR_LIMIT, at, fmpi_line(n), 0,
				   "more than %u files in a catalog", FMPI_CATALOG_FILES);
	if (ret)
		free(real);
	else
		c->file[c->n_files++].path = real;
	return ret;
}

static int read_entry(struct fmpi_catalog *c, unsigned file, const xmlNode *n,
		      const struct element *is, struct fmp_error *err)
{
	const char *from = is->from ? fmpi_attribute(n, NULL, is->from) : NULL;
	const char *to = fmpi_attribute(n, NULL, is->to);
	struct entry e = { .kind = is->kind, .names = is->names };
	xmlChar *base, *uri;
	int ret = 0;

	if (!to || (is->from && !from))
		return fmp_error_at(err, FMP_ERR_SCHEMA, c->file[file].path, fmpi_line(n), 0,
				    "<%s> has no %s", is->name, to ? is->from : is->to);
	/* xml:base of the element and of those around it, then the file's own URI. */
	base = xmlNodeGetBase(n->doc, (xmlNode *)n);
	uri = xmlBuildURI((const xmlChar *)to, base);
	xmlFree(base);
	if (!uri)
		return fmp_error_at(err, FMP_ERR_SCHEMA, c->file[file].path, fmpi_line(n), 0,
				    "<%s>: \"%.200s\" is no URI", is->name, to);
	/* Public identifiers are looked up as namespaces only: a catalog of DTDs is not read. */
	if (is->kind >= DELEGATE && is->names != PUBLIC)
		ret = add_file(c, (const char *)uri, file, n, err, &e.file);
	e.from = from ? strdup(from) : NULL;
	e.to = is->kind < DELEGATE ? strdup((const char *)uri) : NULL;
	xmlFree(uri);
	if (!ret && ((from && !e.from) || (is->kind < DELEGATE && !e.to)))
		ret = set_no_memory(err);
	if (!ret && is->kind == DELEGATE && is->names == PUBLIC)
		free(e.from);
	else if (!ret)
		ret = add_entry(c, &e, n, err);
	if (ret) {
		free(e.from);
		free(e.to);
	}
	return ret;
}

/* <group> only carries xml:base, which xmlNodeGetBase() finds. */
static int read_entries(struct fmpi_catalog *c, unsigned file, const xmlNode *root,
			struct fmp_error *err)
{
	int ret = 0;

	for (const xmlNode *n = root; n && !ret; n = fmpi_walk_next(root, n))
		for (size_t i = 0; i < sizeof(elements) / sizeof(*elements) && !ret; i++)
			if (fmpi_is(n, NS_CATALOG, elements[i].name))
				ret = read_entry(c, file, n, &elements[i], err);
	return ret;
}

static int check_document(const char *path, const xmlDoc *doc, struct fmp_error *err)
{
	const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
	const xmlError *e = doc ? NULL : xmlGetLastError();

	if (!root)
		return fmp_error_at(err, FMP_ERR_SCHEMA, path,
				    e && e->line > 0 ? (unsigned)e->line : 0, 0,
				    "the catalog is not well-formed XML");
	if (doc->intSubset && doc->intSubset->children)
		return fmp_error_at(err, FMP_ERR_SCHEMA, path, 1, 0,
				    "a catalog declares no entities and no elements");
	if (!fmpi_is(root, NS_CATALOG, "catalog"))
		return fmp_error_at(err, FMP_ERR_SCHEMA, path, fmpi_line(root), 0,
				    "that is no XML catalog: its root element is not <catalog> of "
				    "namespace \"" NS_CATALOG "\"");
	return 0;
}

static int read_file(struct fmpi_catalog *c, unsigned i, struct fmp_error *err)
{
	const char *path = c->file[i].path;
	struct stat st;
	xmlDoc *doc;
	int ret;

	if (stat(path, &st))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the catalog %s", path);
	/* Opening a FIFO would block. */
	if (!S_ISREG(st.st_mode))
		return fmp_error_set(err, FMP_ERR_IO,
				     "cannot read the catalog %s: it is no regular file", path);
	if (st.st_size > FMPI_CATALOG_BYTES)
		return fmp_error_at(err, FMP_ERR_LIMIT, path, 0, 0, "larger than 1 MiB");
	/* A DOCTYPE is usual in a catalog; its DTD is not loaded. */
	doc = xmlReadFile(path, NULL,
			  XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
				  XML_PARSE_BIG_LINES);
	ret = check_document(path, doc, err);
	c->file[i].first = c->n_entries;
	if (!ret)
		ret = read_entries(c, i, xmlDocGetRootElement(doc), err);
	c->file[i].end = c->n_entries;
	xmlFreeDoc(doc);
	return ret;
}

int fmpi_catalog_load(const char *path, struct fmpi_catalog **out, struct fmp_error *err)
{
	struct fmpi_catalog *c = calloc(1, sizeof(*c));
	int ret = 0;

	*out = NULL;
	if (!c)
		return set_no_memory(err);
	c->file[0].path = realpath(path, NULL);
	if (!c->file[0].path)
		ret = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the catalog %s", path);
	else
		c->n_files = 1;
	if (!ret && !(c->folder = fmpi_path_parent(c->file[0].path)))
		ret = set_no_memory(err);
	/* c->n_files grows in this loop: each file is read once, however they name one another. */
	for (unsigned i = 0; i < c->n_files && !ret; i++)
		ret = read_file(c, i, err);
	if (ret)
		fmpi_catalog_free(c);
	else
		*out = c;
	return ret;
}

void fmpi_catalog_free(struct fmpi_catalog *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->n_entries; i++) {
		free(c->entry[i].from);
		free(c->entry[i].to);
	}
	for (unsigned i = 0; i < c->n_files; i++)
		free(c->file[i].path);
	free(c->entry);
	free(c->folder);
	free(c);
}

const char *fmpi_catalog_folder(const struct fmpi_catalog *c)
{
	return c->folder;
}

/* ---- looking up ---- */

static bool is_match(const struct entry *e, const char *id)
{
	size_t n = strlen(e->from), len = strlen(id);

	return e->kind == EXACT	   ? strcmp(e->from, id) == 0
	       : e->kind == SUFFIX ? n <= len && strcmp(id + len - n, e->from) == 0
				   : strncmp(id, e->from, n) == 0;
}

/* The longest match of that kind in one file; the first one of that length counts. */
static const struct entry *find_entry(const struct fmpi_catalog *c, unsigned file, enum kind kind,
				      enum names names, const char *id)
{
	const struct entry *best = NULL;

	for (unsigned i = c->file[file].first; i < c->file[file].end; i++) {
		const struct entry *e = &c->entry[i];

		if (e->kind == kind && (e->names & names) && is_match(e, id) &&
		    (!best || strlen(e->from) > strlen(best->from)))
			best = e;
	}
	return best;
}

static int set_hit(const struct entry *e, const char *id, struct fmpi_catalog_hit *out)
{
	out->is_exact = e->kind == EXACT;
	if (asprintf(&out->uri, "%s%s", e->to, e->kind == PREFIX ? id + strlen(e->from) : "") >= 0)
		return 0;
	out->uri = NULL;
	return FMP_ERR_NOMEM;
}

/*
 * XML Catalogs 1.1, 7.1.2 and 7.2.2: exact entries, then prefixes, then suffixes; a matching
 * delegate ends the search in this file, otherwise the next catalogs follow. Each file is looked at
 * once, so that loops end.
 */
static int find_hit(const struct fmpi_catalog *c, enum names names, const char *id,
		    struct fmpi_catalog_hit *out)
{
	bool seen[FMPI_CATALOG_FILES] = { true };
	unsigned stack[FMPI_CATALOG_FILES] = { 0 }, n = 1;

	while (n) {
		unsigned file = stack[--n];
		const struct entry *e = NULL;

		for (enum kind k = EXACT; k <= DELEGATE && !e; k++)
			e = find_entry(c, file, k, names, id);
		if (e && e->kind != DELEGATE)
			return set_hit(e, id, out);
		if (e) {
			n = 0;
			if (!seen[e->file])
				stack[n++] = e->file;
			seen[e->file] = true;
			continue;
		}
		/* Backwards: the first one is looked at first. */
		for (unsigned i = c->file[file].end; i-- > c->file[file].first;) {
			e = &c->entry[i];
			if (e->kind == NEXT && !seen[e->file]) {
				seen[e->file] = true;
				stack[n++] = e->file;
			}
		}
	}
	return 0;
}

int fmpi_catalog_find_location(const struct fmpi_catalog *c, const char *location,
			       struct fmpi_catalog_hit *out)
{
	int ret = find_hit(c, SYSTEM, location, out);

	return ret || out->uri ? ret : find_hit(c, URI, location, out);
}

int fmpi_catalog_find_namespace(const struct fmpi_catalog *c, const char *ns,
				struct fmpi_catalog_hit *out)
{
	int ret = find_hit(c, URI, ns, out);

	return ret || out->uri ? ret : find_hit(c, PUBLIC, ns, out);
}
