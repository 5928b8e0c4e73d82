/* SPDX-License-Identifier: GPL-2.0 */
/* What one line of a log says, whatever its format: pure readers make it, the timeline takes it. */
#ifndef FMPCTL_LOG_ENTRY_H
#define FMPCTL_LOG_ENTRY_H

#include <fmp/event.h>
#include <fmp/timeline.h>

/** Longest line of a log that is looked at. */
#define LOG_LINE_MAX 8192

enum log_entry_kind {
	LOG_EVENT = 0,
	LOG_BLOCK, /**< by hand */
	LOG_UNBLOCK, /**< by hand */
	LOG_LINK, /**< what the machine knows of its link, its network, and whom it protects */
};

/** struct log_entry - one happening; event.time_ns by the log's own clock, 0: that of the line before */
struct log_entry {
	enum log_entry_kind what;
	struct fmp_event event;
	struct fmp_addr
		mac; /**< of an event's source, as the neighbour table had it; {0}: not known */
	struct fmp_addr addr; /**< of a block, of LOG_LINK: may be a prefix or a MAC */
	const char *verb; /**< of LOG_LINK, a timeline's; for ever */
	uint64_t duration_ms; /**< of a block, 0: without end */
	unsigned layers; /**< of a block */
	char text[160]; /**< why a block was made */
};

/** log_entry_format() - a line of a timeline, at_ms behind its start. Return: its length. */
size_t log_entry_format(const struct log_entry *e, uint64_t at_ms, char *line, size_t size);

/** log_text_clean() - fit to stand in quotes in a timeline: dst of `size`, cut where it must be. */
void log_text_clean(char *dst, size_t size, const char *src, size_t len);

#endif
