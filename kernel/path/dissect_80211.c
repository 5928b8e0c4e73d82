// SPDX-License-Identifier: GPL-2.0
/*
 * The dissector: reads the MAC header of an 802.11 frame into a header record
 *
 * The first two bytes tell the length of the header and which of up to four
 * addresses is the source. The bytes after the MAC header are read only if they
 * are in the clear and begin an MSDU: not those of a protected frame, of an
 * A-MSDU, whose subframes have the addresses, or of a later fragment.
 *
 * The mesh control field is not supported. It is where LLC is expected and is
 * taken for LLC without a known EtherType.
 */
#include "dissect.h"

/* First byte of the frame control field. */
#define FMP_FC0_VERSION	     0x03
#define FMP_FC0_TYPE	     0x0c
#define FMP_FC0_SUBTYPE	     0xf0
#define FMP_FC0_TYPE_MGMT    0x00
#define FMP_FC0_TYPE_CTL     0x04
#define FMP_FC0_TYPE_DATA    0x08
#define FMP_FC0_DATA_NO_BODY 0x40
#define FMP_FC0_DATA_QOS     0x80

/* Second byte of the frame control field. */
#define FMP_FC1_FROM_DS	  0x02
#define FMP_FC1_BOTH_DS	  (FMP_80211_FC1_TO_DS | FMP_FC1_FROM_DS)
#define FMP_FC1_MORE_FRAG 0x04
#define FMP_FC1_PROTECTED 0x40
#define FMP_FC1_ORDER	  0x80

/* Offsets of the addresses and of the sequence control field; lengths. */
#define FMP_FC_LEN     2
#define FMP_ADDR1_OFF  FMP_80211_RA_OFF
#define FMP_ADDR2_OFF  10
#define FMP_ADDR3_OFF  16
#define FMP_SEQ_OFF    22
#define FMP_ADDR4_OFF  24
#define FMP_3_ADDR_LEN 24
#define FMP_QOS_LEN    2
#define FMP_HT_CTL_LEN 4
#define FMP_SEQ_FRAG   0x000f
#define FMP_SEQ_SHIFT  4
#define FMP_QOS_AMSDU  0x80

/* Length of a control frame's header with a transmitter address. */
#define FMP_CTL_TA_LEN 16

/* Subtypes of control frames that have a transmitter address, as bits. */
#define FMP_CTL_TRIGGER	     BIT(2)
#define FMP_CTL_BF_POLL	     BIT(4)
#define FMP_CTL_NDP_ANNOUNCE BIT(5)
#define FMP_CTL_BLOCK_ACKREQ BIT(8)
#define FMP_CTL_BLOCK_ACK    BIT(9)
#define FMP_CTL_PS_POLL	     BIT(10)
#define FMP_CTL_RTS	     BIT(11)
#define FMP_CTL_CF_END	     BIT(14)
#define FMP_CTL_CF_END_ACK   BIT(15)
#define FMP_CTL_WITH_TA                                                                    \
	(FMP_CTL_TRIGGER | FMP_CTL_BF_POLL | FMP_CTL_NDP_ANNOUNCE | FMP_CTL_BLOCK_ACKREQ | \
	 FMP_CTL_BLOCK_ACK | FMP_CTL_PS_POLL | FMP_CTL_RTS | FMP_CTL_CF_END | FMP_CTL_CF_END_ACK)

/**
 * fmp_80211_clear() - set all fields to unknown
 * @hdr: cleared
 * @wifi: cleared
 *
 * Context: any.
 */
static void fmp_80211_clear(struct fmp_hdr *hdr, struct fmp_80211 *wifi)
{
	memset(hdr, 0, sizeof(*hdr));
	memset(wifi, 0, sizeof(*wifi));
}

/**
 * fmp_80211_read_control() - read a control frame
 * @hdr: filled: receiver
 * @wifi: filled: transmitter, if there is one
 * @buf: the frame's first bytes
 * @avail: number of bytes in @buf
 * @frame_len: length of the frame
 *
 * Context: any.
 * Return: 0, or the number of bytes that the next try needs.
 */
