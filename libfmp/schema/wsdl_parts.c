// SPDX-License-Identifier: GPL-2.0
/*
 * Reads which parts of a message are in the Body: an element of the types, or an rpc wrapper that
 * is added to them.
 */
#include "wsdl_reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

/* libxml2's trees have lines, but no columns. */
static int refuse_second(const struct fmpi_wsdl_reader *r, const xmlNode *at, const char *what,
			 const char *name, const xmlNode *first)
{
	return fmp_error_at(r->err, FMP_ERR_SCHEMA, fmpi_wsdl_file_of(r, at), fmpi_line(at), 0,
			    "%s \"%.100s\": the first is at %s:%u", what, name,
			    fmpi_wsdl_file_of(r, first), fmpi_line(first));
}

static int copy_name(const struct fmpi_wsdl_reader *r, struct fmpi_wsdl_name *out, const char *ns,
		     const char *local)
{
	out->ns = strdup(ns);
	out->local = strdup(local);
	return out->ns && out->local ? 0 : fmpi_wsdl_no_memory(r);
}

/* Does the list name the part? */
static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += n)
		if ((at == list || strchr(" \t\r\n", at[-1])) &&
		    (!at[n] || strchr(" \t\r\n", at[n])))
			return true;
	return false;
}

const xmlNode *fmpi_wsdl_soap_body(const xmlNode *bound)
{
	const xmlNode *body = fmpi_wsdl_soap(bound, "body");
	const xmlNode *related = fmpi_wsdl_child(bound, NS_WSDL_MIME, "multipartRelated");

	for (const xmlNode *n = related && !body ? fmpi_first(related) : NULL; n && !body;
	     n = fmpi_next(n))
		if (fmpi_is(n, NS_WSDL_MIME, "part"))
			body = fmpi_wsdl_soap(n, "body");
	return body;
}

/* Does the binding put the part elsewhere: into a header or an attachment? */
static bool is_elsewhere(const struct fmpi_wsdl_reader *r, const xmlNode *body,
			 const xmlNode *message, const char *part)
{
	const xmlNode *top = body->parent;

	while (!fmpi_is(top, NS_WSDL, "input") && !fmpi_is(top, NS_WSDL, "output"))
		top = top->parent;
	for (const xmlNode *n = top; n; n = fmpi_walk_next(top, n)) {
		const char *is = fmpi_attribute(n, NULL, "part");
		struct fmpi_wsdl_qname of;

		if (!is || strcmp(is, part) != 0)
			continue;
		if (fmpi_is(n, NS_WSDL_MIME, "content"))
			return true;
		if ((fmpi_is(n, NS_WSDL_SOAP, "header") || fmpi_is(n, NS_WSDL_SOAP12, "header")) &&
		    fmpi_wsdl_qname(n, "message", &of) &&
		    fmpi_wsdl_find(r, "message", &of) == message)
			return true;
	}
	return false;
}

/* WSDL 1.1 3.5: without a list all parts are in the Body, except those put elsewhere. */
static bool is_in_body(const struct fmpi_wsdl_reader *r, const xmlNode *body, const xmlNode *part)
{
	const char *list = fmpi_attribute(body, NULL, "parts");
	const char *name = fmpi_attribute(part, NULL, "name");

	return list ? is_listed(list, name) : !is_elsewhere(r, body, part->parent, name);
}

const xmlNode *fmpi_wsdl_part_from(const struct fmpi_wsdl_reader *r, const xmlNode *n,
				   const xmlNode *body)
{
	for (; n; n = fmpi_next(n)) {
		const char *name = fmpi_attribute(n, NULL, "name");

		if (fmpi_is(n, NS_WSDL, "part") && name && *name && is_in_body(r, body, n))
			return n;
	}
	return NULL;
}

