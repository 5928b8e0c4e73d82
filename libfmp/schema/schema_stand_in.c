// SPDX-License-Identifier: GPL-2.0
#include "schema_stand_in.h"

#include <openssl/rand.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/error.h>

#include "schema_type.h"
#include "decimal.h"

/* How many of FMPI_DECIMAL_MAX_DIGITS number the stand-ins. */
#define COUNTER_DIGITS 10

struct fmpi_stand_in_text {
	xmlNode *node;
	xmlChar *original;
};

static void *grow_list(void *list, size_t n, size_t *capacity, size_t size)
{
	size_t more = *capacity ? 2 * *capacity : 16;
	void *p;

	if (n < *capacity)
		return list;
	p = reallocarray(list, more, size);
	if (p)
		*capacity = more;
	return p;
}

/* Collapse white space in place (XSD 1.0 part 2, 4.3.6). */
static void collapse_spaces(char *text)
{
	const char *from = text;
	char *to = text;

	for (size_t n; *(from += strspn(from, " \t\r\n")); from += n) {
		n = strcspn(from, " \t\r\n");
		if (to > text)
			*to++ = ' ';
		memmove(to, from, n);
		to += n;
	}
	*to = '\0';
}

/* Write a number without redundant zeros and sign; other text as it is. */
static void put_canonical(FILE *f, const char *text, size_t len)
{
	struct fmpi_decimal x;

	if (fmpi_decimal_read(text, len, &x))
		fprintf(f, "%s%.*s%s%.*s", x.is_negative ? "-" : "", x.n_whole ? (int)x.n_whole : 1,
			x.n_whole ? x.whole : "0", x.n_fraction ? "." : "", (int)x.n_fraction,
			x.fraction);
	else
		fwrite(text, 1, len, f);
}

/* Canonicalize each number of a list. Return: for free(); NULL: out of memory. */
static char *canonicalize_numbers(const char *text)
{
	char *out = NULL;
	size_t size, n;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return NULL;
	for (; *text; text += n) {
		n = strcspn(text, " ");
		put_canonical(f, text, n);
		n += strspn(text + n, " ");
		if (text[n])
			fputc(' ', f);
	}
	if (fclose(f) == 0)
		return out;
	free(out);
	return NULL;
}

int fmpi_stand_in_add(struct fmpi_stand_ins *s, xmlNode *value, bool is_number)
{
	struct fmpi_stand_in *list = grow_list(s->list, s->n, &s->capacity, sizeof(*list));
	char *text = fmpi_value_copy(value), *number = NULL;

	if (list)
		s->list = list;
	if (!list || !text) {
		xmlFree(text);
		return FMP_ERR_NOMEM;
	}
	collapse_spaces(text);
	if (is_number) {
		number = canonicalize_numbers(text);
		xmlFree(text);
		text = number;
	}
	if (!text)
		return FMP_ERR_NOMEM;
	s->list[s->n++] =
		(struct fmpi_stand_in){ .value = value, .text = text, .is_number = is_number };
	return 0;
}

/* ---- numbers that are too long ---- */

/* Is there a number with more digits than libxml2 reads? */
static bool is_too_long(const char *text)
{
	size_t n = 0;

	for (; *text && n <= FMPI_DECIMAL_MAX_DIGITS; text++)
		n = *text == ' ' ? 0 : n + (*text >= '0' && *text <= '9');
	return n > FMPI_DECIMAL_MAX_DIGITS;
}

static int compare_texts(const void *a, const void *b)
{
	const struct fmpi_stand_in *const *x = a, *const *y = b;

	return strcmp((*x)->text, (*y)->text);
}

/*
 * The prefix is random: a message that knew it could contain a stand-in, and so refer to a key that
 * is not there.
 */
static bool make_prefix(char *out, size_t size)
{
	uint64_t random;

	if (RAND_bytes((unsigned char *)&random, sizeof(random)) != 1)
		return false;
	/* 14 digits without a leading zero. */
	snprintf(out, size, "%014llu",
		 (unsigned long long)(random % 90000000000000u + 10000000000000u));
	return true;
}

/* Assign one number to each run of equal texts. @list: sorted */
static int assign_numbers(struct fmpi_stand_in **list, size_t n)
{
	char prefix[FMPI_DECIMAL_MAX_DIGITS - COUNTER_DIGITS + 1], *next = NULL;
	unsigned at = 0;
	size_t end;

	if (n && !make_prefix(prefix, sizeof(prefix)))
		return FMP_ERR_NOMEM;
	for (size_t i = 0; i < n; i = end, at++) {
		for (end = i + 1; end < n && strcmp(list[end]->text, list[i]->text) == 0;)
			end++;
		for (size_t k = end; k-- > i;) {
			if (asprintf(&next, "%s%s%0*u", *list[k]->text == '-' ? "-" : "", prefix,
				     COUNTER_DIGITS, at) < 0)
				return FMP_ERR_NOMEM;
			free(list[k]->text);
			list[k]->text = next;
		}
	}
	return 0;
}

static int replace_long_numbers(struct fmpi_stand_ins *s)
{
	struct fmpi_stand_in **list = calloc(s->n + 1, sizeof(struct fmpi_stand_in *));
	size_t n = 0;
	int ret;

	if (!list)
		return FMP_ERR_NOMEM;
	for (size_t i = 0; i < s->n; i++)
		if (s->list[i].is_number && is_too_long(s->list[i].text))
			list[n++] = &s->list[i];
	qsort(list, n, sizeof(struct fmpi_stand_in *), compare_texts);
	ret = assign_numbers(list, n);
	free(list);
	return ret;
}

/* ---- in the tree ---- */

static int replace_text(struct fmpi_stand_ins *s, xmlNode *node, char *text)
{
	struct fmpi_stand_in_text *texts =
		grow_list(s->texts, s->n_texts, &s->texts_capacity, sizeof(*texts));

	if (!texts)
		return FMP_ERR_NOMEM;
	s->texts = texts;
	s->texts[s->n_texts++] = (struct fmpi_stand_in_text){ node, node->content };
	node->content = (xmlChar *)text;
	return 0;
}

/* Put the whole text into the first text node and empty the others. */
static int replace_value(struct fmpi_stand_ins *s, const struct fmpi_stand_in *in)
{
	static char nothing[1];
	char *text = in->text;

	for (xmlNode *n = in->value->children; n; n = n->next) {
		if (n->type != XML_TEXT_NODE)
			continue;
		if (replace_text(s, n, text))
			return FMP_ERR_NOMEM;
		text = nothing;
	}
	return 0;
}

void fmpi_stand_in_restore(struct fmpi_stand_ins *s)
{
	while (s->n_texts) {
		s->n_texts--;
		s->texts[s->n_texts].node->content = s->texts[s->n_texts].original;
	}
}

int fmpi_stand_in_put(struct fmpi_stand_ins *s)
{
	int ret = replace_long_numbers(s);

	for (size_t i = 0; i < s->n && !ret; i++)
		ret = replace_value(s, &s->list[i]);
	if (ret)
		fmpi_stand_in_restore(s);
	return ret;
}

void fmpi_stand_in_clear(struct fmpi_stand_ins *s)
{
	fmpi_stand_in_restore(s);
	for (size_t i = 0; i < s->n; i++)
		free(s->list[i].text);
	free(s->list);
	free(s->texts);
	*s = (struct fmpi_stand_ins){ 0 };
}
