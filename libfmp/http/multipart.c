// SPDX-License-Identifier: GPL-2.0
/* Splitting a multipart message that is whole in memory (mime/ finds the parts). */
#include <fmp/internal/multipart.h>
#include <fmp/internal/multipart_stream.h>

#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

#include "xml/encoding.h"

struct reading {
	struct fmp_mime mime;
	struct fmp_multipart *out;
	size_t capacity;
};

static int refuse_message(struct fmp_multipart *m, int status, enum fmp_event_kind kind,
			  const char *detail)
{
	m->status = status;
	m->kind = kind;
	m->detail = detail;
	return FMP_ERR_INVALID;
}

static int refuse_as(struct fmp_multipart *m, const struct fmp_mime *mime)
{
	int status = mime->kind == FMP_EVENT_OVERSIZE	   ? 413
		     : mime->kind == FMP_EVENT_UNSUPPORTED ? 415
							   : 400;

	return refuse_message(m, status, mime->kind, mime->detail);
}

/* Header and Content-ID are copied into one piece, which the Content-ID begins. */
static int copy_header(const struct fmp_mime_part *from, struct fmp_attachment *to)
{
	size_t n = strlen(from->id) + 1;
	char *p = malloc(n + from->header_len + 1);

	if (!p)
		return FMP_ERR_NOMEM;
	to->id = p;
	to->header = memcpy(memcpy(p, from->id, n) + n, from->header, from->header_len);
	to->header_len = from->header_len;
	to->encoded = from->coding != FMP_MIME_IDENTITY;
	return 0;
}

static struct fmp_attachment *add_part(struct reading *r)
{
	struct fmp_attachments *a = &r->out->attachments;

	if (!r->mime.part.index)
		return &r->out->root;
	if (a->n == r->capacity) {
		size_t capacity = r->capacity ? 2 * r->capacity : 4;
		void *p = reallocarray(a->part, capacity, sizeof(*a->part));

		if (!p)
			return NULL;
		a->part = p;
		r->capacity = capacity;
	}
	a->part[a->n] = (struct fmp_attachment){ .id = NULL };
	return &a->part[a->n++];
}

/* CXF ends a part there as well; no sender chooses a boundary that stands in the data. */
static bool holds_delimiter(const struct reading *r, const struct fmp_attachment *part)
{
	return memmem(part->bytes, part->len, r->mime.delimiter, r->mime.n_delimiter) != NULL;
}

static int read_parts(struct reading *r, const char *bytes, size_t len)
{
	struct fmp_attachment *part = &r->out->root;
	enum fmp_mime_event e;
	size_t at = 0, used;

	do {
		int ret = 0;

		e = fmp_mime_next(&r->mime, bytes + at, len - at, &used);
		at += used;
		if (e == FMP_MIME_PART) {
			part = add_part(r);
			ret = part ? copy_header(&r->mime.part, part) : FMP_ERR_NOMEM;
			if (ret)
				return ret;
			part->bytes = bytes + at;
		} else if (e == FMP_MIME_PART_END) {
			part->len = (size_t)r->mime.part.bytes;
			if (holds_delimiter(r, part))
				return refuse_message(r->out, 400, FMP_EVENT_HTTP,
						      "the boundary stands in the data of a part");
		}
	} while (e != FMP_MIME_MORE && e != FMP_MIME_REFUSED &&
		 (e != FMP_MIME_PART_END || !r->out->attachments.pending));
	if (e == FMP_MIME_PART_END)
		return 0;
	if (e == FMP_MIME_MORE)
		e = fmp_mime_finish(&r->mime);
	return e == FMP_MIME_END ? 0 : refuse_as(r->out, &r->mime);
}

/* Room for the parts that the root refers to. */
static int expect_parts(struct fmp_attachments *a, size_t most)
{
	uint8_t(*placeholder)[FMP_ATTACHMENT_PLACEHOLDER] = calloc(most, sizeof(*placeholder));

	a->pending = true;
	a->most = most;
	a->part = calloc(most, sizeof(*a->part));
	a->placeholder = (const uint8_t(*)[FMP_ATTACHMENT_PLACEHOLDER])placeholder;
	/* If it could be guessed, a text of the message could be taken for it. */
	return a->part && placeholder &&
			       RAND_bytes((unsigned char *)placeholder,
					  (int)(most * sizeof(*placeholder))) == 1
		       ? 0
		       : FMP_ERR_NOMEM;
}

static int add_action(struct fmp_multipart *m, const struct fmp_mime_type *type)
{
	if (!type->action[0])
		return 0;
	if (m->action[0] && strcmp(m->action, type->action) != 0)
		return refuse_message(m, 400, FMP_EVENT_HTTP,
				      "the actions of message and root part differ");
	strcpy(m->action, type->action);
	return 0;
}

