// SPDX-License-Identifier: GPL-2.0
#include "inspect/wsdl_binding.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/document.h"
#include "inspect/names.h"

/* What an error is told of: a file and a place in it. */
struct reader {
	struct fmpi_wsdl *w;
	const char *file;
	struct fmp_error *err;
};

static int fail(const struct reader *r, const xmlNode *at, const char *what, const char *name)
{
	return fmp_error_at(r->err, FMP_ERR_SCHEMA, r->file, fmpi_line(at), 0, "%s \"%.100s\"",
			    what, name ? name : "");
}

/* What a binding speaks of may stand in another file. */
static const char *file_of(const struct reader *r, const xmlNode *n)
{
	for (unsigned i = 0; i < r->w->n_files; i++)
		if (r->w->file[i].doc == n->doc)
			return r->w->file[i].path;
	return r->file;
}

static int no_memory(const struct reader *r)
{
	return fmp_error_set(r->err, FMP_ERR_NOMEM, "no memory");
}

/** struct qname - a QName in an attribute: points into the tree */
struct qname {
	const char *ns, *local;
};

static bool read_qname(const xmlNode *n, const char *attribute, struct qname *out)
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
	*out = (struct qname){ ns ? (const char *)ns->href : "", colon ? colon + 1 : text };
	return ns || !colon;
}

/* A component of WSDL by its name, in whatever file it stands. */
static const xmlNode *find(const struct reader *r, const char *kind, const struct qname *name)
{
	for (unsigned i = 0; i < r->w->n_files; i++) {
		const xmlNode *root = xmlDocGetRootElement(r->w->file[i].doc);
		const char *ns = fmpi_attribute(root, NULL, "targetNamespace");

		if (strcmp(ns ? ns : "", name->ns) != 0)
			continue;
		for (const xmlNode *n = fmpi_first(root); n; n = fmpi_next(n)) {
			const char *is = fmpi_attribute(n, NULL, "name");

			if (fmpi_is(n, NS_WSDL, kind) && is && strcmp(is, name->local) == 0)
				return n;
		}
	}
	return NULL;
}

static const xmlNode *child(const xmlNode *parent, const char *ns, const char *local)
{
	for (const xmlNode *n = parent ? fmpi_first(parent) : NULL; n; n = fmpi_next(n))
		if (fmpi_is(n, ns, local))
			return n;
	return NULL;
}

/* An extension of SOAP 1.1 or 1.2. */
static const xmlNode *soap(const xmlNode *parent, const char *local)
{
	const xmlNode *n = child(parent, NS_WSDL_SOAP, local);

	return n ? n : child(parent, NS_WSDL_SOAP12, local);
}

static const xmlNode *named(const xmlNode *parent, const char *kind, const char *name)
{
	for (const xmlNode *n = fmpi_first(parent); n; n = fmpi_next(n)) {
		const char *is = fmpi_attribute(n, NULL, "name");

		if (fmpi_is(n, NS_WSDL, kind) && is && strcmp(is, name) == 0)
			return n;
	}
	return NULL;
}

/* libxml2's trees know lines, not columns. */
static int fail_again(const struct reader *r, const xmlNode *at, const char *what, const char *name,
		      const xmlNode *first)
{
	return fmp_error_at(r->err, FMP_ERR_SCHEMA, file_of(r, at), fmpi_line(at), 0,
			    "%s \"%.100s\": the first is at %s:%u", what, name, file_of(r, first),
			    fmpi_line(first));
}

/*
 * Overloaded operations (WS-I Basic Profile R2304 forbids them): a binding says by name alone
 * which one it means.
 */
static int need_own_names(const struct reader *r, const xmlNode *port)
{
	for (const xmlNode *n = fmpi_first(port); n; n = fmpi_next(n)) {
		const char *name = fmpi_attribute(n, NULL, "name");
		const xmlNode *first;

		if (!fmpi_is(n, NS_WSDL, "operation") || !name)
			continue;
		first = named(port, "operation", name);
		if (first != n)
			return fail_again(r, n, "a second operation of one name (WS-I BP R2304)",
					  name, first);
	}
	return 0;
}

