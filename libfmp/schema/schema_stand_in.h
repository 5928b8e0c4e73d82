/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-ins: values rewritten to a form that libxml2 can read, put into the tree for a second
 * validation. libxml2 does not collapse white space for all types that XSD collapses, and compares
 * no number of more than 24 digits.
 */
#ifndef FMPI_SCHEMA_SCHEMA_STAND_IN_H
#define FMPI_SCHEMA_SCHEMA_STAND_IN_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

struct fmpi_stand_in {
	xmlNode *value; /**< an element without child elements, or an attribute */
	char *text; /**< the replacement */
	bool is_number; /**< a number found valid by schema_number.c; false: only white space is collapsed */
};

/** struct fmpi_stand_ins - starts zeroed */
struct fmpi_stand_ins {
	struct fmpi_stand_in *list;
	size_t n, capacity;
	struct fmpi_stand_in_text *texts; /**< original texts, to be restored */
	size_t n_texts, texts_capacity;
};

/**
 * fmpi_stand_in_add() - schedule a value to be replaced; the tree does not change yet
 * @is_number: a decimal or a list of decimals; false: only collapse its white space
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_stand_in_add(struct fmpi_stand_ins *s, xmlNode *value, bool is_number);

/**
 * fmpi_stand_in_put() - replace all scheduled values
 *
 * Equal numbers get equal stand-ins. The stand-in of a number of more than 24 digits can't be
 * guessed, so no message can contain it. Return: 0; FMP_ERR_NOMEM: nothing is replaced.
 */
int fmpi_stand_in_put(struct fmpi_stand_ins *s);

/** fmpi_stand_in_restore() - restore the tree; call it before any of its nodes is freed. */
void fmpi_stand_in_restore(struct fmpi_stand_ins *s);
/** fmpi_stand_in_clear() - restore the tree and free the list. */
void fmpi_stand_in_clear(struct fmpi_stand_ins *s);

#endif
