/* SPDX-License-Identifier: GPL-2.0 */
/* Parser for the words of a timeline's line. */
#ifndef FMPI_TIMELINE_WORDS_H
#define FMPI_TIMELINE_WORDS_H

#include <fmp/event.h>

#include <stdbool.h>

/* The arguments of a line, after time and verb; each verb uses some of them. */
struct fmpi_args {
	struct fmp_addr addr;
	bool has_addr, has_kind;
	struct fmp_addr mac; /* the second address of a line; family 0: none */
	struct fmp_event event;
	uint64_t duration_ms;
	unsigned layers;
	uint64_t id, sources, times, every_ms;
	char text[FMP_EVENT_DETAIL]; /**< text of an event, or a reason */
};

/** fmpi_word_next() - the next word, terminated in place; text="a b" is one word. NULL at the end
 * of the line. */
char *fmpi_word_next(char **at);
/**
 * fmpi_args_parse() - parse the rest of a line
 * @a: in: defaults; out: the arguments
 * @what: what is wrong with a word
 *
 * Return: NULL, or the wrong word.
 */
const char *fmpi_args_parse(char *at, struct fmpi_args *a, const char **what);

#endif
