// SPDX-License-Identifier: GPL-2.0
/* fmpctl: takes the common options, runs a command, sets the exit status. Each command has a file, cmd_*.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/fmpctl.h"

static const struct command *const commands[] = {
	&cmd_status,   &cmd_sources, &cmd_why,	    &cmd_block,	  &cmd_unblock, &cmd_blocks,
	&cmd_protect,  &cmd_policy,  &cmd_watch,    &cmd_inspect, &cmd_replay,	&cmd_flush,
	&cmd_simulate, &cmd_top,     &cmd_stats,    &cmd_learn,	  &cmd_report,	&cmd_export,
	&cmd_help,     &cmd_version, &cmd_complete,
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* ---- options ---- */

/* Count the long options that begin with the given word. */
static unsigned count_matches(const struct option *longs, const char *word, size_t len)
{
	unsigned n = 0;

	for (; longs->name; longs++)
		n += !strncmp(longs->name, word, len);
	return n;
}

/* getopt_long(3) only reports that an option is wrong: find out why, and print it. Return: EXIT_USAGE. */
static int report_bad_option(const struct command *cmd, const struct option *longs,
			     char *const *argv, int c)
{
	const char *word = argv[optind - 1], *name = cmd ? cmd->name : NULL;
	char hint[SUGGESTION_MAX];
	size_t len;

	/* A short option: several may share one word, and optopt holds the letter. */
	if (strncmp(word, "--", 2) != 0)
		return c == ':' ? usage_error(name, "option '-%c' requires an argument", optopt)
				: usage_error(name, "unrecognized option '-%c'", optopt);
	len = strcspn(word + 2, "=");
	if (c == ':')
		return usage_error(name, "option '%s' requires an argument", word);
	if (optopt)
		return usage_error(name, "option '%.*s' takes no argument", (int)len + 2, word);
	if (count_matches(longs, word + 2, len) > 1)
		return usage_error(name, "option '%s' is ambiguous", word);
	return usage_error(name, "unrecognized option '%.*s'%s", (int)len + 2, word,
			   suggest_option(word, cmd, hint));
}

/* Return: 0: continue; -1: done; else an exit code. */
static int take_common_option(struct ctl *ctl, const struct command *cmd, int c)
{
	switch (c) {
	case 'j':
		ctl->json = true;
		return 0;
	case 'c':
		ctl->control = optarg;
		return 0;
	case 'h':
		command_help(cmd);
		return -1;
	default:
		puts("fmpctl " FMP_VERSION);
		return -1;
	}
}

static int run_command(struct ctl *ctl, const struct command *cmd, int argc, char **argv)
{
	struct option longs[N_COMMON_OPTIONS + OPTIONS_MAX + 1] = { { 0 } };
	size_t n = N_COMMON_OPTIONS;
	int c, rc;

	memcpy(longs, common_options(), N_COMMON_OPTIONS * sizeof(*longs));
	for (const struct option *o = cmd->options; o && o->name; o++)
		longs[n++] = *o;
	optind = 0; /* start again, on the remaining arguments */
	opterr = 0;
	/* The words of a completion are options of another command. */
	while (!cmd->hidden && (c = getopt_long(argc, argv, ":jc:hV", longs, NULL)) >= 0) {
		if (c == '?' || c == ':')
			return report_bad_option(cmd, longs, argv, c);
		rc = c >= 256 ? cmd->option(c, optarg) : take_common_option(ctl, cmd, c);
		if (rc)
			return rc < 0 ? EXIT_OK : rc;
	}
	if (!optind)
		optind = 1;
	return cmd->run(ctl, argc - optind, argv + optind);
}

/* Flush standard output; a full disk makes the result incomplete. Return: the exit code. */
static int flush_output(int rc)
{
	int why = fflush(stdout) ? errno : 0;

	if (!why && !ferror(stdout))
		return rc;
	fprintf(stderr, "fmpctl: can't write to standard output%s%s\n", why ? ": " : "",
		why ? strerror(why) : "");
	return rc ? rc : EXIT_PARTLY;
}

/* Open the standard descriptors that are closed: otherwise the socket to fmpd gets number 1, and output goes to it. */
static void open_standard_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		/* In the wrong direction, so that using it stays an error. */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			_exit(EXIT_REFUSED);
}

int main(int argc, char **argv)
{
	const struct command *cmd;
	char hint[SUGGESTION_MAX];
	struct ctl ctl = { 0 };
	int c, rc;

	open_standard_streams();
	command_set_table(commands, N_COMMANDS);
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:jc:hV", common_options(), NULL)) >= 0) {
		if (c == '?' || c == ':')
			return report_bad_option(NULL, common_options(), argv, c);
		rc = take_common_option(&ctl, NULL, c);
		if (rc)
			return rc < 0 ? flush_output(EXIT_OK) : rc;
	}
	if (optind == argc) {
		command_help(NULL);
		return EXIT_USAGE;
	}
	cmd = command_find(argv[optind]);
	if (!cmd)
		return usage_error(NULL, "no command %s%s", argv[optind],
				   suggest_command(argv[optind], hint));
	return flush_output(run_command(&ctl, cmd, argc - optind, argv + optind));
}
