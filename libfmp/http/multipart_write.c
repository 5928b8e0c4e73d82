// SPDX-License-Identifier: GPL-2.0
/* Writing a multipart message anew: delimiters, headers and parts as they were read, and its root. */
#include <fmp/internal/multipart.h>

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "wss/attachment_header.h"

/* A shorter part stays Base64 in the root: an xop:Include is longer, and its text may stand elsewhere. */
#define MIN_INCLUDED 96u
/* Base64 of a part is looked for by its beginning, then compared in pieces. */
#define PIECE	     48u
/* Parts that are not found stay Base64. Each costs a search: give up soon. */
#define MAX_MISSES   4u

static bool add_text(struct fmpi_buffer *o, const char *text)
{
	return fmpi_buffer_add(o, text, strlen(text));
}

/* Is this the Base64 of the part, and the whole content of an element? */
static bool is_part_at(const struct fmp_attachment *part, const char *p, size_t n)
{
	size_t len = 4 * ((part->len + 2) / 3);
	unsigned char text[4 * PIECE / 3 + 1];

	if (n <= len || p[-1] != '>' || p[len] != '<')
		return false;
	for (size_t at = 0; at < part->len; at += PIECE) {
		size_t size = part->len - at < PIECE ? part->len - at : PIECE;
		int out = EVP_EncodeBlock(text, (const unsigned char *)part->bytes + at, (int)size);

		if (memcmp(p + at / 3 * 4, text, (size_t)out) != 0)
			return false;
	}
	return true;
}

/* Return: where the Base64 of the part stands; NULL: nowhere. */
static const char *find_part(const struct fmp_attachment *part, const char *p, const char *end)
{
	unsigned char text[4 * PIECE / 3 + 1];
	int n;

	if (part->len < MIN_INCLUDED || !*part->href)
		return NULL;
	n = EVP_EncodeBlock(text, part->bytes, PIECE);
	for (p++; p < end && (p = memmem(p, (size_t)(end - p), text, (size_t)n)); p++)
		if (is_part_at(part, p, (size_t)(end - p)))
			return p;
	return NULL;
}

static bool add_include(struct fmpi_buffer *o, const char *href)
{
	bool good = add_text(o, "<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" "
				"href=\"");

	for (; *href && good; href++)
		good = *href == '&' ? add_text(o, "&amp;") : fmpi_buffer_add(o, href, 1);
	return good && add_text(o, "\"/>");
}

/* The part that the @nth xop:Include of the message named. */
static size_t find_nth(const struct fmp_attachments *a, size_t nth)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->part[i].included == nth)
			return i;
	return a->n;
}

/* @kept: out: which parts are to be written */
static bool add_changed_root(const struct fmp_multipart *m, const char *root, size_t len,
			     struct fmpi_buffer *o, bool *kept)
{
	const struct fmp_attachments *a = &m->attachments;
	const char *p = root, *end = root + len;
	unsigned misses = 0;
	bool good = true;

	for (size_t i = 0; i < a->n; i++)
		kept[i] = a->verbatim || !a->part[i].included;
	for (size_t nth = 1; nth <= a->included && !a->verbatim && misses < MAX_MISSES && good;
	     nth++) {
		size_t i = find_nth(a, nth);
		const struct fmp_attachment *part = &a->part[i];
		const char *at = find_part(part, p, end);

		if (!at) {
			misses++;
			continue;
		}
		kept[i] = true;
		good = fmpi_buffer_add(o, p, (size_t)(at - p)) && add_include(o, part->href);
		p = at + 4 * ((part->len + 2) / 3);
	}
	return good && fmpi_buffer_add(o, p, (size_t)(end - p));
}

/* The header of a root that was changed: it is UTF-8 now. */
static bool add_root_header(const struct fmp_multipart *m, int soap_version, struct fmpi_buffer *o)
{
	const char *media = soap_version == 12 ? "application/soap+xml" : "text/xml";
	const char *p = m->root.header, *end = p + m->root.header_len, *next;
	bool good = true;

	for (; p < end && good; p = next) {
		next = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		/* Its length and digests have changed as well. */
		if (strncasecmp(p, "Content-Type:", strlen("Content-Type:")) != 0 &&
		    !fmpi_attachment_header_is_of_bytes(
			    p, (size_t)((const char *)memchr(p, ':', (size_t)(end - p)) - p)))
			good = fmpi_buffer_add(o, p, (size_t)(next - p));
	}
	if (!m->attachments.xop)
		return good && add_text(o, "Content-Type: ") && add_text(o, media) &&
		       add_text(o, "; charset=utf-8\r\n");
	return good && add_text(o, "Content-Type: application/xop+xml; charset=utf-8; type=\"") &&
	       add_text(o, media) && add_text(o, "\"\r\n");
}

