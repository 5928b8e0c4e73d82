/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_RECORD_H
#define _FMP_RECORD_H

#include <net/fmp_rx.h>

/**
 * enum fmp_record_state - validity of a frame's header record
 * @FMP_RECORD_NONE: the frame has none
 * @FMP_RECORD_STALE: it does not match this frame or these rules (any more)
 * @FMP_RECORD_CURRENT: it is valid
 */
enum fmp_record_state {
	FMP_RECORD_NONE,
	FMP_RECORD_STALE,
	FMP_RECORD_CURRENT,
};

void fmp_record_init(void);
enum fmp_record_state fmp_record_get(const struct sk_buff *skb, u32 generation,
				     struct fmp_record *rec);

#endif /* _FMP_RECORD_H */
