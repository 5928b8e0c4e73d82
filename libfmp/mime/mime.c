// SPDX-License-Identifier: GPL-2.0
/* The parts of a multipart message: delimiters and the data between them (RFC 2046 5.1.1). */
#include "mime_private.h"

#include <stddef.h>
#include <string.h>

/* White space that a gateway may have added behind a boundary. */
#define MAX_PADDING 64

static enum fmp_mime_event refuse_message(struct fmp_mime *m, const char *detail)
{
	return fmpi_mime_refuse(m, FMP_EVENT_HTTP, detail);
}

int fmp_mime_init(struct fmp_mime *m, const char *content_type,
		  const struct fmp_mime_limits *limits)
{
	int ret;

	memset(m, 0, offsetof(struct fmp_mime, header));
	m->n_ids = 0;
	m->limits = *limits;
	if (m->limits.parts > FMP_MIME_PARTS_MAX)
		m->limits.parts = FMP_MIME_PARTS_MAX;
	if (m->limits.header_bytes > FMP_MIME_HEADER_MAX)
		m->limits.header_bytes = FMP_MIME_HEADER_MAX;
	m->line_start = true;
	ret = fmp_mime_type_read(content_type, &m->type);
	if (ret) {
		refuse_message(m, m->type.why);
		return ret;
	}
	if (strcmp(m->type.media, "multipart/related") != 0 || !m->type.boundary[0]) {
		refuse_message(m, m->type.boundary[0] ? "the Content-Type is not multipart/related"
						      : "the Content-Type has no boundary");
		return FMP_ERR_SYNTAX;
	}
	m->n_delimiter =
		(unsigned)(stpcpy(stpcpy(m->delimiter, "--"), m->type.boundary) - m->delimiter);
	return 0;
}

/* Count @n bytes of the data that is being read. Return: MORE, or REFUSED if they are too many. */
static enum fmp_mime_event count_bytes(struct fmp_mime *m, size_t n)
{
	int64_t part_room, room;

	if (m->state != BODY) {
		m->n_around += (unsigned)(n <= FMP_MIME_AROUND ? n : FMP_MIME_AROUND + 1);
		if (m->n_around > FMP_MIME_AROUND)
			return fmpi_mime_refuse(
				m, FMP_EVENT_STRUCTURE,
				"more bytes before or behind the parts than allowed");
		return FMP_MIME_MORE;
	}
	m->part.bytes += n;
	if (!m->part.index) {
		if (m->part.bytes > m->limits.root_bytes)
			return fmpi_mime_refuse(m, FMP_EVENT_OVERSIZE,
						"the root part is larger than allowed");
		return FMP_MIME_MORE;
	}
	m->bytes += n;
	if (m->part.bytes <= m->limits.part_bytes && m->bytes <= m->limits.bytes)
		return FMP_MIME_MORE;
	/* The limit that was reached first, however many bytes came at a time. */
	part_room = (int64_t)(m->limits.part_bytes - m->part.bytes);
	room = (int64_t)(m->limits.bytes - m->bytes);
	return fmpi_mime_refuse(m, FMP_EVENT_OVERSIZE,
				part_room <= room ? "a part is larger than allowed"
						  : "the attachments are larger than allowed");
}

/* @p is data: that of a part is given to the caller. */
static enum fmp_mime_event emit_data(struct fmp_mime *m, const char *p, size_t n)
{
	enum fmp_mime_event e = n ? count_bytes(m, n) : FMP_MIME_MORE;

	if (e != FMP_MIME_MORE || m->state != BODY || !n)
		return e;
	m->data = p;
	m->data_len = n;
	return FMP_MIME_DATA;
}

/* A delimiter was read up to its boundary. */
static enum fmp_mime_event end_data(struct fmp_mime *m)
{
	bool in_part = m->state == BODY;

	if (m->state == EPILOGUE)
		return refuse_message(m, "a delimiter behind the closing one");
	if (in_part && m->part.has_length && m->part.length != m->part.bytes)
		return refuse_message(m, "a part has another length than its Content-Length");
	m->state = DELIMITER;
	m->lead = m->n_hold = m->n_padding = 0;
	return in_part ? FMP_MIME_PART_END : FMP_MIME_MORE;
}

