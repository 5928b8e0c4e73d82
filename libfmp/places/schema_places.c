// SPDX-License-Identifier: GPL-2.0
#include "schema_places.h"

#include <libxml/uri.h>
#include <libxml/xmlmemory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xml/entity_loader.h"
#include "catalog.h"
#include "schema_path.h"

static bool has_schema_name(const char *real)
{
	const char *dot = strrchr(real, '.');

	return dot && (strcasecmp(dot, ".xsd") == 0 || strcasecmp(dot, ".wsdl") == 0);
}

/* @is_named: a catalog names this very file */
static bool is_allowed(const struct fmpi_schema_places *p, const char *real, bool is_named)
{
	if (fmpi_path_is_below(real, p->folder))
		return true;
	if (!is_named && !has_schema_name(real))
		return false;
	return (p->around && fmpi_path_is_below(real, p->around)) ||
	       (p->catalog && fmpi_path_is_below(real, fmpi_catalog_folder(p->catalog)));
}

/* Resolve against the file that contains the import. Return: for free(); NULL: no memory. */
static char *make_absolute(const char *base, const char *location)
{
	const char *slash = strrchr(base, '/');
	char *out = NULL;

	if (fmpi_path_is_remote(location) || strncmp(location, "file:/", 6) == 0 ||
	    *location == '/')
		return strdup(location);
	if (asprintf(&out, "%.*s%s", slash ? (int)(slash - base) + 1 : 0, base, location) < 0)
		return NULL;
	return out;
}

/* The URI of a file as a catalog may name it, without dots. Return: for free(). */
static char *make_file_uri(const char *path)
{
	char *uri = NULL, *normal;
	xmlChar *escaped;

	if (fmpi_path_is_remote(path) || strncmp(path, "file:/", 6) == 0)
		return strdup(path);
	normal = strdup(path);
	if (!normal || xmlNormalizeURIPath(normal) < 0) {
		free(normal);
		return NULL;
	}
	escaped = xmlURIEscapeStr((const xmlChar *)normal, (const xmlChar *)"/:@!$&'()*+,;=~");
	free(normal);
	if (escaped && asprintf(&uri, "file://%s", (const char *)escaped) < 0)
		uri = NULL;
	xmlFree(escaped);
	return uri;
}

static int look_up_location(const struct fmpi_catalog *c, const char *absolute,
			    const char *location, struct fmpi_catalog_hit *out)
{
	char *uri = make_file_uri(absolute);
	int ret = uri ? fmpi_catalog_find_location(c, uri, out) : FMP_ERR_NOMEM;

	free(uri);
	/* As written, too: other readers of catalogs don't make it absolute. */
	return ret || out->uri ? ret : fmpi_catalog_find_location(c, location, out);
}

static enum fmpi_place find_file(const struct fmpi_schema_places *p, const char *uri, bool is_named,
				 char **real)
{
	int ret;

	*real = NULL;
	if (fmpi_path_is_remote(uri))
		return FMPI_PLACE_REMOTE;
	ret = fmpi_path_resolve(uri, real);
	if (ret)
		return ret == FMP_ERR_NOMEM ? FMPI_PLACE_NO_MEMORY : FMPI_PLACE_MISSING;
	if (is_allowed(p, *real, is_named))
		return FMPI_PLACE_FILE;
	free(*real);
	*real = NULL;
	return FMPI_PLACE_OUTSIDE;
}

static enum fmpi_place find_location(const struct fmpi_schema_places *p, const char *base,
				     const char *location, char **real)
{
	char *absolute = make_absolute(base, location);
	struct fmpi_catalog_hit hit = { 0 };
	enum fmpi_place place;

	if (!absolute || (p->catalog && look_up_location(p->catalog, absolute, location, &hit)))
		place = FMPI_PLACE_NO_MEMORY;
	else
		place = find_file(p, hit.uri ? hit.uri : absolute, hit.uri && hit.is_exact, real);
	free(hit.uri);
	free(absolute);
	return place;
}

/* A namespace is looked up last: it may have several documents, which locations tell apart. */
enum fmpi_place fmpi_places_find(const struct fmpi_schema_places *p, const char *base,
				 const char *location, const char *ns, char **real)
{
	enum fmpi_place place = location ? find_location(p, base, location, real)
					 : FMPI_PLACE_REMOTE;
	struct fmpi_catalog_hit hit = { 0 };

	if (!location)
		*real = NULL;
	if (!p->catalog || !ns || !*ns ||
	    (place != FMPI_PLACE_REMOTE && place != FMPI_PLACE_MISSING))
		return place;
	if (fmpi_catalog_find_namespace(p->catalog, ns, &hit))
		return FMPI_PLACE_NO_MEMORY;
	if (hit.uri)
		place = find_file(p, hit.uri, true, real);
	free(hit.uri);
	return place;
}

void fmpi_places_confine(const struct fmpi_schema_places *p, const char *real, char **kept)
{
	*kept = NULL;
	if (fmpi_path_is_below(real, p->folder))
		return;
	*kept = fmpi_path_parent(real);
	/* Without memory nothing outside is read. */
	if (*kept)
		(void)fmpi_entity_loader_confine(*kept);
}

void fmpi_places_restore(const struct fmpi_schema_places *p, char *kept)
{
	if (kept)
		(void)fmpi_entity_loader_confine(p->folder);
	free(kept);
}
