/* SPDX-License-Identifier: GPL-2.0 */
/* One question to fmpd, and what comes back. */
#ifndef FMPCTL_CONTROL_CLIENT_H
#define FMPCTL_CONTROL_CLIENT_H

#include "fmpctl.h"
#include "record.h"

/** struct control_request - a request in the making. */
struct control_request {
	struct fmp_wire_out w;
	uint8_t buf[1024];
};
void control_request_begin(struct control_request *req, enum fmp_ctl_type type);

/**
 * control_call() - ask, and collect all records of the answer
 *
 * What goes wrong is said on standard error, and with --json on standard output
 * too. Return: an exit code; records that came are there in any case.
 */
int control_call(const struct ctl *ctl, struct control_request *req, struct records *out);

/** control_stream() - ask, and hand each record over as it comes, until cb returns non-zero. */
int control_stream(const struct ctl *ctl, struct control_request *req,
		   int (*cb)(struct record *r, void *ctx), void *ctx);

/**
 * control_try() - the same without a word if fmpd can't be asked, goes away (EXIT_NO_DAEMON) or refuses
 *
 * Return: an exit code; *err says why, and is empty if there was an answer.
 */
int control_try(const struct ctl *ctl, struct control_request *req,
		int (*cb)(struct record *r, void *ctx), void *ctx, struct fmp_error *err);

/** control_print_failure() - say what control_try() left unsaid. Return: code. */
int control_print_failure(const struct ctl *ctl, int code, const struct fmp_error *err);
/** control_print_error() - say it as control_call() does. Return: code. */
int control_print_error(const struct ctl *ctl, enum exit_code code, const struct fmp_error *err);

/** print_json() - records as one JSON array, one object a line. */
void print_json(const struct records *l);
/** print_json_line() - one object, at once. */
void print_json_line(const struct record *r);

/** parse_addr_argument() - Return: 0, or EXIT_USAGE with the reason said. */
int parse_addr_argument(const char *command, const char *text, struct fmp_addr *out);

#endif
