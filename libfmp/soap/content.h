/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Content rules of the policy: XPath (libxml2) and regular expressions (PCRE2). The cost of both is
 * limited: a message on which a rule takes too long is refused.
 */
#ifndef FMPI_SOAP_CONTENT_H
#define FMPI_SOAP_CONTENT_H

#include "xml/document.h"

struct fmpi_content;

/**
 * fmpi_content_new() - compile the rules; keeps no pointer to them
 * @limits: of a message; the number of elements determines what an XPath may cost
 *
 * Return: 0; FMP_ERR_SYNTAX, FMP_ERR_NOMEM.
 */
int fmpi_content_new(const struct fmp_policy_content *rules, const struct fmp_policy_limits *limits,
		     struct fmpi_content **out, struct fmp_error *err);
void fmpi_content_destroy(struct fmpi_content *c);

/**
 * fmpi_content_check() - check one message
 * @top: the elements to be forwarded; texts and attributes below them are checked. An XPath starts
 * at the document or, without a slash, at the first of them.
 * @n: at least 1
 *
 * The text of an element excludes that of its child elements and comments. Return: 0, FMPI_REFUSED,
 * FMP_ERR_NOMEM.
 */
int fmpi_content_check(struct fmpi_content *c, const xmlNode *const *top, unsigned n,
		       struct fmp_inspection *v);

#endif
