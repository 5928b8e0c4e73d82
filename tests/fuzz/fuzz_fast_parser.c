// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: the fast parser's tree beside libxml2's, node by node. Each input is one
 * document by the grammar of policy_xml.h, then perhaps changed in some bytes. What the fast one
 * takes, libxml2 must take without a word, and make the same of; what it leaves alone is
 * counted, so that it can be seen that it takes enough.
 */
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "same_tree.h"
#include "xml.h"

static unsigned long inputs, good, fast, refused;

static void print_counters(void)
{
	printf("fast: %lu documents, %lu of them well-formed, %lu taken by the fast parser, "
	       "%lu refused by it\n",
	       inputs, good, fast, refused);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	xml_start(print_counters);
	return 0;
}

/* ---- changes ---- */

static const char *const pieces[] = {
	"<",
	">",
	"/",
	"=",
	"\"",
	"'",
	"&",
	";",
	"]]>",
	"\r",
	"\n",
	"\t",
	" ",
	"\x01",
	"\x80",
	"\xc3",
	"\xff",
	"\xef\xbf\xbf",
	":",
	"xmlns",
	"xml:",
	"a:",
	"xmlns:a",
	" a='1'",
	" a=\"2\"",
	"&#0;",
	"&#xD800;",
	"&lt;",
	"&unknown;",
	"&#65",
	"&#120;",
	"&#x2F;",
	"&#x3a;",
	"&#0120;",
	"&#x1F0;",
	"&#;",
	"<!--",
	"-->",
	"<![CDATA[",
	"<?",
	"<e/>",
	"</e>",
	"<a:e>",
	" xmlns=''",
	" xmlns:a=''",
	"&#x00000000000A;",
	"<!-- -- -->",
	"<!--\n-->",
	"<![CDATA[]]>",
	"<![CDATA[&x\n]]]>",
	" a:a='1' a:a='1'",
	"a:b:c",
	" xmlns:xml='urn:x'",
	" xmlns:xmlns='urn:x'",
	" xmlns:b='http://www.w3.org/XML/1998/namespace'",
	" xmlns:b='urn:x'",
	" xmlns='a b'",
	"0",
	"-",
	".",
	"_",
	"0123456789abcde",
	"0123456789abcdef",
};

/* ---- the comparison ---- */

static void fail_at_difference(const char *what, const xmlNode *where, const struct xml_text *t)
{
	fprintf(stderr, "%s differs at %s, line %ld, of\n%.*s\n", what,
		where && where->name ? (const char *)where->name : "the document",
		where ? xmlGetLineNo(where) : 0, (int)t->n, t->p);
	abort();
}

static void compare_parsers(const struct xml_text *t)
{
	static struct fmpi_parser parser;
	static struct fmpi_fast_parser words;
	static xmlDictPtr dict;
	struct fmp_inspection v = { 0 }, fresh = { 0 };
	xmlDoc *theirs, *ours, *again;
	int ret;

	if (!dict || xmlDictSize(dict) > 1024) {
		xmlDictFree(dict);
		dict = xmlDictCreate();
		words = (struct fmpi_fast_parser){ 0 };
	}
	if (fmpi_parser_read(&parser, t->p, t->n, &theirs, &v) < 0)
		abort();
	if (fmpi_document_parse(t->p, t->n, &again, &fresh) < 0)
		abort();
	if (!again != !theirs || v.line != fresh.line || strcmp(v.detail, fresh.detail) != 0)
		fail_at_difference("what a document before has left", NULL, t);
	/* An input is the same each time. */
	words.use_arena = t->n % 2;
	ret = fmpi_fast_parse(&words, dict, t->p, t->n, theirs ? theirs->parseFlags : 0, &ours,
			      &fresh);
	inputs++;
	good += theirs != NULL;
	fast += ours != NULL;
	refused += ret == FMPI_REFUSED;
	if ((ours && !theirs) ||
	    (ret == FMPI_REFUSED && (theirs || v.kind != fresh.kind || v.line != fresh.line ||
				     strcmp(v.detail, fresh.detail) != 0)))
		fail_at_difference("the verdict", NULL, t);
	if (ours) {
		const xmlNode *where;
		const char *what = differing(ours, theirs, &where);

		if (what)
			fail_at_difference(what, where, t);
	}
	fmpi_fast_free(ours);
	xmlFreeDoc(theirs);
	xmlFreeDoc(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct xml_text text;
	struct xml_dice dice;
	struct xml_maker maker = { .dice = &dice, .text = &text };

	text.n = 0;
	xml_dice_init(&dice, data, size);
	maker.plain = xml_roll(&dice, 4) != 0;
	xml_document(&maker);
	for (unsigned i = xml_roll(&dice, 3) ? 0 : 1 + xml_roll(&dice, 4); i; i--)
		xml_change(&dice, &text, pieces, sizeof(pieces) / sizeof(pieces[0]));
	compare_parsers(&text);
	return 0;
}
