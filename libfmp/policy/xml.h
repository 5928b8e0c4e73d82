/* SPDX-License-Identifier: GPL-2.0 */
/* Reading one policy file: what the steps share. */
#ifndef FMPI_POLICY_XML_H
#define FMPI_POLICY_XML_H

#include <libxml/tree.h>
#include <limits.h>

#include <policy/settings.h>

struct fmpi_reader {
	const char *text; /* the file, not terminated */
	size_t len;
	const char *name; /* of the file, for errors */
	char dir[PATH_MAX]; /* that relative paths are relative to */
	xmlDoc *doc;
	struct fmp_policy *policy; /* being filled */
	size_t protect_cap;
	struct fmpi_positions where;
	struct fmp_error *err;
	int failed; /* code of the first error of a callback */
};

/** fmpi_reader_fail() - an error at a node, or at an attribute of it (NULL: none). Return: code. */
int fmpi_reader_fail(struct fmpi_reader *r, enum fmp_code code, const xmlNode *node,
		     const char *attribute, const char *fmt, ...) FMP_PRINTF(5, 6);

/** fmpi_policy_walk() - the document into the policy. Return: 0, FMP_ERR_SCHEMA, FMP_ERR_NOMEM. */
int fmpi_policy_walk(struct fmpi_reader *r);

/* walk.c, for readers of elements of their own; each: 0 or a code */
int fmpi_walk_settings(struct fmpi_reader *r, const xmlNode *node);
int fmpi_walk_set(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr, void *base,
		  const struct fmpi_setting *s);
int fmpi_walk_unknown(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr);

/** fmpi_services_read() - when the rest of <gateway> is read: they inherit it. */
int fmpi_services_read(struct fmpi_reader *r, const xmlNode *gateway);
bool fmpi_is_service(const char *element);
/** fmpi_service_attribute() - the i-th that <service> may have; NULL behind the last. */
const char *fmpi_service_attribute(size_t i);

/** fmpi_policy_validate() - against fmp-policy.xsd. Return: 0, FMP_ERR_SCHEMA, FMP_ERR_IO. */
int fmpi_policy_validate(struct fmpi_reader *r, const char *xsd);

#endif
