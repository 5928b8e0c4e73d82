// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/description.h>

#include <errno.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "describe/description_files.h"
#include "describe/description_ports.h"
#include "places/catalog.h"
#include "schema/schema_builtin.h"
#include "places/schema_path.h"
#include "places/schema_places.h"
#include "xml/document.h"
#include "xml/entity_loader.h"
#include "xml/names.h"

#define OPTIONS (XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)

struct document {
	char *path; /* real path; of a built-in one: its namespace */
	size_t name; /* where in path its name begins; 0: it has none */
	bool schema;
	xmlDoc *tree; /* while loading */
	char *text; /* with HERE where the URL is missing */
	size_t len;
	size_t *gap; /* offsets of these */
	unsigned n_gaps;
	uint64_t hash;
};

struct fmp_description {
	struct document *doc;
	unsigned n;
};

struct load {
	struct fmp_description *d;
	struct fmpi_schema_places places;
	size_t bytes; /* of files so far */
	struct fmp_error *err;
};

/* FNV-1a: tells contents apart, protects nothing. */
static uint64_t hash_bytes(uint64_t h, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)p[i]) * 0x100000001b3ull;
	return h;
}

/* ---- files ---- */

static int check_file(struct load *l, const char *real)
{
	struct stat st;

	if (stat(real, &st))
		return fmp_error_sys(l->err, FMP_ERR_IO, errno, "cannot read %s", real);
	/* Opening a FIFO would block. */
	if (!S_ISREG(st.st_mode))
		return fmp_error_set(l->err, FMP_ERR_IO, "cannot read %s: no regular file", real);
	if ((uint64_t)st.st_size > FMP_DESCRIPTION_BYTES - l->bytes ||
	    l->d->n == FMP_DESCRIPTION_DOCUMENTS)
		return fmp_error_set(l->err, FMP_ERR_LIMIT,
				     "%s: with it the WSDL has more than %u files or %u MiB; write "
				     "describe=\"pass\" or \"refuse\"",
				     real, FMP_DESCRIPTION_DOCUMENTS, FMP_DESCRIPTION_BYTES >> 20);
	l->bytes += (size_t)st.st_size;
	return 0;
}

static int parse_file(struct load *l, const char *real, xmlDoc **out)
{
	int rc = check_file(l, real);
	char *kept;

	*out = NULL;
	if (rc)
		return rc;
	fmpi_places_confine(&l->places, real, &kept);
	*out = xmlReadFile(real, NULL, OPTIONS);
	fmpi_places_restore(&l->places, kept);
	if (*out && xmlDocGetRootElement(*out) && !xmlGetIntSubset(*out))
		return 0;
	rc = fmp_error_set(l->err, FMP_ERR_SCHEMA,
			   *out ? "%s has a DOCTYPE" : "%s is not well-formed XML", real);
	xmlFreeDoc(*out);
	*out = NULL;
	return rc;
}

static bool is_known_root(const xmlDoc *tree)
{
	const xmlNode *root = xmlDocGetRootElement(tree);

	return fmpi_is(root, NS_WSDL, "definitions") || fmpi_is(root, NS_XSD, "schema");
}

/* Return: its index; an error code. The list takes over both. */
static int keep_document(struct load *l, char *path, xmlDoc *tree)
{
	struct fmp_description *d = l->d;
	struct document *grown = path ? realloc(d->doc, (d->n + 1) * sizeof(*grown)) : NULL;
	const char *folder = l->places.folder;

	if (!grown) {
		free(path);
		xmlFreeDoc(tree);
		return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for a WSDL");
	}
	d->doc = grown;
	d->doc[d->n] = (struct document){
		.path = path,
		.tree = tree,
		.schema = !fmpi_is(xmlDocGetRootElement(tree), NS_WSDL, "definitions"),
	};
	if (fmpi_path_is_below(path, folder))
		d->doc[d->n].name = strlen(folder) + (folder[1] != '\0');
	return (int)d->n++;
}

/* Return: its index; an error code. The list takes over the path. */
static int add_document(struct load *l, char *real)
{
	xmlDoc *tree;
	int rc = parse_file(l, real, &tree);

	/* Whatever else a WSDL names is not for its clients. */
	if (!rc && l->d->n && !is_known_root(tree)) {
		xmlFreeDoc(tree);
		rc = FMP_ERR_NOTFOUND;
	}
	/* What lies elsewhere was found for the gateway: that it can't be offered is no fault. */
	if ((rc == FMP_ERR_SCHEMA || rc == FMP_ERR_LIMIT) &&
	    !fmpi_path_is_below(real, l->places.folder))
		rc = FMP_ERR_NOTFOUND;
	if (!rc)
		return keep_document(l, real, tree);
	free(real);
	return rc;
}

static int find_path(const struct load *l, const char *path)
{
	for (unsigned i = 0; i < l->d->n; i++)
		if (strcmp(l->d->doc[i].path, path) == 0)
			return (int)i;
	return FMP_ERR_NOTFOUND;
}

