/* SPDX-License-Identifier: GPL-2.0 */
/* Reads logs of any format, file after file, as one timeline. */
#ifndef FMPCTL_LOG_READER_H
#define FMPCTL_LOG_READER_H

#include <stdio.h>

#include "log_access.h"

enum log_format {
	LOG_AUTO = 0, /**< guessed from the first line */
	LOG_TIMELINE,
	LOG_WATCH,
	LOG_ACCESS,
	LOG_PCAP, /**< a packet capture, pcap or pcapng */
	LOG_FORMATS
};
/** log_format_name() - "timeline" ...; NULL if out of range. */
const char *log_format_name(unsigned format);
/** log_format_parse() - Return: 0, FMP_ERR_NOTFOUND. */
FMP_MUST_CHECK int log_format_parse(const char *name, enum log_format *out);

/** struct log_reader - the caller sets the members above the empty line; the others are results */
struct log_reader {
	enum log_format format;
	struct access_map map;
	/** Called with each line of the timeline; non-zero stops reading. */
	int (*line)(const char *text, size_t len, void *ctx, struct fmp_error *err);
	void *ctx;
	/** Reads a whole capture, and closes f unless it is standard input. NULL: captures are refused. */
	int (*capture)(struct log_reader *r, FILE *f, const char *file, struct fmp_error *err);

	uint64_t start_ns, last_ns; /**< by the log's clock; 0: no entry yet */
	bool is_wall; /**< the clock is the time of day */
	uint64_t entries; /**< passed to line() */
	uint64_t left_out; /**< lines that say nothing about a client */
	uint64_t not_understood;
	uint64_t late; /**< lines earlier than the one before them: they get its time */
	unsigned first_bad; /**< number of the first line not understood */
};

/**
 * log_read() - read one file. @file: "-": standard input
 *
 * Return: 0; the result of line(); FMP_ERR_IO; FMP_ERR_SYNTAX: no line was understood, or a capture is
 * malformed; FMP_ERR_INVALID: a capture, and captures are refused; FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int log_read(struct log_reader *r, const char *file, struct fmp_error *err);

/** log_add_entry() - add an entry that is not from a line. Return: the result of line(). */
FMP_MUST_CHECK int log_add_entry(struct log_reader *r, const struct log_entry *e,
				 struct fmp_error *err);

/** log_format_time() - format the time of day at_ms after the start, "2026-11-22T02:30:00Z". Return: buf;
 * NULL: the log has no time of day. */
const char *log_format_time(const struct log_reader *r, uint64_t at_ms, char *buf, size_t size);

#endif
