/* SPDX-License-Identifier: GPL-2.0 */
/* The access log: one line per reply, common log format plus what the gateway knows. */
#ifndef GW_ACCESS_LOG_H
#define GW_ACCESS_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <fmp/error.h>
#include <fmp/event.h>
#include <fmp/inspect.h>

#define GW_ACCESS_LOG_LINE_MAX 896 /**< longest line, including its end */

/** struct gw_access_log_entry - one reply */
struct gw_access_log_entry {
	struct fmp_addr source;
	uint16_t source_port; /**< 0: unknown */
	time_t time;
	const char *target; /**< as received, possibly truncated */
	unsigned version; /**< 10, 11; 0: no request line was read */
	int status;
	size_t len; /**< of the reply's body */
	enum fmp_event_kind kind;
	enum fmp_step step; /**< that refused it, or FMP_STEP_DONE */
	uint64_t cpu_ns;
	const char *why; /**< why the service's reply was not forwarded; static text, or NULL */
	const char *reason; /**< why it was refused, or what was observed of a good one; NULL */
};

/**
 * gw_access_log_open() - open for appending; before the sandbox. Return: a descriptor or an error
 * code.
 */
FMP_MUST_CHECK int gw_access_log_open(const char *file, struct fmp_error *err);

/**
 * gw_access_log_format() - pure
 *
 * "192.0.2.66 - - [22/Nov/2026:02:30:00 +0000] "POST /orders HTTP/1.1" 500 312 port=4711
 * kind=schema step=schema cpu_us=120" and a line end. ` backend="broken off"` follows if the
 * service gave no reply that can be forwarded, ` reason="schema: ..."` if the message was refused, or what was observed of a good one.
 * "-" replaces a request line that could not be read, '?' a byte that could end the quotes.
 * Return: its length.
 */
size_t gw_access_log_format(const struct gw_access_log_entry *a, char line[GW_ACCESS_LOG_LINE_MAX]);

#endif
