/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast parser for plain documents, in front of libxml2's: makes in one pass the tree that libxml2
 * would make, at a quarter of the cost. Most messages are plain: ASCII names; no DTD or processing
 * instruction; no CR; no references in attribute values; few declarations. Anything else, and most
 * errors, is left to libxml2. Frequent errors are refused here with libxml2's own wording, because
 * a second pass would double the cost of a bad message.
 *
 * The tree equals libxml2's in everything visible: dictionary names, namespaces, attributes, texts,
 * line numbers. tests/fuzz/fuzz_fast_parser.c compares the two.
 */
#ifndef FMPI_XML_FAST_PARSER_H
#define FMPI_XML_FAST_PARSER_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verdict/refuse.h"

#define FMPI_FAST_CACHE 128u

/** struct fmpi_fast_cache_entry - a word and its copy in the dictionary */
struct fmpi_fast_cache_entry {
	const xmlChar *word; /**< NULL: none */
	uint32_t len;
};

/** struct fmpi_fast_parser - state kept between documents; starts zeroed. */
struct fmpi_fast_parser {
	struct fmpi_fast_cache_entry cache[FMPI_FAST_CACHE];
	/**
	 * Allocate all nodes of a tree in one arena: malloc() and free() of each node are a sixth
	 * of the cost of a message of 100 KB. libxml2 must not free any of them.
	 */
	bool use_arena;
};

/**
 * fmpi_fast_parse() - parse a plain document
 * @q: must be cleared before the dictionary is freed
 * @dict: names of the tree; the tree takes its own reference
 * @bytes: any input, need not be screened
 * @flags: parser options recorded in the tree
 * @out: for fmpi_fast_free(); without use_arena also for xmlFreeDoc()
 *
 * Return: 0 with *out; FMPI_REFUSED with *v as libxml2 would fill it; FMP_ERR_UNSUPPORTED: use
 * libxml2 (also when out of memory).
 */
int fmpi_fast_parse(struct fmpi_fast_parser *q, xmlDictPtr dict, const void *bytes, size_t len,
		    int flags, xmlDocPtr *out, struct fmp_inspection *v);

/**
 * fmpi_fast_free() - free a document of either parser with its current content; NULL is allowed.
 */
void fmpi_fast_free(xmlDocPtr doc);

/** fmpi_fast_free_nodes() - free a list of nodes cut out of such a document; NULL is allowed. */
void fmpi_fast_free_nodes(xmlNode *list);

#endif
