/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of an HTTP message, in order, as lines "Name: value" in one buffer.
 *
 * Names keep their case, values lose the white space around them (RFC 9112 5). Fields of the same
 * name stay apart: Set-Cookie can't be joined (RFC 9110 5.3). The caller bounds the length.
 */
#ifndef FMP_FIELD_LIST_H
#define FMP_FIELD_LIST_H

#include <stdbool.h>
#include <stddef.h>

/** struct fmp_field_list - starts as all 0; freed with fmp_field_list_exit() */
struct fmp_field_list {
	char *bytes; /**< owned; NULL while empty */
	size_t len, cap;
	size_t first; /**< offset of the first line: a text may stand before it */
	size_t value; /**< private: offset of the latest line's value */
};

/** struct fmp_field - one line; points into the list */
struct fmp_field {
	const char *name, *value;
	size_t name_len, value_len;
	const char *line; /**< with its line end */
	size_t line_len;
};

/** fmp_field_list_append() - append bytes of a line. Return: false without memory. */
bool fmp_field_list_append(struct fmp_field_list *l, const void *bytes, size_t n);
/** fmp_field_list_begin() - begin a line with its name. Return: false without memory. */
bool fmp_field_list_begin(struct fmp_field_list *l, const char *name, size_t n);
/**
 * fmp_field_list_end() - remove white space at the end of the line and end it. Return: false without
 * memory.
 */
bool fmp_field_list_end(struct fmp_field_list *l);
/**
 * fmp_field_list_add() - append a whole line
 * @name: a token
 * @value: without control characters
 *
 * Return: false without memory.
 */
bool fmp_field_list_add(struct fmp_field_list *l, const char *name, const char *value);
/** fmp_field_list_drop() - remove all lines, and keep the text before them. */
void fmp_field_list_drop(struct fmp_field_list *l);
/** fmp_field_list_exit() - free the buffer. */
void fmp_field_list_exit(struct fmp_field_list *l);

/**
 * fmp_field_list_next() - iterate
 * @at: 0 to begin with
 *
 * Return: false behind the last.
 */
bool fmp_field_list_next(const struct fmp_field_list *l, size_t *at, struct fmp_field *out);

/**
 * fmp_field_find() - the last field of exactly this name, without regard to case
 * @name: in lower case
 *
 * Return: false: there is none.
 */
bool fmp_field_find(const struct fmp_field_list *l, const char *name, struct fmp_field *out);

/**
 * fmp_field_name_fold() - the character of a name as servers read it
 *
 * CGI and many servers map hyphens to underscores (HTTP_X_FORWARDED_FOR), PHP dots and lighttpd all
 * other characters, too: no such character makes another name.
 */
static inline char fmp_field_name_fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c | 0x20);
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
}

/**
 * fmp_field_name_is() - compare names as servers read them (fmp_field_name_fold())
 * @name: in lower case, with '-'
 */
bool fmp_field_name_is(const char *text, size_t n, const char *name);

#endif
