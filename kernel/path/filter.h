/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_FILTER_H
#define _FMP_FILTER_H

#include "../core/tables.h"

#include <net/fmp_rx.h>

/**
 * enum fmp_decision - result of evaluating a frame
 * @FMP_DECISION_PASS: no rule blocks it
 * @FMP_DECISION_MORE: the decision needs more bytes
 * @FMP_DECISION_BLOCK_MAC: its source MAC address is blocked
 * @FMP_DECISION_BLOCK_IP: its source IP address is blocked, or the pair of both
 * @FMP_DECISION_OBSERVE: no rule blocks it, but an observe rule matched
 */
enum fmp_decision {
	FMP_DECISION_PASS,
	FMP_DECISION_MORE,
	FMP_DECISION_BLOCK_MAC,
	FMP_DECISION_BLOCK_IP,
	FMP_DECISION_OBSERVE,
};

/**
 * enum fmp_stage - how far a frame was evaluated: fmp_rx.stage
 * @FMP_STAGE_BEGIN: not at all
 * @FMP_STAGE_MAC_READ: its MAC header is in the header record
 * @FMP_STAGE_MAC_DONE: its MAC address was looked up
 * @FMP_STAGE_PLAIN_MAC: passed by its MAC header alone; to us, Ethernet with an
 *	EtherType
 * @FMP_STAGE_PLAIN_IPV4: passed without a rule; to us, an IPv4 header without
 *	options directly after the Ethernet header, not of a later fragment
 * @FMP_STAGE_PLAIN_IPV6: the same with IPv6, and TCP or UDP directly after it
 */
enum fmp_stage {
	FMP_STAGE_BEGIN,
	FMP_STAGE_MAC_READ,
	FMP_STAGE_MAC_DONE,
	FMP_STAGE_PLAIN_MAC,
	FMP_STAGE_PLAIN_IPV4,
	FMP_STAGE_PLAIN_IPV6,
};

enum fmp_decision fmp_filter_frame(struct fmp_tables *ts, struct fmp_rx *rx, u32 avail);

u8 fmp_filter_peek_mac(struct fmp_tables *ts, const u8 *mac);
bool fmp_filter_mac_is_final(const struct fmp_tables *ts);

#endif /* _FMP_FILTER_H */
