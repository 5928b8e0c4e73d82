/* SPDX-License-Identifier: GPL-2.0 */
/* One question to fmpd, and what comes back. */
#ifndef FMPCTL_TALK_H
#define FMPCTL_TALK_H

#include "fmpctl.h"
#include "record.h"

/** struct question - a request in the making. */
struct question {
	struct fmp_wire_out w;
	uint8_t buf[1024];
};
void question_begin(struct question *q, enum fmp_ctl_type type);

/**
 * talk() - ask, and collect all records of the answer
 *
 * What goes wrong is said on standard error, and with --json on standard output
 * too. Return: an exit code; records that came are there in any case.
 */
int talk(const struct ctl *ctl, struct question *q, struct records *out);

/** talk_stream() - ask, and hand each record over as it comes, until cb returns non-zero. */
int talk_stream(const struct ctl *ctl, struct question *q, int (*cb)(struct record *r, void *ctx),
		void *ctx);

/**
 * talk_try() - the same without a word if fmpd can't be asked, goes away (EXIT_NO_DAEMON) or refuses
 *
 * Return: an exit code; *err says why, and is empty if there was an answer.
 */
int talk_try(const struct ctl *ctl, struct question *q, int (*cb)(struct record *r, void *ctx),
	     void *ctx, struct fmp_error *err);

/** talk_failed() - say what talk_try() left unsaid. Return: code. */
int talk_failed(const struct ctl *ctl, int code, const struct fmp_error *err);
/** talk_error() - say it as talk() does. Return: code. */
int talk_error(const struct ctl *ctl, enum exit_code code, const struct fmp_error *err);

/** print_json() - records as one JSON array, one object a line. */
void print_json(const struct records *l);
/** print_json_line() - one object, at once. */
void print_json_line(const struct record *r);

/** parse_addr_argument() - Return: 0, or EXIT_USAGE with the reason said. */
int parse_addr_argument(const char *command, const char *text, struct fmp_addr *out);

#endif
