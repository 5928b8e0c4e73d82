// SPDX-License-Identifier: GPL-2.0
#include "plain_base64.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/error.h>

#include "xml/document.h"
#include "xml/names.h"

#define QUANTUM 4u /* characters for three bytes */
#define NONE	0xffu

/* ---- the schema ---- */

static bool is_named_element(const xmlNode *n)
{
	return fmpi_is(n, NS_XSD, "element") && fmpi_attribute(n, NULL, "name");
}

static bool is_plain(const struct fmpi_schema_set *s, const xmlNode *element)
{
	struct fmpi_type t = fmpi_type_of(s, element, "type");

	return !fmpi_type_is_unknown(&t) && !fmpi_attribute(element, NULL, "fixed") &&
	       strcmp(fmpi_type_root(s, t), "base64Binary") == 0 && !fmpi_type_has_facets(s, t);
}

/* @plain: add those that are; else remove what has the name of one that is not. */
static int walk_elements(const struct fmpi_schema_set *s, bool plain, xmlHashTable **names)
{
	for (unsigned i = 0; i < s->n; i++) {
		const xmlNode *root = xmlDocGetRootElement(s->docs[i].doc);

		for (const xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
			const xmlChar *name;

			if (!is_named_element(n) || is_plain(s, n) != plain)
				continue;
			name = (const xmlChar *)fmpi_attribute(n, NULL, "name");
			if (!plain) {
				xmlHashRemoveEntry(*names, name, NULL);
				continue;
			}
			if (!*names)
				*names = xmlHashCreate(16);
			if (!*names || xmlHashUpdateEntry(*names, name, (void *)n, NULL))
				return FMP_ERR_NOMEM;
		}
	}
	return 0;
}

int fmpi_plain_base64_collect(const struct fmpi_schema_set *s, xmlHashTable **out)
{
	int ret;

	*out = NULL;
	ret = walk_elements(s, true, out);
	if (!ret && *out)
		ret = walk_elements(s, false, out);
	if (ret) {
		xmlHashFree(*out, NULL);
		*out = NULL;
	}
	return ret;
}

/* ---- a text ---- */

static unsigned decode_character(unsigned char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26u;
	if (c >= '0' && c <= '9')
		return c - '0' + 52u;
	return c == '+' ? 62u : c == '/' ? 63u : NONE;
}

/* Of the alphabet, without the padding. */
static const unsigned char is_of_alphabet[256] = {
	['+'] = 1, ['/'] = 1, ['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1,
};

#if defined(__SSE2__) || defined(__ARM_NEON)
typedef unsigned char bytes16 __attribute__((vector_size(16)));

/* Return: how many of the first bytes were found to be of the alphabet: as many as fill 16, or 0. */
static size_t skip_alphabet(const unsigned char *p, size_t len)
{
	size_t n = len & ~(size_t)15;
	bytes16 good = (bytes16)((bytes16){ 0 } == 0), c;
	uint64_t halves[2];

	for (size_t i = 0; i < n; i += sizeof(c)) {
		memcpy(&c, p + i, sizeof(c));
		good &= (bytes16)((c | 0x20) - 'a' < 26) | (bytes16)(c - '/' <= '9' - '/') |
			(bytes16)(c == '+');
	}
	memcpy(halves, &good, sizeof(halves));
	return (halves[0] & halves[1]) == UINT64_MAX ? n : 0;
}
#else
static size_t skip_alphabet(const unsigned char *p, size_t len)
{
	(void)p;
	(void)len;
	return 0;
}
#endif

static bool is_alphabet(const unsigned char *p, size_t len)
{
	size_t i = skip_alphabet(p, len);

	while (i < len && is_of_alphabet[p[i]])
		i++;
	return i == len;
}

/* The last quantum may be padded; the bits that it has too many are zero. */
static bool is_last_quantum(const unsigned char *p)
{
	unsigned second = decode_character(p[1]), third = decode_character(p[2]);

	if (!is_of_alphabet[p[0]] || second == NONE)
		return false;
	if (p[3] != '=')
		return third != NONE && is_of_alphabet[p[3]];
	return p[2] == '=' ? !(second & 15) : third != NONE && !(third & 3);
}

bool fmpi_plain_base64_is_valid(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;

	return len && len % QUANTUM == 0 && is_last_quantum(p + len - QUANTUM) &&
	       is_alphabet(p, len - QUANTUM);
}

/* ---- a message ---- */

/* xsi:type may ask for more, and xsi:nil for no text. */
static bool has_instance_attribute(const xmlNode *element)
{
	for (const xmlAttr *a = element->properties; a; a = a->next)
		if (a->ns && strcmp((const char *)a->ns->href, NS_XSI) == 0)
			return true;
	return false;
}

static int add_text(struct fmpi_plain_base64 *h, xmlNode *text)
{
	if (h->n == h->capacity) {
		size_t capacity = h->capacity ? 2 * h->capacity : 4;
		struct fmpi_emptied_text *list = reallocarray(h->list, capacity, sizeof(*list));

		if (!list)
			return FMP_ERR_NOMEM;
		h->list = list;
		h->capacity = capacity;
	}
	h->list[h->n++] = (struct fmpi_emptied_text){ text, text->content };
	return 0;
}

int fmpi_plain_base64_hide(struct fmpi_plain_base64 *h, xmlHashTable *names, const xmlNode *element)
{
	static xmlChar nothing[1];
	xmlNode *text = element->children;
	int ret;

	if (!names || !text || text->next || text->type != XML_TEXT_NODE ||
	    !xmlHashLookup(names, element->name) || has_instance_attribute(element) ||
	    !fmpi_plain_base64_is_valid((const char *)text->content,
					strlen((const char *)text->content)))
		return 0;
	ret = add_text(h, text);
	if (ret)
		return ret;
	text->content = nothing;
	return 1;
}

void fmpi_plain_base64_show(struct fmpi_plain_base64 *h)
{
	for (size_t i = 0; i < h->n; i++)
		h->list[i].text->content = h->list[i].content;
	free(h->list);
	*h = (struct fmpi_plain_base64){ 0 };
}
