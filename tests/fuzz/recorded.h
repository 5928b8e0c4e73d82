/* SPDX-License-Identifier: GPL-2.0 */
/* The recorded fields of a message against its bytes, and what is forwarded of them. */
#ifndef FMP_FUZZ_RECORDED_H
#define FMP_FUZZ_RECORDED_H

#include <fmp/internal/forward_fields.h>

#include "cuts.h"

#define RECORDED_MAX 8192

/* No identity is written here: this keeps the pipeline out of the fuzzers. */
const char *fmp_assurance_name(unsigned assurance)
{
	return assurance ? "" : NULL;
}

static inline bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

/* The line at p, without its line end. Return: its length. */
static inline size_t measure_line(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *lf = memchr(p, '\n', (size_t)(end - p));

	check_holds(lf && lf > p && lf[-1] == '\r');
	return (size_t)(lf - 1 - p);
}

/* Is the line this field? Written without the parser. */
static inline void check_line(const uint8_t *p, size_t n, const struct fmp_field *f)
{
	const uint8_t *colon = memchr(p, ':', n);
	size_t name, from;

	check_holds(colon);
	name = (size_t)(colon - p);
	from = name + 1;
	while (from < n && is_blank(p[from]))
		from++;
	while (n > from && is_blank(p[n - 1]))
		n--;
	check_holds(f->name_len == name && !memcmp(f->name, p, name));
	check_holds(f->value_len == n - from && !memcmp(f->value, p + from, n - from));
	check_holds(f->line_len == f->name_len + f->value_len + 4);
}

/* Skip an empty line before a request, and interim answers. Return: the first field line. */
static inline const uint8_t *find_fields(const struct fmp_http *h, const uint8_t *p,
					 const uint8_t *end)
{
	if (!h->limits.response && *p == '\r')
		p += 2;
	while (h->limits.response && p[9] == '1') {
		size_t n;

		while ((n = measure_line(p, end)))
			p += n + 2;
		p += 2;
	}
	return p + measure_line(p, end) + 2;
}

/* All lines of the header are recorded, in their order, and nothing else. */
static inline void check_recorded(const struct fmp_http *h, const uint8_t *p, size_t size)
{
	const uint8_t *end = p + size;
	struct fmp_field f;
	size_t at = 0, n;

	for (p = find_fields(h, p, end); (n = measure_line(p, end)); p += n + 2) {
		check_holds(fmp_field_list_next(&h->fields, &at, &f));
		check_line(p, n, &f);
	}
	check_holds(!fmp_field_list_next(&h->fields, &at, &f) && at == h->fields.len);
	check_holds(h->fields.cap <= 2 * h->fields.len + 1024);
}

/* A path has one spelling, and no way up. */
static inline void check_path(const struct fmp_http *h)
{
	const char *path = fmp_http_path(h);
	char again[RECORDED_MAX];
	size_t n = strcspn(path, "?");

	if (*path != '/')
		return;
	memcpy(again, path, strlen(path) + 1);
	check_holds(!fmp_target_normalise(again) && !strcmp(again, path));
	again[n] = '\0';
	check_holds(!strstr(again, "//") && !strstr(again, "/../") && !strpbrk(again, "\\#"));
	check_holds(n < 3 || strcmp(again + n - 3, "/..") != 0);
}

static inline unsigned count_fields(const struct fmp_field_list *l, const char *name)
{
	struct fmp_field f;
	unsigned count = 0;

	for (size_t at = 0; fmp_field_list_next(l, &at, &f);)
		count += fmp_field_name_is(f.name, f.name_len, name);
	return count;
}

/* What is forwarded is a header that a strict parser takes, and of which nothing is forged. */
static inline void check_forwarded(const struct fmp_http *h)
{
	static const char *const never[] = { "connection", "transfer-encoding", "te",
					     "host",	   "content-length",	"x-real-ip",
					     "upgrade" };
	static const char *const once[] = { "forwarded", "x-forwarded-for", "x-forwarded-proto" };
	const struct fmp_policy_fields none = { .n = 0 };
	const struct fmp_forward_fields how = { .policy = &none, .answer = h->limits.response };
	const struct fmp_http_limits limits = { .header_bytes = 2 * RECORDED_MAX,
						.fields = 100,
						.compressed = true,
						.response = how.answer };
	const struct fmp_addr peer = fmp_addr_ipv4("\xc0\x00\x02\x01");
	const struct fmp_forwarded_by by = { .peer = &peer };
	struct fmp_field_list out = { 0 };
	struct fmp_http again;
	size_t used, header;

	if (how.answer)
		fmp_field_list_append(&out, "HTTP/1.1 200 OK\r\n", 17);
	else
		fmp_field_list_append(&out, "POST / HTTP/1.1\r\nHost: a\r\n", 26);
	out.first = out.len;
	check_holds(fmp_forward_fields(&out, h, &how));
	check_holds(how.answer || fmp_forward_client(&out, h, &by));
	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		check_holds(!count_fields(&out, never[i]) || (how.answer && i > 2));
	for (size_t i = 0; i < sizeof(once) / sizeof(*once) && !how.answer; i++)
		check_holds(count_fields(&out, once[i]) == 1);
	check_holds(fmp_field_list_append(&out, "Content-Length: 0\r\n\r\n", 21));
	header = out.len;
	fmp_http_init(&again, &limits);
	check_holds(fmp_http_feed(&again, out.bytes, header, &used) == FMP_HTTP_DONE);
	check_holds(used == header);
	fmp_http_exit(&again);
	fmp_field_list_exit(&out);
}

/* @size: bytes of the message, which was read as a whole */
static inline void check_fields(const struct fmp_http *h, const uint8_t *p, size_t size)
{
	check_recorded(h, p, size);
	if (!h->limits.response)
		check_path(h);
	check_forwarded(h);
}

#endif
