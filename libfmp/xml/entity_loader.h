/* SPDX-License-Identifier: GPL-2.0 */
/* What libxml2 may fetch: local files while we load, nothing while we inspect. */
#ifndef FMPI_XML_ENTITY_LOADER_H
#define FMPI_XML_ENTITY_LOADER_H

#include <stdbool.h>

/** fmpi_entity_loader_install() / _remove() - the process's loader of external entities. */
void fmpi_entity_loader_install(void);
void fmpi_entity_loader_remove(void);

/**
 * fmpi_entity_loader_confine() - of this thread: only files below this folder, "/..." without links
 * @folder: NULL: any local file again
 *
 * Return: was a file outside of the folder before asked for?
 */
bool fmpi_entity_loader_confine(const char *folder);

/**
 * struct fmpi_entity_loader_lean - schemas are read without their patterns
 *
 * @patterns, @lengths, @ids, @qnames: has one of them a pattern; a largest length; a type that is
 * xs:ID; that is xs:QName or xs:NOTATION?
 */
struct fmpi_entity_loader_lean {
	bool patterns, lengths, ids, qnames;
};
/** fmpi_entity_loader_lean() - of this thread: from here on; NULL: as they are. */
void fmpi_entity_loader_lean(struct fmpi_entity_loader_lean *lean);

/** struct fmpi_entity_loader_text - what stands for a file that is none */
struct fmpi_entity_loader_text {
	char path[24];
	char *bytes;
	int len;
};
/** fmpi_entity_loader_serve() - of this thread: these are read, and no files; NULL: files again. */
void fmpi_entity_loader_serve(const struct fmpi_entity_loader_text *texts, unsigned n);

/** fmpi_entity_loader_forbid() - of this thread: true while a message is inspected. */
void fmpi_entity_loader_forbid(bool forbid);

#endif
