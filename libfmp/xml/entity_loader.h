/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entity loader: libxml2 may open local files while a schema is loaded, and nothing while a message
 * is inspected.
 */
#ifndef FMPI_XML_ENTITY_LOADER_H
#define FMPI_XML_ENTITY_LOADER_H

#include <stdbool.h>

/** fmpi_entity_loader_install() / _remove() - the process-wide loader of external entities. */
void fmpi_entity_loader_install(void);
void fmpi_entity_loader_remove(void);

/**
 * fmpi_entity_loader_confine() - for this thread: allow only files below this folder
 * @folder: real path; NULL: any local file again
 *
 * Return: was a file outside of the previous folder requested?
 */
bool fmpi_entity_loader_confine(const char *folder);

/** struct fmpi_entity_loader_text - a text in memory that is read in place of a file */
struct fmpi_entity_loader_text {
	char path[24];
	char *bytes;
	int len;
};
/**
 * fmpi_entity_loader_serve() - for this thread: read only these texts and no files; NULL: files
 * again.
 */
void fmpi_entity_loader_serve(const struct fmpi_entity_loader_text *texts, unsigned n);

/**
 * fmpi_entity_loader_forbid() - for this thread: load nothing; set while a message is inspected.
 */
void fmpi_entity_loader_forbid(bool forbid);

#endif
