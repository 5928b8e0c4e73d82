/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_KSHIM_ETHERDEVICE_H
#define _FMP_KSHIM_ETHERDEVICE_H

#include <linux/if_ether.h>
#include <linux/types.h>

static inline bool is_multicast_ether_addr(const u8 *addr)
{
	return addr[0] & 1;
}

static inline bool ether_addr_equal_unaligned(const u8 *a, const u8 *b)
{
	return !memcmp(a, b, ETH_ALEN);
}

static inline void ether_addr_copy(u8 *dst, const u8 *src)
{
	memcpy(dst, src, ETH_ALEN);
}

static inline bool eth_proto_is_802_3(__be16 proto)
{
	return ntohs(proto) >= ETH_P_802_3_MIN;
}

#endif /* _FMP_KSHIM_ETHERDEVICE_H */
