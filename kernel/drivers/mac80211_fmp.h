/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A filter in front of mac80211, which another module sets; see include/net/fmp_mac80211.h
 */
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

static DEFINE_STATIC_KEY_FALSE(ieee80211_rx_filter_used);
static DEFINE_MUTEX(ieee80211_rx_filter_lock);
static ieee80211_rx_filter_t __rcu *ieee80211_rx_filter;

int ieee80211_set_rx_filter(ieee80211_rx_filter_t *filter)
{
	bool used;
	int err = 0;

	mutex_lock(&ieee80211_rx_filter_lock);
	used = rcu_access_pointer(ieee80211_rx_filter);
	if (filter && used) {
		err = -EBUSY;
	} else if (filter) {
		rcu_assign_pointer(ieee80211_rx_filter, filter);
		static_branch_enable(&ieee80211_rx_filter_used);
	} else if (used) {
		static_branch_disable(&ieee80211_rx_filter_used);
		RCU_INIT_POINTER(ieee80211_rx_filter, NULL);
		synchronize_rcu();
	}
	mutex_unlock(&ieee80211_rx_filter_lock);
	return err;
}
EXPORT_SYMBOL_GPL(ieee80211_set_rx_filter);

static bool ieee80211_rx_is_filtered(struct ieee80211_hw *hw, const struct ieee80211_sta *sta,
				     struct sk_buff *skb)
{
	ieee80211_rx_filter_t *filter;

	if (!static_branch_unlikely(&ieee80211_rx_filter_used))
		return false;
	filter = rcu_dereference(ieee80211_rx_filter);
	return filter && filter(hw, sta, skb);
}
