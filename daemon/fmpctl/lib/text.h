/* SPDX-License-Identifier: GPL-2.0 */
/* Text for people: aligned columns, colour only on a terminal. */
#ifndef FMPCTL_TEXT_H
#define FMPCTL_TEXT_H

#include "record.h"

/** struct column - a field; title NULL: the label of the field table. */
struct column {
	uint16_t id;
	const char *title;
};

/**
 * text_table() - the records of a kind, in columns; empty columns are left out
 *
 * On a terminal a text in the last column ends with "..." where the line does; elsewhere nothing is cut.
 *
 * Return: rows.
 */
size_t text_table(const struct records *l, const char *kind, const struct column *columns,
		  unsigned n, const char *indent);

/**
 * text_table_folded() - the same, no wider than the terminal
 *
 * A table that is too wide goes on below itself, its first column again at the left.
 */
size_t text_table_folded(const struct records *l, const char *kind, const struct column *columns,
			 unsigned n);
/** text_wrap() - lines, broken at blanks where the terminal ends; the rest hangs in by hang. */
void text_wrap(const char *text, unsigned hang);
/** text_word() - a word in its colour ("enforced" green, "failed" red ...) on standard output. */
void text_word(const char *word);
/** text_field() - a field of a record as text_word() would show it. */
void text_field(const struct record *r, uint16_t id);
/** text_title() - a heading. */
void text_title(const char *title);

/** text_width() - columns of the terminal, or of COLUMNS; 80 where nobody says. */
unsigned text_width(void);
/** text_height() - lines of the terminal, or of LINES; 24 where nobody says. */
unsigned text_height(void);

#endif
