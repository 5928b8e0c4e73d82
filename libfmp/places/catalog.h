/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An OASIS XML Catalogs 1.1 file, which maps the locations and namespaces that WSDLs and schemas
 * import to files. Nothing is fetched, and the files of a catalog stay in its folder.
 */
#ifndef FMPI_PLACES_CATALOG_H
#define FMPI_PLACES_CATALOG_H

#include <stdbool.h>

#include <fmp/error.h>

/** Limits on the files of a catalog, and on the entries of all of them. */
#define FMPI_CATALOG_FILES   64u
#define FMPI_CATALOG_ENTRIES 16384u
#define FMPI_CATALOG_BYTES   (1u << 20)

struct fmpi_catalog;

/**
 * fmpi_catalog_load() - read a catalog and what its nextCatalog, delegateURI and delegateSystem name
 *
 * Refused, with file and line: a file outside of the catalog's folder, entities, an entry without
 * its attributes. Elements of other namespaces, and entries for public identifiers of DTDs, are
 * ignored.
 * Return: 0, FMP_ERR_IO, FMP_ERR_SCHEMA, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_catalog_load(const char *path, struct fmpi_catalog **out,
				     struct fmp_error *err);
void fmpi_catalog_free(struct fmpi_catalog *c);

/** fmpi_catalog_folder() - real path of the first file's folder. */
const char *fmpi_catalog_folder(const struct fmpi_catalog *c);

/** struct fmpi_catalog_hit - what a catalog maps an identifier to */
struct fmpi_catalog_hit {
	char *uri; /**< for free(); NULL: there is no entry */
	bool is_exact; /**< the entry names the whole identifier, not its begin or end */
};
/**
 * fmpi_catalog_find_location() - look up a location, as a system identifier and as a URI
 * fmpi_catalog_find_namespace() - look up a namespace, as a URI and as a public identifier
 * @out: starts zeroed
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_catalog_find_location(const struct fmpi_catalog *c, const char *location,
					      struct fmpi_catalog_hit *out);
FMP_MUST_CHECK int fmpi_catalog_find_namespace(const struct fmpi_catalog *c, const char *ns,
					       struct fmpi_catalog_hit *out);

#endif