/* The action may also stand in start-info and in the root's type, as in "application/soap+xml; ...". */
static int add_inner_action(struct fmp_multipart *m, const char *value)
{
	struct fmp_mime_type inner;

	if (!*value)
		return 0;
	if (fmp_mime_type_read(value, &inner))
		return refuse_message(m, 400, FMP_EVENT_HTTP, inner.why);
	return add_action(m, &inner);
}

static void copy_media(char out[FMP_MIME_MEDIA], const char *value)
{
	struct fmp_mime_type inner;

	if (*value && !fmp_mime_type_read(value, &inner))
		strcpy(out, inner.media);
}

static bool hides_ascii(const char *charset)
{
	return fmpi_encoding_hides_ascii(charset, strlen(charset));
}

/* Which SOAP the root is: XOP says it in a parameter. */
static int read_root_type(struct fmp_multipart *m)
{
	bool xop = strcmp(m->root_type.media, "application/xop+xml") == 0;
	int ret;

	m->attachments.xop = xop;
	m->plain_charset =
		*m->root_type.charset &&
		fmpi_encoding_is_plain(m->root_type.charset, strlen(m->root_type.charset));
	if (!xop)
		strcpy(m->media, m->root_type.media);
	else if (m->root_type.type[0])
		copy_media(m->media, m->root_type.type);
	else
		copy_media(m->media, m->type.start_info);
	if (strcmp(m->media, "text/xml") != 0 && strcmp(m->media, "application/soap+xml") != 0)
		return refuse_message(m, 415, FMP_EVENT_UNSUPPORTED,
				      "the root part is not of a type of SOAP");
	if (hides_ascii(m->root_type.charset) || hides_ascii(m->type.charset))
		return refuse_message(m, 415, FMP_EVENT_UNSUPPORTED,
				      "a charset of the root part that is not supported, only "
				      "UTF-8 and UTF-16");
	ret = add_action(m, &m->type);
	if (!ret)
		ret = add_action(m, &m->root_type);
	if (!ret)
		ret = add_inner_action(m, m->type.start_info);
	if (!ret && xop)
		ret = add_inner_action(m, m->root_type.type);
	return ret;
}

struct fmp_multipart *fmp_multipart_read(const char *content_type, const void *bytes, size_t len,
					 const struct fmp_policy_attachments *limits, uint32_t most,
					 bool pending)
{
	const struct fmp_mime_limits bounds = { .parts = limits->parts,
						.header_bytes = FMP_MIME_HEADER_MAX,
						.fields = FMP_MIME_FIELDS_MAX,
						.root_bytes = most,
						.part_bytes = limits->part_bytes,
						.bytes = limits->bytes };
	struct reading *r = malloc(sizeof(*r));
	struct fmp_multipart *m = calloc(1, sizeof(*m));
	int ret = r && m ? 0 : FMP_ERR_NOMEM;

	if (!ret) {
		r->out = m;
		r->capacity = 0;
		m->attachments.unreferenced = limits->unreferenced;
		if (fmp_mime_init(&r->mime, content_type, &bounds))
			ret = refuse_as(m, &r->mime);
	}
	if (!ret && pending)
		ret = expect_parts(&m->attachments, limits->parts);
	if (!ret)
		ret = read_parts(r, bytes, len);
	if (!ret) {
		m->type = r->mime.type;
		m->root_type = r->mime.root;
		ret = read_root_type(m);
	}
	free(r);
	if (ret == FMP_ERR_NOMEM) {
		fmp_multipart_free(m);
		return NULL;
	}
	return m;
}

void fmp_multipart_free(struct fmp_multipart *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->attachments.n; i++) {
		free((char *)m->attachments.part[i].id);
		free(m->attachments.part[i].own);
	}
	free((char *)m->root.id);
	free(m->attachments.part);
	free((void *)(uintptr_t)m->attachments.placeholder);
	free(m);
}

void fmp_multipart_drop_replaced(struct fmp_multipart *m)
{
	for (size_t i = 0; i < m->attachments.n; i++) {
		struct fmp_attachment *part = &m->attachments.part[i];

		if (!part->own)
			continue;
		free(part->own);
		part->own = NULL;
		part->header = part->bytes = NULL;
		part->header_len = part->len = 0;
	}
}

char *fmp_multipart_references(const struct fmp_multipart *m, size_t *len)
{
	const struct fmp_attachments *a = &m->attachments;
	char *out, *p;
	size_t n = 1;

	for (size_t i = 0; i < a->n; i++)
		n += 1 + strlen(a->part[i].id) + 1;
	out = p = malloc(n);
	for (size_t i = 0; out && i < a->n; i++) {
		*p++ = a->part[i].included ? FMP_MULTIPART_INCLUDED : FMP_MULTIPART_REFERRED;
		p = stpcpy(p, a->part[i].id) + 1;
	}
	*len = (size_t)(p - out);
	return out;
}
