// SPDX-License-Identifier: GPL-2.0
#include "base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Memory for backtracking, in KiB. PCRE2's default would keep a frame for each byte of a long text.
 */
#define HEAP_KIB    2048
#define MAX_NESTING 200 /* parentheses in parentheses */

struct fmpi_pattern {
	pcre2_code *code;
	pcre2_match_data *found;
	pcre2_match_context *limits;
	uint64_t left; /* steps left for the current match */
	size_t at; /* position at the last step */
};

/*
 * Count the cost of a match. PCRE2's own match limit starts anew at each byte where a match may
 * start, so it does not bound the cost of a text. PCRE2 calls this function between the items of
 * the pattern; it does not call while one item runs over many bytes, so those are counted at the
 * next call.
 */
static int count_steps(pcre2_callout_block *b, void *ctx)
{
	struct fmpi_pattern *p = ctx;
	uint64_t cost = 1 + (b->current_position > p->at ? b->current_position - p->at : 0);

	p->at = b->current_position;
	if (cost > p->left) {
		p->left = 0;
		return PCRE2_ERROR_MATCHLIMIT;
	}
	p->left -= cost;
	return 0;
}

static int compile_regex(struct fmpi_pattern *p, const char *regex, char *why, size_t size)
{
	/* No JIT: the gateway's seccomp filter allows no executable memory. */
	const uint32_t options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
	pcre2_compile_context *ctx = pcre2_compile_context_create(NULL);
	PCRE2_UCHAR text[160];
	PCRE2_SIZE at;
	int error;

	if (!ctx || pcre2_set_parens_nest_limit(ctx, MAX_NESTING))
		return FMP_ERR_NOMEM;
	p->code =
		pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, options, &error, &at, ctx);
	pcre2_compile_context_free(ctx);
	if (p->code)
		return 0;
	if (error == PCRE2_ERROR_NOMEMORY)
		return FMP_ERR_NOMEM;
	pcre2_get_error_message(error, text, sizeof(text));
	snprintf(why, size, "%s (at byte %zu)", (const char *)text, (size_t)at);
	return FMP_ERR_SYNTAX;
}

int fmpi_pattern_new(const char *regex, struct fmpi_pattern **out, char *why, size_t size)
{
	struct fmpi_pattern *p = calloc(1, sizeof(*p));
	int ret = p ? compile_regex(p, regex, why, size) : FMP_ERR_NOMEM;

	*out = NULL;
	if (!ret) {
		p->found = pcre2_match_data_create(1, NULL);
		p->limits = pcre2_match_context_create(NULL);
		if (!p->found || !p->limits)
			ret = FMP_ERR_NOMEM;
	}
	if (ret) {
		fmpi_pattern_free(p);
		return ret;
	}
	pcre2_set_callout(p->limits, count_steps, p);
	pcre2_set_heap_limit(p->limits, HEAP_KIB);
	*out = p;
	return 0;
}

void fmpi_pattern_free(struct fmpi_pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->limits);
	pcre2_match_data_free(p->found);
	pcre2_code_free(p->code);
	free(p);
}

int fmpi_pattern_match(struct fmpi_pattern *p, const char *text, size_t len, uint64_t *steps)
{
	int ret;

	p->left = *steps;
	p->at = 0;
	ret = pcre2_match(p->code, (PCRE2_SPTR)text, len, 0, PCRE2_NO_UTF_CHECK, p->found,
			  p->limits);
	*steps = p->left;
	switch (ret) {
	case PCRE2_ERROR_NOMATCH:
		return FMPI_MATCH_NONE;
	case PCRE2_ERROR_NOMEMORY:
		return FMP_ERR_NOMEM;
	default:
		return ret >= 0 ? FMPI_MATCH_FOUND : FMPI_MATCH_LIMIT;
	}
}
