// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/field_list.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIRST_CAPACITY 1024u

static bool grow_list(struct fmp_field_list *l, size_t n)
{
	size_t cap = l->cap ? l->cap : FIRST_CAPACITY;
	char *bytes;

	while (cap < l->len + n)
		cap *= 2;
	bytes = realloc(l->bytes, cap);
	if (!bytes)
		return false;
	l->bytes = bytes;
	l->cap = cap;
	return true;
}

bool fmp_field_list_append(struct fmp_field_list *l, const void *bytes, size_t n)
{
	if (n > l->cap - l->len && !grow_list(l, n))
		return false;
	if (n)
		memcpy(l->bytes + l->len, bytes, n);
	l->len += n;
	return true;
}

bool fmp_field_list_begin(struct fmp_field_list *l, const char *name, size_t n)
{
	if (n + 2 > l->cap - l->len && !grow_list(l, n + 2))
		return false;
	memcpy(l->bytes + l->len, name, n);
	memcpy(l->bytes + l->len + n, ": ", 2);
	l->len += n + 2;
	l->value = l->len;
	return true;
}

bool fmp_field_list_end(struct fmp_field_list *l)
{
	while (l->len > l->value && (l->bytes[l->len - 1] == ' ' || l->bytes[l->len - 1] == '\t'))
		l->len--;
	return fmp_field_list_append(l, "\r\n", 2);
}

bool fmp_field_list_add(struct fmp_field_list *l, const char *name, const char *value)
{
	return fmp_field_list_begin(l, name, strlen(name)) &&
	       fmp_field_list_append(l, value, strlen(value)) && fmp_field_list_end(l);
}

void fmp_field_list_drop(struct fmp_field_list *l)
{
	l->len = l->first;
}

void fmp_field_list_exit(struct fmp_field_list *l)
{
	free(l->bytes);
	*l = (struct fmp_field_list){ 0 };
}

bool fmp_field_list_next(const struct fmp_field_list *l, size_t *at, struct fmp_field *out)
{
	const char *line, *colon, *end;
	size_t left;

	if (*at < l->first)
		*at = l->first;
	if (*at >= l->len)
		return false;
	line = l->bytes + *at;
	left = l->len - *at;
	end = memchr(line, '\n', left);
	colon = memchr(line, ':', left);
	if (!end || !colon || end - colon < 3)
		return false; /* the last line has not ended yet */
	*out = (struct fmp_field){ .name = line,
				   .name_len = (size_t)(colon - line),
				   .value = colon + 2,
				   .value_len = (size_t)(end - colon) - 3,
				   .line = line,
				   .line_len = (size_t)(end + 1 - line) };
	*at += out->line_len;
	return true;
}

bool fmp_field_find(const struct fmp_field_list *l, const char *name, struct fmp_field *out)
{
	struct fmp_field f;
	size_t at = 0, n = strlen(name);
	bool found = false;

	while (fmp_field_list_next(l, &at, &f)) {
		if (f.name_len != n || strncasecmp(f.name, name, n) != 0)
			continue;
		*out = f;
		found = true;
	}
	return found;
}

bool fmp_field_name_is(const char *text, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (fmp_field_name_fold(text[i]) != name[i])
			return false;
	return !name[n];
}
