/* SPDX-License-Identifier: GPL-2.0 */
/* Paths and URIs of the files of a schema. */
#ifndef FMPI_PLACES_SCHEMA_PATH_H
#define FMPI_PLACES_SCHEMA_PATH_H

#include <stdbool.h>

#include <fmp/error.h>

/** fmpi_path_is_below() - is the path below the folder? Both are real paths. */
bool fmpi_path_is_below(const char *real, const char *folder);
/** fmpi_path_parent() - the folder of a file, for free(); NULL: no memory. */
char *fmpi_path_parent(const char *real);
/**
 * fmpi_path_resolve() - real path of a file: URI or a path
 * @real: for free()
 *
 * Return: 0, FMP_ERR_IO: remote, or no such file, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_path_resolve(const char *uri, char **real);
/** fmpi_path_is_remote() - is it a URL of the network, or of an unknown scheme? */
bool fmpi_path_is_remote(const char *location);

#endif
