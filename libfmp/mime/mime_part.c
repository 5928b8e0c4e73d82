// SPDX-License-Identifier: GPL-2.0
/* The header of a part: its fields, unfolded, and whether the root is what the message announced. */
#include "mime_private.h"

#include <string.h>
#include <strings.h>

/* Fields that are read here. They, and all others of "Content-", may stand once. */
enum {
	FIELD_TYPE,
	FIELD_ID,
	FIELD_CODING,
	FIELD_LOCATION,
	FIELD_LENGTH,
	FIELDS
};

static const char *const field_names[FIELDS] = {
	[FIELD_TYPE] = "Content-Type",
	[FIELD_ID] = "Content-ID",
	[FIELD_CODING] = "Content-Transfer-Encoding",
	[FIELD_LOCATION] = "Content-Location",
	[FIELD_LENGTH] = "Content-Length",
};

struct field {
	const char *name; /* of n_name bytes */
	size_t n_name;
	char *value; /* of n_value bytes */
	size_t n_value;
};

struct fields {
	unsigned n;
	const char *end; /* behind the last; there are more if the header goes on */
	struct field field[FMP_MIME_FIELDS_MAX];
};

static bool is_name(char c)
{
	return c > 0x20 && c < 0x7f && c != ':';
}

/* RFC 5322 2.2.3: CR LF and white space continue a field; they become one space. In place. */
static size_t unfold_value(char *p, size_t n)
{
	size_t out = 0;

	for (size_t i = 0; i < n;) {
		if (p[i] != '\r' || i + 2 >= n || (p[i + 2] != ' ' && p[i + 2] != '\t')) {
			p[out++] = p[i++];
			continue;
		}
		i += 2;
		while (i < n && (p[i] == ' ' || p[i] == '\t'))
			i++;
		p[out++] = ' ';
	}
	return out;
}

/* Split the header; all lines end with CR LF, and no other control character but TAB is in it. */
static const char *split_field(struct fmp_mime *m, struct fields *out)
{
	char *p = m->header, *end = p + m->n_header;

	out->n = 0;
	out->end = p;
	while (p < end) {
		char *stop = memmem(p, (size_t)(end - p), "\r\n", 2);
		struct field f = { .name = p };

		while (p < stop && is_name(*p))
			p++;
		f.n_name = (size_t)(p - f.name);
		if (!f.n_name || p == stop || *p != ':')
			return "a line of a part's header is no field";
		if (out->n >= m->limits.fields || out->n >= FMP_MIME_FIELDS_MAX)
			return NULL;
		p++;
		while (p < stop && (*p == ' ' || *p == '\t'))
			p++;
		f.value = p;
		f.n_value = (size_t)(stop - p);
		out->field[out->n++] = f;
		p = stop + 2;
		out->end = p;
	}
	return NULL;
}

static bool same_name(const struct field *f, const char *name)
{
	return f->n_name == strlen(name) && strncasecmp(f->name, name, f->n_name) == 0;
}

static bool stands_twice(const struct fields *f)
{
	for (unsigned i = 0; i < f->n; i++)
		for (unsigned j = 0; j < i; j++)
			if (f->field[i].n_name == f->field[j].n_name &&
			    f->field[i].n_name >= strlen("Content-") &&
			    strncasecmp(f->field[i].name, "Content-", strlen("Content-")) == 0 &&
			    strncasecmp(f->field[i].name, f->field[j].name, f->field[i].n_name) ==
				    0)
				return true;
	return false;
}

/* Copy the values that are read behind each other into m->field, each with a NUL. */
static void copy_values(struct fmp_mime *m, const struct fields *f, const char *value[FIELDS])
{
	char *p = m->field;

	*p = '\0';
	for (unsigned k = 0; k < FIELDS; k++) {
		value[k] = NULL;
		for (unsigned i = 0; i < f->n; i++) {
			size_t n = f->field[i].n_value;

			if (!same_name(&f->field[i], field_names[k]))
				continue;
			while (n && (f->field[i].value[n - 1] == ' ' ||
				     f->field[i].value[n - 1] == '\t'))
				n--;
			value[k] = p;
			p = mempcpy(p, f->field[i].value, n);
			*p++ = '\0';
		}
	}
}

static bool is_plain(const char *p)
{
	for (; *p; p++)
		if ((unsigned char)*p >= 0x7f)
			return false;
	return true;
}

static const char *read_length(const char *p, struct fmp_mime_part *part)
{
	part->has_length = true;
	if (!*p || strlen(p) > 15)
		return "the Content-Length of a part is malformed";
	for (; *p; p++) {
		if (*p < '0' || *p > '9')
			return "the Content-Length of a part is malformed";
		part->length = 10 * part->length + (uint64_t)(*p - '0');
	}
	return NULL;
}

