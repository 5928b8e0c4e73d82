/* SPDX-License-Identifier: GPL-2.0 */
/* PCRE2 regular expressions on untrusted text, with a limit on the cost of a match. */
#ifndef FMPI_BASE_PATTERN_H
#define FMPI_BASE_PATTERN_H

#include <fmp/error.h>
#include <stddef.h>
#include <stdint.h>

struct fmpi_pattern;

/**
 * fmpi_pattern_new() - compile a UTF-8 pattern
 * @why: what is wrong with it, and at which byte
 *
 * Return: 0, FMP_ERR_SYNTAX with *why, FMP_ERR_NOMEM.
 */
int fmpi_pattern_new(const char *regex, struct fmpi_pattern **out, char *why, size_t size);
void fmpi_pattern_free(struct fmpi_pattern *p);

enum fmpi_match {
	FMPI_MATCH_NONE = 0,
	FMPI_MATCH_FOUND,
	FMPI_MATCH_LIMIT, /* steps or backtracking memory ran out */
};

/**
 * fmpi_pattern_match() - search the text for the pattern
 * @text: well-formed UTF-8
 * @steps: budget; the steps done are subtracted
 *
 * A step is one item of the pattern tried, or one byte that an item has consumed. A pattern must
 * not be used by two threads at once. Return: enum fmpi_match, FMP_ERR_NOMEM.
 */
int fmpi_pattern_match(struct fmpi_pattern *p, const char *text, size_t len, uint64_t *steps);

#endif
