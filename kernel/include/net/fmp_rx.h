/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fmp receive interface: a driver calls it to stop frames while they are still
 * being received
 *
 * A driver that can read a frame's header before the rest (from a baseband in an FPGA,
 * the memory of a controller at an SPI, SDIO or PIO FIFO, a controller with a header
 * interrupt) registers its device once and then, for each frame, calls
 * fmp_rx_header():
 *
 *	static const struct fmp_rx_ops ops = { .stop = my_abort };
 *
 *	ndo_init:	priv->port = fmp_rx_register(dev, &ops);
 *	ndo_uninit:	fmp_rx_unregister(priv->port);
 *
 *	on the first bytes of a frame (softirq, or bottom halves off):
 *
 *		fmp_rx_begin(&rx, buf, frame_len);
 *		avail = fmp_rx_first_want(), or all bytes received in one piece with it;
 *		for (;;) {
 *			take bytes until buf holds avail of them;
 *			switch (fmp_rx_header(priv->port, &rx, avail)) {
 *			case FMP_RX_MORE:
 *				avail = rx.want;
 *				continue;
 *			case FMP_RX_STOP:
 *				abort the reception: no further byte, no skb;
 *				return;
 *			case FMP_RX_PASS:
 *				take the rest into an skb;
 *				fmp_rx_deliver(priv->port, &rx, skb);
 *				napi_gro_receive(napi, skb);
 *				return;
 *			}
 *		}
 *
 * Each FMP_RX_MORE wants more bytes than were received and never more than the
 * frame has, so the loop ends. The first call needs the MAC header. A receiver that
 * delivers more in one piece (the first burst of a FIFO) passes all of it, and
 * usually calls once. The decision is made at the earliest byte: the end of the MAC
 * header for the destination and a source MAC address, the end of the fixed part of
 * the network header for a source IP address.
 *
 * Between two calls for one frame the driver may leave its context (wait for the
 * next interrupt); it keeps the struct fmp_rx and must not continue with a frame
 * after its ndo_stop. A driver that gets a frame only when it is complete calls once
 * with avail equal to frame_len: a stop then saves the skb and the layers above, and
 * is counted as late.
 *
 * The call makes two checks. Early address recognition stops frames to another
 * station's unicast address as soon as the MAC header was received; it applies to
 * each registered device that is not promiscuous. The rules apply only when an
 * administrator has attached the device; until then the check costs a test of one
 * pointer. FMP_DEV_F_OBSERVE applies to the rules, not to address recognition.
 *
 * All calls for frames run in softirq context or with bottom halves off, never in a hard
 * interrupt: counters are shared with softirqs. A driver that receives in its interrupt
 * handler moves reception to NAPI, where it may hold a lock that the handler takes. Lockdep
 * reports a wrong context.
 *
 * 802.11 headers
 *
 * A driver whose frames have 802.11 headers, such as one of a SoftMAC radio, whose MAC layer
 * is mac80211, sets FMP_RX_F_80211 and calls fmp_rx_header_80211() in the same loop, with
 * avail = 24 at first, or better FMP_RX_80211_HEADER_MAX or all it has. frame_len does not
 * count the check sequence. After FMP_RX_PASS it gives the frame to mac80211 as ever, not to
 * fmp_rx_deliver(); frames that its hardware converted to Ethernet go through fmp_rx_header().
 *
 *	add_interface:		wdev = ieee80211_vif_to_wdev(vif);
 *				port = wdev ? fmp_rx_register(wdev->netdev, &ops) : NULL;
 *	remove_interface:	fmp_rx_unregister(port);
 *
 * It asks for each frame of the device with the port whose device has the frame's receiver
 * address, for a group with any; or for none. If fmp_rx_register() fails, it goes on
 * without. There is no early address recognition: the radio does it, and monitors want
 * all frames. Management, control and null frames always pass. Other interfaces go on
 * receiving while one is removed: the driver clears its pointer to the port before it
 * unregisters it. A frame that is being asked about then may finish with it.
 *
 * What a stop spares depends on the hardware. A frame was on the air as a whole: only the
 * baseband itself could end it, and no driver of an 802.11 radio gets a header before
 * the check sequence was right and the acknowledgment was sent. A radio that fills a ring
 * by DMA has moved all bytes, too. Then a stop spares the skb, or its refill, and mac80211
 * with its decryption in software. Behind SPI, SDIO or a FIFO it also spares the bytes
 * that are not read. Encryption, A-MSDUs and fragments hide addresses, and a gap in a
 * numbered sequence would delay others: of such frames only a block of the MAC
 * address is applied here, the rest at netdev ingress, where nothing is spared but the layers
 * above. FMP_RX_F_REORDERS says that a gap delays none.
 */