/* Return: false: not a known one. */
static bool read_coding(const char *p, enum fmp_mime_coding *out)
{
	static const char *const identity[] = { "7bit", "8bit", "binary" };

	for (unsigned i = 0; i < sizeof(identity) / sizeof(*identity); i++)
		if (strcasecmp(p, identity[i]) == 0)
			return true;
	*out = strcasecmp(p, "base64") == 0 ? FMP_MIME_BASE64 : FMP_MIME_QUOTED;
	return *out == FMP_MIME_BASE64 || strcasecmp(p, "quoted-printable") == 0;
}

/*
 * Equal Content-IDs have equal hashes; two others of one hash only harm their sender. Receivers that
 * decode twice, take '+' for a space, drop spaces or strip a "cid:" must not find another part than is found here.
 */
static bool add_id(struct fmp_mime *m, const char *id)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	char reduced[FMP_MIME_ID];

	fmpi_mime_reduce_id(id, reduced);
	for (const char *p = reduced; *p; p++)
		h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	for (unsigned i = 0; i < m->n_ids; i++)
		if (m->id[i] == h)
			return false;
	m->id[m->n_ids++] = h;
	return true;
}

/* XOP 1.0 4.1, MTOM 3.2: the root says again what the message's type said, and is as it is sent. */
static const char *check_root(struct fmp_mime *m)
{
	const char *type = m->part.content_type;

	if (m->type.start[0] && strcmp(m->type.start, m->part.id) != 0)
		return "start does not name the first part";
	if (!*type)
		return "the root part has no Content-Type";
	if (fmp_mime_type_read(type, &m->root))
		return m->root.why;
	if (m->type.type[0] && !fmp_mime_media_equal(m->type.type, m->root.media))
		return "the root part is not of the type that the message announces";
	if (strcmp(m->root.media, "application/xop+xml") == 0 && m->type.start_info[0] &&
	    m->root.type[0] && !fmp_mime_media_equal(m->type.start_info, m->root.type))
		return "start-info is not the type of the root part";
	return NULL;
}

const char *fmp_mime_check_nested(const char *content_type, const char *boundary)
{
	struct fmp_mime_type nested;

	if (strncasecmp(content_type, "multipart/", strlen("multipart/")) != 0)
		return NULL;
	if (fmp_mime_type_read(content_type, &nested))
		return nested.why;
	if (!nested.boundary[0])
		return "a nested multipart has no boundary";
	if (strncmp(nested.boundary, boundary, strlen(boundary)) == 0)
		return "the boundary of a nested multipart begins with the outer";
	return NULL;
}

enum fmp_mime_event fmpi_mime_read_header(struct fmp_mime *m)
{
	struct fmp_mime_part *part = &m->part;
	const char *value[FIELDS], *why;
	struct fields f;

	*part = (struct fmp_mime_part){ .index = m->n_parts, .header = m->header };
	m->n_header = unfold_value(m->header, m->n_header);
	part->header_len = m->n_header;
	why = split_field(m, &f);
	if (why)
		return fmpi_mime_refuse(m, FMP_EVENT_HTTP, why);
	if (f.end != m->header + m->n_header)
		return fmpi_mime_refuse(m, FMP_EVENT_STRUCTURE,
					"a part has more fields than allowed");
	if (stands_twice(&f))
		return fmpi_mime_refuse(m, FMP_EVENT_HTTP, "a field of a part stands twice");
	copy_values(m, &f, value);
	for (unsigned k = 0; k < FIELDS; k++)
		if (value[k] && !is_plain(value[k]))
			return fmpi_mime_refuse(m, FMP_EVENT_HTTP,
						"a field of a part is not ASCII text");
	part->content_type = value[FIELD_TYPE] ? value[FIELD_TYPE] : "";
	part->location = value[FIELD_LOCATION] ? value[FIELD_LOCATION] : "";
	if (value[FIELD_ID] && !fmp_mime_id(value[FIELD_ID], part->id))
		return fmpi_mime_refuse(m, FMP_EVENT_HTTP, "a Content-ID is malformed");
	if (value[FIELD_ID] && !add_id(m, part->id))
		return fmpi_mime_refuse(m, FMP_EVENT_HTTP, "two parts have one Content-ID");
	why = value[FIELD_LENGTH] ? read_length(value[FIELD_LENGTH], part) : NULL;
	if (!why && !part->index)
		why = check_root(m);
	if (why)
		return fmpi_mime_refuse(m, FMP_EVENT_HTTP, why);
	if ((value[FIELD_CODING] && !read_coding(value[FIELD_CODING], &part->coding)) ||
	    (!part->index && part->coding != FMP_MIME_IDENTITY))
		return fmpi_mime_refuse(m, FMP_EVENT_UNSUPPORTED,
					part->index ? "the Content-Transfer-Encoding of a part is "
						      "not supported"
						    : "the root part has a Content-Transfer-"
						      "Encoding that is not supported");
	why = fmp_mime_check_nested(part->content_type, m->type.boundary);
	return why ? fmpi_mime_refuse(m, FMP_EVENT_HTTP, why) : FMP_MIME_PART;
}
