// SPDX-License-Identifier: GPL-2.0
#include "attachment_encrypted.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <fmp/internal/mime.h>

#include "attachment.h"
#include "attachment_header.h"
#include "soap/xop.h"
#include "xml/names.h"

#define TYPE_CONTENT  NS_SWA "Attachment-Content-Only"
#define TYPE_COMPLETE NS_SWA "Attachment-Complete"
#define TRANSFORM     NS_SWA "Attachment-Ciphertext-Transform"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_DECRYPT, kind, fmpi_line(node), __VA_ARGS__)

/* ---- EncryptedData ---- */

/* It becomes a field of a header. */
static bool is_field_value(const char *p)
{
	for (; *p; p++)
		if (*p < ' ' || *p > '~')
			return false;
	return true;
}

static int add_attachment(const xmlNode *n, struct fmpi_encrypted_attachment *a,
			  struct fmp_inspection *v)
{
	const char *type = fmpi_attribute(n, NULL, "Type");
	struct fmp_mime_type media;

	a->datum.node = n;
	a->mime_type = fmpi_attribute(n, NULL, "MimeType");
	a->complete = strcmp(type, TYPE_COMPLETE) == 0;
	if (!a->complete && strcmp(type, TYPE_CONTENT) != 0)
		return refuse(v, FMP_EVENT_ALGORITHM, n, "EncryptedData of type %s", type);
	if (a->mime_type && (!is_field_value(a->mime_type) ||
			     fmp_mime_type_read(a->mime_type, &media) || !media.media[0]))
		return refuse(v, FMP_EVENT_DECRYPT, n, "malformed MimeType of an attachment");
	return 0;
}

int fmpi_attachments_collect(const struct fmpi_wsse *w, struct fmpi_encrypted *out,
			     struct fmp_inspection *v)
{
	int ret = 0;

	for (const xmlNode *n = fmpi_first(w->security); n && !ret; n = fmpi_next(n))
		if (fmpi_wsse_is_attachment(n))
			ret = add_attachment(n, &out->attachment[out->n_attachments++], v);
	return ret;
}

int fmpi_attachment_read_cipher(const xmlNode *data, enum fmp_cipher cipher,
				struct fmpi_encrypted_attachment *a, struct fmp_inspection *v)
{
	const xmlNode *reference = fmpi_first(data), *transforms, *t;
	const char *alg;

	if (cipher != FMP_CIPHER_AES128_GCM && cipher != FMP_CIPHER_AES256_GCM)
		return refuse(
			v, FMP_EVENT_UNSUPPORTED, data,
			"an attachment that is not encrypted with AES in GCM is not supported");
	if (!fmpi_is(reference, NS_XENC, "CipherReference") || fmpi_next(reference))
		return refuse(v, FMP_EVENT_ALGORITHM, data,
			      "CipherData of an attachment without a CipherReference");
	transforms = fmpi_first(reference);
	t = fmpi_is(transforms, NS_XENC, "Transforms") || fmpi_is(transforms, NS_DS, "Transforms")
		    ? fmpi_first(transforms)
		    : NULL;
	a->uri = fmpi_attribute(reference, NULL, "URI");
	if (!a->uri || !fmpi_is(t, NS_DS, "Transform") || fmpi_next(t) || fmpi_first(t) ||
	    fmpi_next(transforms))
		return refuse(v, FMP_EVENT_DECRYPT, reference, "malformed CipherReference");
	alg = fmpi_attribute(t, NULL, "Algorithm");
	if (!alg || strcmp(alg, TRANSFORM) != 0)
		return refuse(v, FMP_EVENT_ALGORITHM, t,
			      "Transform %s is not allowed for an encrypted attachment",
			      alg ? alg : "without Algorithm");
	return 0;
}

/* ---- parts ---- */

static bool has_match(const struct fmpi_encrypted *e, unsigned n, const struct fmp_attachment *part)
{
	for (unsigned k = 0; k < n; k++)
		if (e->attachment[k].part == part)
			return true;
	return false;
}

static int match_part(struct fmpi_encrypted *e, unsigned k, struct fmp_attachments *a,
		      struct fmp_inspection *v)
{
	const xmlNode *node = e->attachment[k].datum.node;
	struct fmp_attachment *part = a ? fmpi_xop_find_part(a, e->attachment[k].uri) : NULL;

