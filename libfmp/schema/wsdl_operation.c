// SPDX-License-Identifier: GPL-2.0
/* Reads the operations of a binding; those that a gateway can't check are left out with a note. */
#include "wsdl_reader.h"

#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

/*
 * Find the overloaded operation that a binding means: it names the input too (WSDL 1.1 2.5). WS-I
 * Basic Profile R2304 forbids overloading. Return: NULL: none matches.
 */
static const xmlNode *find_overloaded(const xmlNode *port, const char *name, const xmlNode *bound)
{
	const xmlNode *input = fmpi_wsdl_child(bound, NS_WSDL, "input");
	const char *means = input ? fmpi_attribute(input, NULL, "name") : NULL;

	for (const xmlNode *n = means ? fmpi_first(port) : NULL; n; n = fmpi_next(n)) {
		const char *is = fmpi_attribute(n, NULL, "name"), *in;

		if (!fmpi_is(n, NS_WSDL, "operation") || !is || strcmp(is, name) != 0)
			continue;
		input = fmpi_wsdl_child(n, NS_WSDL, "input");
		in = input ? fmpi_attribute(input, NULL, "name") : NULL;
		if (in && strcmp(in, means) == 0)
			return n;
	}
	return NULL;
}

static bool is_overloaded(const struct fmpi_wsdl_reader *r, const xmlNode *port, const char *name)
{
	const xmlNode *first = fmpi_wsdl_find_operation(r, port, name);

	for (const xmlNode *n = fmpi_next(first); n; n = fmpi_next(n)) {
		const char *is = fmpi_attribute(n, NULL, "name");

		if (fmpi_is(n, NS_WSDL, "operation") && is && strcmp(is, name) == 0)
			return true;
	}
	return false;
}

/* ---- what a gateway can't check ---- */

/* Why can't this direction be validated? Return: NULL: it can. */
static const char *find_direction_obstacle(const xmlNode *bound, const xmlNode **at)
{
	const xmlNode *body = fmpi_wsdl_soap_body(bound);
	const char *use = body ? fmpi_attribute(body, NULL, "use") : NULL;

	*at = body ? body : bound;
	if (!body)
		return "it has no soap:body, and only SOAP messages can be validated";
	if (use && strcmp(use, "literal") != 0)
		return "its messages are encoded, and only literal ones can be validated";
	return NULL;
}

/*
 * Check the parts in the Body: these cases are legal in WSDL 1.1 but not in WS-I's Basic Profile,
 * and no schema describes such a Body.
 */
static const char *find_parts_obstacle(const struct fmpi_wsdl_reader *r, const xmlNode *bound,
				       const xmlNode *abstract, bool rpc, const xmlNode **at)
{
	const xmlNode *body = fmpi_wsdl_soap_body(bound), *message, *found, *second;
	struct fmpi_wsdl_qname name;

	*at = bound;
	if (!abstract)
		return "its binding has a message that its port type does not have";
	if (!fmpi_wsdl_qname(abstract, "message", &name) ||
	    !(message = fmpi_wsdl_find(r, "message", &name)))
		return "there is no message of the name that its port type gives";
	found = fmpi_wsdl_part_from(r, fmpi_first(message), body);
	second = found ? fmpi_wsdl_part_from(r, fmpi_next(found), body) : NULL;
	*at = second ? second : found ? found : body;
	if (!rpc && !found && !fmpi_wsdl_is_empty(r, message, body))
		return "no part of its message is in the Body";
	if (!rpc && second)
		return "document style has a second part in the Body (WS-I BP R2210)";
	if (!rpc && found && !fmpi_attribute(found, NULL, "element"))
		return "a part of document style has no element= (WS-I BP R2204)";
	if (!rpc && found && !fmpi_wsdl_qname(found, "element", &name))
		return "element= of a part has a prefix that is not declared";
	for (; rpc && found; found = fmpi_wsdl_part_from(r, fmpi_next(found), body)) {
		*at = found;
		if (!fmpi_attribute(found, NULL, "type"))
			return "a part of rpc style has no type= (WS-I BP R2203)";
		if (!fmpi_wsdl_qname(found, "type", &name))
			return "type= of a part has a prefix that is not declared";
	}
	return NULL;
}

/* WSDL 1.1 2.4: if the service sends first, there is no request to check. */
static const char *find_transmission_obstacle(const xmlNode *abstract)
{
	const xmlNode *n = fmpi_first(abstract);

	while (n && !fmpi_is(n, NS_WSDL, "input") && !fmpi_is(n, NS_WSDL, "output"))
		n = fmpi_next(n);
	if (!fmpi_wsdl_child(abstract, NS_WSDL, "input"))
		return "it has no input: the service sends it unasked";
	if (fmpi_is(n, NS_WSDL, "output"))
		return "its output stands before its input: the service sends first";
	return NULL;
}

