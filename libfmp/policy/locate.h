/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Line and column of an element or attribute. libxml2 keeps only the line in which
 * a start tag ends, so the tag is looked up in the text once more.
 */
#ifndef FMPI_POLICY_LOCATE_H
#define FMPI_POLICY_LOCATE_H

#include <libxml/tree.h>
#include <stddef.h>

#include <fmp/internal/policy_settings.h>

/**
 * fmpi_locate() - where node's start tag, or an attribute in it, begins
 * @text: the document, well-formed, UTF-8, without a DTD
 * @attribute: a name as it is written, NULL for the tag itself
 *
 * Return: 1-based line and column (in characters); libxml2's line and column 0
 * when the tag was not found.
 */
struct fmp_position fmpi_locate(const char *text, size_t len, const xmlNode *node,
				const char *attribute);

#endif
