/* SPDX-License-Identifier: GPL-2.0 */
/* <content>: rules on what messages say, in the policy or in a file of their own. */
#ifndef FMPI_POLICY_CONTENT_H
#define FMPI_POLICY_CONTENT_H

#include <fmp/internal/policy_xml.h>

/**
 * fmpi_content_read() - becomes the content of the policy's gateway
 *
 * Regular expressions and XPaths are compiled, to tell what is wrong with them and where.
 * Return: 0, FMP_ERR_SCHEMA, FMP_ERR_SYNTAX, FMP_ERR_IO, FMP_ERR_NOMEM.
 */
int fmpi_content_read(struct fmpi_reader *r, const xmlNode *node);
/** fmpi_content_free() - with all that are behind it. */
void fmpi_content_free(struct fmp_policy_content *c);

/**
 * fmpi_xpath_check() - does it compile, with nothing in it that is unknown at run time?
 * @rule: its namespaces
 * @why: what is wrong, of at least 200 bytes
 *
 * Return: 0, FMP_ERR_SYNTAX with *why, FMP_ERR_NOMEM.
 */
int fmpi_xpath_check(const char *xpath, const struct fmp_policy_rule *rule, char *why, size_t size);

#endif
