/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the commands of fmpctl: a row of the command table, exit codes, usage errors, suggestions. */
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

/** struct ctl - the options that every command takes */
struct ctl {
	const char *control; /**< NULL: the default */
	bool json;
};

#define OPTIONS_MAX	 16
#define N_COMMON_OPTIONS 4 /* of common_options() */

/* The kind of an argument, for completion. */
enum argument {
	ARG_NONE,
	ARG_SOURCE, /* an address in the table of sources */
	ARG_BLOCKED, /* an address that is blocked */
	ARG_KIND, /* an event kind */
	ARG_COMMAND,
	ARG_FILE,
};

struct command {
	const char *name, *args, *summary;
	bool hidden; /**< not listed: for programs only */
	const char *const *verbs; /**< the first argument is one of these; NULL: none */
	enum argument arguments[2]; /**< of the first argument (after a verb), and of the rest */
	const char *help; /**< printed after the summary; may be NULL */
	const struct option *options; /**< beside the common ones; may be NULL */
	/** Parse one of these options. Return: 0; EXIT_USAGE with the reason printed. */
	int (*option)(int c, const char *arg);
	/** @argv: the arguments, without options. Return: an exit code. */
	int (*run)(const struct ctl *ctl, int argc, char **argv);
};

extern const struct command cmd_status, cmd_sources, cmd_why, cmd_block, cmd_unblock, cmd_blocks,
	cmd_protect, cmd_policy, cmd_watch, cmd_inspect, cmd_replay, cmd_flush, cmd_simulate,
	cmd_top, cmd_stats, cmd_learn, cmd_report, cmd_export, cmd_help, cmd_version, cmd_complete;

/** command_set_table() - register the commands. @table: must stay valid */
void command_set_table(const struct command *const *table, size_t n);
/** command_at() - command i of the table, hidden ones included; NULL after the last. */
const struct command *command_at(size_t i);
/** command_find() - NULL if there is none. */
const struct command *command_find(const char *name);
/** common_options() - the options of every command; ends with a name of NULL. */
const struct option *common_options(void);
/** command_help() - print the help of a command; NULL: of fmpctl. */
void command_help(const struct command *cmd);

/** usage_error() - print it. Return: EXIT_USAGE. */
int usage_error(const char *command, const char *fmt, ...) FMP_PRINTF(2, 3);

#define SUGGESTION_MAX 64 /* bytes of a suggestion */
/** suggest_word() - ": did you mean 'x'?", or "". @words: separated by spaces. Return: buf. */
const char *suggest_word(const char *word, const char *words, char buf[SUGGESTION_MAX]);
/** suggest_value() - the same for the values of an option, see option_values(). */
const char *suggest_value(const char *word, const char *option, char buf[SUGGESTION_MAX]);
#define OPTION_VALUES_FILES ":files" /* any file name */
#define OPTION_VALUES_KINDS ":kinds" /* the event kinds */
/** option_values() - the values that an option takes, separated by spaces; NULL: any text. */
const char *option_values(const char *name);
/** suggest_kind() - the same for event kinds. */
const char *suggest_kind(const char *word, char buf[SUGGESTION_MAX]);
/** suggest_command() - the same for commands. */
const char *suggest_command(const char *word, char buf[SUGGESTION_MAX]);
/** suggest_option() - the same for the options of a command, as --x. @cmd: NULL: of fmpctl */
const char *suggest_option(const char *word, const struct command *cmd, char buf[SUGGESTION_MAX]);
/** SET_NAME_ERROR - the format for an argument that fmp_set_name_valid() refuses. */
#define SET_NAME_ERROR \
	"--set takes a name of up to 31 letters, digits, \"-\", \"_\" and \".\"; not %s"

#endif
