// SPDX-License-Identifier: GPL-2.0
#include "envelope_rebuild.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "xml/names.h"

/* The prefix of fmpi_output_wrap(). */
#define PREFIX	 "env"
#define SECURITY PREFIX "-s:Security"

static bool add_text(struct fmpi_buffer *o, const char *text)
{
	return fmpi_buffer_add(o, text, strlen(text));
}

static bool add_namespace(struct fmpi_buffer *o, const xmlNs *ns)
{
	return add_text(o, ns->prefix ? " xmlns:" : " xmlns") &&
	       (!ns->prefix || add_text(o, (const char *)ns->prefix)) && add_text(o, "=\"") &&
	       add_text(o, (const char *)ns->href) && add_text(o, "\"");
}

/* Skip our own prefixes, and URIs that would need escaping: no required element has such a one. */
static bool is_usable(const xmlNs *ns)
{
	return !xmlStrEqual(ns->prefix, BAD_CAST PREFIX) &&
	       !xmlStrEqual(ns->prefix, BAD_CAST PREFIX "-s") && ns->href &&
	       !strpbrk((const char *)ns->href, "&<\"\t\r\n");
}

static bool declares_prefix(const xmlNode *element, const xmlChar *prefix)
{
	for (const xmlNs *ns = element->nsDef; ns; ns = ns->next)
		if (xmlStrEqual(ns->prefix, prefix))
			return true;
	return false;
}

/* Add the declarations of @element, except those that @inside overrides. @inside may be NULL. */
static bool add_namespaces(struct fmpi_buffer *o, const xmlNode *element, const xmlNode *inside)
{
	for (const xmlNs *ns = element->nsDef; ns; ns = ns->next)
		if (is_usable(ns) && !(inside && declares_prefix(inside, ns->prefix)) &&
		    !add_namespace(o, ns))
			return false;
	return true;
}

/* Leave a place for each datum of the header, in document order. */
static bool add_header(const struct fmpi_soap *soap, const xmlNode *security,
		       const struct fmpi_encrypted *e, struct fmpi_envelope *out)
{
	struct fmpi_buffer *o = &out->text;
	bool good = add_text(o, "<" PREFIX ":Header") &&
		    add_namespaces(o, soap->header->parent, soap->header) &&
		    add_namespaces(o, soap->header, NULL) && add_text(o, ">");

	for (unsigned k = 0; good && k + 1 < e->n; k++) {
		bool inside = e->datum[k].place->parent == security;

		good = !inside ||
		       (add_text(o, "<" SECURITY " xmlns:" PREFIX "-s=\"" NS_WSSE "\"") &&
			add_namespaces(o, security, NULL) && add_text(o, ">"));
		out->at[k] = (struct fmpi_text_span){ o->len, o->len };
		good = good && (!inside || add_text(o, "</" SECURITY ">"));
	}
	return good && add_text(o, "</" PREFIX ":Header>");
}

int fmpi_envelope_rebuild(const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
			  const struct fmpi_encrypted *e, const struct fmpi_buffer *body,
			  struct fmpi_envelope *out)
{
	struct fmpi_buffer wrapped, *o = &out->text;
	size_t tag;
	bool good;
	int ret = fmpi_output_wrap(soap->ns, NULL, body, &wrapped);

	if (ret || e->n == 1) {
		*o = wrapped;
		return ret;
	}
	tag = (size_t)((const char *)memchr(wrapped.p, '>', wrapped.len) + 1 - wrapped.p);
	out->header = tag;
	good = fmpi_buffer_add(o, wrapped.p, tag) && add_header(soap, sec->security, e, out);
	out->body = o->len;
	good = good && fmpi_buffer_add(o, wrapped.p + tag, wrapped.len - tag);
	free(wrapped.p);
	return good ? 0 : FMP_ERR_NOMEM;
}

void fmpi_envelope_remove_header(const struct fmpi_envelope *in, const struct fmpi_text_span *now,
				 unsigned n, struct fmpi_buffer *text)
{
	size_t body = in->body;

	for (unsigned k = 0; k < n; k++)
		body += now[k].end - now[k].start;
	memmove(text->p + in->header, text->p + body, text->len - body);
	text->len -= body - in->header;
}
