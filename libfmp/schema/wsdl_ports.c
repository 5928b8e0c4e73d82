// SPDX-License-Identifier: GPL-2.0
/* Reads the bindings of services and ports. */
#include "wsdl_reader.h"

#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

/* Return: the next port of a service behind n. */
static const xmlNode *next_port(const xmlNode *root, const xmlNode *n)
{
	for (n = fmpi_walk_next(root, n); n; n = fmpi_walk_next(root, n))
		if (fmpi_is(n, NS_WSDL, "port") && fmpi_is(n->parent, NS_WSDL, "service"))
			return n;
	return NULL;
}

static int refuse_port(struct fmpi_wsdl_reader *r, const char *name)
{
	char ports[300] = "";
	size_t len = 0;

	for (unsigned i = 0; i < r->w->n_files; i++) {
		const xmlNode *root = xmlDocGetRootElement(r->w->file[i].doc);

		for (const xmlNode *n = next_port(root, root); n; n = next_port(root, n)) {
			const char *is = fmpi_attribute(n, NULL, "name");

			if (is && len < sizeof(ports))
				len += (size_t)snprintf(ports + len, sizeof(ports) - len, "%s%s",
							len ? ", " : "", is);
		}
	}
	return fmp_error_at(r->err, FMP_ERR_SCHEMA, r->w->file[0].path, 0, 0,
			    "has no port \"%.80s\"; %s%s", name,
			    *ports ? "its ports are " : "it has no ports at all", ports);
}

static int read_port(struct fmpi_wsdl_reader *r, const xmlNode *port)
{
	const char *name = fmpi_attribute(port, NULL, "name");
	const xmlNode *b;
	struct fmpi_wsdl_qname binding;

	b = fmpi_wsdl_qname(port, "binding", &binding) ? fmpi_wsdl_find(r, "binding", &binding)
						       : NULL;
	if (!b)
		return fmpi_wsdl_fail(
			r, port, "no binding of that name:", fmpi_attribute(port, NULL, "binding"));
	if (!fmpi_wsdl_soap(b, "binding"))
		return fmpi_wsdl_fail(r, port, "the binding is not one of SOAP: port", name);
	r->file = fmpi_wsdl_file_of(r, b);
	return fmpi_wsdl_read_binding(r, b);
}

/* Several services may have a port of that name. */
static int read_ports(struct fmpi_wsdl_reader *r, const char *name)
{
	bool is_there = false;
	int ret = 0;

	for (unsigned i = 0; i < r->w->n_files && !ret; i++) {
		const xmlNode *root = xmlDocGetRootElement(r->w->file[i].doc);

		for (const xmlNode *n = next_port(root, root); n && !ret; n = next_port(root, n)) {
			const char *is = fmpi_attribute(n, NULL, "name");

			if (!is || strcmp(is, name) != 0)
				continue;
			is_there = true;
			r->file = r->w->file[i].path;
			ret = read_port(r, n);
		}
	}
	return ret || is_there ? ret : refuse_port(r, name);
}

/* ---- all bindings ---- */

static int read_all_bindings(struct fmpi_wsdl_reader *r)
{
	int ret = 0;

	for (unsigned i = 0; i < r->w->n_files && !ret; i++) {
		const xmlNode *b = fmpi_first(xmlDocGetRootElement(r->w->file[i].doc));

		r->file = r->w->file[i].path;
		/* Bindings of HTTP and others are skipped. */
		for (; b && !ret; b = fmpi_next(b))
			if (fmpi_is(b, NS_WSDL, "binding") && fmpi_wsdl_soap(b, "binding"))
				ret = fmpi_wsdl_read_binding(r, b);
	}
	return ret;
}

int fmpi_wsdl_read_bindings(struct fmpi_wsdl *w, const char *port, struct fmp_error *err)
{
	struct fmpi_wsdl_reader r = { .w = w,
				      .err = err,
				      .components = xmlHashCreate(64),
				      .operations = xmlHashCreate(64),
				      .wrappers = xmlHashCreate(64) };
	int ret = r.components && r.operations && r.wrappers ? 0 : fmpi_wsdl_no_memory(&r);

	for (unsigned i = 0; i < w->n_files && !ret; i++)
		fmpi_wsdl_add_components(&r, xmlDocGetRootElement(w->file[i].doc));
	if (!ret)
		ret = port ? read_ports(&r, port) : read_all_bindings(&r);
	xmlHashFree(r.components, NULL);
	xmlHashFree(r.operations, NULL);
	xmlHashFree(r.wrappers, NULL);
	return ret;
}
