/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_DISSECT_H
#define _FMP_DISSECT_H

#include <net/fmp_rx.h>

u32 fmp_dissect_mac(struct fmp_hdr *hdr, const u8 *buf, u32 avail);
u32 fmp_dissect_l3(struct fmp_hdr *hdr, const u8 *buf, u32 avail, u32 frame_len);
void fmp_dissect_l4(struct fmp_hdr *hdr, const u8 *buf, u32 avail);

#endif /* _FMP_DISSECT_H */