static int keep_name(const struct reader *r, struct fmpi_wsdl_name *out, const char *ns,
		     const char *local)
{
	out->ns = strdup(ns);
	out->local = strdup(local);
	return out->ns && out->local ? 0 : no_memory(r);
}

/* Is the part one of those that the list names? NULL: all are. */
static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	if (!list)
		return true;
	for (const char *at = list; (at = strstr(at, name)); at += n)
		if ((at == list || strchr(" \t\r\n", at[-1])) &&
		    (!at[n] || strchr(" \t\r\n", at[n])))
			return true;
	return false;
}

/* From there on, the next that stands in the Body. */
static const xmlNode *part_from(const xmlNode *n, const char *list)
{
	for (; n; n = fmpi_next(n)) {
		const char *name = fmpi_attribute(n, NULL, "name");

		if (fmpi_is(n, NS_WSDL, "part") && name && *name && is_listed(list, name))
			return n;
	}
	return NULL;
}

/* No part is in the Body, and that is meant: none is there, or a list names none. */
static bool is_empty(const xmlNode *message, const char *list)
{
	return list ? !list[strspn(list, " \t\r\n")] : !child(message, NS_WSDL, "part");
}

/* document/literal: the one part in the Body is an element of the types. */
static int take_document(const struct reader *r, const xmlNode *body, const xmlNode *message,
			 struct fmpi_wsdl_name *out)
{
	const char *list = fmpi_attribute(body, NULL, "parts");
	const xmlNode *found = part_from(fmpi_first(message), list);
	const xmlNode *second = found ? part_from(fmpi_next(found), list) : NULL;
	struct qname element;

	if (second)
		return fail(r, second,
			    "a second part in the Body:", fmpi_attribute(second, NULL, "name"));
	out->empty = !found && is_empty(message, list);
	if (out->empty)
		return 0;
	if (!found)
		return fail(r, body, "no part in the Body: message",
			    fmpi_attribute(message, NULL, "name"));
	if (!read_qname(found, "element", &element))
		return fail(r, found, "a part of document style that names no element:",
			    fmpi_attribute(found, NULL, "name"));
	return keep_name(r, out, element.ns, element.local);
}

/* A schema may only speak of namespaces that it imports. */
static bool import(xmlNode *schema, const char *ns)
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

static xmlNode *new_schema(const struct reader *r, const char *ns, const xmlNode *at, int *ret)
{
	xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
	xmlNode *root = doc ? xmlNewDocNode(doc, NULL, (const xmlChar *)"schema", NULL) : NULL;

	*ret = no_memory(r);
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
	*ret = fmpi_wsdl_add_schema(r->w, doc, r->file, at, r->err);
	return *ret ? NULL : root;
}

static xmlNode *grow(xmlNode *parent, const char *name)
{
	return parent ? xmlNewChild(parent, xmlDocGetRootElement(parent->doc)->ns,
				    (const xmlChar *)name, NULL)
		      : NULL;
}

static bool set(xmlNode *n, const char *name, const char *value)
{
	return n && xmlNewProp(n, (const xmlChar *)name, (const xmlChar *)value);
}

static int add_part(const struct reader *r, xmlNode *sequence, const xmlNode *part)
{
	const char *name = fmpi_attribute(part, NULL, "name");
	xmlNode *element;
	struct qname type;
	char *text;
	bool ok;

	if (!name || !read_qname(part, "type", &type))
		return fail(r, part, "a part of rpc style that names no type:", name);
	if (asprintf(&text, "t:%s", type.local) < 0)
		return no_memory(r);
	element = grow(sequence, "element");
	ok = set(element, "name", name) && set(element, "form", "unqualified") &&
	     set(element, "type", *type.ns ? text : type.local) &&
	     (!*type.ns || xmlNewNs(element, (const xmlChar *)type.ns, (const xmlChar *)"t")) &&
	     (!*type.ns || import(xmlDocGetRootElement(sequence->doc), type.ns));
	free(text);
	return ok ? 0 : no_memory(r);
}

