// SPDX-License-Identifier: GPL-2.0
/* Validates a policy against fmp-policy.xsd. The reader runs first, because its errors are
 * clearer. */
#include <fmp/internal/policy_xml.h>
#include <fmp/internal/xml_error_arg.h>

#include <errno.h>
#include <libxml/xmlschemas.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* libxml2 writes names as {urn:fmp:policy:1}event; leave the namespace out. */
static void strip_namespace(const char *in, char *out, size_t size)
{
	static const char ns[] = "{" FMPI_POLICY_NS "}";
	size_t n = 0;

	while (*in && n + 1 < size) {
		if (!strncmp(in, ns, sizeof(ns) - 1))
			in += sizeof(ns) - 1;
		else
			out[n++] = *in++;
	}
	out[n] = '\0';
}

static void on_invalid(void *ctx, fmpi_xml_error_arg e)
{
	struct fmpi_reader *r = ctx;
	const xmlNode *node = e->node;
	const char *attribute = NULL;
	char text[400];

	if (r->failed || e->level < XML_ERR_ERROR)
		return;
	strip_namespace(e->message ? e->message : "not valid", text, sizeof(text));
	if (node && node->type == XML_ATTRIBUTE_NODE) {
		attribute = (const char *)node->name;
		node = node->parent;
	}
	if (node && node->type == XML_ELEMENT_NODE)
		r->failed = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, attribute, "%s", text);
	else
		r->failed = fmp_error_at(r->err, FMP_ERR_SCHEMA, r->name, (unsigned)e->line, 0,
					 "%s", text);
}

/* The schema itself is broken: report its own file and line. */
static void on_broken_schema(void *ctx, fmpi_xml_error_arg e)
{
	struct fmpi_reader *r = ctx;

	if (!r->failed && e->level >= XML_ERR_ERROR)
		r->failed = fmp_error_at(r->err, FMP_ERR_IO, e->file, (unsigned)e->line, 0, "%s",
					 e->message ? e->message : "not a schema");
}

int fmpi_policy_validate(struct fmpi_reader *r, const char *xsd)
{
	xmlSchemaParserCtxtPtr parser = NULL;
	xmlSchemaValidCtxtPtr valid = NULL;
	xmlSchemaPtr schema = NULL;
	char buf[PATH_MAX + 64];
	int rc = 0;

	if (!xsd)
		xsd = fmpi_data_file("fmp-policy.xsd", buf, sizeof(buf));
	if (access(xsd, R_OK))
		return fmp_error_sys(r->err, FMP_ERR_IO, errno, "the schema of policies, %s", xsd);
	parser = xmlSchemaNewParserCtxt(xsd);
	if (!parser)
		goto nomem;
	xmlSchemaSetParserStructuredErrors(parser, on_broken_schema, r);
	schema = xmlSchemaParse(parser);
	if (!schema) {
		rc = r->failed ? r->failed
			       : fmp_error_at(r->err, FMP_ERR_IO, xsd, 0, 0, "not a schema");
		goto out;
	}
	valid = xmlSchemaNewValidCtxt(schema);
	if (!valid)
		goto nomem;
	xmlSchemaSetValidStructuredErrors(valid, on_invalid, r);
	if (xmlSchemaValidateDoc(valid, r->doc))
		rc = r->failed ? r->failed
			       : fmp_error_at(r->err, FMP_ERR_SCHEMA, r->name, 0, 0, "not valid");
	goto out;
nomem:
	rc = fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
out:
	xmlSchemaFreeValidCtxt(valid);
	xmlSchemaFree(schema);
	xmlSchemaFreeParserCtxt(parser);
	return rc;
}