/* How many bytes of @hold are a line end: 2, or 1 for a bare one; 0: the data begins here. */
static unsigned line_end(const char *hold, size_t n)
{
	if (!n || (hold[0] != '\r' && hold[0] != '\n'))
		return 0;
	return n >= 2 && hold[0] == '\r' && hold[1] == '\n' ? 2 : 1;
}

/* May the held bytes and @c begin a delimiter? */
static bool continues_delimiter(const struct fmp_mime *m, char c)
{
	unsigned at;

	if (!m->n_hold)
		return c == '\r' || c == '\n' || (m->line_start && c == '-');
	if (m->n_hold == 1 && m->hold[0] == '\r' && c == '\n')
		return true;
	at = m->n_hold - line_end(m->hold, m->n_hold);
	return c == m->delimiter[at];
}

/* Byte by byte, while what may be a delimiter is held. *used: bytes taken. */
static enum fmp_mime_event scan_held(struct fmp_mime *m, const char *p, size_t n, size_t *used)
{
	for (*used = 0; *used < n;) {
		enum fmp_mime_event e;
		unsigned lead, held = m->n_hold;

		if (!continues_delimiter(m, p[*used])) {
			m->n_hold = 0;
			m->line_start = false;
			return emit_data(m, m->hold, held);
		}
		m->hold[m->n_hold++] = p[(*used)++];
		lead = line_end(m->hold, m->n_hold);
		if (m->n_hold - lead < m->n_delimiter)
			continue;
		if (lead == 1)
			return refuse_message(m, "a boundary behind a bare CR or LF");
		e = end_data(m);
		m->line_start = false;
		return e;
	}
	return FMP_MIME_MORE;
}

/* How many of the last bytes may begin a delimiter. No byte before p + from is looked at. */
static size_t held_tail(const struct fmp_mime *m, const char *p, size_t n)
{
	size_t most = m->n_delimiter + 1;

	for (size_t k = n < most ? n : most; k; k--) {
		const char *tail = p + n - k;
		unsigned lead = line_end(tail, k);

		if (lead && memcmp(tail + lead, m->delimiter, k - lead) == 0)
			return k;
	}
	return 0;
}

/*
 * Search the whole of @p for the boundary; the line's end is in @p as well, for nothing is held.
 * Return: the place of the line end before it, or @n.
 */
static size_t find_delimiter(const struct fmp_mime *m, const char *p, size_t n)
{
	const char *at = p, *end = p + n;

	while ((at = memmem(at, (size_t)(end - at), m->delimiter, m->n_delimiter))) {
		if (at > p && (at[-1] == '\n' || at[-1] == '\r'))
			return (size_t)(at - p) -
			       (at[-1] == '\n' && at - p >= 2 && at[-2] == '\r' ? 2 : 1);
		at++;
	}
	return n - held_tail(m, p, n);
}

static enum fmp_mime_event scan_data(struct fmp_mime *m, const char *p, size_t n, size_t *used)
{
	size_t data;

	if (m->n_hold || m->line_start) {
		enum fmp_mime_event e = scan_held(m, p, n, used);

		/* Nothing was held and nothing taken: search on below. */
		if (e != FMP_MIME_MORE || m->n_hold || m->line_start || m->state == DELIMITER)
			return e;
		p += *used;
		n -= *used;
		if (!n)
			return e;
	}
	data = find_delimiter(m, p, n);
	if (data) {
		*used += data;
		return emit_data(m, p, data);
	}
	/* A line end that may begin a delimiter is first. */
	m->hold[m->n_hold++] = *p;
	*used += 1;
	return FMP_MIME_MORE;
}

/* Behind the boundary: "--" for the last, white space, the line's end. */
static enum fmp_mime_event scan_delimiter(struct fmp_mime *m, char c)
{
	static const char no_delimiter[] = "a line begins with the boundary, but is no delimiter";

