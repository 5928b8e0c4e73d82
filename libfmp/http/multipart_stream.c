// SPDX-License-Identifier: GPL-2.0
/* Checking a multipart message, and writing it anew, piece by piece. */
#include <fmp/internal/multipart_stream.h>

#include <stdlib.h>
#include <string.h>

static int refuse_stream(struct fmp_multipart_stream *s, int status, enum fmp_event_kind kind,
			 const char *detail)
{
	s->status = status;
	s->kind = kind;
	s->detail = detail;
	return FMP_ERR_INVALID;
}

static int refuse_as_mime(struct fmp_multipart_stream *s)
{
	enum fmp_event_kind kind = s->mime.kind;

	return refuse_stream(s,
			     kind == FMP_EVENT_OVERSIZE	     ? 413
			     : kind == FMP_EVENT_UNSUPPORTED ? 415
							     : 400,
			     kind, s->mime.detail);
}

uint32_t fmp_multipart_stream_max(const struct fmp_policy_gateway *demands)
{
	const struct fmp_policy_attachments *a = &demands->attachments;
	uint64_t around = FMP_MIME_HEADER_MAX + 2 * FMP_MIME_BOUNDARY, most;

	/* A signature or encryption covers the parts. */
	if (!a->allowed ||
	    (demands->security != FMP_SECURITY_BC && demands->security != FMP_SECURITY_BCV))
		return 0;
	most = (uint64_t)demands->limits.body_bytes + a->bytes + 2 * FMP_MIME_AROUND +
	       (a->parts + 2) * around;
	return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

struct fmp_multipart_stream *fmp_multipart_stream_new(const char *content_type,
						      const struct fmp_policy_attachments *limits,
						      uint32_t root_bytes)
{
	const struct fmp_mime_limits bounds = { .parts = limits->parts,
						.header_bytes = FMP_MIME_HEADER_MAX,
						.fields = FMP_MIME_FIELDS_MAX,
						.root_bytes = root_bytes,
						.part_bytes = limits->part_bytes,
						.bytes = limits->bytes };
	struct fmp_multipart_stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->unreferenced = limits->unreferenced;
	if (fmp_mime_init(&s->mime, content_type, &bounds))
		refuse_as_mime(s);
	return s;
}

void fmp_multipart_stream_free(struct fmp_multipart_stream *s)
{
	if (!s)
		return;
	free(s->reference);
	free(s->references);
	free(s);
}

int fmp_multipart_stream_read_root(struct fmp_multipart_stream *s, const void *bytes, size_t n,
				   size_t *used)
{
	*used = 0;
	for (;;) {
		size_t step;
		enum fmp_mime_event e =
			fmp_mime_next(&s->mime, (const char *)bytes + *used, n - *used, &step);

		*used += step;
		if (e == FMP_MIME_PART_END)
			return 0;
		if (e == FMP_MIME_MORE)
			return FMP_ERR_AGAIN;
		if (e == FMP_MIME_REFUSED)
			return refuse_as_mime(s);
	}
}

/* ---- what the root refers to ---- */

static uint64_t hash_id(const char *id)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *id; id++)
		h = (h ^ (unsigned char)*id) * UINT64_C(0x100000001b3);
	return h;
}

static size_t count_references(const char *p, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += !p[i];
	return n;
}

int fmp_multipart_stream_expect(struct fmp_multipart_stream *s, const char *references, size_t len)
{
	size_t n = count_references(references, len);
	const char *p, *end;

	if ((len && references[len - 1]) || n > FMP_MIME_PARTS_MAX)
		return FMP_ERR_SYNTAX;
	s->references = malloc(len + 1);
	s->reference = calloc(n + 1, sizeof(*s->reference));
	if (!s->references || !s->reference)
		return FMP_ERR_NOMEM;
	if (len)
		memcpy(s->references, references, len);
	p = s->references;
	for (end = p + len; p < end; p += strlen(p) + 1) {
		if (*p != FMP_MULTIPART_INCLUDED && *p != FMP_MULTIPART_REFERRED)
			return FMP_ERR_SYNTAX;
		s->reference[s->n_references++] =
			(struct fmp_multipart_reference){ .hash = hash_id(p + 1),
							  .id = p + 1,
							  .included = *p ==
								      FMP_MULTIPART_INCLUDED };
	}
	return 0;
}

static struct fmp_multipart_reference *find_reference(struct fmp_multipart_stream *s,
						      const char *id)
{
	uint64_t hash = hash_id(id);

	for (size_t i = 0; i < s->n_references && *id; i++)
		if (s->reference[i].hash == hash && strcmp(s->reference[i].id, id) == 0)
			return &s->reference[i];
	return NULL;
}

/*
 * Some receivers end a part at the boundary within a line, too. Look also for one of which earlier
 * bytes are the beginning: it is refused before all of it was forwarded.
 */
static int check_data(struct fmp_multipart_stream *s)
{
	const char *p = s->mime.data, *delimiter = s->mime.delimiter;
	size_t n = s->mime.data_len, most = s->mime.n_delimiter - 1, head = n < most ? n : most;
	char seam[2 * sizeof(s->tail)];

	memcpy(mempcpy(seam, s->tail, s->n_tail), p, head);
	if (memmem(seam, s->n_tail + head, delimiter, most + 1) ||
	    memmem(p, n, delimiter, most + 1))
		return refuse_stream(s, 400, FMP_EVENT_HTTP,
				     "the boundary stands in the data of a part");
	head += s->n_tail;
	if (n >= most) {
		s->n_tail = most;
		memcpy(s->tail, p + n - most, most);
	} else {
		s->n_tail = head < most ? head : most;
		memcpy(s->tail, seam + head - s->n_tail, s->n_tail);
	}
	return 0;
}

