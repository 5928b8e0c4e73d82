/* SPDX-License-Identifier: GPL-2.0 */
/* <content>: rules on the content of messages, in the policy or in a file of their own. */
#ifndef FMPI_POLICY_CONTENT_H
#define FMPI_POLICY_CONTENT_H

#include <fmp/internal/policy_xml.h>

/**
 * fmpi_content_read() - read <content> into the policy's gateway
 *
 * Compiles regular expressions and XPaths, to report errors with their place.
 *
 * Return: 0, FMP_ERR_SCHEMA, FMP_ERR_SYNTAX, FMP_ERR_IO, FMP_ERR_NOMEM.
 */
int fmpi_content_read(struct fmpi_reader *r, const xmlNode *node);
/** fmpi_content_free() - free a list of contents. */
void fmpi_content_free(struct fmp_policy_content *c);

/**
 * fmpi_xpath_check() - compile an XPath, and check the names in it that libxml2 resolves only at
 * run time
 * @rule: its namespaces
 * @why: what is wrong; at least 200 bytes
 *
 * Return: 0, FMP_ERR_SYNTAX with *why, FMP_ERR_NOMEM.
 */
int fmpi_xpath_check(const char *xpath, const struct fmp_policy_rule *rule, char *why, size_t size);

#endif