bool fmpi_wsdl_is_empty(const struct fmpi_wsdl_reader *r, const xmlNode *message,
			const xmlNode *body)
{
	const char *list = fmpi_attribute(body, NULL, "parts");

	if (list)
		return !list[strspn(list, " \t\r\n")];
	for (const xmlNode *n = fmpi_first(message); n; n = fmpi_next(n)) {
		const char *name = fmpi_attribute(n, NULL, "name");

		if (fmpi_is(n, NS_WSDL, "part") &&
		    (!name || !*name || !is_elsewhere(r, body, message, name)))
			return false;
	}
	return true;
}

/* document/literal: the one part in the Body is an element of the types. */
static int read_document_part(const struct fmpi_wsdl_reader *r, const xmlNode *body,
			      const xmlNode *message, struct fmpi_wsdl_name *out)
{
	const xmlNode *found = fmpi_wsdl_part_from(r, fmpi_first(message), body);
	struct fmpi_wsdl_qname element;

	out->empty = !found && fmpi_wsdl_is_empty(r, message, body);
	if (out->empty)
		return 0;
	if (!found)
		return fmpi_wsdl_fail(r, body, "no part in the Body: message",
				      fmpi_attribute(message, NULL, "name"));
	if (!fmpi_wsdl_qname(found, "element", &element))
		return fmpi_wsdl_fail(r, found, "no prefix of that name: element",
				      fmpi_attribute(found, NULL, "element"));
	return copy_name(r, out, element.ns, element.local);
}

/* ---- header bindings (WSDL 1.1 3.7) ---- */

static bool has_header(const struct fmpi_wsdl *w, const struct fmpi_wsdl_qname *name)
{
	for (unsigned i = 0; i < w->n_headers; i++)
		if (strcmp(w->header[i].local, name->local) == 0 &&
		    strcmp(w->header[i].ns, name->ns) == 0)
			return true;
	return false;
}

/* The element of the part that the binding puts into the Header. Return: false: none is named. */
static bool find_header_element(const struct fmpi_wsdl_reader *r, const xmlNode *header,
				struct fmpi_wsdl_qname *out)
{
	const char *part = fmpi_attribute(header, NULL, "part");
	const char *use = fmpi_attribute(header, NULL, "use");
	struct fmpi_wsdl_qname of;
	const xmlNode *message = part && fmpi_wsdl_qname(header, "message", &of)
					 ? fmpi_wsdl_find(r, "message", &of)
					 : NULL;

	if (!message || (use && strcmp(use, "literal") != 0))
		return false;
	for (const xmlNode *n = fmpi_first(message); n; n = fmpi_next(n)) {
		const char *name = fmpi_attribute(n, NULL, "name");

		if (fmpi_is(n, NS_WSDL, "part") && name && strcmp(name, part) == 0)
			return fmpi_wsdl_qname(n, "element", out);
	}
	return false;
}

int fmpi_wsdl_read_headers(const struct fmpi_wsdl_reader *r, const xmlNode *bound)
{
	struct fmpi_wsdl *w = r->w;
	int ret = 0;

	for (const xmlNode *n = bound; n && !ret; n = fmpi_walk_next(bound, n)) {
		struct fmpi_wsdl_qname name;

		if ((!fmpi_is(n, NS_WSDL_SOAP, "header") &&
		     !fmpi_is(n, NS_WSDL_SOAP12, "header")) ||
		    !find_header_element(r, n, &name) || has_header(w, &name) ||
		    w->n_headers == FMPI_WSDL_HEADERS)
			continue;
		/* Counted first: fmpi_wsdl_free() frees what a failure leaves. */
		ret = copy_name(r, &w->header[w->n_headers++], name.ns, name.local);
	}
	return ret;
}

/* A schema may only refer to namespaces that it imports. */
static bool add_import(xmlNode *schema, const char *ns)
{
	const char *own = fmpi_attribute(schema, NULL, "targetNamespace");
	xmlNode *n;

	if (strcmp(ns, NS_XSD) == 0 || (own && strcmp(own, ns) == 0))
		return true;
	for (n = fmpi_first(schema); n; n = fmpi_next(n)) {
		const char *is = fmpi_attribute(n, NULL, "namespace");

		if (fmpi_is(n, NS_XSD, "import") && is && strcmp(is, ns) == 0)
			return true;
	}
	n = xmlNewDocNode(schema->doc, schema->ns, (const xmlChar *)"import", NULL);
	if (!n || !xmlNewProp(n, (const xmlChar *)"namespace", (const xmlChar *)ns)) {
		xmlFreeNode(n);
		return false;
	}
	if (schema->children)
		return xmlAddPrevSibling(schema->children, n);
	return xmlAddChild(schema, n);
}

