// SPDX-License-Identifier: GPL-2.0
/* The table of commands, which main() registers, and the options that all of them take. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <fmp/internal/text.h>

#include "fmpctl.h"

static const struct command *const *commands;
static size_t n_commands;

static const struct option common[N_COMMON_OPTIONS + 1] = {
	{ "json", no_argument, NULL, 'j' },
	{ "control", required_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ 0 },
};

void command_set_table(const struct command *const *table, size_t n)
{
	commands = table;
	n_commands = n;
}

const struct command *command_at(size_t i)
{
	return i < n_commands ? commands[i] : NULL;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < n_commands; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

const struct option *common_options(void)
{
	return common;
}

int usage_error(const char *command, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fmp_text_print(stderr, "fmpctl%s%s: %s\n", command ? " " : "", command ? command : "",
		       text);
	fprintf(stderr, "Try 'fmpctl %s%s--help'.\n", command ? command : "", command ? " " : "");
	return EXIT_USAGE;
}