/* Do both wrap the same? */
static bool are_alike(const struct fmpi_wsdl_name *x, const struct fmpi_wsdl_name *y)
{
	const char *list_x = fmpi_attribute(x->body, NULL, "parts");
	const char *list_y = fmpi_attribute(y->body, NULL, "parts");
	const xmlNode *a = part_from(fmpi_first(x->message), list_x);
	const xmlNode *b = part_from(fmpi_first(y->message), list_y);

	while (a && b) {
		struct qname of_a, of_b;

		if (strcmp(fmpi_attribute(a, NULL, "name"), fmpi_attribute(b, NULL, "name")) != 0 ||
		    !read_qname(a, "type", &of_a) || !read_qname(b, "type", &of_b) ||
		    strcmp(of_a.ns, of_b.ns) != 0 || strcmp(of_a.local, of_b.local) != 0)
			return false;
		a = part_from(fmpi_next(a), list_x);
		b = part_from(fmpi_next(b), list_y);
	}
	return !a && !b;
}

/* What another binding, for the other version of SOAP perhaps, has made of that name. */
static const struct fmpi_wsdl_name *made(const struct fmpi_wsdl *w, const struct fmpi_wsdl_name *as)
{
	for (unsigned i = 0; i < w->n_operations; i++) {
		const struct fmpi_wsdl_name *const both[] = { &w->operation[i].in,
							      &w->operation[i].out };

		for (unsigned k = 0; k < 2; k++)
			if (both[k] != as && both[k]->message &&
			    strcmp(both[k]->local, as->local) == 0 &&
			    strcmp(both[k]->ns, as->ns) == 0)
				return both[k];
	}
	return NULL;
}

/* rpc/literal: an element of the operation's name around the parts; no schema has it. */
static int take_rpc(const struct reader *r, const xmlNode *body, const xmlNode *message,
		    const char *name, struct fmpi_wsdl_name *out)
{
	const char *ns = fmpi_attribute(body, NULL, "namespace");
	const char *list = fmpi_attribute(body, NULL, "parts");
	struct fmpi_wsdl_schema *s = fmpi_wsdl_schema_of(r->w, ns ? ns : "");
	xmlNode *root, *element, *sequence;
	const struct fmpi_wsdl_name *other;
	int ret = keep_name(r, out, ns ? ns : "", name);

	if (ret)
		return ret;
	out->message = message;
	out->body = body;
	other = made(r->w, out);
	if (other && !are_alike(other, out))
		return fail_again(r, body, "other parts under the name", name, other->body);
	if (other)
		return 0;
	root = s ? xmlDocGetRootElement(s->doc) : new_schema(r, ns ? ns : "", body, &ret);
	if (!root)
		return ret;
	element = grow(root, "element");
	sequence = set(element, "name", name) ? grow(grow(element, "complexType"), "sequence")
					      : NULL;
	if (!sequence)
		return no_memory(r);
	for (const xmlNode *n = part_from(fmpi_first(message), list); n && !ret;
	     n = part_from(fmpi_next(n), list))
		ret = add_part(r, sequence, n);
	return ret;
}

/* One direction of an operation, as the binding and as the port type have it. */
static int take_direction(const struct reader *r, const xmlNode *bound, const xmlNode *abstract,
			  const char *rpc_name, struct fmpi_wsdl_name *out)
{
	const xmlNode *body = soap(bound, "body"), *message;
	const char *use = body ? fmpi_attribute(body, NULL, "use") : NULL;
	struct qname name;

	if (!body)
		return fail(r, bound, "no Body of SOAP:", (const char *)bound->name);
	if (use && strcmp(use, "literal") != 0)
		return fail(r, body, "only literal messages can be validated, not", use);
	if (!abstract || !read_qname(abstract, "message", &name) ||
	    !(message = find(r, "message", &name)))
		return fail(r, bound, "no message of the port type for", (const char *)bound->name);
	return rpc_name ? take_rpc(r, body, message, rpc_name, out)
			: take_document(r, body, message, out);
}

