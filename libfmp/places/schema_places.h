/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the documents of a schema may be: its folder, the policy's, the catalog's. Whoever may
 * write one file of a schema must not make fmp read any other file.
 */
#ifndef FMPI_PLACES_SCHEMA_PLACES_H
#define FMPI_PLACES_SCHEMA_PLACES_H

#include <stdbool.h>

#include <fmp/error.h>

struct fmpi_catalog;

/** struct fmpi_schema_places - all paths are real ones */
struct fmpi_schema_places {
	const char *folder; /**< of the schema itself */
	/**
	 * a folder around, usually the policy's: below it, files named *.xsd or *.wsdl count too; NULL:
	 * none
	 */
	const char *around;
	const struct fmpi_catalog *catalog; /**< NULL: none */
};

enum fmpi_place {
	FMPI_PLACE_FILE, /**< a file that may be read */
	FMPI_PLACE_REMOTE, /**< on the network */
	FMPI_PLACE_MISSING, /**< there is no such file */
	FMPI_PLACE_OUTSIDE, /**< a file that may not be read */
	FMPI_PLACE_NO_MEMORY,
};

/**
 * fmpi_places_find() - find the file of an import
 * @base: the file that contains the import
 * @location: NULL: none, the namespace alone may be in the catalog
 * @ns: NULL: unknown
 * @real: for free(), with FMPI_PLACE_FILE
 */
enum fmpi_place fmpi_places_find(const struct fmpi_schema_places *p, const char *base,
				 const char *location, const char *ns, char **real);

/**
 * fmpi_places_confine() - let the entity loader read that file, and entities beside it
 * @real: a file that fmpi_places_find() found
 */
void fmpi_places_confine(const struct fmpi_schema_places *p, const char *real, char **kept);
/** fmpi_places_restore() - confine the entity loader to the schema's folder again. */
void fmpi_places_restore(const struct fmpi_schema_places *p, char *kept);

#endif
