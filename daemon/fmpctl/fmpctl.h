/* SPDX-License-Identifier: GPL-2.0 */
/* What the commands of fmpctl share: the command table's row and the exit codes. */
#ifndef FMPCTL_H
#define FMPCTL_H

#include <getopt.h>
#include <stdbool.h>

#include <fmp/error.h>

enum exit_code {
	EXIT_OK = 0,
	EXIT_REFUSED = 1,
	EXIT_USAGE = 2,
	EXIT_NO_DAEMON = 3,
	EXIT_PARTLY = 4,
};

/** struct ctl - what was said before the command, or with it */
struct ctl {
	const char *control; /**< NULL: the default */
	bool json;
};

#define OPTIONS_MAX 16

struct command {
	const char *name, *args, *summary;
	const char *help; /**< more, after the summary; may be NULL */
	const struct option *options; /**< own ones beside --json, --control, --help; may be NULL */
	/** one of the own options. Return: 0, or EXIT_USAGE with the reason said */
	int (*option)(int c, const char *arg);
	/** argv: what is left, without options */
	int (*run)(const struct ctl *ctl, int argc, char **argv);
};

extern const struct command cmd_status, cmd_sources, cmd_why, cmd_block, cmd_unblock, cmd_blocks,
	cmd_protect, cmd_policy, cmd_watch, cmd_inspect, cmd_replay, cmd_flush, cmd_simulate,
	cmd_top, cmd_stats, cmd_learn, cmd_report;

/** usage_error() - says it. Return: EXIT_USAGE. */
int usage_error(const char *command, const char *fmt, ...) FMP_PRINTF(2, 3);

#endif
