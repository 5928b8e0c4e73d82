/* SPDX-License-Identifier: GPL-2.0 */
/* The access log: a line an answer, the common log format with what the gateway knows beside. */
#ifndef GW_ACCESS_LOG_H
#define GW_ACCESS_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <fmp/error.h>
#include <fmp/event.h>
#include <fmp/inspect.h>

#define GW_ACCESS_LOG_LINE_MAX 768 /**< longest line, its end included */

/** struct gw_access_log_entry - one answer */
struct gw_access_log_entry {
	struct fmp_addr source;
	uint16_t source_port; /**< 0: unknown */
	time_t time;
	const char *target; /**< as it came, possibly cut */
	unsigned version; /**< 10, 11; 0: the request line was not read */
	int status;
	size_t len; /**< of the answer's body */
	enum fmp_event_kind kind;
	enum fmp_step step; /**< that refused it; FMP_STEP_DONE */
	uint64_t cpu_ns;
	const char *why; /**< there is no answer of the service to hand on; static text, or NULL */
	const char *reason; /**< why it was refused, in words; NULL: it was not */
};

/** gw_access_log_open() - to be appended to; before the sandbox. Return: a descriptor or a code. */
FMP_MUST_CHECK int gw_access_log_open(const char *file, struct fmp_error *err);

/**
 * gw_access_log_format() - pure
 *
 * "192.0.2.66 - - [22/Nov/2026:02:30:00 +0000] "POST /orders HTTP/1.1" 500 312 port=4711
 * kind=schema step=schema cpu_us=120", and a line end; ` backend="broken off"` in front of that
 * where the service gave no answer that could be handed on; ` reason="schema: ..."` of what was
 * refused. "-" stands for a request line that could not be read. What could be taken for an end of the
 * quotes is written as '?'. Return: its length.
 */
size_t gw_access_log_format(const struct gw_access_log_entry *a, char line[GW_ACCESS_LOG_LINE_MAX]);

#endif