/* Does another binding have it already? */
static bool is_bound(const struct fmpi_wsdl *w, const struct fmpi_wsdl_operation *o)
{
	for (const struct fmpi_wsdl_operation *p = w->operation; p < o; p++)
		if (p->abstract == o->abstract && p->in.empty)
			return true;
	return false;
}

static const char *addressed(const xmlNode *input)
{
	const char *of_2006 = input ? fmpi_attribute(input, NS_WSAW, "Action") : NULL;
	const char *of_2007 = input ? fmpi_attribute(input, NS_WSAM, "Action") : NULL;

	return of_2007 ? of_2007 : of_2006 ? of_2006 : "";
}

/* style: the binding's; NULL: document. With a word for that gcc 12 takes "rpc" for another one. */
static int take_operation(const struct reader *r, const xmlNode *op, const xmlNode *port,
			  const char *style)
{
	struct fmpi_wsdl_operation *o = &r->w->operation[r->w->n_operations];
	const xmlNode *extension = soap(op, "operation"), *in = child(op, NS_WSDL, "input");
	const xmlNode *out = child(op, NS_WSDL, "output"), *abstract;
	const char *name = fmpi_attribute(op, NULL, "name");
	const char *own = extension ? fmpi_attribute(extension, NULL, "style") : NULL;
	const char *says = own ? own : style;
	const char *action = extension ? fmpi_attribute(extension, NULL, "soapAction") : NULL;
	bool rpc = says && strcmp(says, "rpc") == 0;
	char *answer = NULL;
	int ret = 0;

	abstract = name ? named(port, "operation", name) : NULL;
	if (!abstract || !in)
		return fail(r, op, "no such operation in the port type, or no input:", name);
	if (r->w->n_operations == FMPI_WSDL_OPERATIONS)
		return fmp_error_at(r->err, FMP_ERR_LIMIT, r->file, fmpi_line(op), 0,
				    "more than %d operations", FMPI_WSDL_OPERATIONS);
	o->action = strdup(action ? action : "");
	o->addressed = strdup(addressed(child(abstract, NS_WSDL, "input")));
	if (!o->action || !o->addressed || asprintf(&answer, "%sResponse", name) < 0) {
		free(o->action);
		free(o->addressed);
		return no_memory(r);
	}
	/* Freed with the rest from here on. */
	r->w->n_operations++;
	o->abstract = abstract;
	ret = take_direction(r, in, child(abstract, NS_WSDL, "input"), rpc ? name : NULL, &o->in);
	if (!ret && out)
		ret = take_direction(r, out, child(abstract, NS_WSDL, "output"),
				     rpc ? answer : NULL, &o->out);
	free(answer);
	r->w->n_empty += o->in.empty && !is_bound(r->w, o);
	return ret;
}

int fmpi_wsdl_read_bindings(struct fmpi_wsdl *w, unsigned i, struct fmp_error *err)
{
	const struct reader r = { .w = w, .file = w->file[i].path, .err = err };
	const xmlNode *b = fmpi_first(xmlDocGetRootElement(w->file[i].doc));
	int ret = 0;

	for (; b && !ret; b = fmpi_next(b)) {
		const xmlNode *extension = soap(b, "binding"), *port;
		const char *style;
		struct qname type;

		/* Those of HTTP and others are not for us. */
		if (!fmpi_is(b, NS_WSDL, "binding") || !extension)
			continue;
		style = fmpi_attribute(extension, NULL, "style");
		port = read_qname(b, "type", &type) ? find(&r, "portType", &type) : NULL;
		if (!port)
			return fail(&r, b,
				    "no port type of that name:", fmpi_attribute(b, NULL, "type"));
		ret = need_own_names(&r, port);
		for (const xmlNode *op = fmpi_first(b); op && !ret; op = fmpi_next(op))
			if (fmpi_is(op, NS_WSDL, "operation"))
				ret = take_operation(&r, op, port, style);
	}
	return ret;
}
