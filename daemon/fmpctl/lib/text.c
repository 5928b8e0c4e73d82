// SPDX-License-Identifier: GPL-2.0
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_MAX 16
#define CELL	    320
#define CUT_MIN	    12 /* text with fewer columns left on the line is printed whole, not cut */

static bool use_colour(void)
{
	const char *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no && *no);
}

/* Return: the value of the environment, else of the terminal, else the usual one. */
static unsigned terminal_size(const char *name, unsigned terminal, unsigned usual)
{
	const char *said = getenv(name);
	unsigned long n = said ? strtoul(said, NULL, 10) : 0;

	if (!n)
		n = terminal;
	return n && n <= 1000 ? (unsigned)n : usual;
}

unsigned text_width(void)
{
	struct winsize w;

	return terminal_size("COLUMNS", ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) ? 0 : w.ws_col, 80);
}

unsigned text_height(void)
{
	struct winsize w;

	return terminal_size("LINES", ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) ? 0 : w.ws_row, 24);
}

static const char *word_colour(const char *word)
{
	static const struct {
		const char *word, *colour;
	} words[] = {
		{ "malicious", "\x1b[31m" },   { "failed", "\x1b[31m" },
		{ "missing", "\x1b[31m" },     { "down", "\x1b[31m" },
		{ "ended", "\x1b[2m" },	       { "reject", "\x1b[31m" },
		{ "unreachable", "\x1b[31m" }, { "suspicious", "\x1b[33m" },
		{ "absent", "\x1b[33m" },      { "observed", "\x1b[33m" },
		{ "observing", "\x1b[33m" },   { "starting", "\x1b[33m" },
		{ "unknown", "\x1b[33m" },     { "clean", "\x1b[32m" },
		{ "enforced", "\x1b[32m" },    { "enforcing", "\x1b[32m" },
		{ "ready", "\x1b[32m" },       { "accept", "\x1b[32m" },
		{ "in force", "\x1b[32m" },    { "not enforced", "\x1b[31m" },
		{ "no hook", "\x1b[31m" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(word, words[i].word))
			return words[i].colour;
	return NULL;
}

void text_word(const char *word)
{
	const char *colour = use_colour() ? word_colour(word) : NULL;

	printf("%s%s%s", colour ? colour : "", word, colour ? "\x1b[0m" : "");
}

void text_field(const struct record *r, uint16_t id)
{
	char cell[CELL];

	text_word(record_text(r, id, cell, sizeof(cell)));
}

void text_title(const char *title)
{
	printf("%s%s%s\n", use_colour() ? "\x1b[1m" : "", title, use_colour() ? "\x1b[0m" : "");
}

/* Count columns: UTF-8 characters, not bytes. */
static int display_width(const char *s)
{
	int w = 0;

	for (; *s; s++)
		w += ((unsigned char)*s & 0xc0) != 0x80;
	return w;
}

static bool is_right_aligned(uint16_t id)
{
	enum fmp_ctl_value type = fmp_ctl_field_info(id)->type;

	return type == FMP_V_U64 || type == FMP_V_BYTES || type == FMP_V_RATIO || type == FMP_V_MS;
}

static const char *column_title(const struct column *c)
{
	return c->title ? c->title : fmp_ctl_field_info(c->id)->label;
}

/* @pad: spaces still due from earlier cells, printed only if text follows. Return: spaces due now. */
static int print_cell(const char *s, int width, bool right, int pad, bool word)
{
	int fill = width - display_width(s);

	if (right) {
		pad += fill;
		fill = 0;
	}
	if (!*s)
		return pad + fill + 2;
	printf("%*s", pad, "");
	if (word)
		text_word(s);
	else
		fputs(s, stdout);
	return fill + 2;
}

/* Return: a field as text, of any length; valid until the next call. */
static const char *format_cell(const struct record *r, uint16_t id)
{
	static char few[CELL], *room = few;
	static size_t size = sizeof(few);
	size_t need = strlen(record_string(r, id)) + 1;
	char *more = need > size ? malloc(need) : NULL;

	if (more) {
		if (room != few)
			free(room);
		room = more;
		size = need;
	}
	return record_text(r, id, room, size);
}

static size_t measure_columns(const struct records *l, const char *kind,
			      const struct column *columns, unsigned n, int *widths)
{
	size_t rows = 0;

	memset(widths, 0, n * sizeof(*widths));
	for (size_t i = 0; i < l->n; i++) {
		if (!record_is(&l->r[i], kind))
			continue;
		rows++;
		for (unsigned c = 0; c < n; c++) {
			int w = display_width(format_cell(&l->r[i], columns[c].id));

			if (w > widths[c])
				widths[c] = w;
		}
	}
	return rows;
}

/* Print the last text of a row, on a terminal no longer than the line. @at: columns before it */
static int print_last(const char *s, int at, int width, int pad)
{
	int room = (int)text_width() - at, left;

	if (!isatty(STDOUT_FILENO) || display_width(s) <= room || room < CUT_MIN)
		return print_cell(s, width, false, pad, true);
	printf("%*s", pad, "");
	for (left = room - 3; left; s++) {
		putchar(*s);
		/* Count a character when the next byte begins another one. */
		left -= ((unsigned char)s[1] & 0xc0) != 0x80;
	}
	fputs("...", stdout);
	return 0;
}

static void print_row(const struct record *r, const struct column *columns, unsigned n,
		      const int *widths, const char *indent)
{
	int pad = 0, at = display_width(indent);
	unsigned last = 0;

	for (unsigned c = 0; c < n; c++)
		if (widths[c])
			last = c;
	fputs(indent, stdout);
	for (unsigned c = 0; c < n; c++) {
		const char *s = widths[c] ? format_cell(r, columns[c].id) : "";

		if (!widths[c])
			continue;
		if (c == last && !is_right_aligned(columns[c].id))
			pad = print_last(s, at, widths[c], pad);
		else
			pad = print_cell(s, widths[c], is_right_aligned(columns[c].id), pad, true);
		at += widths[c] + 2;
	}
	putchar('\n');
}

size_t text_table(const struct records *l, const char *kind, const struct column *columns,
		  unsigned n, const char *indent)
{
	int widths[COLUMNS_MAX], pad = 0;
	size_t rows;

	if (n > COLUMNS_MAX)
		n = COLUMNS_MAX;
	rows = measure_columns(l, kind, columns, n, widths);
	if (!rows)
		return 0;
	fputs(indent, stdout);
	for (unsigned c = 0; c < n; c++) {
		if (!widths[c])
			continue;
		if (display_width(column_title(&columns[c])) > widths[c])
			widths[c] = display_width(column_title(&columns[c]));
		pad = print_cell(column_title(&columns[c]), widths[c],
				 is_right_aligned(columns[c].id), pad, false);
	}
	putchar('\n');
	for (size_t i = 0; i < l->n; i++) {
		if (record_is(&l->r[i], kind))
			print_row(&l->r[i], columns, n, widths, indent);
	}
	return rows;
}

/* Return: the index after the last column, from `first` on, that fits beside column 0. */
static unsigned count_fitting(const struct column *columns, const int *widths, unsigned n,
			      unsigned first, int width)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		int title = display_width(column_title(&columns[i]));
		int need = !widths[i] ? 0 : (widths[i] > title ? widths[i] : title) + 2;

		if (i && i < first)
			continue;
		/* No spaces follow the last column; take at least one column. */
		if (need - 2 > width && i > first)
			break;
		width -= need;
	}
	return i;
}

