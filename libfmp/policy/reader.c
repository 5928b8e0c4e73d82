// SPDX-License-Identifier: GPL-2.0
/* What the readers of all elements share: errors and warnings with a place, attributes into fields, suggestions. */
#include <fmp/internal/policy_xml.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <policy/emit.h>
#include <policy/locate.h>

#define WARNINGS_MAX 64

/* Write the path of a node to buf: "/policy/suspicion/event[3]". */
static void format_path(const xmlNode *node, char *buf, size_t size)
{
	unsigned index = 1, twins = 0;
	size_t len;

	if (!node || node->type != XML_ELEMENT_NODE) {
		buf[0] = '\0';
		return;
	}
	format_path(node->parent, buf, size);
	for (const xmlNode *n = node->prev; n; n = n->prev)
		index += n->type == XML_ELEMENT_NODE && xmlStrEqual(n->name, node->name);
	for (const xmlNode *n = node->next; n; n = n->next)
		twins += n->type == XML_ELEMENT_NODE && xmlStrEqual(n->name, node->name);
	len = strlen(buf);
	if (index > 1 || twins)
		snprintf(buf + len, size - len, "/%s[%u]", node->name, index);
	else
		snprintf(buf + len, size - len, "/%s", node->name);
}

struct fmp_position fmpi_reader_locate(const struct fmpi_reader *r, const xmlNode *node,
				       const char *attribute)
{
	struct fmp_position at = fmpi_locate(r->text, r->len, node, attribute);

	if (r->kind != FMPI_INCLUDE_MAIN)
		at.file = r->name;
	return at;
}

int fmpi_reader_fail(struct fmpi_reader *r, enum fmp_code code, const xmlNode *node,
		     const char *attribute, const char *fmt, ...)
{
	struct fmp_position at = fmpi_locate(r->text, r->len, node, attribute);
	char text[sizeof(r->err->message)];
	size_t len;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	(void)fmp_error_at(r->err, code, r->name, at.line, at.column, "%s", text);
	if (r->err) {
		format_path(node, r->err->path, sizeof(r->err->path));
		len = strlen(r->err->path);
		if (attribute)
			snprintf(r->err->path + len, sizeof(r->err->path) - len, "/@%s", attribute);
	}
	return code;
}

int fmp_policy_warn(struct fmp_policy *p, const struct fmp_position *at, const char *fmt, ...)
{
	struct fmp_error *more;
	char text[sizeof(more->message)];
	va_list ap;

	if (p->n_warnings == WARNINGS_MAX)
		return 0;
	more = realloc(p->warnings, (p->n_warnings + 1) * sizeof(*more));
	if (!more)
		return FMP_ERR_NOMEM;
	p->warnings = more;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	memset(&more[p->n_warnings], 0, sizeof(*more));
	(void)fmp_error_at(&more[p->n_warnings], FMP_ERR_CONFLICT, at->file ? at->file : p->file,
			   at->line, at->column, "%s", text);
	p->n_warnings++;
	return 0;
}

const xmlNode *fmpi_child(const xmlNode *node, const char *name)
{
	for (const xmlNode *n = node ? node->children : NULL; n; n = n->next)
		if (n->type == XML_ELEMENT_NODE && xmlStrEqual(n->name, BAD_CAST name))
			return n;
	return NULL;
}

/* ---- candidates for suggestions ---- */

