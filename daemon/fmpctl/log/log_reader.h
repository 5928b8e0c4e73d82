/* SPDX-License-Identifier: GPL-2.0 */
/* Logs of any format, file after file, as one timeline. */
#ifndef FMPCTL_LOG_READER_H
#define FMPCTL_LOG_READER_H

#include <stdio.h>

#include "log_access.h"

enum log_format {
	LOG_AUTO = 0, /**< by the first line */
	LOG_TIMELINE,
	LOG_WATCH,
	LOG_ACCESS,
	LOG_PCAP, /**< a capture of packets, pcapng too */
	LOG_FORMATS
};
/** log_format_name() - "timeline" ...; NULL if out of range. */
const char *log_format_name(unsigned format);
/** log_format_parse() - Return: 0, FMP_ERR_NOTFOUND. */
FMP_MUST_CHECK int log_format_parse(const char *name, enum log_format *out);

/** struct log_reader - set what is above the line; the rest is the reader's */
struct log_reader {
	enum log_format format;
	struct access_map map;
	/** Gets each line; non-zero ends the reading. */
	int (*line)(const char *text, size_t len, void *ctx, struct fmp_error *err);
	void *ctx;
	/** Takes a whole capture, and closes f unless it is standard input; NULL: captures are refused. */
	int (*capture)(struct log_reader *r, FILE *f, const char *file, struct fmp_error *err);

	uint64_t start_ns, last_ns; /**< by the log's clock; 0: nothing came yet */
	bool is_wall; /**< that is the time of day */
	uint64_t entries; /**< handed on */
	uint64_t left_out; /**< lines that say nothing of a client */
	uint64_t not_understood;
	uint64_t late; /**< lines earlier than the one before them: taken as of the same time */
	unsigned first_bad; /**< line of the first that was not understood */
};

/** log_read() - one file, "-" for standard input. Return: 0, what line() returned, FMP_ERR_IO,
 * FMP_ERR_SYNTAX if no line of it was understood or a capture can't be read on, FMP_ERR_INVALID for
 * a capture where none is read, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int log_read(struct log_reader *r, const char *file, struct fmp_error *err);

/** log_add_entry() - an entry that did not come in a line. Return: 0, what line() returned. */
FMP_MUST_CHECK int log_add_entry(struct log_reader *r, const struct log_entry *e,
				 struct fmp_error *err);

/** log_format_time() - at_ms behind the start as time of day, "2026-11-22T02:30:00Z"; NULL if the log
 * does not say. Return: buf. */
const char *log_format_time(const struct log_reader *r, uint64_t at_ms, char *buf, size_t size);

#endif
