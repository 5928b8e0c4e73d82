// SPDX-License-Identifier: GPL-2.0
/*
 * The policy file: bytes -> libxml2 -> our own walk (errors in our words) -> the
 * schema's verdict -> contradictions. Nothing but the file and the schema is ever opened:
 * no DTD, no entities, no XInclude, no network.
 */
#include <policy/xml.h>

#include <errno.h>
#include <libxml/parser.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX (1u << 20)

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

static int parse(struct fmpi_reader *r)
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
		return fmp_error_at(r->err, FMP_ERR_SYNTAX, r->name, 1, 0,
				    "a policy is written in UTF-8, not in %s", r->doc->encoding);
	return 0;
}

/* The folder of the file with a '/' at its end, absolute: the program may change its own later. */
static int folder(const char *file, char *dir, size_t size)
{
	char cwd[PATH_MAX] = "";
	const char *slash = strrchr(file, '/');
	int len = slash ? (int)(slash - file) + 1 : 0, n;

	if (*file != '/' && !getcwd(cwd, sizeof(cwd)))
		return errno;
	n = snprintf(dir, size, "%s%s%.*s", cwd, *file != '/' ? "/" : "", len, file);
	return n < 0 || (size_t)n >= size ? ENAMETOOLONG : 0;
}

/* "balanced" of "/etc/fmp/balanced.xml": the name of a policy that does not say its own. */
static void name_by_file(struct fmp_policy *p, const char *file)
{
	const char *base = strrchr(file, '/'), *dot;

	base = base ? base + 1 : file;
	dot = strrchr(base, '.');
	snprintf(p->name, sizeof(p->name), "%.*s",
		 dot && dot != base ? (int)(dot - base) : (int)strlen(base), base);
}

static int read_policy(struct fmpi_reader *r, const char *xsd)
{
	int rc = parse(r);

	if (!rc)
		rc = fmpi_policy_walk(r);
	if (!rc)
		rc = fmpi_policy_validate(r, xsd);
	if (!rc)
		rc = fmpi_policy_check(r->policy, &r->where, r->err);
	return rc;
}

static int load(const void *bytes, size_t len, const char *name, const char *xsd,
		struct fmp_policy **out, struct fmp_error *err)
{
	struct fmpi_reader r = { .text = bytes, .len = len, .name = name, .err = err };
	int rc, sys;

	if (len > FILE_MAX)
		return fmp_error_at(err, FMP_ERR_LIMIT, name, 0, 0,
				    "larger than 1 MiB: not a policy");
	sys = folder(name, r.dir, sizeof(r.dir));
	if (sys)
		return fmp_error_sys(err, FMP_ERR_IO, sys, "the folder of %s", name);
	r.policy = fmp_policy_default();
	if (!r.policy)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	if (strlen(name) >= sizeof(r.policy->file)) {
		fmp_policy_free(r.policy);
		return fmp_error_at(err, FMP_ERR_LIMIT, name, 0, 0, "the file's name is too long");
	}
	snprintf(r.policy->file, sizeof(r.policy->file), "%s", name);
	name_by_file(r.policy, name);

	rc = read_policy(&r, xsd);
	xmlFreeDoc(r.doc);
	if (rc)
		fmp_policy_free(r.policy);
	else
		*out = r.policy;
	return rc;
}

int fmp_policy_load_memory(const void *bytes, size_t len, const char *name, const char *xsd,
			   struct fmp_policy **out, struct fmp_error *err)
{
	return load(bytes, len, name, xsd, out, err);
}

int fmp_policy_load(const char *file, const char *xsd, struct fmp_policy **out,
		    struct fmp_error *err)
{
	FILE *f = fopen(file, "re");
	char *bytes;
	size_t len;
	int rc;

	if (!f)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "%s", file);
	bytes = malloc(FILE_MAX + 1);
	if (!bytes) {
		fclose(f);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	/* One byte more than allowed tells a file that is too large. */
	len = fread(bytes, 1, FILE_MAX + 1, f);
	if (ferror(f))
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "%s", file);
	else
		rc = load(bytes, len, file, xsd, out, err);
	free(bytes);
	fclose(f);
	return rc;
}
