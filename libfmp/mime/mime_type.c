// SPDX-License-Identifier: GPL-2.0
/* Content-Type with its parameters (RFC 2045 5.1), Content-ID and cid: URLs (RFC 2392). */
#include "mime_private.h"

#include <string.h>
#include <strings.h>

#include "base/hex.h"

static bool is_token(char c)
{
	return c > 0x20 && c < 0x7f && !strchr("()<>@,;:\\\"/[]?=", c);
}

/*
 * Values that should be quoted often are not: type=text/xml, start=<a@b>. They have one reading as
 * long as they hold no separator of fields, parameters, comments or quotes.
 */
static bool is_value(char c)
{
	return c > 0x20 && c < 0x7f && !strchr("\",;()\\", c);
}

static const char *skip_space(const char *p)
{
	return p + strspn(p, " \t");
}

static char lower_byte(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Return: behind the media type; NULL: malformed. */
static const char *read_media(const char *p, char out[FMP_MIME_MEDIA])
{
	size_t n = 0, slash = 0;

	for (; is_token(*p) || (*p == '/' && !slash); p++) {
		if (n + 1 >= FMP_MIME_MEDIA)
			return NULL;
		if (*p == '/')
			slash = n;
		out[n++] = lower_byte(*p);
	}
	out[n] = '\0';
	return slash && slash + 1 < n ? p : NULL;
}

/* Return: behind the value; NULL: malformed or too long. */
static const char *read_value(const char *p, char out[FMP_MIME_PARAMETER])
{
	bool quoted = *p == '"';
	size_t n = 0;

	if (quoted)
		p++;
	while (quoted ? *p && *p != '"' : is_value(*p)) {
		if (quoted && *p == '\\' && *++p == '\0')
			return NULL;
		if ((unsigned char)*p < 0x20 || *p == 0x7f || n + 1 >= FMP_MIME_PARAMETER)
			return NULL;
		out[n++] = *p++;
	}
	out[n] = '\0';
	if (quoted)
		return *p == '"' ? p + 1 : NULL;
	return n ? p : NULL;
}

struct known {
	const char *name;
	char *out;
	size_t cap;
	bool seen;
};

static const char *keep_value(struct known *known, size_t n_known, const char *name, size_t n,
			      const char *value)
{
	for (size_t i = 0; i < n_known; i++) {
		struct known *k = &known[i];
		size_t n_known_name = strlen(k->name);

		if (n < n_known_name || strncasecmp(k->name, name, n_known_name) != 0)
			continue;
		if (n > n_known_name) {
			if (name[n_known_name] == '*')
				return "a parameter of the Content-Type is in the form of RFC 2231";
			continue;
		}
		if (k->seen)
			return "a parameter of the Content-Type stands twice";
		k->seen = true;
		if (strlen(value) >= k->cap)
			return "a parameter of the Content-Type is too long";
		strcpy(k->out, value);
	}
	return NULL;
}

/* Does @word stand before an equals sign, and behind one of @before, if given? */
static bool holds_name(const char *p, size_t n, const char *word, const char *before)
{
	size_t len = strlen(word);

	for (size_t i = before ? 1 : 0; i + len < n; i++) {
		size_t at = i + len;

		if (strncasecmp(p + i, word, len) != 0 || (before && !strchr(before, p[i - 1])))
			continue;
		while (at < n && (p[at] == ' ' || p[at] == '\t'))
			at++;
		if (at < n && p[at] == '=')
			return true;
	}
	return false;
}

/*
 * Some receivers search the field for "boundary=", also within other names and values. Some take a
 * backslash in quotes as it is, or the quote behind it for the end. @p: a parameter as it came.
 */
static const char *check_readings(const char *p, size_t n, size_t n_name)
{
	bool boundary = n_name == strlen("boundary") && strncasecmp(p, "boundary", n_name) == 0;
	bool start = n_name == strlen("start") && strncasecmp(p, "start", n_name) == 0;

	if (((boundary || start) && memchr(p, '\\', n)) ||
	    (!boundary && holds_name(p, n, "boundary", NULL)) ||
	    holds_name(p, n, "start", "; \t\""))
		return "a parameter of the Content-Type has two readings";
	return NULL;
}

/* Return: what is wrong; NULL: nothing. */
static const char *read_parameters(const char *p, struct known *known, size_t n_known)
{
	char value[FMP_MIME_PARAMETER];
	const char *name, *why = NULL;

	for (p = skip_space(p); *p && !why; p = skip_space(p)) {
		size_t n;

		if (*p++ != ';')
			return "the Content-Type is malformed";
		name = skip_space(p);
		p = name;
		if (!*p || *p == ';')
			continue;
		while (is_token(*p))
			p++;
		n = (size_t)(p - name);
		p = n && *p == '=' ? read_value(p + 1, value) : NULL;
		if (!p)
			return "a parameter of the Content-Type is malformed";
		why = keep_value(known, n_known, name, n, value);
		if (!why)
			why = check_readings(name, (size_t)(p - name), n);
	}
	return why;
}

static bool is_boundary(const char *p)
{
	size_t n = strlen(p);

	/* RFC 2046 5.1.1: bchars, of which a space is not the last. */
	return n && p[n - 1] != ' ' &&
	       n == strspn(p, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			      "'()+_,-./:=? ");
}

int fmp_mime_type_read(const char *content_type, struct fmp_mime_type *out)
{
	char start[FMP_MIME_PARAMETER] = "";
	struct known known[] = {
		{ "boundary", out->boundary, sizeof(out->boundary), false },
		{ "start", start, sizeof(start), false },
		{ "type", out->type, sizeof(out->type), false },
		{ "start-info", out->start_info, sizeof(out->start_info), false },
		{ "charset", out->charset, sizeof(out->charset), false },
		{ "action", out->action, sizeof(out->action), false },
	};
	const char *p;

	*out = (struct fmp_mime_type){ 0 };
	p = read_media(skip_space(content_type), out->media);
	if (!p)
		out->why = "the Content-Type is malformed";
	else
		out->why = read_parameters(p, known, sizeof(known) / sizeof(*known));
	if (!out->why && known[0].seen && !is_boundary(out->boundary))
		out->why = "the boundary is not one of RFC 2046";
	if (!out->why && known[1].seen && !fmp_mime_id(start, out->start))
		out->why = "the start of the Content-Type is no Content-ID";
	return out->why ? FMP_ERR_SYNTAX : 0;
}

bool fmp_mime_media_equal(const char *a, const char *b)
{
	size_t n;

	a = skip_space(a);
	b = skip_space(b);
	n = strcspn(a, "; \t");
	return n == strcspn(b, "; \t") && strncasecmp(a, b, n) == 0;
}

bool fmp_mime_is_related(const char *content_type)
{
	return fmp_mime_media_equal(content_type, "multipart/related");
}

/* In place. Return: whether there was something to decode. */
static bool decode_again(char *p)
{
	char *out = p;
	bool changed = false;

	while (*p) {
		int high = *p == '%' ? fmpi_hex_digit(p[1]) : -1;
		int low = high >= 0 ? fmpi_hex_digit(p[2]) : -1;

		/* An encoded NUL is none of this: it would end the text. */
		if (low < 0 || !(high | low)) {
			*out++ = *p++;
			continue;
		}
		*out++ = (char)(high << 4 | low);
		p += 3;
		changed = true;
	}
	*out = '\0';
	return changed;
}

/* A blank inside: old stacks name parts by files. Beside it what looks like a comment has two readings. */
static bool is_id_text(const char *p, size_t n)
{
	bool blank = memchr(p, ' ', n) != NULL;

	for (size_t i = 0; i < n; i++)
		if ((unsigned char)p[i] < 0x20 || (unsigned char)p[i] >= 0x7f ||
		    strchr("<>\"", p[i]) || (blank && strchr("()\\", p[i])))
			return false;
	return n && n < FMP_MIME_ID && p[0] != ' ' && p[n - 1] != ' ';
}

/*
 * A '%' that begins no encoded byte stands for itself, as receivers take it. All that is encoded is decoded,
 * however often: a cid: URL of the Content-ID "a%40b" is "cid:a%2540b" (RFC 2392).
 */
static bool read_id(const char *p, size_t n, char out[FMP_MIME_ID])
{
	if (!is_id_text(p, n) || memmem(p, n, "%00", 3))
		return false;
	memcpy(out, p, n);
	out[n] = '\0';
	while (decode_again(out))
		;
	return true;
}

bool fmp_mime_id(const char *value, char out[FMP_MIME_ID])
{
	size_t n;

	out[0] = '\0';
	value = skip_space(value);
	n = strlen(value);
	while (n && (value[n - 1] == ' ' || value[n - 1] == '\t'))
		n--;
	if (n >= 2 && value[0] == '<' && value[n - 1] == '>')
		return read_id(value + 1, n - 2, out);
	return !memchr(value, ' ', n) && read_id(value, n, out);
}

void fmpi_mime_reduce_id(const char *id, char out[FMP_MIME_ID])
{
	char *to = out;

	for (const char *p = id; *p; p++)
		if (*p != '+' && *p != ' ')
			*to++ = *p;
	*to = '\0';
	while (decode_again(out))
		;
	while (strncasecmp(out, "cid:", strlen("cid:")) == 0)
		memmove(out, out + strlen("cid:"), strlen(out + strlen("cid:")) + 1);
}

bool fmp_mime_cid(const char *url, char out[FMP_MIME_ID])
{
	static const char scheme[] = "cid:", blanks[] = " \t\r\n";
	size_t n;

	out[0] = '\0';
	/* xs:anyURI collapses white space (XML Schema 1.0, part 2, 3.2.17). */
	url += strspn(url, blanks);
	n = strlen(url);
	while (n && strchr(blanks, url[n - 1]))
		n--;
	return n > strlen(scheme) && strncasecmp(url, scheme, strlen(scheme)) == 0 &&
	       read_id(url + strlen(scheme), n - strlen(scheme), out);
}
