// SPDX-License-Identifier: GPL-2.0
/*
 * fmp: a packet filter that a driver calls before the MAC layer
 *
 * Module parameters, module init and exit, and init and exit of each network
 * namespace.
 */
#include "core/netns.h"
#include "path/drop.h"
#include "path/record.h"
#include "hook/devices.h"
#include "hook/mac80211.h"
#include "netlink/event.h"
#include "netlink/netlink.h"

#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/genetlink.h>

#define CREATE_TRACE_POINTS
#include "path/trace.h"

/* A rule takes about 100 bytes: 4 million rules take 400 MiB. */
#define FMP_MAX_RULES_LIMIT (4U << 20)

module_param_named(max_rules, fmp_max_rules, uint, 0444);
MODULE_PARM_DESC(max_rules, "most rules in each table of a network namespace (default 65536)");
module_param_named(max_rules_total, fmp_max_rules_total, uint, 0444);
MODULE_PARM_DESC(max_rules_total, "most rules of a network namespace (default twice max_rules)");

module_param_named(mac80211, fmp_mac80211, bool, 0444);
MODULE_PARM_DESC(mac80211,
		 "hook wireless devices before mac80211, or refuse to load (default off)");

unsigned int fmp_net_id __ro_after_init;

static struct notifier_block fmp_notifier = {
	.notifier_call = fmp_devices_notify,
};

/**
 * fmp_net_init() - initialize the state of a network namespace
 * @net: the namespace
 *
 * Context: process.
 * Return: 0.
 */
static int __net_init fmp_net_init(struct net *net)
{
	struct fmp_net *fn = fmp_net(net);

	fn->net = net;
	fmp_events_init(&fn->events);
	INIT_LIST_HEAD(&fn->pending);
	/* In a dump 0 would mean "no generation". */
	fn->dev_generation = 1;
	fmp_tables_init(&fn->tables, &fmp_event_tables_ops);
	return 0;
}

/**
 * fmp_net_exit() - free the state of a network namespace
 * @net: the namespace
 *
 * Context: process; an RCU grace period after fmp_live_pre_exit().
 */
static void __net_exit fmp_net_exit(struct net *net)
{
	fmp_tables_exit(&fmp_net(net)->tables);
}

/* State: initialized before the family and the notifier, freed after them. */
static struct pernet_operations fmp_net_ops = {
	.init = fmp_net_init,
	.exit = fmp_net_exit,
	.id = &fmp_net_id,
	.size = sizeof(struct fmp_net),
};

/**
 * fmp_live_init() - start the activity of a network namespace
 * @net: the namespace
 *
 * Context: process.
 * Return: 0.
 */
static int __net_init fmp_live_init(struct net *net)
{
	struct fmp_net *fn = fmp_net(net);

	fmp_events_start(&fn->events);
	fmp_devices_start(fn);
	fmp_tables_start(&fn->tables);
	return 0;
}

/**
 * fmp_live_pre_exit() - detach all devices of a network namespace
 * @net: the namespace
 *
 * Context: process; an RCU grace period follows.
 */
static void __net_exit fmp_live_pre_exit(struct net *net)
{
	fmp_devices_stop(fmp_net(net));
}

/**
 * fmp_live_exit() - stop the work items of a network namespace
 * @net: the namespace
 *
 * Context: process.
 */
static void __net_exit fmp_live_exit(struct net *net)
{
	struct fmp_net *fn = fmp_net(net);

	fmp_tables_stop(&fn->tables);
	fmp_events_stop(&fn->events);
}

/* Activity, which sends events: started after the family, stopped before it. */
static struct pernet_operations fmp_live_ops = {
	.init = fmp_live_init,
	.pre_exit = fmp_live_pre_exit,
	.exit = fmp_live_exit,
};

/**
 * fmp_init() - load the module
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
static int __init fmp_init(void)
{
	int err;

	if (!fmp_max_rules || fmp_max_rules > FMP_MAX_RULES_LIMIT) {
		pr_err("fmp: max_rules=%u refused, 1 to %u expected\n", fmp_max_rules,
		       FMP_MAX_RULES_LIMIT);
		return -EINVAL;
	}
	if (!fmp_max_rules_total)
		fmp_max_rules_total = 2 * fmp_max_rules;
	if (fmp_max_rules_total > 2 * FMP_MAX_RULES_LIMIT) {
		pr_err("fmp: max_rules_total=%u refused, at most %u expected\n",
		       fmp_max_rules_total, 2 * FMP_MAX_RULES_LIMIT);
		return -EINVAL;
	}

	fmp_record_init();
	fmp_drop_init();
	fmp_devices_init(&fmp_event_devices_ops);
	err = fmp_rule_init();
	if (err)
		goto err_drop;
	err = register_pernet_subsys(&fmp_net_ops);
	if (err)
		goto err_rule;
	err = fmp_netlink_init();
	if (err)
		goto err_net;
	err = fmp_mac80211_init();
	if (err)
		goto err_netlink;
	err = register_netdevice_notifier(&fmp_notifier);
	if (err)
		goto err_mac80211;
	err = register_pernet_subsys(&fmp_live_ops);
	if (err)
		goto err_notifier;
	return 0;

err_notifier:
	unregister_netdevice_notifier(&fmp_notifier);
err_mac80211:
	fmp_mac80211_exit();
err_netlink:
	fmp_netlink_exit();
err_net:
	unregister_pernet_subsys(&fmp_net_ops);
	rcu_barrier();
err_rule:
	fmp_rule_exit();
err_drop:
	fmp_drop_exit();
	return err;
}

/**
 * fmp_exit() - unload the module, in the reverse order of fmp_init()
 *
 * Context: process.
 */
static void __exit fmp_exit(void)
{
	unregister_pernet_subsys(&fmp_live_ops);
	unregister_netdevice_notifier(&fmp_notifier);
	fmp_mac80211_exit();
	fmp_netlink_exit();
	unregister_pernet_subsys(&fmp_net_ops);
	/* Ports and rules are freed by functions of this module. */
	rcu_barrier();
	fmp_rule_exit();
	fmp_drop_exit();
}

module_init(fmp_init);
module_exit(fmp_exit);

MODULE_DESCRIPTION("fmp: pre-MAC packet filter");
MODULE_AUTHOR("The fmp project");
MODULE_LICENSE("GPL");
MODULE_ALIAS_GENL_FAMILY(FMP_GENL_NAME);
