# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The handheld on a WLAN: two radios of mac80211_hwsim, the second an access point's.

# An access point without a password, on what was wlan1, in the router's namespace.
point_up() {
    local node
    modprobe mac80211_hwsim radios=2
    for node in handheld:wlan0 router:wlan1; do
        iw phy "$(cat "/sys/class/net/${node#*:}/phy80211/name")" set netns name "$W${node%:*}"
        ip -n "$W${node%:*}" link set "${node#*:}" up
    done
    printf '%s\n' interface=wlan1 driver=nl80211 ssid=fmp hw_mode=g channel=1 >"$WORLD_DIR/hostapd.conf"
    node_exec router hostapd "$WORLD_DIR/hostapd.conf" >"$WORLD_DIR/hostapd.log" 2>&1 &
    wait_until 20 "the access point" grep -q AP-ENABLED "$WORLD_DIR/hostapd.log"
}

# Radios go home with what runs on them.
point_down() {
    ip netns pids "${W}router" | xargs -r kill 2>/dev/null
    wait_until 20 "the radios to be free" rmmod mac80211_hwsim
}

is_connected() { ip netns exec "${W}handheld" iw dev wlan0 link | grep "^Connected to $1" >/dev/null; }
is_access_point() { ctl protect | grep -F "$1" | grep -F access-point >/dev/null; }

# A WLAN that comes while fmpd runs; its access point may have no address of its own.
test_access_point() {
    local point rc=0
    handheld_up
    trap point_down EXIT
    point_up
    point=$(ip netns exec "${W}router" cat /sys/class/net/wlan1/address)
    expect "nobody has heard of it" gone is_access_point "$point"
    ip netns exec "${W}handheld" iw dev wlan0 connect fmp
    wait_until 30 "the connection" is_connected "$point"
    wait_until 10 "the access point to be protected" is_access_point "$point"
    ctl block "$point" --for 10s || rc=$?
    expect "to block it is refused with 1, got $rc" [ "$rc" = 1 ]
    expect "the module does not block it" gone module_has "block $point"
    ip netns exec "${W}handheld" iw dev wlan0 disconnect
    wait_until 10 "it to be one MAC of many again" gone is_access_point "$point"
    expect "fmpd is well" ctl status
}