/* Return: the index of the built-in document of a namespace; an error code. */
static int add_builtin(struct load *l, const xmlNode *n, const char *ns)
{
	const char *text = fmpi_is(n, NS_WSDL, "import") ? fmpi_wsdl_find_builtin(ns)
							 : fmpi_schema_find_builtin(ns);
	int at = text ? find_path(l, ns) : FMP_ERR_NOTFOUND;
	xmlDoc *tree;

	if (!text || at >= 0)
		return at;
	if (l->d->n == FMP_DESCRIPTION_DOCUMENTS)
		return FMP_ERR_NOTFOUND;
	tree = xmlReadMemory(text, (int)strlen(text), NULL, NULL, OPTIONS);
	if (tree)
		return keep_document(l, strdup(ns), tree);
	return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for a WSDL");
}

/* Return: the index of what is imported; FMP_ERR_NOTFOUND: it keeps its location. */
static int add_import(struct load *l, const char *from, const xmlNode *n, const char *location)
{
	const char *ns = fmpi_attribute(n, NULL, "namespace");
	enum fmpi_place place;
	char *real;
	int at;

	place = fmpi_places_find(&l->places, from, location, ns, &real);
	switch (place) {
	case FMPI_PLACE_FILE:
		at = find_path(l, real);
		if (at < 0)
			return add_document(l, real);
		free(real);
		return at;
	case FMPI_PLACE_MISSING:
	case FMPI_PLACE_OUTSIDE:
		return ns ? add_builtin(l, n, ns) : FMP_ERR_NOTFOUND;
	case FMPI_PLACE_NO_MEMORY:
		return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for a WSDL");
	default:
		return FMP_ERR_NOTFOUND;
	}
}

static const char *location_attribute(const xmlNode *n)
{
	if (fmpi_is(n, NS_WSDL, "import"))
		return "location";
	if (fmpi_is(n, NS_XSD, "import") || fmpi_is(n, NS_XSD, "include") ||
	    fmpi_is(n, NS_XSD, "redefine"))
		return "schemaLocation";
	return NULL;
}

static int open_location(struct load *l, unsigned from, xmlNode *n, const char *attribute)
{
	const char *location = fmpi_attribute(n, NULL, attribute);
	char text[80];
	int at = add_import(l, l->d->doc[from].path, n, location);

	if (at == FMP_ERR_NOTFOUND)
		return 0;
	if (at < 0)
		return at;
	snprintf(text, sizeof(text), FMPI_DESCRIPTION_HERE "?%s=%d",
		 l->d->doc[at].schema ? "xsd" : "wsdl", at);
	return xmlSetProp(n, (const xmlChar *)attribute, (const xmlChar *)text)
		       ? 0
		       : fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for a WSDL");
}

/* The list grows in this loop: each file is read once, however the files import one another. */
static int read_imports(struct load *l)
{
	int rc = 0;

	for (unsigned i = 0; i < l->d->n && !rc; i++) {
		xmlNode *root = xmlDocGetRootElement(l->d->doc[i].tree);

		for (xmlNode *n = root; n && !rc; n = fmpi_walk_next(root, n)) {
			const char *attribute = location_attribute(n);

			if (attribute)
				rc = open_location(l, i, n, attribute);
		}
	}
	return rc;
}

/* ---- texts ---- */

/* Keep the text without HERE, and the places where it stood. */
static bool cut_gaps(struct document *d, char *text, size_t len)
{
	static const size_t size = sizeof(FMPI_DESCRIPTION_HERE) - 1;
	char *to = text, *from = text, *at, *end = text + len;
	unsigned n = 0;

	for (at = text; (at = strstr(at, FMPI_DESCRIPTION_HERE)); at += size)
		n++;
	d->gap = n ? malloc(n * sizeof(*d->gap)) : NULL;
	if (n && !d->gap)
		return false;
	while ((at = strstr(from, FMPI_DESCRIPTION_HERE))) {
		memmove(to, from, (size_t)(at - from));
		to += at - from;
		d->gap[d->n_gaps++] = (size_t)(to - text);
		from = at + size;
	}
	memmove(to, from, (size_t)(end - from));
	d->len = (size_t)(to - text) + (size_t)(end - from);
	d->text = malloc(d->len ? d->len : 1);
	if (!d->text)
		return false;
	memcpy(d->text, text, d->len);
	d->hash = hash_bytes(0xcbf29ce484222325ull, d->text, d->len);
	return true;
}

static int write_texts(struct load *l)
{
	for (unsigned i = 0; i < l->d->n; i++) {
		struct document *d = &l->d->doc[i];
		xmlChar *text = NULL;
		int len = 0;
		bool ok;

		xmlDocDumpMemoryEnc(d->tree, &text, &len, "UTF-8");
		xmlFreeDoc(d->tree);
		d->tree = NULL;
		ok = text && cut_gaps(d, (char *)text, (size_t)len);
		xmlFree(text);
		if (!ok)
			return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for a WSDL");
	}
	return 0;
}

static int keep_ports(struct load *l, const char *port, bool literal)
{
	const xmlDoc *trees[FMP_DESCRIPTION_DOCUMENTS];

	for (unsigned i = 0; i < l->d->n; i++)
		trees[i] = l->d->doc[i].tree;
	for (unsigned i = 0; i < l->d->n; i++)
		if (!fmpi_description_keep_ports(l->d->doc[i].tree, port, literal, trees, l->d->n))
			return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for a WSDL");
	return 0;
}

