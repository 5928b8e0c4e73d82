/* SPDX-License-Identifier: GPL-2.0 */
/* Two trees of libxml2's, compared in all that can be seen of them. */
#ifndef FMP_TESTS_SAME_TREE_H
#define FMP_TESTS_SAME_TREE_H

#include <libxml/tree.h>

/*
 * differing() - of trees of two dictionaries
 *
 * Names and values are compared as texts, and must be where xmlFreeDoc() looks for them.
 * Return: what differs first, *where of a; NULL if nothing does.
 */
const char *differing(const xmlDoc *a, const xmlDoc *b, const xmlNode **where);

#endif
