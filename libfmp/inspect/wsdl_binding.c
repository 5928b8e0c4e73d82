// SPDX-License-Identifier: GPL-2.0
#include "inspect/wsdl_binding.h"

#include <libxml/hash.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/document.h"
#include "inspect/names.h"

/* What an error is told of: a file and a place in it. */
struct reader {
	struct fmpi_wsdl *w;
	const char *file;
	struct fmp_error *err;
	xmlHashTable *components; /* by kind, namespace and name: the first */
	xmlHashTable *operations; /* by namespace and name of the port type, and their own */
	xmlHashTable
		*wrappers; /* of rpc, by namespace and name: number of the operation's direction */
	const xmlNode *binding;
	unsigned n_left_out; /* of this binding */
	struct fmp_error first; /* of these */
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

static const xmlChar *target_of(const xmlNode *n)
{
	const char *ns = fmpi_attribute(xmlDocGetRootElement(n->doc), NULL, "targetNamespace");

	return (const xmlChar *)(ns ? ns : "");
}

/* A component of WSDL by its name, in whatever file it stands. */
static const xmlNode *find(const struct reader *r, const char *kind, const struct qname *name)
{
	return xmlHashLookup3(r->components, (const xmlChar *)kind, (const xmlChar *)name->ns,
			      (const xmlChar *)name->local);
}

/* The first of that name in the port type. */
static const xmlNode *find_operation(const struct reader *r, const xmlNode *port, const char *name)
{
	return xmlHashLookup3(r->operations, target_of(port),
			      (const xmlChar *)fmpi_attribute(port, NULL, "name"),
			      (const xmlChar *)name);
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

/* libxml2's trees know lines, not columns. */
static int fail_again(const struct reader *r, const xmlNode *at, const char *what, const char *name,
		      const xmlNode *first)
{
	return fmp_error_at(r->err, FMP_ERR_SCHEMA, file_of(r, at), fmpi_line(at), 0,
			    "%s \"%.100s\": the first is at %s:%u", what, name, file_of(r, first),
			    fmpi_line(first));
}

/*
 * Of overloaded operations (WS-I Basic Profile R2304 forbids them) a binding names the one that it
 * means by its input, too (WSDL 1.1 2.5). NULL: it means no one of them.
 */
static const xmlNode *find_overloaded(const xmlNode *port, const char *name, const xmlNode *bound)
{
	const xmlNode *input = child(bound, NS_WSDL, "input");
	const char *means = input ? fmpi_attribute(input, NULL, "name") : NULL;

	for (const xmlNode *n = means ? fmpi_first(port) : NULL; n; n = fmpi_next(n)) {
		const char *is = fmpi_attribute(n, NULL, "name"), *in;

		if (!fmpi_is(n, NS_WSDL, "operation") || !is || strcmp(is, name) != 0)
			continue;
		input = child(n, NS_WSDL, "input");
		in = input ? fmpi_attribute(input, NULL, "name") : NULL;
		if (in && strcmp(in, means) == 0)
			return n;
	}
	return NULL;
}

static bool is_overloaded(const struct reader *r, const xmlNode *port, const char *name)
{
	const xmlNode *first = find_operation(r, port, name);

	for (const xmlNode *n = fmpi_next(first); n; n = fmpi_next(n)) {
		const char *is = fmpi_attribute(n, NULL, "name");

		if (fmpi_is(n, NS_WSDL, "operation") && is && strcmp(is, name) == 0)
			return true;
	}
	return false;
}

static int keep_name(const struct reader *r, struct fmpi_wsdl_name *out, const char *ns,
		     const char *local)
{
	out->ns = strdup(ns);
	out->local = strdup(local);
	return out->ns && out->local ? 0 : no_memory(r);
}

/* Is the part one of those that the list names? */
static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += n)
		if ((at == list || strchr(" \t\r\n", at[-1])) &&
		    (!at[n] || strchr(" \t\r\n", at[n])))
			return true;
	return false;
}

