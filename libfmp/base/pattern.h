/* SPDX-License-Identifier: GPL-2.0 */
/* Regular expressions of PCRE2 on text that somebody else wrote: what a match may cost is counted. */
#ifndef FMPI_BASE_PATTERN_H
#define FMPI_BASE_PATTERN_H

#include <fmp/error.h>
#include <stddef.h>
#include <stdint.h>

struct fmpi_pattern;

/**
 * fmpi_pattern_new() - compile, UTF-8
 * @why: what is wrong with it, and at which character
 *
 * Return: 0, FMP_ERR_SYNTAX with *why, FMP_ERR_NOMEM.
 */
int fmpi_pattern_new(const char *regex, struct fmpi_pattern **out, char *why, size_t size);
void fmpi_pattern_free(struct fmpi_pattern *p);

enum fmpi_match {
	FMPI_MATCH_NONE = 0,
	FMPI_MATCH_FOUND,
	FMPI_MATCH_LIMIT, /* the steps, or the memory for going back, did not suffice */
};

/**
 * fmpi_pattern_match() - is it anywhere in the text?
 * @text: well-formed UTF-8
 * @steps: that may be done; what was done is taken away
 *
 * A step is an item of the pattern that is tried, or a byte that one has moved on by.
 * A pattern is one thread's at a time. Return: enum fmpi_match, FMP_ERR_NOMEM.
 */
int fmpi_pattern_match(struct fmpi_pattern *p, const char *text, size_t len, uint64_t *steps);

#endif
