// SPDX-License-Identifier: GPL-2.0
#include "response.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_MAX_BYTES 1024
#define SIZE_DIGITS    8 /* most digits of a chunk size: 4 GB */

void flood_response_init(struct flood_response *a)
{
	a->header_len = 0;
	a->body_head_len = 0;
	a->left = 0;
	a->status = 0;
	a->at = FLOOD_AT_HEADER;
	a->line_len = 0;
	a->close = false;
}

/* Return: the value of a header line; NULL: another header. */
static const char *find_value(const char *line, const char *end, const char *name, size_t *len)
{
	size_t n = strlen(name);

	if ((size_t)(end - line) <= n || strncasecmp(line, name, n) || line[n] != ':')
		return NULL;
	line += n + 1;
	while (line < end && (*line == ' ' || *line == '\t'))
		line++;
	while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	*len = (size_t)(end - line);
	return line;
}

static bool parse_number(const char *text, size_t len, uint64_t *out)
{
	uint64_t v = 0;
	size_t i;

	if (!len || len > 15)
		return false;
	for (i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		v = v * 10 + (uint64_t)(text[i] - '0');
	}
	*out = v;
	return true;
}

static bool parse_header_line(struct flood_response *a, const char *line, const char *end,
			      bool *has_length, bool *chunked)
{
	const char *v;
	size_t len;

	v = find_value(line, end, "content-length", &len);
	if (v) {
		*has_length = true;
		return parse_number(v, len, &a->left);
	}
	v = find_value(line, end, "transfer-encoding", &len);
	if (v)
		*chunked = len == 7 && !strncasecmp(v, "chunked", 7);
	v = find_value(line, end, "connection", &len);
	if (v && len == 5 && !strncasecmp(v, "close", 5))
		a->close = true;
	return true;
}

static bool parse_status_line(struct flood_response *a, size_t len)
{
	uint64_t status;

	if (len < 12 || memcmp(a->header, "HTTP/1.", 7) || a->header[8] != ' ' ||
	    !parse_number(a->header + 9, 3, &status))
		return false;
	a->status = (int)status;
	a->close = a->header[7] == '0';
	return true;
}

/* Parse the complete header and find how the body is delimited (RFC 9112 6.3). */
static bool parse_header(struct flood_response *a)
{
	const char *end = a->header + a->header_len;
	const char *line = memchr(a->header, '\n', a->header_len);
	bool has_length = false, chunked = false;

	if (!line || !parse_status_line(a, (size_t)(line - a->header)))
		return false;
	for (line++; line < end;) {
		const char *nl = memchr(line, '\n', (size_t)(end - line));

		if (!nl)
			break;
		if (!parse_header_line(a, line, nl, &has_length, &chunked))
			return false;
		line = nl + 1;
	}
	if (a->status < 200)
		flood_response_init(a); /* 100 Continue: the final response follows */
	else if (a->status == 204 || a->status == 304)
		a->at = FLOOD_AT_DONE;
	else if (chunked)
		a->at = FLOOD_AT_CHUNK_SIZE;
	else if (has_length)
		a->at = a->left ? FLOOD_AT_BODY : FLOOD_AT_DONE;
	else
		a->at = FLOOD_AT_EOF;
	return true;
}

static bool is_header_end(const struct flood_response *a)
{
	size_t n = a->header_len;

	return (n >= 4 && !memcmp(a->header + n - 4, "\r\n\r\n", 4)) ||
	       (n >= 2 && !memcmp(a->header + n - 2, "\n\n", 2));
}

static size_t feed_header(struct flood_response *a, const char *p, size_t n, bool *bad)
{
	size_t i = 0;

	while (i < n && a->at == FLOOD_AT_HEADER) {
		if (a->header_len == sizeof(a->header)) {
			*bad = true;
			break;
		}
		a->header[a->header_len++] = p[i++];
		if (a->header[a->header_len - 1] == '\n' && is_header_end(a)) {
			*bad = !parse_header(a);
			break;
		}
	}
	return i;
}

static size_t feed_body(struct flood_response *a, const char *p, size_t n)
{
	size_t take = n;
	size_t n_copy;

	if (a->at != FLOOD_AT_EOF && take > a->left)
		take = (size_t)a->left;
	n_copy = sizeof(a->body_head) - a->body_head_len;
	if (n_copy > take)
		n_copy = take;
	memcpy(a->body_head + a->body_head_len, p, n_copy);
	a->body_head_len += n_copy;
	if (a->at == FLOOD_AT_EOF)
		return take;
	a->left -= take;
	if (!a->left)
		a->at = a->at == FLOOD_AT_BODY ? FLOOD_AT_DONE : FLOOD_AT_CHUNK_END;
	return take;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Feed one byte of a chunk-size line. */
static bool feed_chunk_size(struct flood_response *a, char c)
{
	if (c == '\n') {
		if (!a->line_len)
			return false;
		a->at = a->left ? FLOOD_AT_CHUNK : FLOOD_AT_TRAILER;
		a->line_len = 0;
		return true;
	}
	if (a->line_len < SIZE_DIGITS && hex_digit(c) >= 0)
		a->left = a->left * 16 + (uint64_t)hex_digit(c);
	else if (!a->line_len || hex_digit(c) >= 0)
		return a->line_len > SIZE_DIGITS; /* inside an extension any byte is allowed */
	else if (a->line_len <= SIZE_DIGITS)
		a->line_len = SIZE_DIGITS; /* an extension begins */
	return ++a->line_len < LINE_MAX_BYTES;
}

/* Feed one byte of the lines between chunks. */
static bool feed_chunk_line(struct flood_response *a, char c)
{
	if (c == '\r')
		return true;
	if (a->at == FLOOD_AT_CHUNK_SIZE)
		return feed_chunk_size(a, c);
	if (a->at == FLOOD_AT_CHUNK_END) {
		a->at = FLOOD_AT_CHUNK_SIZE;
		return c == '\n';
	}
	if (c != '\n')
		return ++a->line_len < LINE_MAX_BYTES;
	if (!a->line_len)
		a->at = FLOOD_AT_DONE;
	a->line_len = 0;
	return true;
}

enum flood_reading flood_response_feed(struct flood_response *a, const void *bytes, size_t n)
{
	const char *p = bytes;
	bool bad = false;

	while (n && a->at != FLOOD_AT_DONE && !bad) {
		size_t used = 1;

		if (a->at == FLOOD_AT_HEADER)
			used = feed_header(a, p, n, &bad);
		else if (a->at == FLOOD_AT_BODY || a->at == FLOOD_AT_EOF || a->at == FLOOD_AT_CHUNK)
			used = feed_body(a, p, n);
		else
			bad = !feed_chunk_line(a, *p);
		p += used;
		n -= used;
	}
	if (bad || n) /* bytes after the response belong to no request */
		return FLOOD_READING_BAD;
	return a->at == FLOOD_AT_DONE ? FLOOD_READING_DONE : FLOOD_READING_MORE;
}

enum flood_reading flood_response_eof(struct flood_response *a)
{
	return a->at == FLOOD_AT_EOF || a->at == FLOOD_AT_DONE ? FLOOD_READING_DONE
							       : FLOOD_READING_BAD;
}

bool flood_response_is_fault(const struct flood_response *a)
{
	return memmem(a->body_head, a->body_head_len, ":Fault>", 7) ||
	       memmem(a->body_head, a->body_head_len, ":Fault ", 7) ||
	       memmem(a->body_head, a->body_head_len, "<Fault>", 7) ||
	       memmem(a->body_head, a->body_head_len, "<Fault ", 7);
}
