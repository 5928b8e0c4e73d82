// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the candidates for the last word of a command line. The completions of bash, zsh and fish all call this
 * command, so that they match this fmpctl. One candidate a line, then a tab and its meaning; ":files" stands for
 * file names.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <fmp/event.h>

#include "lib/fmpctl.h"
#include "lib/control_client.h"

/* The command line before the word to complete. */
struct line {
	const struct command *cmd;
	const char *verb, *control;
	unsigned n_arguments; /* of the command, without its verb */
	const char *value_of; /* the word is the value of this option */
};

static const struct option *find_option(const struct command *cmd, const char *word)
{
	const struct option *lists[] = { common_options(), cmd ? cmd->options : NULL };

	for (size_t i = 0; i < 2; i++)
		for (const struct option *o = lists[i]; o && o->name; o++)
			if (!strcmp(word + 2, o->name))
				return o;
	return NULL;
}

/* Return: the name of the option that takes the next word as its value; NULL: none. */
static const char *wants_value(const struct line *l, const char *word)
{
	const struct option *o;

	if (!strcmp(word, "-c"))
		return "control";
	o = strncmp(word, "--", 2) ? NULL : find_option(l->cmd, word);
	return o && o->has_arg == required_argument ? o->name : NULL;
}

static bool is_verb(const struct command *cmd, const char *word)
{
	for (const char *const *v = cmd->verbs; v && *v; v++)
		if (!strcmp(*v, word))
			return true;
	return false;
}

static void read_line(struct line *l, int n, char **words)
{
	for (int i = 0; i < n; i++) {
		const char *option = wants_value(l, words[i]);

		if (option && i + 1 == n) {
			l->value_of = option;
		} else if (option) {
			i++;
			if (!strcmp(option, "control"))
				l->control = words[i];
		} else if (*words[i] == '-' && words[i][1]) {
			continue;
		} else if (!l->cmd) {
			l->cmd = command_find(words[i]);
			if (!l->cmd)
				return;
		} else if (!l->verb && !l->n_arguments && is_verb(l->cmd, words[i])) {
			l->verb = words[i];
		} else {
			l->n_arguments++;
		}
	}
}

static void offer_candidate(const char *prefix, const char *before, const char *word,
			    const char *meaning)
{
	size_t n = strlen(before);

	if (strncmp(before, prefix, n < strlen(prefix) ? n : strlen(prefix)) != 0 ||
	    (strlen(prefix) > n && strncmp(word, prefix + n, strlen(prefix) - n) != 0))
		return;
	printf("%s%s%s%s\n", before, word, meaning ? "\t" : "", meaning ? meaning : "");
}

static void offer_words(const char *prefix, const char *words)
{
	char word[40];

	for (size_t len; *words; words += len + strspn(words + len, " ")) {
		len = strcspn(words, " ");
		snprintf(word, sizeof(word), "%.*s", (int)len, words);
		offer_candidate(prefix, "", word, NULL);
	}
}

static void offer_kinds(const char *prefix)
{
	for (unsigned k = FMP_EVENT_GOOD + 1; k < FMP_EVENT_KINDS; k++)
		offer_candidate(prefix, "", fmp_event_kind_name(k), NULL);
}

static void offer_commands(const char *prefix)
{
	const struct command *cmd;

	for (size_t i = 0; (cmd = command_at(i)); i++)
		if (!cmd->hidden)
			offer_candidate(prefix, "", cmd->name, cmd->summary);
}

static void offer_options(const char *prefix, const struct command *cmd)
{
	for (const struct option *o = common_options(); o->name; o++)
		offer_candidate(prefix, "--", o->name, NULL);
	for (const struct option *o = cmd ? cmd->options : NULL; o && o->name; o++)
		offer_candidate(prefix, "--", o->name, NULL);
}

/* Errors of fmpd are not printed: they would mix with the candidates. */
static void offer_addresses(const char *prefix, const char *control, enum fmp_ctl_type request)
{
	const struct ctl ctl = { .control = control };
	char addr[FMP_ADDR_STRLEN];
	struct control_request req;
	struct records l;

	if (!freopen("/dev/null", "w", stderr))
		return;
	control_request_begin(&req, request);
	(void)control_call(&ctl, &req, &l);
	for (size_t i = 0; i < l.n; i++)
		if (record_has(&l.r[i], FMP_F_ADDR) && !record_is(&l.r[i], "answer"))
			offer_candidate(prefix, "",
					fmp_addr_format(record_addr(&l.r[i], FMP_F_ADDR), addr,
							sizeof(addr)),
					NULL);
	records_free(&l);
}

static void offer_argument(const char *prefix, const struct line *l)
{
	enum argument what = l->cmd->arguments[l->n_arguments ? 1 : 0];

	if (l->cmd->verbs && !l->verb && !l->n_arguments) {
		for (const char *const *v = l->cmd->verbs; *v; v++)
			offer_candidate(prefix, "", *v, NULL);
		return;
	}
	switch (what) {
	case ARG_SOURCE:
		offer_addresses(prefix, l->control, FMP_CTL_SOURCES);
		break;
	case ARG_BLOCKED:
		offer_addresses(prefix, l->control, FMP_CTL_DECISIONS);
		break;
	case ARG_KIND:
		offer_kinds(prefix);
		break;
	case ARG_COMMAND:
		offer_commands(prefix);
		break;
	case ARG_FILE:
		puts(OPTION_VALUES_FILES);
		break;
	case ARG_NONE:
		break;
	}
}

static int run_complete(const struct ctl *ctl, int argc, char **argv)
{
	struct line l = { .control = ctl->control };
	const char *prefix = argc ? argv[argc - 1] : "", *words;

	read_line(&l, argc ? argc - 1 : 0, argv);
	words = l.value_of ? option_values(l.value_of) : NULL;
	if (words && !strcmp(words, OPTION_VALUES_FILES))
		puts(OPTION_VALUES_FILES);
	else if (words && !strcmp(words, OPTION_VALUES_KINDS))
		offer_kinds(prefix);
	else if (words)
		offer_words(prefix, words);
	else if (l.value_of)
		return EXIT_OK;
	else if (*prefix == '-')
		offer_options(prefix, l.cmd);
	else if (!l.cmd)
		offer_commands(prefix);
	else
		offer_argument(prefix, &l);
	return EXIT_OK;
}

const struct command cmd_complete = {
	.name = "__complete",
	.args = "WORD...",
	.summary = "what may stand as the last word, for the completions of the shells",
	.hidden = true,
	.run = run_complete,
};
