/* SPDX-License-Identifier: GPL-2.0 */
/* A line of a timeline, word by word. */
#ifndef FMPI_TIMELINE_WORDS_H
#define FMPI_TIMELINE_WORDS_H

#include <fmp/event.h>

#include <stdbool.h>

/* What a line says behind its time and verb; each verb uses a part. */
struct fmpi_args {
	struct fmp_addr addr;
	bool has_addr, has_kind;
	struct fmp_addr mac; /* the second address of a line; family 0: none */
	struct fmp_event event;
	uint64_t duration_ms;
	unsigned layers;
	uint64_t id, sources, times, every_ms;
	char text[FMP_EVENT_DETAIL]; /**< of an event, or a reason */
};

/** fmpi_word_next() - the next word, terminated in place; NULL at the end of the line. */
char *fmpi_word_next(char **at);
/**
 * fmpi_args_parse() - all words that are left
 * @a: what they say, over what is there
 * @what: is wrong with a word
 *
 * Return: NULL, or the word that is wrong.
 */
const char *fmpi_args_parse(char *at, struct fmpi_args *a, const char **what);

#endif
