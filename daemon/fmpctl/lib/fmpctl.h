/* SPDX-License-Identifier: GPL-2.0 */
/* What the commands of fmpctl share: the command table's row and the exit codes. */
#ifndef FMPCTL_H
#define FMPCTL_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

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

/* What stands as an argument of a command: fmpctl completes it. */
enum argument {
	ARG_NONE,
	ARG_SOURCE, /* an address of the table of sources */
	ARG_BLOCKED, /* an address that is blocked */
	ARG_KIND, /* of an event */
	ARG_COMMAND,
	ARG_FILE,
};

struct command {
	const char *name, *args, *summary;
	bool hidden; /**< not in the list of commands: programs call it, nobody types it */
	const char *const *verbs; /**< the first argument is one of them; NULL: there are none */
	enum argument arguments[2]; /**< the first (behind a verb), and those after it */
	const char *help; /**< more, after the summary; may be NULL */
	const struct option *options; /**< own ones beside --json, --control, --help; may be NULL */
	/** one of the own options. Return: 0, or EXIT_USAGE with the reason said */
	int (*option)(int c, const char *arg);
	/** argv: what is left, without options */
	int (*run)(const struct ctl *ctl, int argc, char **argv);
};

extern const struct command cmd_status, cmd_sources, cmd_why, cmd_block, cmd_unblock, cmd_blocks,
	cmd_protect, cmd_policy, cmd_watch, cmd_inspect, cmd_replay, cmd_flush, cmd_simulate,
	cmd_top, cmd_stats, cmd_learn, cmd_report, cmd_help, cmd_version, cmd_complete;

/** command_at() - the i-th of the table, hidden ones too; NULL behind the last. */
const struct command *command_at(size_t i);
/** command_find() - NULL if there is none. */
const struct command *command_find(const char *name);
/** common_options() - those that every command takes; ends with a name of NULL. */
const struct option *common_options(void);
/** command_help() - prints the help of a command; NULL: of fmpctl. */
void command_help(const struct command *cmd);

/** usage_error() - says it. Return: EXIT_USAGE. */
int usage_error(const char *command, const char *fmt, ...) FMP_PRINTF(2, 3);

#define SUGGESTION_MAX 64 /* of the text below */
/** suggest_word() - ": did you mean 'x'?" of words parted by blanks, or "". Return: buf. */
const char *suggest_word(const char *word, const char *words, char buf[SUGGESTION_MAX]);
/** suggest_value() - the same of the words that an option takes, see option_values(). */
const char *suggest_value(const char *word, const char *option, char buf[SUGGESTION_MAX]);
/** option_values() - the words that an option takes, parted by blanks; NULL: any text. */
const char *option_values(const char *name);
/** suggest_kind() - the same of the kinds of events. */
const char *suggest_kind(const char *word, char buf[SUGGESTION_MAX]);
/** suggest_command() - the same of the commands. */
const char *suggest_command(const char *word, char buf[SUGGESTION_MAX]);
/** suggest_option() - the same of the options of a command, --x; NULL: of fmpctl. */
const char *suggest_option(const char *word, const struct command *cmd, char buf[SUGGESTION_MAX]);
/** SET_NAME_ERROR - of an argument that fmp_set_name_valid() refuses. */
#define SET_NAME_ERROR \
	"--set takes a name of up to 31 letters, digits, \"-\", \"_\" and \".\"; not %s"

#endif
