/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_DROP_H
#define _FMP_DROP_H

#include <net/fmp_rx.h>

struct sk_buff;

/**
 * enum fmp_drop_reason - drop reasons of the subsystem, in the lower half of an enum
 * skb_drop_reason
 * @FMP_DROP_REASON_UNSPEC: unused
 * @FMP_DROP_REASON_MAC: the source MAC address is blocked
 * @FMP_DROP_REASON_IPV4: the source IPv4 address, that of an ARP message, or the pair
 *	with the MAC address is blocked
 * @FMP_DROP_REASON_IPV6: the source IPv6 address, or the pair with the MAC address is
 *	blocked
 * @FMP_DROP_REASONS: number of reasons
 */
enum fmp_drop_reason {
	FMP_DROP_REASON_UNSPEC,
	FMP_DROP_REASON_MAC,
	FMP_DROP_REASON_IPV4,
	FMP_DROP_REASON_IPV6,
	FMP_DROP_REASONS,
};

void fmp_drop_init(void);
void fmp_drop_exit(void);
void fmp_drop_frame(struct sk_buff *skb, const struct fmp_rx *rx);

#endif /* _FMP_DROP_H */
