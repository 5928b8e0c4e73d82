/* SPDX-License-Identifier: GPL-2.0 */
/*
 * XML documents by a grammar: what canonicalization has to tell apart stands in them at
 * every corner. The fuzzer's bytes are the choices; behind their end a generator chooses.
 */
#ifndef FUZZ_XML_H
#define FUZZ_XML_H

#include <stddef.h>
#include <stdint.h>

#include "random.h"

/* struct xml_dice - choices */
struct xml_dice {
	const uint8_t *p, *end;
	struct test_random random;
};

/* xml_start() - libxml2, kept silent; what is called at the end */
void xml_start(void (*report)(void));

void xml_dice_init(struct xml_dice *d, const uint8_t *p, size_t n);
/* 0 to n - 1; n up to 256. */
unsigned xml_roll(struct xml_dice *d, unsigned n);

/* struct xml_text - what is written; what does not fit is left out, and the document broken. */
struct xml_text {
	size_t n;
	char p[96 << 10];
};

void xml_put(struct xml_text *t, const char *s);

/* struct xml_maker - starts with dice and text, the rest 0 */
struct xml_maker {
	struct xml_dice *dice;
	struct xml_text *text;
	unsigned nodes; /* so far; a bound on the document */
	unsigned bound; /* prefixes that have a namespace here, a bit each */
	int screened; /* nothing that the screen refuses */
	int plain; /* mostly what the fast parser accepts */
};

/* xml_content() - text, comments, sections, elements, depth levels deep */
void xml_content(struct xml_maker *m, unsigned depth);
/* xml_declarations() - of namespaces, in a start tag; they hold until m->bound is put back */
void xml_declarations(struct xml_maker *m);
/* xml_attributes() - in a start tag */
void xml_attributes(struct xml_maker *m);
/* xml_blank() - white space that means nothing, or none */
void xml_blank(struct xml_maker *m);
/* xml_document() - a whole one */
void xml_document(struct xml_maker *m);
/* xml_change() - somewhere some bytes go, and one of n pieces comes, or nothing; n up to 256 */
void xml_change(struct xml_dice *d, struct xml_text *t, const char *const *pieces, size_t n);
/* xml_prefix_list() - of an InclusiveNamespaces, as text */
void xml_prefix_list(struct xml_dice *d, char *out, size_t size);

#endif /* FUZZ_XML_H */
