/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values in a form that libxml2 can read, in the tree while it validates once more: it does not
 * collapse white space of all types that XSD collapses, and compares no number of more than 24 digits.
 */
#ifndef FMPI_SCHEMA_SCHEMA_STAND_IN_H
#define FMPI_SCHEMA_SCHEMA_STAND_IN_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

struct fmpi_stand_in {
	xmlNode *value; /**< an element without elements inside, or an attribute */
	char *text; /**< what stands there meanwhile */
	bool is_number; /**< found valid by schema_number.c; else only its white space is collapsed */
};

/** struct fmpi_stand_ins - starts as all 0 */
struct fmpi_stand_ins {
	struct fmpi_stand_in *list;
	size_t n, room;
	struct fmpi_stand_in_text *texts; /**< what was in the tree, to be put back */
	size_t n_texts, texts_room;
};

/**
 * fmpi_stand_in_add() - remember that a value is to be replaced; the tree stays as it is
 * @is_number: a decimal, or a list of such. Else: only its white space is collapsed.
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_stand_in_add(struct fmpi_stand_ins *s, xmlNode *value, bool is_number);

/**
 * fmpi_stand_in_put() - replace them
 *
 * Numbers that are equal have equal stand-ins, and those of more than 24 digits have one that nobody
 * outside can guess: a message can't hold it. Return: 0, FMP_ERR_NOMEM; nothing is replaced then.
 */
int fmpi_stand_in_put(struct fmpi_stand_ins *s);

/** fmpi_stand_in_restore() - the tree as it was. To be called before nodes of it are freed. */
void fmpi_stand_in_restore(struct fmpi_stand_ins *s);
/** fmpi_stand_in_clear() - the same, and forget them. */
void fmpi_stand_in_clear(struct fmpi_stand_ins *s);

#endif