/* soap:body, or that of the root part of a MIME message (WSDL 1.1 5.11). */
static const xmlNode *soap_body(const xmlNode *bound)
{
	const xmlNode *body = soap(bound, "body");
	const xmlNode *related = child(bound, NS_WSDL_MIME, "multipartRelated");

	for (const xmlNode *n = related && !body ? fmpi_first(related) : NULL; n && !body;
	     n = fmpi_next(n))
		if (fmpi_is(n, NS_WSDL_MIME, "part"))
			body = soap(n, "body");
	return body;
}

/* Does another element of the direction put the part elsewhere: into a header, an attachment? */
static bool is_elsewhere(const struct reader *r, const xmlNode *body, const xmlNode *message,
			 const char *part)
{
	const xmlNode *top = body->parent;

	while (!fmpi_is(top, NS_WSDL, "input") && !fmpi_is(top, NS_WSDL, "output"))
		top = top->parent;
	for (const xmlNode *n = top; n; n = fmpi_walk(top, n)) {
		const char *is = fmpi_attribute(n, NULL, "part");
		struct qname of;

		if (!is || strcmp(is, part) != 0)
			continue;
		if (fmpi_is(n, NS_WSDL_MIME, "content"))
			return true;
		if ((fmpi_is(n, NS_WSDL_SOAP, "header") || fmpi_is(n, NS_WSDL_SOAP12, "header")) &&
		    read_qname(n, "message", &of) && find(r, "message", &of) == message)
			return true;
	}
	return false;
}

/* WSDL 1.1 3.5: without a list all parts are in the Body, but for those that are elsewhere. */
static bool is_in_body(const struct reader *r, const xmlNode *body, const xmlNode *part)
{
	const char *list = fmpi_attribute(body, NULL, "parts");
	const char *name = fmpi_attribute(part, NULL, "name");

	return list ? is_listed(list, name) : !is_elsewhere(r, body, part->parent, name);
}

/* From there on, the next that stands in the Body. */
static const xmlNode *part_from(const struct reader *r, const xmlNode *n, const xmlNode *body)
{
	for (; n; n = fmpi_next(n)) {
		const char *name = fmpi_attribute(n, NULL, "name");

		if (fmpi_is(n, NS_WSDL, "part") && name && *name && is_in_body(r, body, n))
			return n;
	}
	return NULL;
}

/* No part is in the Body, and that is meant: none is there, all are elsewhere, or a list names none. */
static bool is_empty(const struct reader *r, const xmlNode *message, const xmlNode *body)
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
static int take_document(const struct reader *r, const xmlNode *body, const xmlNode *message,
			 struct fmpi_wsdl_name *out)
{
	const xmlNode *found = part_from(r, fmpi_first(message), body);
	struct qname element;

	out->empty = !found && is_empty(r, message, body);
	if (out->empty)
		return 0;
	if (!found)
		return fail(r, body, "no part in the Body: message",
			    fmpi_attribute(message, NULL, "name"));
	if (!read_qname(found, "element", &element))
		return fail(r, found, "no prefix of that name: element",
			    fmpi_attribute(found, NULL, "element"));
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

static xmlNode *new_schema(const struct reader *r, const char *ns, int *ret)
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
	*ret = fmpi_schema_set_add(&r->w->types, doc, r->file, r->err);
	return *ret ? NULL : root;
}

