/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_DISSECT_H
#define _FMP_DISSECT_H

#include <linux/ip.h>
#include <net/fmp_rx.h>

/* struct fmp_80211.flags: the transmitter address is known. */
#define FMP_80211_TA	    0x01
/* The source and the destination in the header record are known. */
#define FMP_80211_SA	    0x02
/* A data frame. */
#define FMP_80211_DATA	    0x04
/* Encrypted: what stands behind the MAC header can't be read. */
#define FMP_80211_PROTECTED 0x08
/* Several MSDUs in one frame: sources stand in the subframes, not in the header. */
#define FMP_80211_AMSDU	    0x10
/* A data frame without data. */
#define FMP_80211_NO_BODY   0x20

/**
 * struct fmp_80211 - what an 802.11 header tells beside the header record
 * @ta: transmitter address; valid with %FMP_80211_TA
 * @flags: FMP_80211_*
 */
struct fmp_80211 {
	u8 ta[ETH_ALEN];
	u8 flags;
};

u32 fmp_dissect_mac(struct fmp_hdr *hdr, const u8 *buf, u32 avail);
u32 fmp_dissect_80211(struct fmp_hdr *hdr, struct fmp_80211 *wifi, const u8 *buf, u32 avail,
		      u32 frame_len);
u32 fmp_dissect_l3(struct fmp_hdr *hdr, const u8 *buf, u32 avail, u32 frame_len);
void fmp_dissect_l4(struct fmp_hdr *hdr, const u8 *buf, u32 avail);

/**
 * fmp_dissect_l3_want() - what fmp_dissect_l3() will want, told by the MAC header alone
 * @hdr: the MAC header's record
 * @avail: bytes that are there
 * @frame_len: how long the frame is
 *
 * Context: any.
 * Return: bytes that must be there, at most @frame_len; 0 if it is to be asked.
 */
static inline u32 fmp_dissect_l3_want(const struct fmp_hdr *hdr, u32 avail, u32 frame_len)
{
	u32 want = hdr->mac_len + sizeof(struct iphdr);

	return hdr->mac_proto == htons(ETH_P_IP) && !hdr->llc && want > avail && want <= frame_len
		       ? want
		       : 0;
}

#endif /* _FMP_DISSECT_H */