	if (!part)
		return refuse(v, FMP_EVENT_WRAPPING, node,
			      "a CipherReference names no attachment of the message");
	if (part->included || has_match(e, k, part))
		return refuse(v, FMP_EVENT_WRAPPING, node,
			      "a CipherReference names an attachment that is read otherwise, too");
	if (part->encoded)
		return refuse(v, FMP_EVENT_UNSUPPORTED, node,
			      "an encrypted attachment with a Content-Transfer-Encoding is not "
			      "supported");
	e->attachment[k].part = part;
	return 0;
}

int fmpi_attachments_match(struct fmpi_encrypted *e, struct fmp_attachments *a,
			   struct fmp_inspection *v)
{
	int ret = 0;

	for (unsigned k = 0; k < e->n_attachments && !ret; k++)
		ret = match_part(e, k, a, v);
	for (size_t i = 0; !ret && a && i < a->n; i++)
		if (!a->part[i].included && !has_match(e, e->n_attachments, &a->part[i]))
			ret = refuse(v, FMP_EVENT_UNENCRYPTED, NULL,
				     "attachment %zu is not encrypted", i + 1);
	return ret;
}

/* ---- what was encrypted ---- */

/*
 * Read plaintext as a part of a message: its header, unfolded, is kept in *m.
 * Return: where its content begins; 0: it has no header that ends.
 */
static size_t read_header(struct fmp_mime *m, const struct fmpi_buffer *text)
{
	/* No field has a blank in its name: no line of a header begins so. */
	static const char type[] = "multipart/related; type=\"text/xml\"; boundary=\"f p\"",
			  root[] = "--f p\r\nContent-Type: text/xml\r\n\r\n\r\n--f p\r\n";
	const struct fmp_mime_limits limits = { .parts = 1,
						.header_bytes = FMP_MIME_HEADER_MAX,
						.fields = FMP_MIME_FIELDS_MAX,
						.root_bytes = sizeof(root),
						.part_bytes = UINT32_MAX,
						.bytes = UINT32_MAX };
	size_t n = text->len < FMP_MIME_HEADER_MAX + 2 ? text->len : FMP_MIME_HEADER_MAX + 2;
	size_t at = 0, used = 0;
	enum fmp_mime_event e;

	if (fmp_mime_init(m, type, &limits))
		return 0;
	do {
		e = fmp_mime_next(m, root + at, sizeof(root) - 1 - at, &used);
		at += used;
	} while (e != FMP_MIME_MORE && e != FMP_MIME_REFUSED);
	if (e == FMP_MIME_REFUSED)
		return 0;
	return fmp_mime_next(m, text->p, n, &used) == FMP_MIME_PART ? used : 0;
}

/*
 * Add the fields of the part that came, except those that @inner or @but has and those that describe the
 * encrypted bytes.
 */
static bool add_outer(struct fmpi_buffer *o, const struct fmp_attachment *part,
		      const struct fmp_mime_part *inner, const char *but)
{
	const char *p = part->header, *end = p + part->header_len, *next;
	bool good = true;

	for (; p < end && good; p = next) {
		const char *colon = memchr(p, ':', (size_t)(end - p));
		char name[64];
		size_t n;

		next = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		snprintf(name, sizeof(name), "%.*s", (int)(colon - p), p);
		if (strcasecmp(name, but) == 0 ||
		    fmpi_attachment_header_is_of_bytes(p, (size_t)(colon - p)) ||
		    (inner &&
		     ((strncasecmp(name, "Content-", strlen("Content-")) == 0 &&
		       (inner->id[0] || strcasecmp(name, "Content-ID") != 0)) ||
		      fmpi_attachment_header_find(inner->header, inner->header_len, name, &n))))
			continue;
		good = fmpi_buffer_add(o, p, (size_t)(next - p));
	}
	return good;
}

/* Add the fields that were encrypted, as "Name: value": WSS4J writes no blank. */
static bool add_inner(struct fmpi_buffer *o, const struct fmp_mime_part *inner)
{
	const char *p = inner->header, *end = p + inner->header_len, *next;
	bool good = true;

	for (; p < end && good; p = next) {
		const char *value = (const char *)memchr(p, ':', (size_t)(end - p)) + 1;

		next = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		good = fmpi_buffer_add(o, p, (size_t)(value - p)) && fmpi_buffer_add(o, " ", 1);
		while (*value == ' ' || *value == '\t')
			value++;
		good = good && fmpi_buffer_add(o, value, (size_t)(next - value));
	}
	return good;
}