/* Keep one note per binding: a port may have hundreds of such operations. */
static void note_left_out(struct fmpi_wsdl_reader *r, const xmlNode *at, const char *operation,
			  const char *why)
{
	const char *binding = fmpi_attribute(r->binding, NULL, "name");

	if (!r->n_left_out++)
		(void)fmp_error_at(&r->first, FMP_ERR_SCHEMA, fmpi_wsdl_file_of(r, at),
				   fmpi_line(at), 0,
				   "operation \"%.80s\" of binding \"%.80s\" is left out, its "
				   "messages are refused: %s",
				   operation, binding ? binding : "", why);
}

static int keep_notes(struct fmpi_wsdl_reader *r)
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
		return fmpi_wsdl_no_memory(r);
	if (w->n_notes < FMPI_WSDL_NOTES)
		w->note[w->n_notes++] = r->first;
	r->n_left_out = 0;
	return 0;
}

/* Has another binding the same operation with an empty Body? */
static bool is_bound(const struct fmpi_wsdl *w, const struct fmpi_wsdl_operation *o)
{
	for (const struct fmpi_wsdl_operation *p = w->operation; p < o; p++)
		if (p->abstract == o->abstract && p->in.empty)
			return true;
	return false;
}

/* ---- operations ---- */

static const char *find_wsa_action(const xmlNode *input)
{
	const char *of_2006 = input ? fmpi_attribute(input, NS_WSAW, "Action") : NULL;
	const char *of_2007 = input ? fmpi_attribute(input, NS_WSAM, "Action") : NULL;

	return of_2007 ? of_2007 : of_2006 ? of_2006 : "";
}

/* Make room for one more operation; the array may move. */
static int reserve_operation(struct fmpi_wsdl_reader *r, const xmlNode *op)
{
	struct fmpi_wsdl *w = r->w;
	struct fmpi_wsdl_operation *more;

	if (w->n_operations == FMPI_WSDL_OPERATIONS)
		return fmp_error_at(r->err, FMP_ERR_LIMIT, r->file, fmpi_line(op), 0,
				    "more than %d operations", FMPI_WSDL_OPERATIONS);
	if (w->n_operations < w->capacity)
		return 0;
	more = realloc(w->operation, (2 * w->capacity + 64) * sizeof(*more));
	if (!more)
		return fmpi_wsdl_no_memory(r);
	w->operation = more;
	w->capacity = 2 * w->capacity + 64;
	return 0;
}

static int new_operation(struct fmpi_wsdl_reader *r, const xmlNode *op, const xmlNode *abstract,
			 struct fmpi_wsdl_operation **out)
{
	const xmlNode *extension = fmpi_wsdl_soap(op, "operation");
	const char *action = extension ? fmpi_attribute(extension, NULL, "soapAction") : NULL;
	struct fmpi_wsdl_operation *o;
	int ret = reserve_operation(r, op);

	if (ret)
		return ret;
	o = &r->w->operation[r->w->n_operations];
	*o = (struct fmpi_wsdl_operation){ .abstract = abstract };
	o->action = strdup(action ? action : "");
	o->wsa_action = strdup(find_wsa_action(fmpi_wsdl_child(abstract, NS_WSDL, "input")));
	/* From here on fmpi_wsdl_free() frees it. */
	r->w->n_operations++;
	*out = o;
	return o->action && o->wsa_action ? 0 : fmpi_wsdl_no_memory(r);
}

/*
 * Of an operation that is left out, the action remains: a service that goes by it must not be called
 * with the message of another one that has none.
 */
static int keep_action(struct fmpi_wsdl_reader *r, const xmlNode *op, const xmlNode *abstract)
{
	struct fmpi_wsdl_operation *o;

	r->w->n_unusable++;
	return new_operation(r, op, abstract, &o);
}

/* All of a binding is left out that is for no port type; another may be usable. */
static int note_binding(struct fmpi_wsdl_reader *r, const xmlNode *b)
{
	const char *name = fmpi_attribute(b, NULL, "name"), *type = fmpi_attribute(b, NULL, "type");
	int ret = 0;

	r->n_left_out = 1;
	(void)fmp_error_at(&r->first, FMP_ERR_SCHEMA, fmpi_wsdl_file_of(r, b), fmpi_line(b), 0,
			   "binding \"%.80s\" is left out, its messages are refused: there is no "
			   "port type of that name: \"%.100s\"",
			   name ? name : "", type ? type : "");
	for (const xmlNode *op = fmpi_first(b); op && !ret; op = fmpi_next(op))
		if (fmpi_is(op, NS_WSDL, "operation"))
			ret = keep_action(r, op, NULL);
	return ret ? ret : keep_notes(r);
}

