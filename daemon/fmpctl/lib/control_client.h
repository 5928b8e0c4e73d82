/* SPDX-License-Identifier: GPL-2.0 */
/* The client of fmpd's control socket: one request, the records of its reply, and errors. */
#ifndef FMPCTL_CONTROL_CLIENT_H
#define FMPCTL_CONTROL_CLIENT_H

#include "fmpctl.h"
#include "record.h"

/** struct control_request - a request that is being built. */
struct control_request {
	struct fmp_wire_out w;
	uint8_t buf[1024];
};
void control_request_begin(struct control_request *req, enum fmp_ctl_type type);

/**
 * control_call() - send a request and collect all records of the reply
 *
 * Errors are printed on standard error, and with --json on standard output too.
 * Return: an exit code; *out holds the records received, also after an error.
 */
int control_call(const struct ctl *ctl, struct control_request *req, struct records *out);

/** control_stream() - send a request and pass each record to cb as it arrives, until cb returns non-zero. */
int control_stream(const struct ctl *ctl, struct control_request *req,
		   int (*cb)(struct record *r, void *ctx), void *ctx);

/**
 * control_try() - like control_stream(), but print nothing if fmpd is unreachable, closes (EXIT_NO_DAEMON) or refuses
 *
 * Return: an exit code; *err has the reason, and is empty if fmpd replied.
 */
int control_try(const struct ctl *ctl, struct control_request *req,
		int (*cb)(struct record *r, void *ctx), void *ctx, struct fmp_error *err);

/** control_print_failure() - print the error of control_try(). Return: code. */
int control_print_failure(const struct ctl *ctl, int code, const struct fmp_error *err);
/** control_print_error() - print an error as control_call() does. Return: code. */
int control_print_error(const struct ctl *ctl, enum exit_code code, const struct fmp_error *err);

/** print_json() - records as one JSON array, one object a line. */
void print_json(const struct records *l);
/** print_json_line() - one object on a line, flushed. */
void print_json_line(const struct record *r);

/** parse_addr_argument() - Return: 0; EXIT_USAGE with the reason printed. */
int parse_addr_argument(const char *command, const char *text, struct fmp_addr *out);

#endif