static xmlNode *new_schema(const struct fmpi_wsdl_reader *r, const char *ns, int *ret)
{
	xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
	xmlNode *root = doc ? xmlNewDocNode(doc, NULL, (const xmlChar *)"schema", NULL) : NULL;

	*ret = fmpi_wsdl_no_memory(r);
	if (!root) {
		xmlFreeDoc(doc);
		return NULL;
	}
	xmlDocSetRootElement(doc, root);
	xmlSetNs(root, xmlNewNs(root, (const xmlChar *)NS_XSD, (const xmlChar *)"xs"));
	if (!root->ns ||
	    (*ns && !xmlNewProp(root, (const xmlChar *)"targetNamespace", (const xmlChar *)ns))) {
		xmlFreeDoc(doc);
		return NULL;
	}
	*ret = fmpi_schema_set_add(&r->w->types, doc, r->file, r->err);
	return *ret ? NULL : root;
}

/*
 * The schema of that namespace in the current file, so that errors name the file; a namespace may
 * have several.
 */
static xmlNode *find_schema(const struct fmpi_wsdl_reader *r, const char *ns)
{
	for (unsigned i = 0; i < r->w->types.n; i++)
		if (strcmp(r->w->types.docs[i].ns, ns) == 0 &&
		    strcmp(r->w->types.docs[i].file, r->file) == 0)
			return xmlDocGetRootElement(r->w->types.docs[i].doc);
	return NULL;
}

static xmlNode *add_child(xmlNode *parent, const char *name)
{
	return parent ? xmlNewChild(parent, xmlDocGetRootElement(parent->doc)->ns,
				    (const xmlChar *)name, NULL)
		      : NULL;
}

static bool set_attribute(xmlNode *n, const char *name, const char *value)
{
	return n && xmlNewProp(n, (const xmlChar *)name, (const xmlChar *)value);
}

static int add_part(const struct fmpi_wsdl_reader *r, xmlNode *sequence, const xmlNode *part)
{
	const char *name = fmpi_attribute(part, NULL, "name");
	xmlNode *element;
	struct fmpi_wsdl_qname type;
	char *text;
	bool ok;

	if (!name || !fmpi_wsdl_qname(part, "type", &type))
		return fmpi_wsdl_fail(r, part, "a part of rpc style that names no type:", name);
	if (asprintf(&text, "t:%s", type.local) < 0)
		return fmpi_wsdl_no_memory(r);
	element = add_child(sequence, "element");
	ok = set_attribute(element, "name", name) &&
	     set_attribute(element, "form", "unqualified") &&
	     set_attribute(element, "type", *type.ns ? text : type.local) &&
	     (!*type.ns || xmlNewNs(element, (const xmlChar *)type.ns, (const xmlChar *)"t")) &&
	     (!*type.ns || add_import(xmlDocGetRootElement(sequence->doc), type.ns));
	free(text);
	return ok ? 0 : fmpi_wsdl_no_memory(r);
}

/* Do both wrappers have the same parts? */
static bool have_same_parts(const struct fmpi_wsdl_reader *r, const struct fmpi_wsdl_name *x,
			    const struct fmpi_wsdl_name *y)
{
	const xmlNode *a = fmpi_wsdl_part_from(r, fmpi_first(x->message), x->body);
	const xmlNode *b = fmpi_wsdl_part_from(r, fmpi_first(y->message), y->body);

	while (a && b) {
		struct fmpi_wsdl_qname of_a, of_b;

		if (strcmp(fmpi_attribute(a, NULL, "name"), fmpi_attribute(b, NULL, "name")) != 0 ||
		    !fmpi_wsdl_qname(a, "type", &of_a) || !fmpi_wsdl_qname(b, "type", &of_b) ||
		    strcmp(of_a.ns, of_b.ns) != 0 || strcmp(of_a.local, of_b.local) != 0)
			return false;
		a = fmpi_wsdl_part_from(r, fmpi_next(a), x->body);
		b = fmpi_wsdl_part_from(r, fmpi_next(b), y->body);
	}
	return !a && !b;
}

