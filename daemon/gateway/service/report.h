/* SPDX-License-Identifier: GPL-2.0 */
/* Events to fmpd over the inherited socket; alone, lines on standard error. Never blocks. */
#ifndef GW_REPORT_H
#define GW_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/event.h>
#include <fmp/inspect.h>

struct event_base;
struct gw_report;

/** Bytes of events that wait for fmpd at most; what does not fit is counted as lost. */
#define GW_REPORT_QUEUE (1u << 20)

/** struct gw_report_ops - what fmpd may ask of the gateway */
struct gw_report_ops {
	/** blocked from now on, for so long; 0: without end. @port: that alone is blocked; 0: all */
	void (*cut)(const struct fmp_addr *source, uint64_t left_ms, uint64_t port, void *ctx);
	void (*free)(const struct fmp_addr *source, void *ctx); /**< no longer blocked */
	void (*told)(void *ctx); /**< of all that is blocked */
	void (*stop)(void *ctx); /**< finish and end */
	void (*drain)(void *ctx); /**< accept no more, end with the last connection */
	/** the IPv6 prefixes in which each address is a source */
	void (*shared)(const struct fmp_addr *prefix, size_t n, const struct fmp_translators *found,
		       void *ctx);
	void (*closed)(void *ctx); /**< fmpd is gone, or speaks nonsense */
	unsigned (*connections)(void *ctx);
};

/** gw_report_new() - fd -1: lines on standard error. Return: NULL without memory. */
struct gw_report *gw_report_new(struct event_base *base, int fd, bool verbose,
				const struct gw_report_ops *ops, void *ctx);
void gw_report_free(struct gw_report *r);

void gw_report_ready(struct gw_report *r, unsigned workers);
/** gw_report_clock() - alone it says nothing: whoever looked at the clock has. */
void gw_report_clock(struct gw_report *r, bool unset);
/**
 * gw_report_event() - a bad message is told of at once, good ones a few at a time; in order
 * @step_ns: CPU time of each step of it; 0: it did not run
 */
void gw_report_event(struct gw_report *r, const struct fmp_event *ev,
		     const uint64_t step_ns[FMP_STEPS]);
/** gw_report_unevaluated() - a message was refused for what this device lacks: counted, and nobody's */
void gw_report_unevaluated(struct gw_report *r, enum fmp_lack lacks);

#endif