/* As fmpi_xop_resolve() for a message that is whole. */
static int check_part(struct fmp_multipart_stream *s)
{
	const struct fmp_mime_part *part = &s->mime.part;
	struct fmp_multipart_reference *r = find_reference(s, part->id);
	bool xop = strcmp(s->mime.root.media, "application/xop+xml") == 0;

	if (!r && (xop || !s->unreferenced))
		return refuse_stream(s, 400, FMP_EVENT_SOAP, "nothing refers to an attachment");
	if (r && r->included && part->coding != FMP_MIME_IDENTITY)
		return refuse_stream(
			s, 415, FMP_EVENT_UNSUPPORTED,
			"an xop:Include names a part with a Content-Transfer-Encoding");
	if (r)
		r->came = true;
	s->n_tail = 0;
	return 0;
}

static int check_all_came(struct fmp_multipart_stream *s)
{
	for (size_t i = 0; i < s->n_references; i++)
		if (s->reference[i].included && !s->reference[i].came)
			return refuse_stream(s, 400, FMP_EVENT_SOAP,
					     "an xop:Include names no part of the message");
	return 0;
}

/* ---- what is forwarded ---- */

uint64_t fmp_multipart_stream_begin(struct fmp_multipart_stream *s, const uint64_t *len,
				    bool (*out)(void *ctx, const void *bytes, size_t len),
				    void *ctx)
{
	s->out = out;
	s->ctx = ctx;
	s->has_length = len;
	/* The delimiter behind the root was read with it. */
	s->left = len ? *len + strlen("\r\n") + strlen(s->mime.delimiter) : 0;
	return s->left;
}

static bool put_bytes(struct fmp_multipart_stream *s, const void *bytes, size_t n)
{
	/* Only behind empty parts, more is forwarded than was read: the line end of a delimiter. */
	if (s->has_length && n > s->left) {
		refuse_stream(s, 415, FMP_EVENT_UNSUPPORTED,
			      "empty parts without a line end before the next delimiter");
		return false;
	}
	s->left -= s->has_length ? n : 0;
	return !n || s->out(s->ctx, bytes, n);
}

/* In one piece: each becomes a chunk. */
static bool put_part(struct fmp_multipart_stream *s)
{
	const struct fmp_mime_part *part = &s->mime.part;
	char text[2 + sizeof(s->mime.delimiter) + 2 + FMP_MIME_HEADER_MAX + 2], *p = text;

	p = stpcpy(stpcpy(stpcpy(p, "\r\n"), s->mime.delimiter), "\r\n");
	p = mempcpy(p, part->header, part->header_len);
	p = mempcpy(p, "\r\n", 2);
	return put_bytes(s, text, (size_t)(p - text));
}

/* Blanks for what was not forwarded: an epilogue, which receivers skip (RFC 2046 5.1.1). */
static bool put_filling(struct fmp_multipart_stream *s)
{
	static const char blanks[] =
		"                                                                ";
	bool good = s->left < 2 || put_bytes(s, "\r\n", 2);

	while (good && s->left)
		good = put_bytes(s, blanks,
				 s->left < sizeof(blanks) - 1 ? s->left : sizeof(blanks) - 1);
	return good;
}

static bool put_end(struct fmp_multipart_stream *s)
{
	char text[2 + sizeof(s->mime.delimiter) + 2 + 2], *p = text;

	p = stpcpy(stpcpy(stpcpy(p, "\r\n"), s->mime.delimiter), "--");
	if (!s->has_length)
		p = stpcpy(p, "\r\n");
	if (!put_bytes(s, text, (size_t)(p - text)))
		return false;
	return !s->has_length || put_filling(s);
}

static int get_error(const struct fmp_multipart_stream *s)
{
	return s->status ? FMP_ERR_INVALID : FMP_ERR_IO;
}

static int pass_event(struct fmp_multipart_stream *s, enum fmp_mime_event e)
{
	bool good = true;
	int ret = 0;

	if (e == FMP_MIME_REFUSED)
		return refuse_as_mime(s);
	if (e == FMP_MIME_PART)
		ret = check_part(s);
	if (e == FMP_MIME_PART && !ret)
		good = put_part(s);
	if (e == FMP_MIME_DATA)
		ret = check_data(s);
	if (e == FMP_MIME_DATA && !ret)
		good = put_bytes(s, s->mime.data, s->mime.data_len);
	return ret || good ? ret : get_error(s);
}

int fmp_multipart_stream_pass(struct fmp_multipart_stream *s, const void *bytes, size_t n)
{
	const char *p = bytes;
	enum fmp_mime_event e;
	size_t used;
	int ret;

	do {
		e = fmp_mime_next(&s->mime, p, n, &used);
		p += used;
		n -= used;
		ret = pass_event(s, e);
	} while (!ret && e != FMP_MIME_MORE);
	return ret;
}

int fmp_multipart_stream_finish(struct fmp_multipart_stream *s)
{
	int ret = fmp_mime_finish(&s->mime) == FMP_MIME_END ? check_all_came(s) : refuse_as_mime(s);

	if (ret)
		return ret;
	return put_end(s) ? 0 : get_error(s);
}

size_t fmp_multipart_stream_size(const struct fmp_multipart_stream *s)
{
	size_t n = sizeof(*s) + s->n_references * sizeof(*s->reference);

	for (size_t i = 0; i < s->n_references; i++)
		n += strlen(s->reference[i].id) + 2;
	return n;
}
