// SPDX-License-Identifier: GPL-2.0
#include "saml.h"

#include <string.h>

#include "xml/names.h"
#include "wss/timestamp.h"

#define ENTITY "urn:oasis:names:tc:SAML:2.0:nameid-format:entity"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

static int refuse_malformed(const xmlNode *where, const char *what, struct fmp_inspection *v)
{
	return refuse(v, FMP_EVENT_TOKEN, where, "the Assertion has no proper %s", what);
}

static bool is_saml(const xmlNode *n, const char *local)
{
	return fmpi_is(n, NS_SAML2, local);
}

/* Does it stand in another Security header than @node? That header is for another role (wsse.c). */
static bool is_for_other_role(const xmlNode *n, const xmlNode *node)
{
	const xmlNode *header = node->parent->parent;

	while (n->parent && n->parent != header)
		n = n->parent;
	return n->parent && n != node->parent && fmpi_is(n, NS_WSSE, "Security");
}

/* Refuse a second Assertion or a second Id: a service might take it for the verified one. */
static int refuse_duplicates(xmlNode *node, const char *id, struct fmp_inspection *v)
{
	const xmlNode *root = xmlDocGetRootElement(node->doc);
	const xmlAttr *own = fmpi_attribute_node(node, NULL, "ID");

	for (const xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
		if (n != node && (is_saml(n, "Assertion") || fmpi_is(n, NS_SAML1, "Assertion")) &&
		    !is_for_other_role(n, node))
			return refuse(v, FMP_EVENT_WRAPPING, n, "more than one Assertion");
		for (const xmlAttr *a = n->properties; a; a = a->next) {
			const char *value = fmpi_is_id(a) ? fmpi_attribute_value(a) : NULL;

			if (value && a != own && strcmp(value, id) == 0)
				return refuse(v, FMP_EVENT_WRAPPING, n,
					      "the Id of the Assertion stands twice");
		}
	}
	return 0;
}

static int read_attributes(xmlNode *node, struct fmpi_assertion *out, struct fmp_inspection *v)
{
	const char *version = fmpi_attribute(node, NULL, "Version");
	const char *issued = fmpi_attribute(node, NULL, "IssueInstant");

	out->node = node;
	out->id = fmpi_attribute(node, NULL, "ID");
	if (!version || strcmp(version, "2.0") != 0)
		return refuse(v, FMP_EVENT_TOKEN, node, "the Assertion is not of version 2.0");
	if (!out->id || !*out->id)
		return refuse_malformed(node, "ID", v);
	if (!issued || fmpi_time_parse(issued, &out->issued_ms) != 0)
		return refuse_malformed(node, "IssueInstant", v);
	return 0;
}

static int read_issuer(const xmlNode *n, struct fmpi_assertion *out, struct fmp_inspection *v)
{
	const char *format;

	out->issuer = is_saml(n, "Issuer") ? fmpi_text(n) : NULL;
	if (!out->issuer)
		return refuse_malformed(out->node, "Issuer", v);
	format = fmpi_attribute(n, NULL, "Format");
	if (n->properties && (!format || n->properties->next || strcmp(format, ENTITY) != 0))
		return refuse(v, FMP_EVENT_TOKEN, n, "the Issuer is not named as an entity");
	return 0;
}

static int read_confirmation(const xmlNode *n, struct fmpi_assertion *out, struct fmp_inspection *v)
{
	const char *method = fmpi_attribute(n, NULL, "Method");
	const xmlNode *data = fmpi_first(n), *inside;

	if (method && strcmp(method, SAML2_BEARER) == 0)
		out->confirmation = FMPI_BEARER;
	else if (method && strcmp(method, SAML2_VOUCHES) == 0)
		out->confirmation = FMPI_VOUCHES;
	else if (method && strcmp(method, SAML2_HOLDER) == 0)
		out->confirmation = FMPI_HOLDER;
	else
		return refuse(v, FMP_EVENT_TOKEN, n, "the subject is confirmed by %s",
			      method ? method : "nothing");
	if (data && (!is_saml(data, "SubjectConfirmationData") || fmpi_next(data)))
		return refuse_malformed(n, "SubjectConfirmation", v);
	inside = data ? fmpi_first(data) : NULL;
	if (!fmpi_has_only_elements(n) || (data && !fmpi_has_only_elements(data)))
		return refuse_malformed(n, "SubjectConfirmation", v);
	if (out->confirmation == FMPI_HOLDER &&
	    (!fmpi_is(inside, NS_DS, "KeyInfo") || fmpi_next(inside)))
		return refuse(v, FMP_EVENT_TOKEN, n,
			      "the Assertion does not name one holder's key");
	if (out->confirmation != FMPI_HOLDER && inside)
		return refuse_malformed(n, "SubjectConfirmation", v);
	out->data = data;
	out->holder = inside;
	return 0;
}

static int read_subject(const xmlNode *subject, struct fmpi_assertion *out,
			struct fmp_inspection *v)
{
	const xmlNode *name, *confirmation;

	if (!is_saml(subject, "Subject") || !fmpi_has_only_elements(subject))
		return refuse_malformed(out->node, "Subject", v);
	name = fmpi_first(subject);
	if (!is_saml(name, "NameID"))
		return refuse_malformed(subject, "NameID", v);
	/* fmpi_text() refuses comments: canonicalization drops them, and the text would end at one. */
	out->name = fmpi_text(name);
	if (!out->name || !*out->name || strlen(out->name) > FMPI_MAX_SUBJECT)
		return refuse_malformed(name, "NameID", v);
	confirmation = fmpi_next(name);
	if (!is_saml(confirmation, "SubjectConfirmation") || fmpi_next(confirmation))
		return refuse(v, FMP_EVENT_TOKEN, subject,
			      "not one SubjectConfirmation in the Assertion");
	return read_confirmation(confirmation, out, v);
}

int fmpi_assertion_read(xmlNode *node, struct fmpi_assertion *out, struct fmp_inspection *v)
{
	xmlNode *n = fmpi_first(node);
	int ret;

	*out = (struct fmpi_assertion){ 0 };
	ret = read_attributes(node, out, v);
	if (!ret)
		ret = refuse_duplicates(node, out->id, v);
	if (!ret && !fmpi_has_only_elements(node))
		ret = refuse(v, FMP_EVENT_TOKEN, node, "text inside the Assertion");
	if (!ret)
		ret = read_issuer(n, out, v);
	if (ret)
		return ret;
	out->signature = fmpi_next(n);
	if (!fmpi_is(out->signature, NS_DS, "Signature"))
		return refuse(v, FMP_EVENT_UNSIGNED, node, "the Assertion is not signed");
	n = fmpi_next(out->signature);
	ret = read_subject(n, out, v);
	if (ret)
		return ret;
	n = fmpi_next(n);
	if (!is_saml(n, "Conditions"))
		return refuse_malformed(node, "Conditions", v);
	out->conditions = n;
	return 0;
}
