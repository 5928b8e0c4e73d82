// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching the filter to a device: before the MAC layer if the driver calls it,
 * otherwise at netdev ingress
 */
#include "attach.h"
#include "../path/dissect.h"
#include "../path/drop.h"
#include "mac80211.h"
#include "../path/record.h"
#include "../path/trace.h"

#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>

bool fmp_mac80211;

/**
 * fmp_ingress_filter() - evaluate an skb
 * @ts: the rules
 * @port: port of the receiving device
 * @skb: the skb, its MAC header in front of its data
 * @rx: filled
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, never %FMP_DECISION_MORE.
 */
static enum fmp_decision fmp_ingress_filter(struct fmp_tables *ts, struct fmp_rx_port *port,
					    struct sk_buff *skb, struct fmp_rx *rx)
{
	enum fmp_decision decision;

	fmp_rx_begin(rx, skb_mac_header(skb), skb->len + ETH_HLEN);
	fmp_dissect_mac(&rx->hdr, rx->buf, ETH_HLEN);
	for (;;) {
		u32 avail = skb_headlen(skb) + ETH_HLEN;

		decision = fmp_filter_frame(ts, rx, avail);
		trace_fmp_verdict(port->dev, rx, avail, decision);
		if (decision != FMP_DECISION_MORE)
			return decision;
		/* Out of memory. A protected frame must not be dropped, so all pass. */
		if (!pskb_may_pull(skb, rx->want - ETH_HLEN))
			return FMP_DECISION_PASS;
		rx->buf = skb_mac_header(skb);
	}
}

/**
 * fmp_ingress_passed_before() - check whether these rules passed a frame before the
 * MAC layer
 * @ts: the rules
 * @port: port of the receiving device
 * @skb: the frame; its transport header offset is set from the header record
 *
 * Context: RCU read section, bottom halves off.
 * Return: true if its header record is valid and has the verdict pass.
 */
static bool fmp_ingress_passed_before(struct fmp_tables *ts, struct fmp_rx_port *port,
				      struct sk_buff *skb)
{
	struct fmp_record rec;

	switch (fmp_record_get(skb, fmp_tables_generation(ts), &rec)) {
	case FMP_RECORD_NONE:
		return false;
	case FMP_RECORD_STALE:
		fmp_stats_record(port->stats, FMP_STAT_RECORD_STALE);
		return false;
	case FMP_RECORD_CURRENT:
		break;
	}
	/* A frame that was only observed there may be blocked here. */
	if (rec.verdict != FMP_RECORD_PASS)
		return false;
	if (rec.l3_off == ETH_HLEN && rec.l4_off)
		skb_set_transport_header(skb, rec.l4_off - ETH_HLEN);
	fmp_stats_record(port->stats, FMP_STAT_RECORD_USED);
	return true;
}

/**
 * fmp_ingress_hook() - nf_hook_ops.hook at netdev ingress
 * @priv: struct fmp_rx_port
 * @skb: the frame
 * @state: not used
 *
 * Context: softirq, RCU read section.
 * Return: %NF_ACCEPT, or %NF_STOLEN for a frame that was dropped.
 */
static unsigned int fmp_ingress_hook(void *priv, struct sk_buff *skb,
				     const struct nf_hook_state *state)
{
	struct fmp_rx_port *port = priv;
	struct fmp_tables *ts = rcu_dereference(port->tables);
	enum fmp_decision decision;
	struct fmp_rx rx;

	if (!ts || !skb_mac_header_was_set(skb) || skb->data - skb_mac_header(skb) != ETH_HLEN)
		return NF_ACCEPT;
	if (READ_ONCE(port->cover) == FMP_COVER_ALL &&
	    !fmp_port_shares_80211_late(port->dev, eth_hdr(skb)->h_dest))
		return NF_ACCEPT;

	if (fmp_ingress_passed_before(ts, port, skb)) {
		fmp_stats_pass(port->stats, skb->len + ETH_HLEN, false);
		return NF_ACCEPT;
	}
	decision = fmp_ingress_filter(ts, port, skb, &rx);
	if (!fmp_port_finish_frame(port, &rx, decision))
		return NF_ACCEPT;
	/* Not NF_DROP: drop monitors would see the caller as the place. */
	fmp_drop_frame(skb, &rx);
	return NF_STOLEN;
}

