/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_KSHIM_IF_VLAN_H
#define _FMP_KSHIM_IF_VLAN_H

#include <linux/etherdevice.h>

#include_next <linux/if_vlan.h>

#define VLAN_HLEN 4

static inline bool eth_type_vlan(__be16 proto)
{
	return proto == htons(ETH_P_8021Q) || proto == htons(ETH_P_8021AD);
}

#endif /* _FMP_KSHIM_IF_VLAN_H */
