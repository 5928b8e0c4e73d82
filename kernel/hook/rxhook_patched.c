// SPDX-License-Identifier: GPL-2.0
/*
 * The hook in a mac80211 that was patched to ask a filter
 * (kernel/drivers/mac80211.cocci): works on each architecture and with each version
 *
 * The function that sets the filter is looked up by its name each time, and let go of
 * at once, so that mac80211 can be unloaded whenever it has no device. The pointer to
 * the filter is in mac80211, and is gone with it.
 */
#include "mac80211.h"
#include "rxhook.h"

#include <linux/module.h>
#include <net/fmp_mac80211.h>

/**
 * fmp_rxhook_set_filter() - set or remove the filter in mac80211
 * @filter: the filter, or NULL
 *
 * Context: process; NULL waits for an RCU grace period.
 * Return: 0, -ENOENT if mac80211 is not loaded or not patched, -EBUSY if another
 * module filters.
 */
static int fmp_rxhook_set_filter(ieee80211_rx_filter_t *filter)
{
	typeof(ieee80211_set_rx_filter) *set = symbol_get(ieee80211_set_rx_filter);
	int err;

	if (!set)
		return -ENOENT;
	err = set(filter);
	symbol_put(ieee80211_set_rx_filter);
	return err;
}

static int fmp_rxhook_patched_probe(struct netlink_ext_ack *extack)
{
	if (!symbol_get(ieee80211_set_rx_filter)) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 is not patched to ask");
		return -EOPNOTSUPP;
	}
	symbol_put(ieee80211_set_rx_filter);
	return 0;
}

static int fmp_rxhook_patched_arm(struct netlink_ext_ack *extack)
{
	int err = fmp_rxhook_set_filter(fmp_mac80211_blocks);

	if (err == -ENOENT)
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 is not patched to ask");
	else if (err)
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 asks another module");
	return err;
}

static void fmp_rxhook_patched_disarm(void)
{
	fmp_rxhook_set_filter(NULL);
}

const struct fmp_rxhook_way fmp_rxhook_patched = {
	.hook = FMP_HOOK_MAC80211_PATCHED,
	.probe = fmp_rxhook_patched_probe,
	.arm = fmp_rxhook_patched_arm,
	.disarm = fmp_rxhook_patched_disarm,
};