	if (m->state == DELIMITER && c == '-') {
		m->state = DASH;
		return FMP_MIME_MORE;
	}
	if (m->state == DASH) {
		if (c != '-')
			return refuse_message(m, no_delimiter);
		if (!m->n_parts)
			return refuse_message(m, "a multipart message without a part");
		m->closed = true;
		m->state = PADDING;
		return FMP_MIME_MORE;
	}
	if (m->state == LINE_END) {
		if (c != '\n')
			return refuse_message(m, no_delimiter);
		m->state = m->closed ? EPILOGUE : HEADER;
		m->n_around = 0;
		m->line_start = true;
		m->n_header = m->n_line = 0;
		return FMP_MIME_MORE;
	}
	m->state = c == '\r' ? LINE_END : PADDING;
	if (c == '\r')
		return FMP_MIME_MORE;
	if ((c != ' ' && c != '\t') || ++m->n_padding > MAX_PADDING)
		return refuse_message(m, no_delimiter);
	return FMP_MIME_MORE;
}

static enum fmp_mime_event begin_part(struct fmp_mime *m)
{
	enum fmp_mime_event e;

	if (m->n_parts > m->limits.parts)
		return fmpi_mime_refuse(m, FMP_EVENT_STRUCTURE, "more attachments than allowed");
	e = fmpi_mime_read_header(m);
	if (e != FMP_MIME_PART)
		return e;
	m->n_parts++;
	m->state = BODY;
	m->line_start = true;
	return e;
}

/* A line of the header is complete, with its line end. */
static enum fmp_mime_event end_line(struct fmp_mime *m)
{
	const char *line = m->header + m->n_header - m->n_line;

	if (m->n_line == 2) {
		m->n_header -= 2;
		return begin_part(m);
	}
	if (m->n_line >= m->n_delimiter && memcmp(line, m->delimiter, m->n_delimiter) == 0)
		return refuse_message(m, "a boundary in the header of a part");
	if (line[0] == ' ' || line[0] == '\t') {
		size_t n = m->n_line - 2;

		if (line == m->header)
			return refuse_message(m, "the header of a part begins with a folded line");
		while (n && (line[n - 1] == ' ' || line[n - 1] == '\t'))
			n--;
		if (!n)
			return refuse_message(m, "a folded line of a part's header is empty");
	}
	m->n_line = 0;
	return FMP_MIME_MORE;
}

static enum fmp_mime_event scan_header(struct fmp_mime *m, char c)
{
	bool behind_cr = m->n_line && m->header[m->n_header - 1] == '\r';

	if (behind_cr != (c == '\n'))
		return refuse_message(m, "a bare CR or LF in the header of a part");
	if (((unsigned char)c < 0x20 && c != '\r' && c != '\n' && c != '\t') || c == 0x7f)
		return refuse_message(m, "a control character in the header of a part");
	if (m->n_header >= m->limits.header_bytes)
		return fmpi_mime_refuse(m, FMP_EVENT_STRUCTURE,
					"the header of a part is longer than allowed");
	m->header[m->n_header++] = c;
	m->n_line++;
	return c == '\n' ? end_line(m) : FMP_MIME_MORE;
}

enum fmp_mime_event fmp_mime_next(struct fmp_mime *m, const void *bytes, size_t n, size_t *used)
{
	const char *p = bytes;
	size_t taken = 0;

	while (taken < n || m->state == REFUSED) {
		enum fmp_mime_event e = FMP_MIME_MORE;
		size_t step = 0;

		if (m->state == REFUSED) {
			e = FMP_MIME_REFUSED;
		} else if (m->state == PREAMBLE || m->state == BODY || m->state == EPILOGUE) {
			e = scan_data(m, p + taken, n - taken, &step);
		} else {
			e = m->state == HEADER ? scan_header(m, p[taken])
					       : scan_delimiter(m, p[taken]);
			step = 1;
		}
		taken += step;
		*used = taken;
		if (e != FMP_MIME_MORE)
			return e;
	}
	*used = taken;
	return FMP_MIME_MORE;
}

enum fmp_mime_event fmp_mime_finish(struct fmp_mime *m)
{
	if (m->state == REFUSED)
		return FMP_MIME_REFUSED;
	/* The last line needs no end. A CR alone is none. */
	if (!m->closed || m->state == LINE_END)
		return refuse_message(m, m->n_parts
						 ? "the message ends before its closing delimiter"
						 : "no delimiter in a multipart message");
	if (m->n_hold && count_bytes(m, m->n_hold) == FMP_MIME_REFUSED)
		return FMP_MIME_REFUSED;
	return FMP_MIME_END;
}
