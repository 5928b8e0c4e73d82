// SPDX-License-Identifier: GPL-2.0
/*
 * The policy file: bytes -> libxml2 -> our own walk (errors in our words) -> the
 * schema's verdict -> contradictions. Nothing is ever opened but the file, what its base and
 * its include name, and the schema: no DTD, no entities, no XInclude, no network.
 */
#include <policy/group_index.h>
#include <policy/origin.h>

#include <errno.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void parse_failed(void *ctx, xmlErrorPtr e)
{
	struct fmpi_reader *r = ((xmlParserCtxtPtr)ctx)->_private;

	if (e->level < XML_ERR_ERROR || r->failed)
		return;
	r->failed = fmp_error_at(r->err, FMP_ERR_SYNTAX, r->name, (unsigned)e->line,
				 (unsigned)e->int2, "not well-formed: %s",
				 e->message ? e->message : "unknown error");
}

static void refuse_dtd(void *ctx, const xmlChar *name, const xmlChar *public_id,
		       const xmlChar *system_id)
{
	xmlParserCtxtPtr parser = ctx;
	struct fmpi_reader *r = parser->_private;

	if (!r->failed)
		r->failed = fmp_error_at(r->err, FMP_ERR_SYNTAX, r->name,
					 (unsigned)parser->input->line,
					 (unsigned)parser->input->col,
					 "a policy has no DOCTYPE and no entities");
	xmlStopParser(parser);
}

/* In the XML declaration, which begins the file; one of another byte order has no such word. */
static unsigned column_of_encoding(const struct fmpi_reader *r)
{
	const char *end = memchr(r->text, '>', r->len);
	const char *at = end ? memmem(r->text, (size_t)(end - r->text), "encoding", 8) : NULL;

	return at ? (unsigned)(at - r->text) + 1 : 1;
}

int fmpi_xml_parse(struct fmpi_reader *r)
{
	xmlParserCtxtPtr parser = xmlNewParserCtxt();

	if (!parser)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	parser->_private = r;
	parser->sax->serror = parse_failed;
	parser->sax->internalSubset = refuse_dtd;
	r->doc = xmlCtxtReadMemory(parser, r->text, (int)r->len, NULL, NULL,
				   XML_PARSE_NONET | XML_PARSE_NOCDATA);
	xmlFreeParserCtxt(parser);
	if (r->failed)
		return r->failed;
	if (!r->doc || !xmlDocGetRootElement(r->doc))
		return fmp_error_at(r->err, FMP_ERR_SYNTAX, r->name, 0, 0, "not an XML document");
	/* Positions are looked up in the bytes, which must then be what libxml2 saw. */
	if (r->doc->encoding && xmlStrcasecmp(r->doc->encoding, BAD_CAST "UTF-8") &&
	    xmlStrcasecmp(r->doc->encoding, BAD_CAST "US-ASCII"))
		return fmp_error_at(r->err, FMP_ERR_SYNTAX, r->name, 1, column_of_encoding(r),
				    "a policy is written in UTF-8, not in %s", r->doc->encoding);
	return 0;
}

/* "balanced" of "/etc/fmp/balanced.xml": the name of a policy that does not say its own. */
static void name_by_file(struct fmp_policy *p, const char *file)
{
	const char *base = strrchr(file, '/'), *dot;

	base = base ? base + 1 : file;
	dot = strrchr(base, '.');
	snprintf(p->name, sizeof(p->name), "%.*s",
		 dot && dot != base ? (int)(dot - base) : (int)strlen(base), base);
	for (char *c = p->name; *c; c++)
		if (!strchr(FMPI_NAME_CHARACTERS, *c))
			*c = '_';
}

/* Services, overrides and groups inherit: they are read when every part's settings are; overrides behind all
 * services, which they name. The schema has the last word, because its words are the least clear. */
static int read_heirs(struct fmpi_reader *r)
{
	int rc = 0;

	for (unsigned i = 0; i < r->n_order && !rc; i++) {
		fmpi_include_enter(r, r->order[i]);
		rc = fmpi_services_read(r);
	}
	for (unsigned i = 0; i < r->n_order && !rc; i++) {
		fmpi_include_enter(r, r->order[i]);
		rc = fmpi_overrides_read(r);
		if (!rc)
			rc = fmpi_groups_read(r);
		if (!rc)
			rc = fmpi_policy_validate(r, r->xsd);
	}
	return rc;
}

static int read_policy(struct fmpi_reader *r, const void *bytes, size_t len, const char *name)
{
	int rc = fmpi_includes_read(r, bytes, len, name);

	if (!rc)
		rc = read_heirs(r);
	if (!rc)
		rc = fmpi_policy_check(r->policy, &r->where, r->err);
	if (!rc)
		rc = fmpi_policy_check_counts(r);
	if (!rc)
		rc = fmpi_policy_check_idle(r);
	if (rc)
		return rc;
	r->policy->group_index = fmpi_group_index_make(r->policy);
	return fmpi_origin_take(r);
}

int fmp_policy_load_memory(const void *bytes, size_t len, const char *name, const char *xsd,
			   struct fmp_policy **out, struct fmp_error *err)
{
	struct fmpi_reader *r;
	int rc;

	if (len > FMPI_FILE_MAX)
		return fmp_error_at(err, FMP_ERR_LIMIT, name, 0, 0,
				    "larger than 1 MiB: not a policy");
	if (strlen(name) >= sizeof((*out)->file))
		return fmp_error_at(err, FMP_ERR_LIMIT, name, 0, 0, "the file's name is too long");
	r = calloc(1, sizeof(*r));
	if (r)
		r->policy = fmp_policy_default();
	if (!r || !r->policy) {
		free(r);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	r->err = err;
	r->xsd = xsd;
	snprintf(r->policy->file, sizeof(r->policy->file), "%s", name);
	name_by_file(r->policy, name);

	rc = read_policy(r, bytes, len, name);
	fmpi_includes_free(r);
	if (rc)
		fmp_policy_free(r->policy);
	else
		*out = r->policy;
	free(r);
	return rc;
}

int fmp_policy_load(const char *file, const char *xsd, struct fmp_policy **out,
		    struct fmp_error *err)
{
	struct fmpi_include part;
	int sys, rc = fmpi_file_read(file, &part, &sys);

	if (rc == FMP_ERR_IO && (sys == FMPI_NO_FILE || sys == EISDIR))
		return fmp_error_at(err, FMP_ERR_IO, file, 0, 0, "%s", fmpi_file_why(sys));
	if (rc == FMP_ERR_IO)
		return fmp_error_sys(err, FMP_ERR_IO, sys, "%s", file);
	if (rc)
		return fmp_error_at(err, rc, file, 0, 0,
				    rc == FMP_ERR_NOMEM ? "out of memory"
							: "larger than 1 MiB: not a policy");
	rc = fmp_policy_load_memory(part.text, part.len, file, xsd, out, err);
	free(part.text);
	return rc;
}