static u32 fmp_80211_read_control(struct fmp_hdr *hdr, struct fmp_80211 *wifi, const u8 *buf,
				  u32 avail, u32 frame_len)
{
	if (!(FMP_CTL_WITH_TA & BIT(buf[0] >> 4)) || frame_len < FMP_CTL_TA_LEN)
		return 0;
	if (avail < FMP_CTL_TA_LEN)
		return FMP_CTL_TA_LEN;

	memcpy(hdr->dst, buf + FMP_ADDR1_OFF, ETH_ALEN);
	memcpy(wifi->ta, buf + FMP_ADDR2_OFF, ETH_ALEN);
	/* The group bit of a transmitter signals bandwidth and is no part of the address. */
	wifi->ta[0] &= 0xfe;
	wifi->flags = FMP_80211_TA;
	hdr->mac_len = FMP_CTL_TA_LEN;
	return 0;
}

/**
 * fmp_80211_read_mgmt() - read the header of a management frame
 * @hdr: filled: destination and source
 * @wifi: filled: transmitter
 * @buf: the frame's first bytes
 * @avail: number of bytes in @buf
 * @frame_len: length of the frame
 *
 * Context: any.
 * Return: 0, or the number of bytes that the next try needs.
 */
static u32 fmp_80211_read_mgmt(struct fmp_hdr *hdr, struct fmp_80211 *wifi, const u8 *buf,
			       u32 avail, u32 frame_len)
{
	u32 len = FMP_3_ADDR_LEN + (buf[1] & FMP_FC1_ORDER ? FMP_HT_CTL_LEN : 0);

	if (frame_len < len)
		return 0;
	if (avail < len)
		return len;

	memcpy(hdr->dst, buf + FMP_ADDR1_OFF, ETH_ALEN);
	memcpy(hdr->src, buf + FMP_ADDR2_OFF, ETH_ALEN);
	memcpy(wifi->ta, buf + FMP_ADDR2_OFF, ETH_ALEN);
	wifi->flags = FMP_80211_TA | FMP_80211_SA;
	if (buf[1] & FMP_FC1_PROTECTED)
		wifi->flags |= FMP_80211_PROTECTED;
	hdr->mac_len = len;
	return 0;
}

/**
 * fmp_80211_data_len() - get the length of a data frame's MAC header
 * @buf: the frame control field
 *
 * Context: any.
 * Return: bytes.
 */
static u32 fmp_80211_data_len(const u8 *buf)
{
	u32 len = FMP_3_ADDR_LEN;

	if ((buf[1] & FMP_FC1_BOTH_DS) == FMP_FC1_BOTH_DS)
		len += ETH_ALEN;
	if (buf[0] & FMP_FC0_DATA_QOS) {
		len += FMP_QOS_LEN;
		/* Without QoS the bit requests strict order and announces no field. */
		if (buf[1] & FMP_FC1_ORDER)
			len += FMP_HT_CTL_LEN;
	}
	return len;
}

/**
 * fmp_80211_read_data_addrs() - read the addresses of a data frame
 * @hdr: filled: destination and source, unless the frame is an A-MSDU
 * @wifi: filled: transmitter; its flags tell whether the frame is an A-MSDU
 * @buf: the MAC header, complete
 *
 * Context: any.
 */
static void fmp_80211_read_data_addrs(struct fmp_hdr *hdr, struct fmp_80211 *wifi, const u8 *buf)
{
	bool to_ds = buf[1] & FMP_80211_FC1_TO_DS;
	bool from_ds = buf[1] & FMP_FC1_FROM_DS;
	u32 sa = FMP_ADDR2_OFF;

	if (from_ds)
		sa = to_ds ? FMP_ADDR4_OFF : FMP_ADDR3_OFF;
	memcpy(wifi->ta, buf + FMP_ADDR2_OFF, ETH_ALEN);
	wifi->flags |= FMP_80211_TA;
	if (wifi->flags & FMP_80211_AMSDU)
		return;
	memcpy(hdr->dst, buf + (to_ds ? FMP_ADDR3_OFF : FMP_ADDR1_OFF), ETH_ALEN);
	memcpy(hdr->src, buf + sa, ETH_ALEN);
	wifi->flags |= FMP_80211_SA;
}

