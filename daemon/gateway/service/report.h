/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends events to fmpd over the inherited socket; without fmpd prints them on standard error. Never
 * blocks.
 */
#ifndef GW_REPORT_H
#define GW_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/event.h>
#include <fmp/inspect.h>

struct event_base;
struct gw_report;

/** Bytes queued for fmpd at most; events beyond are counted as lost. */
#define GW_REPORT_QUEUE (1u << 20)

/** struct gw_report_ops - requests of fmpd */
struct gw_report_ops {
	/** block for this time; 0: without end. @port: block only this port; 0: all */
	void (*block)(const struct fmp_addr *source, uint64_t left_ms, uint64_t port, void *ctx);
	void (*unblock)(const struct fmp_addr *source, void *ctx); /**< end the block */
	void (*blocks_sent)(void *ctx); /**< all blocks have been sent */
	void (*stop)(void *ctx); /**< finish requests and exit */
	void (*drain)(void *ctx); /**< stop accepting, exit with the last connection */
	/** IPv6 prefixes in which each address is a source */
	void (*set_shared_prefixes)(const struct fmp_addr *prefix, size_t n,
				    const struct fmp_translators *found, void *ctx);
	void (*disconnected)(void *ctx); /**< fmpd is gone, or sent an invalid message */
	unsigned (*count_connections)(void *ctx);
};

/** gw_report_new() - fd -1: print on standard error. Return: NULL without memory. */
struct gw_report *gw_report_new(struct event_base *base, int fd, bool verbose,
				const struct gw_report_ops *ops, void *ctx);
void gw_report_free(struct gw_report *r);

void gw_report_ready(struct gw_report *r, unsigned workers);
/** gw_report_clock() - without fmpd it prints nothing: clock.c logs the change. */
void gw_report_clock(struct gw_report *r, bool unset);
/**
 * gw_report_event() - send a bad message at once, good ones in batches; the order is kept
 * @step_ns: CPU time of each step; 0: it did not run
 */
void gw_report_event(struct gw_report *r, const struct fmp_event *ev,
		     const uint64_t step_ns[FMP_STEPS]);
/**
 * gw_report_unevaluated() - count a message refused for what this device lacks; no source is
 * charged
 */
void gw_report_unevaluated(struct gw_report *r, enum fmp_lack lacks);

#endif
