// SPDX-License-Identifier: GPL-2.0
/* help and version, as commands beside the options of these names. */
#include <stdio.h>
#include <string.h>

#include "lib/fmpctl.h"

static void print_help(void)
{
	const struct command *cmd;

	puts("usage: fmpctl [--control PATH] [--json] COMMAND [ARGUMENT...]\n"
	     "\n"
	     "Operates fmpd, the management plane of fmp, and explains its decisions.\n");
	for (size_t i = 0; (cmd = command_at(i)); i++)
		if (!cmd->hidden)
			printf("  %-8s %s\n", cmd->name, cmd->summary);
	puts("\n"
	     "  -j, --json          JSON: one array of records; with watch and inspect one a line\n"
	     "  -c, --control PATH  the socket of fmpd (/run/fmp/control; without root also\n"
	     "                      $XDG_RUNTIME_DIR/fmp-control)\n"
	     "  -h, --help          this text; 'fmpctl help COMMAND' for one command\n"
	     "  -V, --version       the version\n"
	     "\n"
	     "Exit status: 0 done, 1 refused, 2 usage, 3 no daemon, 4 partly done (a layer did\n"
	     "not enforce).");
}

void command_help(const struct command *cmd)
{
	if (!cmd) {
		print_help();
		return;
	}
	printf("usage: fmpctl %s%s%s\n\n%s\n", cmd->name, cmd->args[0] ? " " : "", cmd->args,
	       cmd->summary);
	if (cmd->help)
		printf("\n%s", cmd->help);
}

static int run_help(const struct ctl *ctl, int argc, char **argv)
{
	const struct command *cmd = argc ? command_find(argv[0]) : NULL;
	char hint[SUGGESTION_MAX];

	if (argc > 1)
		return usage_error("help", "takes one command");
	if (argc && !cmd)
		return usage_error("help", "no command %s%s", argv[0],
				   suggest_command(argv[0], hint));
	command_help(cmd);
	return EXIT_OK;
}

static int run_version(const struct ctl *ctl, int argc, char **argv)
{
	if (argc)
		return usage_error("version", "unexpected argument %s", argv[0]);
	puts("fmpctl " FMP_VERSION);
	return EXIT_OK;
}

const struct command cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.summary = "list the commands, or describe one of them",
	.arguments = { ARG_COMMAND },
	.run = run_help,
};

const struct command cmd_version = {
	.name = "version",
	.args = "",
	.summary = "print the version",
	.run = run_version,
};
