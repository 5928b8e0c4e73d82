/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The log: sentences for people on a terminal, logfmt elsewhere, syslog when in
 * the background. Bounded: what comes faster than a person or a disk can take is
 * counted, not written; but for decisions, of which there are no more than blocks.
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
	FMPD_DETAIL, /**< for somebody who watches the terminal; not written elsewhere */
};

/** enum fmpd_log_format - what a line is */
enum fmpd_log_format {
	FMPD_LOG_AUTO, /**< sentences on a terminal, logfmt elsewhere */
	FMPD_LOG_LOGFMT,
	FMPD_LOG_JSON,
};

/** fmpd_log_open() - to syslog, or to stderr; before it is called, lines go to stderr. */
void fmpd_log_open(bool to_syslog, enum fmpd_log_format format);

/**
 * fmpd_log_hold() - lines to stderr are kept together until fmpd_log_release()
 *
 * For who has many to say at once and is waited for: a reader of the log that is slow, or a write a
 * line, holds it up. Not for long: what is held is lost with the process.
 */
void fmpd_log_hold(void);
/** fmpd_log_release() - as many of them in one write as there is room for. */
void fmpd_log_release(void);

/** struct fmpd_line - one line in the making; begin, add any number of fields, end. */
struct fmpd_line {
	enum fmpd_level level;
	bool always; /**< set by who has bounded it: is written however many there are */
	size_t len;
	char text[1200];
};
/** fmpd_line_begin() - event is one word for machines, the rest a sentence for people. */
void fmpd_line_begin(struct fmpd_line *l, enum fmpd_level level, const char *event, const char *fmt,
		     ...) FMP_PRINTF(4, 5);
/** fmpd_line_add() - a field; not shown on a terminal, where the sentence says it. */
void fmpd_line_add(struct fmpd_line *l, const char *key, const char *fmt, ...) FMP_PRINTF(3, 4);
/** fmpd_line_add_text() - a field whose value is there already. */
void fmpd_line_add_text(struct fmpd_line *l, const char *key, const char *value);
void fmpd_line_end(struct fmpd_line *l);

/** fmpd_log() - a line without fields. */
void fmpd_log(enum fmpd_level level, const char *event, const char *fmt, ...) FMP_PRINTF(3, 4);
/** fmpd_log_error() - what failed, and the error's own words with file:line:column. */
void fmpd_log_error(enum fmpd_level level, const char *event, const char *what,
		    const struct fmp_error *err);

#endif
