/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Line and column of an element or attribute. libxml2 stores only the line in which a start tag
 * ends, so the tag is searched in the text once more.
 */
#ifndef FMPI_POLICY_LOCATE_H
#define FMPI_POLICY_LOCATE_H

#include <libxml/tree.h>
#include <stddef.h>

#include <fmp/internal/policy_settings.h>

/**
 * fmpi_locate() - find the position of a start tag, or of an attribute in it
 * @text: the document, well-formed, UTF-8, without a DTD
 * @attribute: its name as written; NULL: the tag itself
 *
 * Return: 1-based line and column (in characters); libxml2's line and column 0 if the tag was not
 * found.
 */
struct fmp_position fmpi_locate(const char *text, size_t len, const xmlNode *node,
				const char *attribute);

#endif