/* Of that file, for errors; a namespace may have several. */
static xmlNode *schema_of(const struct reader *r, const char *ns)
{
	for (unsigned i = 0; i < r->w->types.n; i++)
		if (strcmp(r->w->types.docs[i].ns, ns) == 0 &&
		    strcmp(r->w->types.docs[i].file, r->file) == 0)
			return xmlDocGetRootElement(r->w->types.docs[i].doc);
	return NULL;
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
static bool are_alike(const struct reader *r, const struct fmpi_wsdl_name *x,
		      const struct fmpi_wsdl_name *y)
{
	const xmlNode *a = part_from(r, fmpi_first(x->message), x->body);
	const xmlNode *b = part_from(r, fmpi_first(y->message), y->body);

	while (a && b) {
		struct qname of_a, of_b;

		if (strcmp(fmpi_attribute(a, NULL, "name"), fmpi_attribute(b, NULL, "name")) != 0 ||
		    !read_qname(a, "type", &of_a) || !read_qname(b, "type", &of_b) ||
		    strcmp(of_a.ns, of_b.ns) != 0 || strcmp(of_a.local, of_b.local) != 0)
			return false;
		a = part_from(r, fmpi_next(a), x->body);
		b = part_from(r, fmpi_next(b), y->body);
	}
	return !a && !b;
}

/* What another binding, for the other version of SOAP perhaps, has made of that name. */
static const struct fmpi_wsdl_name *find_wrapper(const struct reader *r,
						 const struct fmpi_wsdl_name *as)
{
	uintptr_t at = (uintptr_t)xmlHashLookup2(r->wrappers, (const xmlChar *)as->ns,
						 (const xmlChar *)as->local);
	const struct fmpi_wsdl_operation *o = at ? &r->w->operation[(at - 1) / 2] : NULL;

	return !o ? NULL : at % 2 ? &o->in : &o->out;
}

/* The last operation has made it. */
static bool add_wrapper(const struct reader *r, const struct fmpi_wsdl_name *n)
{
	uintptr_t last = r->w->n_operations - 1;
	uintptr_t at = 2 * last + (n == &r->w->operation[last].in ? 1 : 2);

	return xmlHashAddEntry2(r->wrappers, (const xmlChar *)n->ns, (const xmlChar *)n->local,
				(void *)at) == 0;
}

/* rpc/literal: an element of the operation's name around the parts; no schema has it. */
static int take_rpc(const struct reader *r, const xmlNode *body, const xmlNode *message,
		    const char *name, struct fmpi_wsdl_name *out)
{
	const char *ns = fmpi_attribute(body, NULL, "namespace");
	xmlNode *root, *element, *sequence;
	const struct fmpi_wsdl_name *other;
	int ret = keep_name(r, out, ns ? ns : "", name);

	if (ret)
		return ret;
	out->message = message;
	out->body = body;
	other = find_wrapper(r, out);
	if (other && !are_alike(r, other, out))
		return fail_again(r, body, "other parts under the name", name, other->body);
	if (other)
		return 0;
	if (!add_wrapper(r, out))
		return no_memory(r);
	root = schema_of(r, out->ns);
	if (!root)
		root = new_schema(r, out->ns, &ret);
	if (!root)
		return ret;
	element = grow(root, "element");
	sequence = set(element, "name", name) ? grow(grow(element, "complexType"), "sequence")
					      : NULL;
	if (!sequence)
		return no_memory(r);
	element->line = fmpi_line(body) < UINT16_MAX ? (unsigned short)fmpi_line(body) : UINT16_MAX;
	for (const xmlNode *n = part_from(r, fmpi_first(message), body); n && !ret;
	     n = part_from(r, fmpi_next(n), body))
		ret = add_part(r, sequence, n);
	return ret;
}

/* One direction of an operation, as the binding and as the port type have it. */
static int take_direction(const struct reader *r, const xmlNode *bound, const xmlNode *abstract,
			  const char *rpc_name, struct fmpi_wsdl_name *out)
{
	const xmlNode *body = soap_body(bound), *message;
	struct qname name;

	if (!abstract || !read_qname(abstract, "message", &name) ||
	    !(message = find(r, "message", &name)))
		return fail(r, bound, "no message of the port type for", (const char *)bound->name);
	return rpc_name ? take_rpc(r, body, message, rpc_name, out)
			: take_document(r, body, message, out);
}

/* ---- what a gateway can't check ---- */

/* Why that direction can't be validated; NULL: it can. */
static const char *find_hindrance(const xmlNode *bound, const xmlNode **at)
{
	const xmlNode *body = soap_body(bound);
	const char *use = body ? fmpi_attribute(body, NULL, "use") : NULL;

	*at = body ? body : bound;
	if (!body)
		return "it has no soap:body, and only SOAP messages can be validated";
	if (use && strcmp(use, "literal") != 0)
		return "its messages are encoded, and only literal ones can be validated";
	return NULL;
}

/* Legal in WSDL 1.1, not in WS-I's Basic Profile, and no schema has what is in the Body then. */
static const char *find_hindrance_of_parts(const struct reader *r, const xmlNode *bound,
					   const xmlNode *abstract, bool rpc, const xmlNode **at)
{
	const xmlNode *body = soap_body(bound), *message, *found, *second;
	struct qname name;

	if (!abstract || !read_qname(abstract, "message", &name) ||
	    !(message = find(r, "message", &name)))
		return NULL;
	found = part_from(r, fmpi_first(message), body);
	second = found ? part_from(r, fmpi_next(found), body) : NULL;
	*at = second ? second : found ? found : bound;
	if (!rpc && second)
		return "document style has a second part in the Body (WS-I BP R2210)";
	if (!rpc && found && !fmpi_attribute(found, NULL, "element"))
		return "a part of document style has no element= (WS-I BP R2204)";
	for (; rpc && found; found = part_from(r, fmpi_next(found), body)) {
		*at = found;
		if (!fmpi_attribute(found, NULL, "type"))
			return "a part of rpc style has no type= (WS-I BP R2203)";
	}
	return NULL;
}

/* WSDL 1.1 2.4: of what the service sends first there is no request to check. */
static const char *find_transmission(const xmlNode *abstract)
{
	const xmlNode *n = fmpi_first(abstract);

	while (n && !fmpi_is(n, NS_WSDL, "input") && !fmpi_is(n, NS_WSDL, "output"))
		n = fmpi_next(n);
	if (!child(abstract, NS_WSDL, "input"))
		return "it has no input: the service sends it unasked";
	if (fmpi_is(n, NS_WSDL, "output"))
		return "its output stands before its input: the service sends first";
	return NULL;
}

/* One note a binding: a port may have hundreds of them. */
static void leave_out(struct reader *r, const xmlNode *at, const char *operation, const char *why)
{
	const char *binding = fmpi_attribute(r->binding, NULL, "name");

	if (!r->n_left_out++)
		(void)fmp_error_at(&r->first, FMP_ERR_SCHEMA, file_of(r, at), fmpi_line(at), 0,
				   "operation \"%.80s\" of binding \"%.80s\" is left out, its "
				   "messages are refused: %s",
				   operation, binding ? binding : "", why);
}

static int keep_notes(struct reader *r)
{
	struct fmpi_wsdl *w = r->w;
	size_t n = strlen(r->first.message);

	if (!r->n_left_out)
		return 0;
	if (r->n_left_out > 1)
		snprintf(r->first.message + n, sizeof(r->first.message) - n,
			 "; and %u more of this binding", r->n_left_out - 1);
	w->n_left_out++;
	if (!w->note)
		w->note = calloc(FMPI_WSDL_NOTES, sizeof(*w->note));
	if (!w->note)
		return no_memory(r);
	if (w->n_notes < FMPI_WSDL_NOTES)
		w->note[w->n_notes++] = r->first;
	r->n_left_out = 0;
	return 0;
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

/* Room for one more; the others may move. */
static int make_room(struct reader *r, const xmlNode *op)
{
	struct fmpi_wsdl *w = r->w;
	struct fmpi_wsdl_operation *more;

	if (w->n_operations == FMPI_WSDL_OPERATIONS)
		return fmp_error_at(r->err, FMP_ERR_LIMIT, r->file, fmpi_line(op), 0,
				    "more than %d operations", FMPI_WSDL_OPERATIONS);
	if (w->n_operations < w->room)
		return 0;
	more = realloc(w->operation, (2 * w->room + 64) * sizeof(*more));
	if (!more)
		return no_memory(r);
	w->operation = more;
	w->room = 2 * w->room + 64;
	return 0;
}

static int new_operation(struct reader *r, const xmlNode *op, const xmlNode *abstract,
			 struct fmpi_wsdl_operation **out)
{
	const xmlNode *extension = soap(op, "operation");
	const char *action = extension ? fmpi_attribute(extension, NULL, "soapAction") : NULL;
	struct fmpi_wsdl_operation *o;
	int ret = make_room(r, op);

	if (ret)
		return ret;
	o = &r->w->operation[r->w->n_operations];
	*o = (struct fmpi_wsdl_operation){ .abstract = abstract };
	o->action = strdup(action ? action : "");
	o->addressed = strdup(addressed(child(abstract, NS_WSDL, "input")));
	/* Freed with the rest from here on. */
	r->w->n_operations++;
	*out = o;
	return o->action && o->addressed ? 0 : no_memory(r);
}

/* Why the operation can't be validated, and where that stands; NULL: it can. */
static const char *find_why(const struct reader *r, const xmlNode *op, const xmlNode *abstract,
			    bool rpc, const xmlNode **at)
{
	const xmlNode *in = child(op, NS_WSDL, "input"), *out = child(op, NS_WSDL, "output");
	const char *why = find_transmission(abstract);

	*at = op;
	if (!why && in)
		why = find_hindrance(in, at);
	if (!why && out)
		why = find_hindrance(out, at);
	if (!why && in)
		why = find_hindrance_of_parts(r, in, child(abstract, NS_WSDL, "input"), rpc, at);
	if (!why && out)
		why = find_hindrance_of_parts(r, out, child(abstract, NS_WSDL, "output"), rpc, at);
	return why;
}

/* style: the binding's; NULL: document. With a word for that gcc 12 takes "rpc" for another one. */
static int take_operation(struct reader *r, const xmlNode *op, const xmlNode *port,
			  const char *style)
{
	const xmlNode *extension = soap(op, "operation"), *in = child(op, NS_WSDL, "input");
	const xmlNode *out = child(op, NS_WSDL, "output"), *abstract, *at = op;
	const char *name = fmpi_attribute(op, NULL, "name"), *why = NULL;
	const char *own = extension ? fmpi_attribute(extension, NULL, "style") : NULL;
	const char *says = own ? own : style;
	bool rpc = says && strcmp(says, "rpc") == 0;
	struct fmpi_wsdl_operation *o;
	char *answer = NULL;
	int ret;

	abstract = name ? find_operation(r, port, name) : NULL;
	if (!abstract)
		return fail(r, op, "no such operation in the port type:", name);
	if (is_overloaded(r, port, name)) {
		abstract = rpc ? NULL : find_overloaded(port, name, op);
		why = rpc ? "its port type has another operation of that name, and in rpc style "
			    "messages are told apart by it (WS-I BP R2304)"
		      : abstract
			      ? NULL
			      : "its port type has another operation of that name, and the binding "
				"names no input to tell them apart (WS-I BP R2304)";
	}
	if (!why)
		why = find_why(r, op, abstract, rpc, &at);
	if (why) {
		leave_out(r, at, name, why);
		return 0;
	}
	if (!in)
		return fail(r, op, "no input in the binding's operation", name);
	ret = new_operation(r, op, abstract, &o);
	if (!ret && asprintf(&answer, "%sResponse", name) < 0)
		return no_memory(r);
	if (!ret)
		ret = take_direction(r, in, child(abstract, NS_WSDL, "input"), rpc ? name : NULL,
				     &o->in);
	if (!ret && out)
		ret = take_direction(r, out, child(abstract, NS_WSDL, "output"),
				     rpc ? answer : NULL, &o->out);
	free(answer);
	if (!ret)
		r->w->n_empty += o->in.empty && !is_bound(r->w, o);
	return ret;
}

static int take_binding(struct reader *r, const xmlNode *b)
{
	const xmlNode *extension = soap(b, "binding"), *port;
	struct qname type;
	int ret = 0;

	port = read_qname(b, "type", &type) ? find(r, "portType", &type) : NULL;
	if (!port)
		return fail(r, b, "no port type of that name:", fmpi_attribute(b, NULL, "type"));
	r->binding = b;
	for (const xmlNode *op = fmpi_first(b); op && !ret; op = fmpi_next(op))
		if (fmpi_is(op, NS_WSDL, "operation"))
			ret = take_operation(r, op, port, fmpi_attribute(extension, NULL, "style"));
	return ret ? ret : keep_notes(r);
}

/* ---- ports ---- */

/* From n on in the file, the next port of its services. */
static const xmlNode *port_from(const xmlNode *root, const xmlNode *n)
{
	for (n = fmpi_walk(root, n); n; n = fmpi_walk(root, n))
		if (fmpi_is(n, NS_WSDL, "port") && fmpi_is(n->parent, NS_WSDL, "service"))
			return n;
	return NULL;
}

static int fail_port(struct reader *r, const char *name)
{
	char ports[300] = "";
	size_t len = 0;

	for (unsigned i = 0; i < r->w->n_files; i++) {
		const xmlNode *root = xmlDocGetRootElement(r->w->file[i].doc);

		for (const xmlNode *n = port_from(root, root); n; n = port_from(root, n)) {
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

static int take_port(struct reader *r, const xmlNode *port)
{
	const char *name = fmpi_attribute(port, NULL, "name");
	const xmlNode *b;
	struct qname binding;

	b = read_qname(port, "binding", &binding) ? find(r, "binding", &binding) : NULL;
	if (!b)
		return fail(r, port,
			    "no binding of that name:", fmpi_attribute(port, NULL, "binding"));
	if (!soap(b, "binding"))
		return fail(r, port, "the binding is not one of SOAP: port", name);
	r->file = file_of(r, b);
	return take_binding(r, b);
}

/* Services may each have one of that name. */
static int take_ports(struct reader *r, const char *name)
{
	bool is_there = false;
	int ret = 0;

	for (unsigned i = 0; i < r->w->n_files && !ret; i++) {
		const xmlNode *root = xmlDocGetRootElement(r->w->file[i].doc);

		for (const xmlNode *n = port_from(root, root); n && !ret; n = port_from(root, n)) {
			const char *is = fmpi_attribute(n, NULL, "name");

			if (!is || strcmp(is, name) != 0)
				continue;
			is_there = true;
			r->file = r->w->file[i].path;
			ret = take_port(r, n);
		}
	}
	return ret || is_there ? ret : fail_port(r, name);
}

/* ---- */

/* Of two under one name the first counts; where that matters, it is an error. */
static void add_components(struct reader *r, const xmlNode *root)
{
	for (xmlNode *n = fmpi_first(root); n; n = fmpi_next(n)) {
		const xmlChar *name = (const xmlChar *)fmpi_attribute(n, NULL, "name");

		if (!name || !fmpi_is(n, NS_WSDL, (const char *)n->name))
			continue;
		(void)xmlHashAddEntry3(r->components, n->name, target_of(n), name, n);
		for (xmlNode *op = fmpi_is(n, NS_WSDL, "portType") ? fmpi_first(n) : NULL; op;
		     op = fmpi_next(op)) {
			const char *is = fmpi_attribute(op, NULL, "name");

			if (is && fmpi_is(op, NS_WSDL, "operation"))
				(void)xmlHashAddEntry3(r->operations, target_of(n), name,
						       (const xmlChar *)is, op);
		}
	}
}

static int take_all(struct reader *r)
{
	int ret = 0;

	for (unsigned i = 0; i < r->w->n_files && !ret; i++) {
		const xmlNode *b = fmpi_first(xmlDocGetRootElement(r->w->file[i].doc));

		r->file = r->w->file[i].path;
		/* Those of HTTP and others are not for us. */
		for (; b && !ret; b = fmpi_next(b))
			if (fmpi_is(b, NS_WSDL, "binding") && soap(b, "binding"))
				ret = take_binding(r, b);
	}
	return ret;
}

int fmpi_wsdl_read_bindings(struct fmpi_wsdl *w, const char *port, struct fmp_error *err)
{
	struct reader r = { .w = w,
			    .err = err,
			    .components = xmlHashCreate(64),
			    .operations = xmlHashCreate(64),
			    .wrappers = xmlHashCreate(64) };
	int ret = r.components && r.operations && r.wrappers ? 0 : no_memory(&r);

	for (unsigned i = 0; i < w->n_files && !ret; i++)
		add_components(&r, xmlDocGetRootElement(w->file[i].doc));
	if (!ret)
		ret = port ? take_ports(&r, port) : take_all(&r);
	xmlHashFree(r.components, NULL);
	xmlHashFree(r.operations, NULL);
	xmlHashFree(r.wrappers, NULL);
	return ret;
}