static int replace_part(struct fmp_attachment *part, struct fmpi_buffer *header, bool good,
			const char *bytes, size_t n)
{
	good = good && fmpi_attachment_replace(part, header->p, header->len, false, bytes, n);
	free(header->p);
	return good ? 0 : FMP_ERR_NOMEM;
}

static int open_complete(const struct fmpi_encrypted_attachment *a, const struct fmp_mime *m,
			 size_t content, bool unsigned_type, const struct fmpi_buffer *text,
			 struct fmp_inspection *v)
{
	const struct fmp_mime_part *inner = &m->part;
	struct fmpi_buffer header = { 0 };
	bool good;

	if (!content)
		return refuse(v, FMP_EVENT_DECRYPT, a->datum.node,
			      "malformed MIME header in an encrypted attachment");
	if ((inner->id[0] || unsigned_type) && strcmp(inner->id, a->part->id) != 0)
		return refuse(v, FMP_EVENT_WRAPPING, a->datum.node,
			      "the MIME header in an encrypted attachment has not its Content-ID");
	if (inner->coding != FMP_MIME_IDENTITY)
		return refuse(v, FMP_EVENT_UNSUPPORTED, a->datum.node,
			      "a Content-Transfer-Encoding in an encrypted attachment is not "
			      "supported");
	good = add_outer(&header, a->part, inner, "Content-Type") && add_inner(&header, inner);
	return replace_part(a->part, &header, good, text->p + content, text->len - content);
}

static int open_content(const struct fmpi_encrypted_attachment *a, const struct fmp_mime *m,
			size_t content, bool unsigned_type, const struct fmpi_buffer *text,
			struct fmp_inspection *v)
{
	static const char name[] = "Content-Type";
	struct fmpi_buffer header = { 0 };
	bool good;

	if (unsigned_type && content && strcmp(m->part.id, a->part->id) == 0)
		return refuse(v, FMP_EVENT_WRAPPING, a->datum.node,
			      "an encrypted attachment begins with its own MIME header, and its "
			      "Type is not signed");
	good = add_outer(&header, a->part, NULL, a->mime_type ? name : "");
	if (a->mime_type)
		good = good && fmpi_buffer_add(&header, name, strlen(name)) &&
		       fmpi_buffer_add(&header, ": ", 2) &&
		       fmpi_buffer_add(&header, a->mime_type, strlen(a->mime_type)) &&
		       fmpi_buffer_add(&header, "\r\n", 2);
	return replace_part(a->part, &header, good, text->p, text->len);
}

static int open_attachment(const struct fmpi_encrypted_attachment *a, bool unsigned_type,
			   const struct fmpi_buffer *text, struct fmp_inspection *v)
{
	struct fmp_mime *m = malloc(sizeof(*m));
	size_t content;
	int ret;

	if (!m)
		return FMP_ERR_NOMEM;
	content = a->complete || unsigned_type ? read_header(m, text) : 0;
	ret = a->complete ? open_complete(a, m, content, unsigned_type, text, v)
			  : open_content(a, m, content, unsigned_type, text, v);
	free(m);
	return ret;
}

int fmpi_attachments_decrypt(const struct fmpi_session *s, const struct fmpi_encrypted *e,
			     bool unsigned_type, bool *good, struct fmp_inspection *v)
{
	struct fmpi_buffer text[FMPI_MAX_ENCRYPTED_ATTACHMENTS] = { 0 };
	int ret = 0;

	*good = s->good;
	for (unsigned k = 0; k < e->n_attachments && !ret; k++) {
		const struct fmpi_encrypted_attachment *a = &e->attachment[k];
		bool opened;

		ret = fmpi_decrypt_bytes(s, e, &a->datum, a->part->bytes, a->part->len, &text[k],
					 &opened);
		*good = opened && *good;
	}
	/* Each plaintext is copied into its part: no more than one is held twice. */
	for (unsigned k = 0; k < e->n_attachments && !ret && *good; k++) {
		ret = open_attachment(&e->attachment[k], unsigned_type, &text[k], v);
		free(text[k].p);
		text[k].p = NULL;
	}
	for (unsigned k = 0; k < e->n_attachments; k++)
		free(text[k].p);
	return ret;
}