#ifndef _NET_FMP_RX_H
#define _NET_FMP_RX_H

#include <linux/etherdevice.h>
#include <linux/fmp.h>
#include <linux/in6.h>
#include <linux/types.h>

/* fmp_rx_header() never wants more bytes of an Ethernet frame: its headers with two VLAN tags. */
#define FMP_RX_HEADER_MAX 64

/* The same of 802.11: 4 addresses, QoS, HT control, LLC and SNAP, two VLAN tags, IPv6. */
#define FMP_RX_80211_HEADER_MAX 92

/* struct fmp_rx_ops.flags: frames have 802.11 headers; see fmp_rx_header_80211(). */
#define FMP_RX_F_80211	  0x01
/* The device itself puts the frames of a block acknowledgment in order. */
#define FMP_RX_F_REORDERS 0x02

struct fmp_rx;
struct fmp_rx_port;
struct net_device;
struct sk_buff;

/**
 * enum fmp_rx_action - what the driver does next with a frame
 * @FMP_RX_PASS: receive it; no further call for this frame
 * @FMP_RX_MORE: call again when fmp_rx.want bytes were received
 * @FMP_RX_STOP: end its reception, allocate no skb
 */
enum fmp_rx_action {
	FMP_RX_PASS,
	FMP_RX_MORE,
	FMP_RX_STOP,
};

/**
 * enum fmp_rx_reason - why a frame is stopped
 * @FMP_RX_REASON_NONE: it is not
 * @FMP_RX_REASON_MAC: a rule blocks its source MAC address
 * @FMP_RX_REASON_IP: a rule blocks its source IP address
 * @FMP_RX_REASON_FOREIGN: its destination is another station
 */
enum fmp_rx_reason {
	FMP_RX_REASON_NONE,
	FMP_RX_REASON_MAC,
	FMP_RX_REASON_IP,
	FMP_RX_REASON_FOREIGN,
};

/**
 * struct fmp_hdr - the parsed headers of a frame
 * @dst: destination MAC address
 * @src: source MAC address
 * @mac_proto: EtherType of the MAC header itself, before any VLAN tag; 0 for
 *	802.11, whose header has none
 * @sport: source port, network order, 0 if unknown
 * @mac_len: bytes of the MAC header, without LLC and VLAN tags
 * @llc: LLC follows the MAC header (802.11)
 * @pkt_type: PACKET_*, to whom the frame is addressed
 * @l4_proto: IPPROTO_* of the transport header; valid when @l4_off is not 0
 * @dport: destination port, network order, 0 if unknown
 * @saddr4: source address; valid for %FMP_L3_ARP and %FMP_L3_IPV4
 * @saddr6: source address; valid for %FMP_L3_IPV6
 * @l3_off: offset of the network header from the frame's start, 0 if unknown
 * @l4_off: offset of the transport header; 0 if unknown, more than 255, or in a
 *	later fragment
 * @l3: enum fmp_l3
 * @verdict: enum fmp_record_verdict, once the frame was evaluated
 *
 * The four bytes from @l3_off on are those of struct fmp_record.
 */
struct fmp_hdr {
	u8 dst[ETH_ALEN];
	u8 src[ETH_ALEN];
	__be16 mac_proto;
	__be16 sport;
	u8 mac_len;
	bool llc;
	u8 pkt_type;
	u8 l4_proto;
	__be16 dport;
	union {
		__be32 saddr4;
		struct in6_addr saddr6;
	};
	u8 l3_off;
	u8 l4_off;
	u8 l3;
	u8 verdict;
};