/* Why can't the operation be validated, and where? Return: NULL: it can. */
static const char *find_obstacle(const struct fmpi_wsdl_reader *r, const xmlNode *op,
				 const xmlNode *abstract, bool rpc, const xmlNode **at)
{
	const xmlNode *in = fmpi_wsdl_child(op, NS_WSDL, "input"),
		      *out = fmpi_wsdl_child(op, NS_WSDL, "output");
	const char *why = find_transmission_obstacle(abstract);

	*at = op;
	if (!why)
		why = in ? find_direction_obstacle(in, at) : "its binding has no input";
	if (!why && out)
		why = find_direction_obstacle(out, at);
	if (!why)
		why = find_parts_obstacle(r, in, fmpi_wsdl_child(abstract, NS_WSDL, "input"), rpc,
					  at);
	if (!why && out)
		why = find_parts_obstacle(r, out, fmpi_wsdl_child(abstract, NS_WSDL, "output"), rpc,
					  at);
	return why;
}

/*
 * @style: of the binding; NULL: document. Not the literal "document": with it gcc 12 confuses "rpc"
 * with another literal.
 */
static int read_operation(struct fmpi_wsdl_reader *r, const xmlNode *op, const xmlNode *port,
			  const char *style)
{
	const xmlNode *extension = fmpi_wsdl_soap(op, "operation"),
		      *in = fmpi_wsdl_child(op, NS_WSDL, "input");
	const xmlNode *out = fmpi_wsdl_child(op, NS_WSDL, "output"), *abstract, *at = op;
	const char *name = fmpi_attribute(op, NULL, "name"), *why = NULL;
	const char *own = extension ? fmpi_attribute(extension, NULL, "style") : NULL;
	const char *effective = own ? own : style;
	bool rpc = effective && strcmp(effective, "rpc") == 0;
	struct fmpi_wsdl_operation *o;
	char *answer = NULL;
	int ret;

	abstract = name ? fmpi_wsdl_find_operation(r, port, name) : NULL;
	if (!abstract) {
		note_left_out(r, op, name ? name : "",
			      "there is no such operation in the port type");
		return keep_action(r, op, NULL);
	}
	if (is_overloaded(r, port, name)) {
		abstract = rpc ? NULL : find_overloaded(port, name, op);
		why = rpc ? "its port type has another operation of that name, and in rpc style "
			    "messages are distinguished by it (WS-I BP R2304)"
		      : abstract
			      ? NULL
			      : "its port type has another operation of that name, and the binding "
				"names no input to tell them apart (WS-I BP R2304)";
	}
	if (!why)
		why = find_obstacle(r, op, abstract, rpc, &at);
	if (why) {
		note_left_out(r, at, name, why);
		return keep_action(r, op, abstract);
	}
	ret = new_operation(r, op, abstract, &o);
	if (!ret && asprintf(&answer, "%sResponse", name) < 0)
		return fmpi_wsdl_no_memory(r);
	if (!ret)
		ret = fmpi_wsdl_read_direction(r, in, fmpi_wsdl_child(abstract, NS_WSDL, "input"),
					       rpc ? name : NULL, &o->in);
	if (!ret && out)
		ret = fmpi_wsdl_read_direction(r, out, fmpi_wsdl_child(abstract, NS_WSDL, "output"),
					       rpc ? answer : NULL, &o->out);
	free(answer);
	if (!ret)
		ret = fmpi_wsdl_read_headers(r, in);
	if (!ret && out)
		ret = fmpi_wsdl_read_headers(r, out);
	if (!ret)
		r->w->n_empty += o->in.empty && !is_bound(r->w, o);
	return ret;
}

int fmpi_wsdl_read_binding(struct fmpi_wsdl_reader *r, const xmlNode *b)
{
	const xmlNode *extension = fmpi_wsdl_soap(b, "binding"), *port;
	struct fmpi_wsdl_qname type;
	int ret = 0;

	port = fmpi_wsdl_qname(b, "type", &type) ? fmpi_wsdl_find(r, "portType", &type) : NULL;
	if (!port)
		return note_binding(r, b);
	r->binding = b;
	for (const xmlNode *op = fmpi_first(b); op && !ret; op = fmpi_next(op))
		if (fmpi_is(op, NS_WSDL, "operation"))
			ret = read_operation(r, op, port, fmpi_attribute(extension, NULL, "style"));
	return ret ? ret : keep_notes(r);
}
