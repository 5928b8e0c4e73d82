/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The log: sentences on a terminal, logfmt or JSON elsewhere, syslog in the background.
 * Lines are limited by a token bucket; those beyond it are counted, not written. Decisions
 * pass it, for the number of blocks bounds them.
 */
#ifndef FMPD_LOG_H
#define FMPD_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/error.h>

enum fmpd_level {
	FMPD_ERROR,
	FMPD_WARNING,
	FMPD_NOTICE,
	FMPD_INFO,
	FMPD_DETAIL, /**< written to a terminal only */
};

/** enum fmpd_log_format - how a line is written */
enum fmpd_log_format {
	FMPD_LOG_AUTO, /**< sentences on a terminal, logfmt elsewhere */
	FMPD_LOG_LOGFMT,
	FMPD_LOG_JSON,
};

/** fmpd_log_open() - to syslog, or to stderr; before it is called, lines go to stderr. */
void fmpd_log_open(bool to_syslog, enum fmpd_log_format format);

/**
 * fmpd_log_hold() - buffer lines to stderr until fmpd_log_release()
 *
 * For a caller that logs many lines at once and must not wait for a slow reader of the log, or for a
 * write per line. Release soon: buffered lines are lost if the process dies.
 */
void fmpd_log_hold(void);
/** fmpd_log_release() - write the buffered lines, in as few writes as the buffer allows. */
void fmpd_log_release(void);

/** struct fmpd_line - a line that is being composed: begin, add any number of fields, end. */
struct fmpd_line {
	enum fmpd_level level;
	bool always; /**< passes the token bucket; set by a caller that bounds the lines itself */
	size_t len;
	char text[1200];
};
/** fmpd_line_begin() - @event: one word for machines; @fmt: a sentence for people. */
void fmpd_line_begin(struct fmpd_line *l, enum fmpd_level level, const char *event, const char *fmt,
		     ...) FMP_PRINTF(4, 5);
/** fmpd_line_add() - a field; left out on a terminal, where the sentence has it. */
void fmpd_line_add(struct fmpd_line *l, const char *key, const char *fmt, ...) FMP_PRINTF(3, 4);
/** fmpd_line_add_text() - a field whose value is a string. */
void fmpd_line_add_text(struct fmpd_line *l, const char *key, const char *value);
void fmpd_line_end(struct fmpd_line *l);

/** fmpd_log() - a line without fields. */
void fmpd_log(enum fmpd_level level, const char *event, const char *fmt, ...) FMP_PRINTF(3, 4);
/** fmpd_log_error() - @what failed, with the text of @err and its file:line:column. */
void fmpd_log_error(enum fmpd_level level, const char *event, const char *what,
		    const struct fmp_error *err);

#endif
