/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wl1251 and the pre-MAC filter: what wl1251.cocci includes into main.c
 *
 * The radio has one interface at a time, whose port is that of all frames. Frames are received
 * under wl1251.mutex: who takes it meets no frame that is being asked about.
 */

/* The chip knows no block acknowledgment: a gap delays no frame. */
static const struct fmp_rx_ops wl1251_fmp_ops = {
	.flags = FMP_RX_F_80211 | FMP_RX_F_REORDERS,
};

/**
 * wl1251_fmp_add_interface() - register an interface
 * @wl: the device
 * @vif: its interface
 *
 * Without a port no frame is stopped. The buffer is memory of its own, because the bus may
 * fill it by DMA. After a restart of the hardware both are there already.
 *
 * Context: process, RTNL held.
 */
static void wl1251_fmp_add_interface(struct wl1251 *wl, struct ieee80211_vif *vif)
{
	struct wireless_dev *wdev = ieee80211_vif_to_wdev(vif);
	struct fmp_rx_port *port;

	if (!wdev || !wdev->netdev)
		return;
	/* Nobody looks there without a port. */
	if (!wl->fmp_head)
		wl->fmp_head = kmalloc(FMP_RX_80211_HEADER_MAX, GFP_KERNEL);
	if (!wl->fmp_head)
		return;
	port = fmp_rx_register(wdev->netdev, &wl1251_fmp_ops);
	if (IS_ERR(port))
		return;
	mutex_lock(&wl->mutex);
	wl->fmp_port = port;
	mutex_unlock(&wl->mutex);
}

/**
 * wl1251_fmp_remove_interface() - unregister the interface
 * @wl: the device
 *
 * Context: process, RTNL held.
 */
static void wl1251_fmp_remove_interface(struct wl1251 *wl)
{
	struct fmp_rx_port *port;

	mutex_lock(&wl->mutex);
	port = wl->fmp_port;
	wl->fmp_port = NULL;
	mutex_unlock(&wl->mutex);
	kfree(wl->fmp_head);
	wl->fmp_head = NULL;
	if (port)
		fmp_rx_unregister(port);
}

/**
 * wl1251_fmp_get_et_sset_count() - ieee80211_ops.get_et_sset_count
 * @hw: the radio
 * @vif: its interface
 * @sset: set of strings
 *
 * Context: process, RTNL held.
 * Return: number of counters.
 */
static int wl1251_fmp_get_et_sset_count(struct ieee80211_hw *hw, struct ieee80211_vif *vif,
					int sset)
{
	return sset == ETH_SS_STATS ? FMP_RX_BUS_STATS : 0;
}

/**
 * wl1251_fmp_get_et_strings() - ieee80211_ops.get_et_strings
 * @hw: the radio
 * @vif: its interface
 * @sset: set of strings
 * @data: the names of the counters
 *
 * Context: process, RTNL held.
 */
static void wl1251_fmp_get_et_strings(struct ieee80211_hw *hw, struct ieee80211_vif *vif, u32 sset,
				      u8 *data)
{
	fmp_rx_bus_get_strings(NULL, sset, data);
}

/**
 * wl1251_fmp_get_et_stats() - ieee80211_ops.get_et_stats
 * @hw: the radio
 * @vif: its interface
 * @stats: not used
 * @data: the values, in bytes
 *
 * Context: process, RTNL held.
 */
static void wl1251_fmp_get_et_stats(struct ieee80211_hw *hw, struct ieee80211_vif *vif,
				    struct ethtool_stats *stats, u64 *data)
{
	struct wl1251 *wl = hw->priv;

	fmp_rx_bus_get_stats(&wl->fmp_bus, data);
}
