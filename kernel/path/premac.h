/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the receive path ends: what a decision means for a driver and for the counters
 *
 * Inline, because it belongs to the packet path of premac.c. The functions run with bottom
 * halves off and take no lock. Their common parameters:
 *
 * port: port of the receiving device
 * rx: the frame
 * avail: bytes of it that were received
 * traced: emit the tracepoint fmp_verdict
 */
#ifndef _FMP_PREMAC_H
#define _FMP_PREMAC_H

#include "port.h"
#include "trace.h"

/* The tracepoint is enabled. If not, this is a static branch. */
#define fmp_rx_is_traced() unlikely(trace_fmp_verdict_enabled())

/*
 * Let a frame pass. @verdict goes into its header record: %FMP_RECORD_UNSPEC if the
 * rules did not evaluate it.
 */
static __always_inline enum fmp_rx_action fmp_rx_pass(struct fmp_rx_port *port, struct fmp_rx *rx,
						      enum fmp_record_verdict verdict)
{
	rx->hdr.verdict = verdict;
	fmp_stats_pass(port->stats, rx->frame_len, verdict == FMP_RECORD_OBSERVED);
	return FMP_RX_PASS;
}

/* Stop a frame, or drop it if it is complete. @stat is the counter of @reason. */
static __always_inline enum fmp_rx_action fmp_rx_stop(struct fmp_rx_port *port, struct fmp_rx *rx,
						      u32 avail, enum fmp_rx_reason reason,
						      enum fmp_stat stat)
{
	const struct fmp_rx_ops *ops;

	rx->reason = reason;
	if (unlikely(avail >= rx->frame_len)) {
		rx->late = true;
		trace_fmp_stop(port->dev, rx, avail);
		fmp_stats_stop(port->stats, FMP_STAT_DROPPED_LATE, rx->frame_len, 0);
		return FMP_RX_STOP;
	}
	trace_fmp_stop(port->dev, rx, avail);
	fmp_stats_stop(port->stats, stat, avail, rx->frame_len - avail);
	ops = READ_ONCE(port->ops);
	if (ops->stop)
		ops->stop(port->dev, rx, avail);
	return FMP_RX_STOP;
}

/* Act on a decision, which is not %FMP_DECISION_MORE. */
static __always_inline enum fmp_rx_action fmp_rx_apply_decision(struct fmp_rx_port *port,
								struct fmp_rx *rx, u32 avail,
								enum fmp_decision decision,
								bool traced)
{
	if (traced)
		trace_fmp_verdict(port->dev, rx, avail, decision);
	if (likely(decision == FMP_DECISION_PASS))
		return fmp_rx_pass(port, rx, FMP_RECORD_PASS);
	if (decision == FMP_DECISION_OBSERVE || READ_ONCE(port->flags) & FMP_DEV_F_OBSERVE)
		return fmp_rx_pass(port, rx, FMP_RECORD_OBSERVED);
	if (decision == FMP_DECISION_BLOCK_MAC)
		return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_MAC, FMP_STAT_STOPPED_MAC);
	return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_IP, FMP_STAT_STOPPED_IP);
}

#endif /* _FMP_PREMAC_H */
