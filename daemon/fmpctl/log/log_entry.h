/* SPDX-License-Identifier: GPL-2.0 */
/* One entry of a log, whatever its format, and its form as a line of a timeline. Pure. */
#ifndef FMPCTL_LOG_ENTRY_H
#define FMPCTL_LOG_ENTRY_H

#include <fmp/event.h>
#include <fmp/timeline.h>

/** Longest line of a log that is read. */
#define LOG_LINE_MAX 8192

enum log_entry_kind {
	LOG_EVENT = 0,
	LOG_BLOCK, /**< by hand */
	LOG_UNBLOCK, /**< by hand */
	LOG_LINK, /**< a fact about the link, the network, or the protected set */
};

/** struct log_entry - event.time_ns is by the log's clock; 0: the time of the entry before */
struct log_entry {
	enum log_entry_kind what;
	struct fmp_event event;
	struct fmp_addr mac; /**< of an event's source, from the neighbour table; {0}: unknown */
	struct fmp_addr addr; /**< of LOG_BLOCK, LOG_UNBLOCK, LOG_LINK: also a prefix or a MAC */
	const char *verb; /**< of LOG_LINK: a verb of timelines, static */
	uint64_t duration_ms; /**< of a block; 0: without end */
	unsigned layers; /**< of a block */
	char text[160]; /**< reason of a block */
};

/** log_entry_format() - write a line of a timeline. @at_ms: time since its start. Return: its length. */
size_t log_entry_format(const struct log_entry *e, uint64_t at_ms, char *line, size_t size);

/** log_text_clean() - copy text in a form that fits between quotes in a timeline, cut to size. */
void log_text_clean(char *dst, size_t size, const char *src, size_t len);

#endif
