/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A parser for plain documents, in front of libxml2's: one pass from bytes to the tree that
 * libxml2 would have made, at a quarter of the cost. Plain is what most messages are: names of
 * ASCII; no DTD or processing instruction; no CR; values of attributes without references; few
 * declarations. What it does not know, and most of what may be wrong with a document, it leaves
 * to libxml2, whose words it has for the rest: else that would be paid for twice.
 *
 * The tree is libxml2's in all that can be seen of it: names of the dictionary, namespaces,
 * attributes, texts, lines. tests/fuzz/fuzz_fast_parser.c compares.
 */
#ifndef FMPI_XML_FAST_PARSER_H
#define FMPI_XML_FAST_PARSER_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verdict/refuse.h"

#define FMPI_FAST_CACHE 128u

/** struct fmpi_fast_cache_entry - a word that was met before, and where a dictionary has it. */
struct fmpi_fast_cache_entry {
	const xmlChar *word; /**< NULL: none */
	uint32_t len;
};

/** struct fmpi_fast_parser - starts as all 0. */
struct fmpi_fast_parser {
	struct fmpi_fast_cache_entry cache[FMPI_FAST_CACHE];
	/**
	 * All nodes of a tree are of one arena: to take each from malloc() and give it back
	 * is a sixth of what a message of 100 KB costs. libxml2 must free none of them.
	 */
	bool use_arena;
};

/**
 * fmpi_fast_parse()
 * @q: to be cleared before the dictionary goes
 * @dict: the tree's names; the tree has its own reference
 * @bytes: anything; need not be screened
 * @flags: the parser's options, that the tree remembers
 * @out: for fmpi_fast_free(); unless use_arena also for xmlFreeDoc()
 *
 * Return: 0 with *out; FMPI_REFUSED with *v as libxml2 would have it; FMP_ERR_UNSUPPORTED:
 * ask libxml2, also where there was no memory.
 */
int fmpi_fast_parse(struct fmpi_fast_parser *q, xmlDictPtr dict, const void *bytes, size_t len,
		    int flags, xmlDocPtr *out, struct fmp_inspection *v);

/** fmpi_fast_free() - a document of either parser, with what is in it then; takes NULL. */
void fmpi_fast_free(xmlDocPtr doc);

/** fmpi_fast_free_nodes() - a list that was cut out of such a document; takes NULL. */
void fmpi_fast_free_nodes(xmlNode *list);

#endif
