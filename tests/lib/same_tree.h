/* SPDX-License-Identifier: GPL-2.0 */
/* Comparison of two libxml2 trees in everything visible. */
#ifndef FMP_TESTS_SAME_TREE_H
#define FMP_TESTS_SAME_TREE_H

#include <libxml/tree.h>

/*
 * differing() - compare trees of two dictionaries
 *
 * Names and values are compared as text, and must be where xmlFreeDoc() looks for them.
 * Return: the first difference, *where in a; NULL: none.
 */
const char *differing(const xmlDoc *a, const xmlDoc *b, const xmlNode **where);

#endif
