/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM fmp

#if !defined(_FMP_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _FMP_TRACE_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>
#include <net/fmp_rx.h>

/* clang-format can't format these macros. */
/* clang-format off */

/* Each evaluation of a frame and its decision (enum fmp_decision). */
TRACE_EVENT(fmp_verdict,
	TP_PROTO(const struct net_device *dev, const struct fmp_rx *rx, u32 avail, u8 decision),
	TP_ARGS(dev, rx, avail, decision),
	TP_STRUCT__entry(
		__field(int, ifindex)
		__array(u8, src, ETH_ALEN)
		__field(u8, l3)
		__field(u8, decision)
		__field(u32, avail)
		__field(u32, frame_len)
	),
	TP_fast_assign(
		__entry->ifindex = dev->ifindex;
		memcpy(__entry->src, rx->hdr.src, ETH_ALEN);
		__entry->l3 = rx->hdr.l3;
		__entry->decision = decision;
		__entry->avail = avail;
		__entry->frame_len = rx->frame_len;
	),
	TP_printk("ifindex=%d src=%pM l3=%s decision=%s avail=%u frame_len=%u",
		  __entry->ifindex, __entry->src,
		  __print_symbolic(__entry->l3, { FMP_L3_NONE, "none" }, { FMP_L3_ARP, "arp" },
				   { FMP_L3_IPV4, "ipv4" }, { FMP_L3_IPV6, "ipv6" }),
		  __print_symbolic(__entry->decision, { 0, "pass" }, { 1, "more" },
				   { 2, "block-mac" }, { 3, "block-ip" },
				   { 4, "observe" }),
		  __entry->avail, __entry->frame_len)
);

/* Each frame that was stopped, or dropped because it was complete. */
TRACE_EVENT(fmp_stop,
	TP_PROTO(const struct net_device *dev, const struct fmp_rx *rx, u32 taken),
	TP_ARGS(dev, rx, taken),
	TP_STRUCT__entry(
		__field(int, ifindex)
		__array(u8, src, ETH_ALEN)
		__array(u8, dst, ETH_ALEN)
		__field(u8, reason)
		__field(u32, taken)
		__field(u32, frame_len)
	),
	TP_fast_assign(
		__entry->ifindex = dev->ifindex;
		memcpy(__entry->src, rx->hdr.src, ETH_ALEN);
		memcpy(__entry->dst, rx->hdr.dst, ETH_ALEN);
		__entry->reason = rx->reason;
		__entry->taken = taken;
		__entry->frame_len = rx->frame_len;
	),
	TP_printk("ifindex=%d src=%pM dst=%pM reason=%s taken=%u frame_len=%u",
		  __entry->ifindex, __entry->src, __entry->dst,
		  __print_symbolic(__entry->reason, { FMP_RX_REASON_MAC, "mac" },
				   { FMP_RX_REASON_IP, "ip" },
				   { FMP_RX_REASON_FOREIGN, "foreign" }),
		  __entry->taken, __entry->frame_len)
);

/* clang-format on */

#endif /* _FMP_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