/**
 * struct fmp_rx - one frame during its reception
 * @buf: the frame from its first byte on, in the driver's memory; the driver may
 *	set another address between two calls
 * @frame_len: length of the whole frame as announced by the medium
 * @generation: generation of the rules that evaluated it; private
 * @reason: after %FMP_RX_STOP, enum fmp_rx_reason
 * @late: after %FMP_RX_STOP, the frame was complete already
 * @stage: how far the frame was evaluated; private
 * @mac_verdict: verdict of the MAC table; private
 * @want: after %FMP_RX_MORE, bytes that @buf must hold for the next call
 * @hdr: its parsed headers
 */
struct fmp_rx {
	const u8 *buf;
	u32 frame_len;
	u32 generation;
	u8 reason;
	bool late;
	u8 stage;
	u8 mac_verdict;
	u32 want;
	struct fmp_hdr hdr;
};

/**
 * struct fmp_rx_ops - callbacks of a driver
 * @stop: end the reception of the frame now, after @taken of its bytes, for
 *	@rx->reason. Called from within fmp_rx_header() before that returns
 *	%FMP_RX_STOP, in its context; must not sleep. Not called when the frame
 *	is complete. Optional: a driver may act on the return value alone.
 * @flags: FMP_RX_F_*
 */
struct fmp_rx_ops {
	void (*stop)(struct net_device *dev, const struct fmp_rx *rx, u32 taken);
	u32 flags;
};

/**
 * fmp_rx_begin() - initialize the state of a frame
 * @rx: the frame
 * @buf: buffer for its first bytes
 * @frame_len: its whole length in bytes
 *
 * Context: any.
 */
static inline void fmp_rx_begin(struct fmp_rx *rx, const u8 *buf, u32 frame_len)
{
	rx->buf = buf;
	rx->frame_len = frame_len;
	rx->generation = 0;
	rx->reason = FMP_RX_REASON_NONE;
	rx->late = false;
	rx->stage = 0;
	rx->mac_verdict = 0;
}

#if IS_ENABLED(CONFIG_FMP)
struct fmp_rx_port *fmp_rx_register(struct net_device *dev, const struct fmp_rx_ops *ops);
void fmp_rx_unregister(struct fmp_rx_port *port);
u32 fmp_rx_first_want(const struct fmp_rx_port *port);
enum fmp_rx_action fmp_rx_header(struct fmp_rx_port *port, struct fmp_rx *rx, u32 avail);
enum fmp_rx_action fmp_rx_header_80211(struct fmp_rx_port *port, struct fmp_rx *rx, u32 avail);
void fmp_rx_deliver(struct fmp_rx_port *port, struct fmp_rx *rx, struct sk_buff *skb);
#else
/*
 * Without the filter a driver works as it did: every frame passes. Its port is the
 * device, which fmp_rx_deliver() needs. A driver that may be built in while the filter
 * is a module says so in its Kconfig: depends on FMP || !FMP.
 */
static inline struct fmp_rx_port *fmp_rx_register(struct net_device *dev,
						  const struct fmp_rx_ops *ops)
{
	return (struct fmp_rx_port *)dev;
}

static inline void fmp_rx_unregister(struct fmp_rx_port *port)
{
}

static inline u32 fmp_rx_first_want(const struct fmp_rx_port *port)
{
	return ETH_HLEN;
}

static inline enum fmp_rx_action fmp_rx_header(struct fmp_rx_port *port, struct fmp_rx *rx,
					       u32 avail)
{
	return FMP_RX_PASS;
}

static inline enum fmp_rx_action fmp_rx_header_80211(struct fmp_rx_port *port, struct fmp_rx *rx,
						     u32 avail)
{
	return FMP_RX_PASS;
}

static inline void fmp_rx_deliver(struct fmp_rx_port *port, struct fmp_rx *rx, struct sk_buff *skb)
{
	skb->protocol = eth_type_trans(skb, (struct net_device *)port);
}
#endif

#endif /* _NET_FMP_RX_H */