static bool add_delimiter(const struct fmp_multipart *m, struct fmpi_buffer *o)
{
	return add_text(o, o->len ? "\r\n--" : "--") && add_text(o, m->type.boundary);
}

static bool add_part(const struct fmp_multipart *m, const struct fmp_attachment *part,
		     struct fmpi_buffer *o)
{
	return add_delimiter(m, o) && add_text(o, "\r\n") &&
	       fmpi_buffer_add(o, part->header, part->header_len) && add_text(o, "\r\n") &&
	       fmpi_buffer_add(o, part->bytes, part->len);
}

/* A root that came out of decryption may hold what would be a delimiter here. */
static bool holds_boundary(const struct fmp_multipart *m, const char *root, size_t len)
{
	char delimiter[2 + FMP_MIME_BOUNDARY + 1];

	stpcpy(stpcpy(delimiter, "--"), m->type.boundary);
	return memmem(root, len, delimiter, strlen(delimiter)) != NULL;
}

/*
 * Does what took the place of a part hold a delimiter, or does its type name the boundary? Header and
 * content of it are one piece. Return: 0, FMP_ERR_CONFLICT, FMP_ERR_NOMEM.
 */
static int check_replaced(const struct fmp_multipart *m, const struct fmp_attachment *part)
{
	static const char name[] = "Content-Type:";
	const char *p = part->header, *end = p + part->header_len, *next;
	const char *why = NULL;

	if (holds_boundary(m, part->header, part->header_len + part->len))
		return FMP_ERR_CONFLICT;
	for (; p < end && !why; p = next) {
		char *value;
		size_t n;

		next = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		if (strncasecmp(p, name, strlen(name)) != 0)
			continue;
		p += strlen(name);
		while (*p == ' ' || *p == '\t')
			p++;
		n = (size_t)((const char *)memchr(p, '\r', (size_t)(next - p)) - p);
		value = calloc(n + 1, 1);
		if (!value)
			return FMP_ERR_NOMEM;
		memcpy(value, p, n);
		why = fmp_mime_check_nested(value, m->type.boundary);
		free(value);
	}
	return why ? FMP_ERR_CONFLICT : 0;
}

static bool add_all(const struct fmp_multipart *m, const char *root, size_t len, int soap_version,
		    struct fmpi_buffer *o, bool *kept)
{
	const struct fmp_attachments *a = &m->attachments;
	bool changed = root != m->root.bytes || len != m->root.len, good;

	if (changed)
		good = add_delimiter(m, o) && add_text(o, "\r\n") &&
		       add_root_header(m, soap_version, o) && add_text(o, "\r\n") &&
		       add_changed_root(m, root, len, o, kept);
	else
		good = add_part(m, &m->root, o);
	if (a->pending)
		return good;
	for (size_t i = 0; i < a->n && good; i++)
		if (!changed || kept[i])
			good = add_part(m, &a->part[i], o);
	return good && add_delimiter(m, o) && add_text(o, "--\r\n");
}

static bool is_all_kept(const struct fmp_attachments *a, const bool *kept)
{
	for (size_t i = 0; i < a->n; i++)
		if (!kept[i])
			return false;
	return true;
}

int fmp_multipart_write(const struct fmp_multipart *m, const void *root, size_t root_len,
			int soap_version, void **out, size_t *out_len)
{
	const struct fmp_attachments *a = &m->attachments;
	struct fmpi_buffer o = { 0 };
	size_t size = root_len + 1024;
	bool *kept;

	if (root != m->root.bytes && holds_boundary(m, root, root_len))
		return FMP_ERR_CONFLICT;
	for (size_t i = 0; i < a->n; i++) {
		int ret = a->part[i].own ? check_replaced(m, &a->part[i]) : 0;

		if (ret)
			return ret;
	}
	for (size_t i = 0; i < a->n; i++)
		size += a->part[i].len + a->part[i].header_len + FMP_MIME_BOUNDARY + 8;
	kept = calloc(a->n + 1, sizeof(*kept));
	if (!kept || !fmpi_buffer_reserve(&o, size) ||
	    !add_all(m, root, root_len, soap_version, &o, kept)) {
		free(kept);
		free(o.p);
		return FMP_ERR_NOMEM;
	}
	if (a->pending && root != m->root.bytes && !is_all_kept(a, kept)) {
		free(kept);
		free(o.p);
		return FMP_ERR_INVALID;
	}
	free(kept);
	*out = o.p;
	*out_len = o.len;
	return 0;
}
