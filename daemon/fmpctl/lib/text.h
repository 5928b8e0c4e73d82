/* SPDX-License-Identifier: GPL-2.0 */
/* Text output: aligned columns, wrapping, colour on a terminal only. */
#ifndef FMPCTL_TEXT_H
#define FMPCTL_TEXT_H

#include "record.h"

/** struct column - a field; title: NULL: the label in the field table */
struct column {
	uint16_t id;
	const char *title;
};

/**
 * text_table() - print the records of a kind in columns; empty columns are left out
 *
 * On a terminal, text in the last column is cut at the end of the line, with "..."; elsewhere nothing is cut.
 *
 * Return: the number of rows.
 */
size_t text_table(const struct records *l, const char *kind, const struct column *columns,
		  unsigned n, const char *indent);

/**
 * text_table_folded() - like text_table(), no wider than the terminal
 *
 * A table that is too wide continues below, with its first column repeated at the left.
 */
size_t text_table_folded(const struct records *l, const char *kind, const struct column *columns,
			 unsigned n);
/** text_wrap() - print lines, broken at spaces to fit the terminal; continuation lines are indented by hang. */
void text_wrap(const char *text, unsigned hang);
/** text_word() - print a word in its colour ("enforced" green, "failed" red ...). */
void text_word(const char *word);
/** text_field() - print a field of a record by text_word(). */
void text_field(const struct record *r, uint16_t id);
/** text_title() - print a heading. */
void text_title(const char *title);

/** text_width() - COLUMNS, else the columns of the terminal, else 80. */
unsigned text_width(void);
/** text_height() - LINES, else the lines of the terminal, else 24. */
unsigned text_height(void);

#endif
