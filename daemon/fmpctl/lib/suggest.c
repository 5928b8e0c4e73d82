// SPDX-License-Identifier: GPL-2.0
/* "did you mean" for words of fmpctl's command line. */
#include <stdio.h>
#include <string.h>

#include <fmp/event.h>
#include <fmp/internal/policy_settings.h>

#include "fmpctl.h"

#define WORDS_MAX 32
#define WORD_LEN  32

struct words {
	char word[WORDS_MAX + 1][WORD_LEN];
	size_t n;
};

static const char *next_word(size_t i, const void *ctx)
{
	const struct words *w = ctx;

	return i < w->n ? w->word[i] : NULL;
}

static const char *next_kind(size_t i, const void *ctx)
{
	i += FMP_EVENT_GOOD + 1;
	return i < FMP_EVENT_KINDS ? fmp_event_kind_name((unsigned)i) : NULL;
}

/* Never suggest hidden commands; they are at the end of the table. */
static const char *next_command(size_t i, const void *ctx)
{
	const struct command *cmd = command_at(i);

	return cmd && !cmd->hidden ? cmd->name : NULL;
}

static const char *format_suggestion(const char *word,
				     const char *(*next)(size_t i, const void *ctx),
				     const void *ctx, char buf[SUGGESTION_MAX])
{
	const char *close = fmp_suggest(word, next, ctx);

	/* The word itself is valid: something else is wrong. */
	return fmp_suggestion(close && !strcmp(close, word) ? NULL : close, buf, SUGGESTION_MAX);
}

static void add_word(struct words *w, const char *word, size_t len)
{
	if (w->n < WORDS_MAX)
		snprintf(w->word[w->n++], WORD_LEN, "%.*s", (int)len, word);
}

const char *suggest_word(const char *word, const char *words, char buf[SUGGESTION_MAX])
{
	struct words w = { .n = 0 };

	for (size_t len; *words; words += len + strspn(words + len, " ")) {
		len = strcspn(words, " ");
		add_word(&w, words, len);
	}
	return format_suggestion(word, next_word, &w, buf);
}

const char *suggest_value(const char *word, const char *option, char buf[SUGGESTION_MAX])
{
	return suggest_word(word, option_values(option), buf);
}

const char *suggest_kind(const char *word, char buf[SUGGESTION_MAX])
{
	return format_suggestion(word, next_kind, NULL, buf);
}

const char *suggest_command(const char *word, char buf[SUGGESTION_MAX])
{
	return format_suggestion(word, next_command, NULL, buf);
}

const char *suggest_option(const char *word, const struct command *cmd, char buf[SUGGESTION_MAX])
{
	struct words w = { .n = 0 };
	char name[WORD_LEN];
	const char *found;

	/* Compare without the dashes, which all options share. */
	for (const struct option *o = common_options(); o->name; o++)
		add_word(&w, o->name, strlen(o->name));
	for (const struct option *o = cmd ? cmd->options : NULL; o && o->name; o++)
		add_word(&w, o->name, strlen(o->name));
	word += strspn(word, "-");
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	found = fmp_suggest(name, next_word, &w);
	buf[0] = '\0';
	if (found)
		snprintf(buf, SUGGESTION_MAX, ": did you mean '--%s'?", found);
	return buf;
}