static const char *next_attribute(size_t i, const void *element)
{
	static const char *const event_attributes[] = { "kind", "rank", "count", "within" };
	static const char *const proxy_attributes[] = { "address", "tells" };
	static const char *const issuer_attributes[] = { "name", "trust" };
	static const char *const header_attributes[] = { "name", "understood", "required", "signed",
							 "handed-on" };
	static const char *const field_attributes[] = { "name", "in", "value" };

	if (!strcmp(element, "event"))
		return i < 4 ? event_attributes[i] : NULL;
	if (!strcmp(element, "proxy"))
		return i < 2 ? proxy_attributes[i] : NULL;
	if (!strcmp(element, "issuer"))
		return i < 2 ? issuer_attributes[i] : NULL;
	if (!strcmp(element, "header"))
		return i < 5 ? header_attributes[i] : NULL;
	if (!strcmp(element, "remove"))
		return i < 2 ? field_attributes[i] : NULL;
	if (!strcmp(element, "keep"))
		return i < 1 ? field_attributes[i] : NULL;
	if (!strcmp(element, "set"))
		return i < 3 ? field_attributes[i] : NULL;
	if (!strcmp(element, "device"))
		return i < 1 ? "layers" : NULL;
	if (fmpi_is_service(element))
		return fmpi_service_attribute(i);
	if (!strcmp(element, "override"))
		return fmpi_override_attribute(i);
	if (!strcmp(element, "blocklist"))
		return fmpi_blocklist_setting(i) ? fmpi_blocklist_setting(i)->attribute : NULL;
	if (!strcmp(element, "group"))
		return fmpi_group_attribute(i);
	if (!strcmp(element, "policy") && !i--)
		return "base";
	for (size_t s = 0; s < fmpi_n_settings; s++)
		if (!strcmp(fmpi_settings[s].element, element) && !i--)
			return fmpi_settings[s].attribute;
	return NULL;
}

/* ---- attributes ---- */

const char *fmpi_policy_reader_value(struct fmpi_reader *r, const xmlNode *node,
				     const xmlAttr *attr, char buf[FMPI_VALUE_MAX])
{
	xmlChar *v = xmlNodeListGetString(node->doc, attr->children, 1);

	buf[0] = '\0';
	if (v && (size_t)xmlStrlen(v) >= FMPI_VALUE_MAX)
		r->failed = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, (const char *)attr->name,
					     "longer than any value can be");
	else if (v)
		snprintf(buf, FMPI_VALUE_MAX, "%s", v);
	xmlFree(v);
	return buf;
}

static int refuse_unknown_attribute(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr)
{
	const char *name = (const char *)attr->name;
	char hint[64];

	fmp_suggestion(fmp_suggest(name, next_attribute, node->name), hint, sizeof(hint));
	return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, name, "<%s> has no attribute '%.64s'%s",
				node->name, name, hint);
}

/* A policy may have no foreign attributes: libxml2 would open what xsi:schemaLocation names. */
static int refuse_foreign_attribute(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr)
{
	return fmpi_reader_fail(
		r, FMP_ERR_SCHEMA, node, NULL,
		"attribute '%.64s' of the namespace %.64s: a policy has none of others", attr->name,
		attr->ns->href);
}

int fmpi_policy_reader_unknown(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr)
{
	return attr->ns ? refuse_foreign_attribute(r, node, attr)
			: refuse_unknown_attribute(r, node, attr);
}

int fmpi_policy_reader_set(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr,
			   void *base, const struct fmpi_setting *s)
{
	const char *name = (const char *)attr->name;
	char value[FMPI_VALUE_MAX], why[256];

	fmpi_policy_reader_value(r, node, attr, value);
	if (r->failed)
		return r->failed;
	if (fmpi_setting_set(base, s, value, r->dir, why, sizeof(why)))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, name, "%s=\"%.64s\" %s", name,
					value, why);
	if (base == r->policy)
		r->where.at[s - fmpi_settings] = fmpi_reader_locate(r, node, name);
	return 0;
}

int fmpi_policy_reader_settings(struct fmpi_reader *r, const xmlNode *node)
{
	for (const xmlAttr *a = node->properties; a; a = a->next) {
		const char *name = (const char *)a->name;
		const struct fmpi_setting *s = fmpi_setting_find((const char *)node->name, name);

		if (!a->ns && !node->parent->parent && !strcmp(name, "base"))
			continue; /* read by includes.c */
		int rc = a->ns || !s ? fmpi_policy_reader_unknown(r, node, a)
				     : fmpi_policy_reader_set(r, node, a, r->policy, s);

		if (rc)
			return rc;
	}
	return 0;
}