size_t text_table_folded(const struct records *l, const char *kind, const struct column *columns,
			 unsigned n)
{
	struct column part[COLUMNS_MAX];
	int widths[COLUMNS_MAX];
	size_t rows;

	if (n > COLUMNS_MAX)
		n = COLUMNS_MAX;
	rows = measure_columns(l, kind, columns, n, widths);
	for (unsigned first = 1, end; first < n; first = end) {
		end = count_fitting(columns, widths, n, first, (int)text_width());
		part[0] = columns[0];
		memcpy(part + 1, columns + first, (end - first) * sizeof(*part));
		text_table(l, kind, part, end - first + 1, "");
	}
	return rows;
}

static void wrap_line(const char *line, int len, unsigned hang)
{
	int width = (int)text_width(), room = width;
	const char *end = line + len;

	while (line < end) {
		int n = (int)(end - line), cut = 0;

		/* Counts bytes, which are never fewer than columns: a line may end early, never late. */
		for (int i = 0; n > room && i <= room; i++)
			if (line[i] == ' ')
				cut = i;
		if (n > room && !cut)
			cut = (int)strcspn(line, " \n");
		if (n <= room || cut >= n)
			cut = n;
		printf("%.*s\n", cut, line);
		line += cut;
		line += strspn(line, " ");
		if (line < end)
			printf("%*s", (int)hang, "");
		room = width - (int)hang;
	}
}

void text_wrap(const char *text, unsigned hang)
{
	for (; *text; text += strspn(text, "\n")) {
		int len = (int)strcspn(text, "\n");

		wrap_line(text, len, hang);
		text += len;
	}
}
