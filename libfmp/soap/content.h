/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The policy's own rules on what a message says: XPath by libxml2, regular expressions by
 * PCRE2. Both are counted: a rule that is slow with what a message brings refuses it.
 */
#ifndef FMPI_SOAP_CONTENT_H
#define FMPI_SOAP_CONTENT_H

#include "xml/document.h"

struct fmpi_content;

/**
 * fmpi_content_new() - compiles them; nothing of rules is kept
 * @limits: of a message; what an XPath may cost goes by its elements
 *
 * Return: 0; FMP_ERR_SYNTAX, FMP_ERR_NOMEM.
 */
int fmpi_content_new(const struct fmp_policy_content *rules, const struct fmp_policy_limits *limits,
		     struct fmpi_content **out, struct fmp_error *err);
void fmpi_content_destroy(struct fmpi_content *c);

/**
 * fmpi_content_check() - one message
 * @top: what is handed on; texts and attributes in it are looked at. An XPath begins at the
 *	 document or, without a slash, at the first of them.
 * @n: from 1
 *
 * The text of an element is what it says itself, comments left out. Return: 0, FMPI_REFUSED,
 * FMP_ERR_NOMEM.
 */
int fmpi_content_check(struct fmpi_content *c, const xmlNode *const *top, unsigned n,
		       struct fmp_inspection *v);

#endif
