// SPDX-License-Identifier: GPL-2.0
/*
 * The files that a policy is read from: bytes of a regular file, parsed as XML. No DTD, no entities,
 * no XInclude, no network.
 */
#include <fmp/internal/policy_xml.h>
#include <fmp/internal/xml_error_arg.h>

#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *fmpi_data_file(const char *name, char *buf, size_t size)
{
	static const char *const up[] = { "/../..", "/../../.." };
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;

	exe[n > 0 ? n : 0] = '\0';
	slash = strrchr(exe, '/');
	for (size_t i = 0; slash && i < sizeof(up) / sizeof(up[0]); i++) {
		*slash = '\0';
		snprintf(buf, size, "%s%s/policies/%s", exe, up[i], name);
		if (!access(buf, R_OK))
			return buf;
	}
	snprintf(buf, size, "%s/%s", FMP_DATADIR, name);
	return buf;
}

int fmpi_file_read(const char *path, struct fmpi_include *out, int *sys)
{
	struct stat st = { 0 };
	/* O_NONBLOCK: a pipe without a writer, or a device, must not stop the reader. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n = 0;

	*out = (struct fmpi_include){ 0 };
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		*sys = fd < 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : FMPI_NO_FILE;
		if (fd >= 0)
			close(fd);
		return FMP_ERR_IO;
	}
	out->device = st.st_dev;
	out->inode = st.st_ino;
	/* Reading one byte more than allowed detects a file that is too large. */
	out->text = malloc(FMPI_FILE_MAX + 1);
	while (out->text && out->len <= FMPI_FILE_MAX &&
	       (n = read(fd, out->text + out->len, FMPI_FILE_MAX + 1 - out->len)) > 0)
		out->len += (size_t)n;
	*sys = errno;
	close(fd);
	if (out->text && n >= 0 && out->len <= FMPI_FILE_MAX)
		return 0;
	free(out->text);
	if (n < 0)
		return FMP_ERR_IO;
	return out->text ? FMP_ERR_LIMIT : FMP_ERR_NOMEM;
}

const char *fmpi_file_why(int sys)
{
	return sys == FMPI_NO_FILE ? "a FIFO, a socket or a device stands there, not a file"
	       : sys == EISDIR	   ? "a folder stands there, not a file"
				   : strerror(sys);
}

static void on_parse_error(void *ctx, fmpi_xml_error_arg e)
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

/* The column of "encoding" in the XML declaration; 1 if it is not in the bytes as ASCII. */
static unsigned find_encoding_column(const struct fmpi_reader *r)
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
	parser->sax->serror = on_parse_error;
	parser->sax->internalSubset = refuse_dtd;
	r->doc = xmlCtxtReadMemory(parser, r->text, (int)r->len, NULL, NULL,
				   XML_PARSE_NONET | XML_PARSE_NOCDATA);
	xmlFreeParserCtxt(parser);
	if (r->failed)
		return r->failed;
	if (!r->doc || !xmlDocGetRootElement(r->doc))
		return fmp_error_at(r->err, FMP_ERR_SYNTAX, r->name, 0, 0, "not an XML document");
	/* Positions are searched in the bytes, so these must be what libxml2 parsed. */
	if (r->doc->encoding && xmlStrcasecmp(r->doc->encoding, BAD_CAST "UTF-8") &&
	    xmlStrcasecmp(r->doc->encoding, BAD_CAST "US-ASCII"))
		return fmp_error_at(r->err, FMP_ERR_SYNTAX, r->name, 1, find_encoding_column(r),
				    "a policy is written in UTF-8, not in %s", r->doc->encoding);
	return 0;
}
