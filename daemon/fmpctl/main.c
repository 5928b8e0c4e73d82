// SPDX-License-Identifier: GPL-2.0
/* fmpctl: operate and explain fmpd; look at single messages. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmpctl.h"

static const struct command *const commands[] = {
	&cmd_status,   &cmd_sources, &cmd_why,	 &cmd_block,   &cmd_unblock, &cmd_blocks,
	&cmd_protect,  &cmd_policy,  &cmd_watch, &cmd_inspect, &cmd_replay,  &cmd_flush,
	&cmd_simulate, &cmd_top,     &cmd_stats, &cmd_learn,   &cmd_report,
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct option common[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "control", required_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
};

#define N_COMMON (sizeof(common) / sizeof(common[0]))

int usage_error(const char *command, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "fmpctl%s%s: ", command ? " " : "", command ? command : "");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nTry 'fmpctl %s%s--help'.\n", command ? command : "", command ? " " : "");
	return EXIT_USAGE;
}

static void print_help(void)
{
	puts("usage: fmpctl [--control PATH] [--json] COMMAND [ARGUMENT...]\n"
	     "\n"
	     "Operates fmpd, the management plane of fmp, and says why it does what it does.\n");
	for (size_t i = 0; i < N_COMMANDS; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "  -j, --json          JSON: one array of records; of watch and inspect one a line\n"
	     "  -c, --control PATH  the socket of fmpd (/run/fmp/control; without root also\n"
	     "                      $XDG_RUNTIME_DIR/fmp-control)\n"
	     "  -h, --help          this text; 'fmpctl COMMAND --help' for one command\n"
	     "  -V, --version       the version\n"
	     "\n"
	     "Exit status: 0 done, 1 refused, 2 usage, 3 no daemon, 4 partly done (a layer did\n"
	     "not enforce).");
}

static void print_command_help(const struct command *cmd)
{
	printf("usage: fmpctl %s%s%s\n\n%s\n", cmd->name, cmd->args[0] ? " " : "", cmd->args,
	       cmd->summary);
	if (cmd->help)
		printf("\n%s", cmd->help);
}

/* Return: 0 go on, -1 done, else an exit code. */
static int common_option(struct ctl *ctl, const struct command *cmd, int c)
{
	switch (c) {
	case 'j':
		ctl->json = true;
		return 0;
	case 'c':
		ctl->control = optarg;
		return 0;
	case 'h':
		if (cmd)
			print_command_help(cmd);
		else
			print_help();
		return -1;
	case 'V':
		puts("fmpctl " FMP_VERSION);
		return -1;
	default:
		fprintf(stderr, "Try 'fmpctl %s%s--help'.\n", cmd ? cmd->name : "", cmd ? " " : "");
		return EXIT_USAGE;
	}
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int run_command(struct ctl *ctl, const struct command *cmd, int argc, char **argv)
{
	struct option longs[N_COMMON + OPTIONS_MAX + 1] = { { 0 } };
	size_t n = N_COMMON;
	int c, rc;

	memcpy(longs, common, sizeof(common));
	for (const struct option *o = cmd->options; o && o->name; o++)
		longs[n++] = *o;
	optind = 0; /* anew, on what is left */
	while ((c = getopt_long(argc, argv, "jc:hV", longs, NULL)) >= 0) {
		rc = c >= 256 ? cmd->option(c, optarg) : common_option(ctl, cmd, c);
		if (rc)
			return rc < 0 ? EXIT_OK : rc;
	}
	return cmd->run(ctl, argc - optind, argv + optind);
}

int main(int argc, char **argv)
{
	struct option longs[N_COMMON + 1] = { { 0 } };
	const struct command *cmd;
	struct ctl ctl = { 0 };
	int c, rc;

	memcpy(longs, common, sizeof(common));
	while ((c = getopt_long(argc, argv, "+jc:hV", longs, NULL)) >= 0) {
		rc = common_option(&ctl, NULL, c);
		if (rc)
			return rc < 0 ? EXIT_OK : rc;
	}
	if (optind == argc) {
		print_help();
		return EXIT_USAGE;
	}
	cmd = find_command(argv[optind]);
	if (!cmd)
		return usage_error(NULL, "no command %s", argv[optind]);
	rc = run_command(&ctl, cmd, argc - optind, argv + optind);
	/* A full disk or a closed pipe: what was asked for did not get out. */
	if (fflush(stdout) && !rc)
		rc = EXIT_PARTLY;
	return rc;
}
