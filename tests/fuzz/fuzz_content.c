// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: rules on the content, of a text in pieces beside the same text in one. Each input is
 * a text, cut by comments and written in sections, references and short or long pieces; what is
 * looked for stands in it or does not. Both are refused with the same words, or neither is.
 */
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soap/content.h"
#include "xml.h"

#define ANY(t) (sizeof(t) / sizeof((t)[0]))

static struct fmp_policy_rule rules[] = {
	{ .name = "start", .regex = "^evil" },
	{ .name = "any", .regex = "wicked" },
	{ .name = "end", .regex = "mad$" },
	{ .name = "xpath", .xpath = "//a", .regex = "bad" },
	{ .name = "texts", .xpath = "//text()", .regex = "evilmad" },
};
static const struct fmp_policy_content content = { .rules = rules, .n_rules = ANY(rules) };
static const struct fmp_policy_limits limits = { .elements = 100 };
static unsigned long inputs, refused;

static void print_counters(void)
{
	printf("content: %lu texts, %lu refused\n", inputs, refused);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	xml_start(print_counters);
	return 0;
}

/* ---- texts ---- */

/* The same in pieces and in one. */
struct both {
	struct xml_dice dice;
	struct xml_text cut, whole;
};

static void put_piece(struct both *b, const char *piece)
{
	static const char *const gaps[] = { "<!-- -->", "<!--evil--><!---->", "", "", "" };

	xml_put(&b->cut, piece);
	xml_put(&b->whole, piece);
	xml_put(&b->cut, gaps[xml_roll(&b->dice, ANY(gaps))]);
}

static void put_section(struct both *b, const char *piece)
{
	xml_put(&b->cut, "<![CDATA[");
	xml_put(&b->cut, piece);
	xml_put(&b->cut, "]]>");
	xml_put(&b->whole, piece);
}

/* From none to more than all before: the room for it is to grow at any of them. */
static void put_filler(struct both *b)
{
	char piece[4096];
	size_t n = (size_t)1 << xml_roll(&b->dice, 12);

	memset(piece, "xe"[xml_roll(&b->dice, 2)], n);
	piece[n] = '\0';
	put_piece(b, piece);
}

static void put_text(struct both *b)
{
	static const char *const words[] = { "ev", "il", "evil", "wick", "ed",	   "m",
					     "ad", "ba", "d",	 " ",	 "&#101;", "" };

	for (unsigned n = xml_roll(&b->dice, 24); n; n--) {
		const char *word = words[xml_roll(&b->dice, ANY(words))];

		if (!xml_roll(&b->dice, 3))
			put_filler(b);
		else if (*word != '&' && !xml_roll(&b->dice, 4))
			put_section(b, word);
		else
			put_piece(b, word);
	}
}

/* ---- the comparison ---- */

static int check_content(struct fmpi_content *c, const struct xml_text *t, struct fmp_inspection *v)
{
	const xmlNode *root;
	xmlDocPtr doc;
	int ret = fmpi_document_parse(t->p, t->n, &doc, v);

	if (ret)
		abort();
	root = xmlDocGetRootElement(doc);
	ret = fmpi_content_check(c, &root, 1, v);
	xmlFreeDoc(doc);
	return ret;
}

static void compare_texts(const struct both *b)
{
	struct fmp_inspection cut = { 0 }, whole = { 0 };
	struct fmpi_content *c;
	struct fmp_error err;
	int ret;

	/* New each time: it has room for no text yet. */
	if (fmpi_content_new(&content, &limits, &c, &err))
		abort();
	ret = check_content(c, &b->cut, &cut);
	inputs++;
	refused += ret == FMPI_REFUSED;
	if (ret != check_content(c, &b->whole, &whole) || strcmp(cut.detail, whole.detail) != 0) {
		fprintf(stderr, "in pieces: %s; in one: %s; of\n%.*s\n", cut.detail, whole.detail,
			(int)b->cut.n, b->cut.p);
		abort();
	}
	fmpi_content_destroy(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct both b;

	b.cut.n = b.whole.n = 0;
	xml_dice_init(&b.dice, data, size);
	xml_put(&b.cut, "<a>");
	xml_put(&b.whole, "<a>");
	put_text(&b);
	xml_put(&b.cut, "</a>");
	xml_put(&b.whole, "</a>");
	compare_texts(&b);
	return 0;
}