/* The wrapper of that name from another binding, for example of the other SOAP version. */
static const struct fmpi_wsdl_name *find_wrapper(const struct fmpi_wsdl_reader *r,
						 const struct fmpi_wsdl_name *as)
{
	uintptr_t at = (uintptr_t)xmlHashLookup2(r->wrappers, (const xmlChar *)as->ns,
						 (const xmlChar *)as->local);
	const struct fmpi_wsdl_operation *o = at ? &r->w->operation[(at - 1) / 2] : NULL;

	return !o ? NULL : at % 2 ? &o->in : &o->out;
}

/* The wrapper belongs to the operation added last. */
static bool add_wrapper(const struct fmpi_wsdl_reader *r, const struct fmpi_wsdl_name *n)
{
	uintptr_t last = r->w->n_operations - 1;
	uintptr_t at = 2 * last + (n == &r->w->operation[last].in ? 1 : 2);

	return xmlHashAddEntry2(r->wrappers, (const xmlChar *)n->ns, (const xmlChar *)n->local,
				(void *)at) == 0;
}

/*
 * rpc/literal: an element with the operation's name around the parts. No schema declares it, so it
 * is added.
 */
static int read_rpc_wrapper(const struct fmpi_wsdl_reader *r, const xmlNode *body,
			    const xmlNode *message, const char *name, struct fmpi_wsdl_name *out)
{
	const char *ns = fmpi_attribute(body, NULL, "namespace");
	xmlNode *root, *element, *sequence;
	const struct fmpi_wsdl_name *other;
	int ret = copy_name(r, out, ns ? ns : "", name);

	if (ret)
		return ret;
	out->message = message;
	out->body = body;
	other = find_wrapper(r, out);
	if (other && !have_same_parts(r, other, out))
		return refuse_second(r, body, "other parts under the name", name, other->body);
	if (other)
		return 0;
	if (!add_wrapper(r, out))
		return fmpi_wsdl_no_memory(r);
	root = find_schema(r, out->ns);
	if (!root)
		root = new_schema(r, out->ns, &ret);
	if (!root)
		return ret;
	element = add_child(root, "element");
	sequence = set_attribute(element, "name", name)
			   ? add_child(add_child(element, "complexType"), "sequence")
			   : NULL;
	if (!sequence)
		return fmpi_wsdl_no_memory(r);
	element->line = fmpi_line(body) < UINT16_MAX ? (unsigned short)fmpi_line(body) : UINT16_MAX;
	for (const xmlNode *n = fmpi_wsdl_part_from(r, fmpi_first(message), body); n && !ret;
	     n = fmpi_wsdl_part_from(r, fmpi_next(n), body))
		ret = add_part(r, sequence, n);
	return ret;
}

int fmpi_wsdl_read_direction(const struct fmpi_wsdl_reader *r, const xmlNode *bound,
			     const xmlNode *abstract, const char *rpc_name,
			     struct fmpi_wsdl_name *out)
{
	const xmlNode *body = fmpi_wsdl_soap_body(bound), *message;
	struct fmpi_wsdl_qname name;

	if (!abstract || !fmpi_wsdl_qname(abstract, "message", &name) ||
	    !(message = fmpi_wsdl_find(r, "message", &name)))
		return fmpi_wsdl_fail(r, bound, "no message of the port type for",
				      (const char *)bound->name);
	return rpc_name ? read_rpc_wrapper(r, body, message, rpc_name, out)
			: read_document_part(r, body, message, out);
}