/**
 * fmp_80211_read_number() - read the sequence number of a QoS data frame to one receiver
 * @wifi: filled; its flags tell whether there is one
 * @buf: the MAC header, complete
 *
 * Context: any.
 */
static void fmp_80211_read_number(struct fmp_80211 *wifi, const u8 *buf)
{
	if ((buf[0] & (FMP_FC0_DATA_QOS | FMP_FC0_DATA_NO_BODY)) != FMP_FC0_DATA_QOS ||
	    fmp_80211_is_group(buf))
		return;
	wifi->flags |= FMP_80211_NUMBERED;
	wifi->number = get_unaligned_le16(buf + FMP_SEQ_OFF) >> FMP_SEQ_SHIFT;
}

/**
 * fmp_80211_read_data() - read the header of a data frame
 * @hdr: filled: destination and source
 * @wifi: filled: transmitter
 * @buf: the frame's first bytes
 * @avail: number of bytes in @buf
 * @frame_len: length of the frame
 *
 * Context: any.
 * Return: 0, or the number of bytes that the next try needs.
 */
static u32 fmp_80211_read_data(struct fmp_hdr *hdr, struct fmp_80211 *wifi, const u8 *buf,
			       u32 avail, u32 frame_len)
{
	u32 len = fmp_80211_data_len(buf);
	u32 qos = FMP_3_ADDR_LEN;

	if (frame_len < len)
		return 0;
	if (avail < len)
		return len;

	wifi->flags = FMP_80211_DATA;
	if (buf[1] & FMP_FC1_PROTECTED)
		wifi->flags |= FMP_80211_PROTECTED;
	if ((buf[1] & FMP_FC1_BOTH_DS) == FMP_FC1_BOTH_DS)
		qos += ETH_ALEN;
	if (buf[0] & FMP_FC0_DATA_NO_BODY)
		wifi->flags |= FMP_80211_NO_BODY;
	else if (buf[0] & FMP_FC0_DATA_QOS && buf[qos] & FMP_QOS_AMSDU)
		wifi->flags |= FMP_80211_AMSDU;
	if (buf[1] & FMP_FC1_MORE_FRAG || buf[FMP_SEQ_OFF] & FMP_SEQ_FRAG)
		wifi->flags |= FMP_80211_FRAGMENT;
	fmp_80211_read_number(wifi, buf);
	fmp_80211_read_data_addrs(hdr, wifi, buf);
	hdr->mac_len = len;
	hdr->llc = !(wifi->flags & (FMP_80211_PROTECTED | FMP_80211_NO_BODY | FMP_80211_AMSDU)) &&
		   !(buf[FMP_SEQ_OFF] & FMP_SEQ_FRAG);
	return 0;
}

/**
 * fmp_dissect_80211() - read the MAC header of an 802.11 frame
 * @hdr: filled; fields that are not known yet are 0. fmp_dissect_l3() continues
 *	after LLC and SNAP
 * @wifi: filled; its flags tell which addresses are known
 * @buf: the frame's first bytes, from the frame control field on
 * @avail: number of bytes in @buf
 * @frame_len: length of the frame without its check sequence
 *
 * Each call starts anew, so the caller may repeat it with more bytes. A frame
 * that ends within its header, or whose type is not known, has no addresses.
 *
 * Context: any.
 * Return: 0, or the number of bytes, at most @frame_len, that the next try needs.
 */
u32 fmp_dissect_80211(struct fmp_hdr *hdr, struct fmp_80211 *wifi, const u8 *buf, u32 avail,
		      u32 frame_len)
{
	fmp_80211_clear(hdr, wifi);
	if (frame_len < FMP_FC_LEN)
		return 0;
	if (avail < FMP_FC_LEN)
		return FMP_FC_LEN;
	if (buf[0] & FMP_FC0_VERSION)
		return 0;

	switch (buf[0] & FMP_FC0_TYPE) {
	case FMP_FC0_TYPE_MGMT:
		return fmp_80211_read_mgmt(hdr, wifi, buf, avail, frame_len);
	case FMP_FC0_TYPE_CTL:
		return fmp_80211_read_control(hdr, wifi, buf, avail, frame_len);
	case FMP_FC0_TYPE_DATA:
		return fmp_80211_read_data(hdr, wifi, buf, avail, frame_len);
	}
	return 0;
}