/**
 * fmp_attach_hook() - hook a port at the netdev ingress of its device
 * @ts: the rules
 * @port: the port
 * @hook: enum fmp_hook of the port
 * @extack: filled with the reason on error
 *
 * Context: process, RTNL held.
 * Return: 0, to be undone by nf_unregister_net_hook(), or a negative error.
 */
static int fmp_attach_hook(struct fmp_tables *ts, struct fmp_rx_port *port, enum fmp_hook hook,
			   struct netlink_ext_ack *extack)
{
	int err;

	port->nf.hook = fmp_ingress_hook;
	port->nf.priv = port;
	port->nf.dev = port->dev;
	port->nf.pf = NFPROTO_NETDEV;
	port->nf.hooknum = NF_NETDEV_INGRESS;
	port->nf.priority = INT_MIN;
	port->hook = hook;
	WRITE_ONCE(port->cover, FMP_COVER_NONE);
	rcu_assign_pointer(port->tables, ts);

	err = nf_register_net_hook(dev_net(port->dev), &port->nf);
	if (err) {
		NL_SET_ERR_MSG(extack, "the kernel refuses a hook at this device's ingress");
		RCU_INIT_POINTER(port->tables, NULL);
		port->hook = FMP_HOOK_NONE;
	}
	return err;
}

/**
 * fmp_attach_ingress() - attach a device at its netdev ingress
 * @ts: the rules
 * @dev: the device
 * @flags: FMP_DEV_F_*
 * @extack: filled with the reason on error
 *
 * Context: process, RTNL held.
 * Return: the port, or an ERR_PTR.
 */
static struct fmp_rx_port *fmp_attach_ingress(struct fmp_tables *ts, struct net_device *dev,
					      u32 flags, struct netlink_ext_ack *extack)
{
	struct fmp_rx_port *port = fmp_port_alloc(dev, NULL);
	int err;

	if (!port) {
		NL_SET_ERR_MSG(extack, "out of memory");
		return ERR_PTR(-ENOMEM);
	}
	port->flags = flags;
	err = fmp_attach_hook(ts, port, FMP_HOOK_INGRESS, extack);
	if (err) {
		fmp_port_free(port);
		return ERR_PTR(err);
	}
	return port;
}

/**
 * fmp_attach() - attach a device: evaluate its frames by the rules
 * @ts: the rules of the device's network namespace
 * @dev: the device
 * @flags: FMP_DEV_F_*
 * @extack: filled with the reason on error
 *
 * Context: process, RTNL held.
 * Return: the port, or an ERR_PTR: -EEXIST, -EOPNOTSUPP, -ENOMEM.
 */
struct fmp_rx_port *fmp_attach(struct fmp_tables *ts, struct net_device *dev, u32 flags,
			       struct netlink_ext_ack *extack)
{
	struct fmp_rx_port *port;

	ASSERT_RTNL();
	port = fmp_port_find(dev);
	if (port && port->hook != FMP_HOOK_NONE) {
		NL_SET_ERR_MSG(extack, "the device is attached already");
		return ERR_PTR(-EEXIST);
	}
	if (dev->type != ARPHRD_ETHER) {
		NL_SET_ERR_MSG(extack, "not an Ethernet device, its frames have no source address");
		return ERR_PTR(-EOPNOTSUPP);
	}
	if (!port) {
		port = fmp_attach_ingress(ts, dev, flags, extack);
		if (!IS_ERR(port))
			fmp_mac80211_attach(port, extack);
		return port;
	}

	WRITE_ONCE(port->flags, flags);
	if (fmp_port_is_80211(port)) {
		int err = fmp_attach_hook(ts, port, FMP_HOOK_DRIVER, extack);

		return err ? ERR_PTR(err) : port;
	}
	port->hook = FMP_HOOK_DRIVER;
	rcu_assign_pointer(port->tables, ts);
	return port;
}

/**
 * fmp_detach() - detach a device
 * @port: an attached port; freed unless its driver registered it
 *
 * A frame in progress may use the rules until an RCU grace period has passed.
 *
 * Context: process, RTNL held.
 */
void fmp_detach(struct fmp_rx_port *port)
{
	bool driver = port->hook == FMP_HOOK_DRIVER;
	bool ingress = !driver || fmp_port_is_80211(port);

	ASSERT_RTNL();
	if (port->wiphy)
		fmp_mac80211_detach(port);
	RCU_INIT_POINTER(port->tables, NULL);
	port->hook = FMP_HOOK_NONE;
	if (ingress)
		nf_unregister_net_hook(dev_net(port->dev), &port->nf);
	if (!driver)
		fmp_port_free(port);
}
