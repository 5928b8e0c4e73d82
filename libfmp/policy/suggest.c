// SPDX-License-Identifier: GPL-2.0
/* "did you mean": finds the valid word nearest to a misspelt one. */
#include <fmp/internal/policy_settings.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define WORD_MAX 32

static unsigned min_unsigned(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edit distance: insert, delete, replace, swap of neighbours; case is ignored. */
static unsigned count_edits(const char *a, const char *b)
{
	unsigned d[WORD_MAX + 1][WORD_MAX + 1];
	size_t la = strlen(a), lb = strlen(b);

	if (la > WORD_MAX || lb > WORD_MAX)
		return WORD_MAX;
	for (size_t i = 0; i <= la; i++)
		for (size_t j = 0; j <= lb; j++) {
			int ca = i ? tolower((unsigned char)a[i - 1]) : 0;
			int cb = j ? tolower((unsigned char)b[j - 1]) : 0;

			if (!i || !j) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			d[i][j] = min_unsigned(min_unsigned(d[i - 1][j], d[i][j - 1]) + 1,
					       d[i - 1][j - 1] + (ca != cb));
			if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
			    cb == tolower((unsigned char)a[i - 2]))
				d[i][j] = min_unsigned(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[la][lb];
}

const char *fmp_suggest(const char *word, const char *(*next)(size_t i, const void *ctx),
			const void *ctx)
{
	unsigned best = (unsigned)strlen(word) / 3 + 1;
	const char *found = NULL, *candidate;

	for (size_t i = 0; (candidate = next(i, ctx)); i++) {
		unsigned d = count_edits(word, candidate);

		/* Replacing every letter is no typing error. Prefer a word of equal length:
		 * swapped letters are more likely than a lost one. */
		if (d > best || d >= strlen(candidate))
			continue;
		if (!found || d < best || strlen(found) != strlen(word)) {
			best = d;
			found = candidate;
		}
	}
	return found;
}

const char *fmp_suggestion(const char *word, char *buf, size_t size)
{
	if (word)
		snprintf(buf, size, ": did you mean '%s'?", word);
	else
		buf[0] = '\0';
	return buf;
}