/* ---- the whole ---- */

/* What is made of the trees, once all are read. */
struct use {
	const char *port;
	bool literal;
	fmpi_description_cb each; /* NULL: texts for clients */
	void *ctx;
};

static int use_trees(struct load *l, const struct use *use)
{
	const xmlDoc *trees[FMP_DESCRIPTION_DOCUMENTS];
	int rc;

	if (!use->each) {
		rc = keep_ports(l, use->port, use->literal);
		return rc ? rc : write_texts(l);
	}
	for (unsigned i = 0; i < l->d->n; i++)
		trees[i] = l->d->doc[i].tree;
	return use->each(trees, l->d->n, use->ctx, l->err);
}

static int load_documents(struct load *l, char *real, const struct use *use)
{
	int rc = add_document(l, real);

	if (rc < 0 || l->d->doc[0].schema)
		return rc;
	rc = read_imports(l);
	return rc ? rc : use_trees(l, use);
}

/* @real: the list takes it over */
static int load_from(struct load *l, char *real, const struct use *use)
{
	int rc;

	fmpi_entity_loader_confine(l->places.folder);
	rc = load_documents(l, real, use);
	fmpi_entity_loader_confine(NULL);
	return rc;
}

static int load_with(const struct fmp_description_source *from, const struct use *use,
		     struct fmp_description **out, struct fmp_error *err)
{
	char *real = realpath(from->path, NULL), *folder = real ? fmpi_path_parent(real) : NULL;
	char *around = from->folder ? realpath(from->folder, NULL) : NULL;
	struct load l = { .d = calloc(1, sizeof(*l.d)), .err = err };
	struct fmpi_catalog *catalog = NULL;
	int rc = 0;

	*out = NULL;
	if (!real)
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read %s", from->path);
	else if (!folder || !l.d)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a WSDL");
	else if (from->catalog)
		rc = fmpi_catalog_load(from->catalog, &catalog, err);
	l.places = (struct fmpi_schema_places){ folder, around, catalog };
	if (rc)
		free(real);
	else
		rc = load_from(&l, real, use);
	fmpi_catalog_free(catalog);
	free(around);
	free(folder);
	if (rc || l.d->doc[0].schema)
		fmp_description_free(l.d);
	else
		*out = l.d;
	return rc;
}

int fmp_description_load(const struct fmp_description_source *source, struct fmp_description **out,
			 struct fmp_error *err)
{
	return load_with(source, &(struct use){ .port = source->port, .literal = source->literal },
			 out, err);
}

int fmpi_description_read(const char *path, fmpi_description_cb each, void *ctx,
			  struct fmp_error *err)
{
	const struct fmp_description_source source = { .path = path };
	struct fmp_description *d;
	int rc = load_with(&source, &(struct use){ .each = each, .ctx = ctx }, &d, err);

	if (!rc && !d)
		rc = fmp_error_at(err, FMP_ERR_SCHEMA, path, 0, 0, "is no WSDL 1.1");
	fmp_description_free(d);
	return rc;
}

void fmp_description_free(struct fmp_description *d)
{
	if (!d)
		return;
	for (unsigned i = 0; i < d->n; i++) {
		free(d->doc[i].path);
		xmlFreeDoc(d->doc[i].tree);
		free(d->doc[i].text);
		free(d->doc[i].gap);
	}
	free(d->doc);
	free(d);
}

/* The number that a document has in the others. */
static bool is_number(const char *name, size_t n, unsigned i)
{
	char text[12];

	return (size_t)snprintf(text, sizeof(text), "%u", i) == n && !memcmp(text, name, n);
}

int fmp_description_find(const struct fmp_description *d, bool schema, const char *name, size_t n)
{
	if (!n)
		return schema ? -1 : 0;
	for (unsigned i = 0; i < d->n; i++) {
		const char *path = d->doc[i].name ? d->doc[i].path + d->doc[i].name : "";

		if (d->doc[i].schema == schema &&
		    (is_number(name, n, i) || (strlen(path) == n && !memcmp(path, name, n))))
			return (int)i;
	}
	return -1;
}

size_t fmp_description_size(const struct fmp_description *d, unsigned i, const char *url)
{
	return d->doc[i].len + d->doc[i].n_gaps * strlen(url);
}

void fmp_description_write(const struct fmp_description *d, unsigned i, const char *url, char *out)
{
	const struct document *from = &d->doc[i];
	size_t at = 0, url_len = strlen(url);

	for (unsigned g = 0; g < from->n_gaps; g++) {
		out = mempcpy(out, from->text + at, from->gap[g] - at);
		out = mempcpy(out, url, url_len);
		at = from->gap[g];
	}
	memcpy(out, from->text + at, from->len - at);
}

uint64_t fmp_description_tag(const struct fmp_description *d, unsigned i, const char *url)
{
	return hash_bytes(d->doc[i].hash, url, strlen(url));
}
