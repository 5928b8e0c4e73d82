// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/description.h>

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/uri.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "describe/description_files.h"
#include "describe/description_ports.h"
#include "schema/schema_path.h"
#include "schema/schema_set.h"
#include "xml/document.h"
#include "xml/entity_loader.h"
#include "xml/names.h"

#define OPTIONS (XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)

struct document {
	char *path; /* real path; behind the folder: the name of it */
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
	size_t folder_len; /* of the paths, with the slash */
};

struct load {
	struct fmp_description *d;
	const char *folder;
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
	l->bytes += (size_t)st.st_size;
	if (l->bytes > FMP_DESCRIPTION_BYTES || l->d->n == FMP_DESCRIPTION_DOCUMENTS)
		return fmp_error_set(l->err, FMP_ERR_LIMIT,
				     "%s: with it the WSDL has more than %u files or %u MiB; write "
				     "describe=\"pass\" or \"refuse\"",
				     real, FMP_DESCRIPTION_DOCUMENTS, FMP_DESCRIPTION_BYTES >> 20);
	return 0;
}

static int parse_file(struct load *l, const char *real, xmlDoc **out)
{
	int rc = check_file(l, real);

	*out = NULL;
	if (rc)
		return rc;
	*out = xmlReadFile(real, NULL, OPTIONS);
	if (*out && xmlDocGetRootElement(*out) && !xmlGetIntSubset(*out))
		return 0;
	rc = fmp_error_set(l->err, FMP_ERR_SCHEMA,
			   *out ? "%s has a DOCTYPE" : "%s is not well-formed XML", real);
	xmlFreeDoc(*out);
	*out = NULL;
	return rc;
}

/* Return: its index; an error code. The list takes over the path. */
static int add_document(struct load *l, char *real)
{
	struct fmp_description *d = l->d;
	struct document *grown;
	const xmlNode *root;
	xmlDoc *tree;
	int rc = parse_file(l, real, &tree);

	grown = rc ? NULL : realloc(d->doc, (d->n + 1) * sizeof(*grown));
	if (!grown) {
		free(real);
		xmlFreeDoc(tree);
		return rc ? rc : fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for a WSDL");
	}
	d->doc = grown;
	root = xmlDocGetRootElement(tree);
	d->doc[d->n] = (struct document){ .path = real,
					  .tree = tree,
					  .schema = !fmpi_is(root, NS_WSDL, "definitions") };
	return (int)d->n++;
}

/* Return: the index of the file at a location; FMP_ERR_NOTFOUND: it keeps its location. */
static int add_import(struct load *l, const char *from, const char *location)
{
	xmlChar *path = strstr(location, ":/")
				? NULL
				: xmlBuildURI((const xmlChar *)location, (const xmlChar *)from);
	char *real = path ? realpath((const char *)path, NULL) : NULL;

	xmlFree(path);
	if (!real)
		return FMP_ERR_NOTFOUND;
	for (unsigned i = 0; i < l->d->n; i++) {
		if (strcmp(l->d->doc[i].path, real) != 0)
			continue;
		free(real);
		return (int)i;
	}
	if (fmpi_path_is_below(real, l->folder))
		return add_document(l, real);
	free(real);
	return FMP_ERR_NOTFOUND;
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
	int at = location ? add_import(l, l->d->doc[from].path, location) : FMP_ERR_NOTFOUND;

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

static int load_with(const char *path, const struct use *use, struct fmp_description **out,
		     struct fmp_error *err)
{
	char *real = realpath(path, NULL), *folder = real ? strdup(real) : NULL;
	struct load l = { .d = calloc(1, sizeof(*l.d)), .folder = folder, .err = err };
	char *slash;
	int rc;

	*out = NULL;
	if (!real || !folder || !l.d) {
		rc = !real ? fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read %s", path)
			   : fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a WSDL");
		free(real);
		free(folder);
		free(l.d);
		return rc;
	}
	slash = strrchr(folder, '/');
	l.d->folder_len = (size_t)(slash - folder) + 1;
	slash[slash == folder] = '\0';
	fmpi_entity_loader_confine(folder);
	rc = load_documents(&l, real, use);
	fmpi_entity_loader_confine(NULL);
	free(folder);
	if (rc || l.d->doc[0].schema)
		fmp_description_free(l.d);
	else
		*out = l.d;
	return rc;
}

int fmp_description_load(const char *path, const char *port, bool literal,
			 struct fmp_description **out, struct fmp_error *err)
{
	return load_with(path, &(struct use){ .port = port, .literal = literal }, out, err);
}

int fmpi_description_read(const char *path, fmpi_description_cb each, void *ctx,
			  struct fmp_error *err)
{
	struct fmp_description *d;
	int rc = load_with(path, &(struct use){ .each = each, .ctx = ctx }, &d, err);

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
		const char *path = d->doc[i].path + d->folder_len;

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
