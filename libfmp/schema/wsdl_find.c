// SPDX-License-Identifier: GPL-2.0
/* WSDL components by name, and errors at their place: what the other files of the reader share. */
#include "wsdl_reader.h"

#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

int fmpi_wsdl_fail(const struct fmpi_wsdl_reader *r, const xmlNode *at, const char *what,
		   const char *name)
{
	return fmp_error_at(r->err, FMP_ERR_SCHEMA, r->file, fmpi_line(at), 0, "%s \"%.100s\"",
			    what, name ? name : "");
}

const char *fmpi_wsdl_file_of(const struct fmpi_wsdl_reader *r, const xmlNode *n)
{
	for (unsigned i = 0; i < r->w->n_files; i++)
		if (r->w->file[i].doc == n->doc)
			return r->w->file[i].path;
	return r->file;
}

int fmpi_wsdl_no_memory(const struct fmpi_wsdl_reader *r)
{
	return fmp_error_set(r->err, FMP_ERR_NOMEM, "no memory");
}

bool fmpi_wsdl_qname(const xmlNode *n, const char *attribute, struct fmpi_wsdl_qname *out)
{
	const char *text = fmpi_attribute(n, NULL, attribute), *colon;
	xmlChar *prefix;
	const xmlNs *ns;

	if (!text || !*text)
		return false;
	colon = strchr(text, ':');
	prefix = colon ? xmlStrndup((const xmlChar *)text, (int)(colon - text)) : NULL;
	ns = xmlSearchNs(n->doc, (xmlNode *)n, prefix);
	xmlFree(prefix);
	*out = (struct fmpi_wsdl_qname){ ns ? (const char *)ns->href : "",
					 colon ? colon + 1 : text };
	return ns || !colon;
}

static const xmlChar *target_namespace(const xmlNode *n)
{
	const char *ns = fmpi_attribute(xmlDocGetRootElement(n->doc), NULL, "targetNamespace");

	return (const xmlChar *)(ns ? ns : "");
}

const xmlNode *fmpi_wsdl_find(const struct fmpi_wsdl_reader *r, const char *kind,
			      const struct fmpi_wsdl_qname *name)
{
	return xmlHashLookup3(r->components, (const xmlChar *)kind, (const xmlChar *)name->ns,
			      (const xmlChar *)name->local);
}

const xmlNode *fmpi_wsdl_find_operation(const struct fmpi_wsdl_reader *r, const xmlNode *port,
					const char *name)
{
	return xmlHashLookup3(r->operations, target_namespace(port),
			      (const xmlChar *)fmpi_attribute(port, NULL, "name"),
			      (const xmlChar *)name);
}

const xmlNode *fmpi_wsdl_child(const xmlNode *parent, const char *ns, const char *local)
{
	for (const xmlNode *n = parent ? fmpi_first(parent) : NULL; n; n = fmpi_next(n))
		if (fmpi_is(n, ns, local))
			return n;
	return NULL;
}

const xmlNode *fmpi_wsdl_soap(const xmlNode *parent, const char *local)
{
	const xmlNode *n = fmpi_wsdl_child(parent, NS_WSDL_SOAP, local);

	return n ? n : fmpi_wsdl_child(parent, NS_WSDL_SOAP12, local);
}

/* The first component of a name counts; where a duplicate matters, it is an error elsewhere. */
void fmpi_wsdl_add_components(struct fmpi_wsdl_reader *r, const xmlNode *root)
{
	for (xmlNode *n = fmpi_first(root); n; n = fmpi_next(n)) {
		const xmlChar *name = (const xmlChar *)fmpi_attribute(n, NULL, "name");

		if (!name || !fmpi_is(n, NS_WSDL, (const char *)n->name))
			continue;
		(void)xmlHashAddEntry3(r->components, n->name, target_namespace(n), name, n);
		for (xmlNode *op = fmpi_is(n, NS_WSDL, "portType") ? fmpi_first(n) : NULL; op;
		     op = fmpi_next(op)) {
			const char *is = fmpi_attribute(op, NULL, "name");

			if (is && fmpi_is(op, NS_WSDL, "operation"))
				(void)xmlHashAddEntry3(r->operations, target_namespace(n), name,
						       (const xmlChar *)is, op);
		}
	}
}
