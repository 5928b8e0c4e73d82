# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
# The hook before mac80211: a cell (IBSS) of mac80211_hwsim, whose frames fmp_bench makes.
# mac80211 keeps an entry for each station whose frames pass, and no more than 128: what
# passes has one source.

cell=02:ca:fe:00:00:01

# wifi_pass CASE ENTRIES: mac80211 takes data of no station that it doesn't know, and forgets one
# after a minute of silence, which this clock may jump over. The first frames tell it again.
wifi_pass() {
    local tries=20
    until
        run wifi ip4 "$unknown" 1 "$BATCHES" stack
        [ "$(got socket)" = $((BATCHES * 64)) ]
    do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || break
    done
    row "$1" "$2" pass
}

wifi_up() {
    modprobe mac80211_hwsim radios=1
    sysctl -qw net.ipv6.conf.wlan0.disable_ipv6=1
    iw dev wlan0 set type ibss
    ip link set wlan0 up
    iw dev wlan0 ibss join fmp 2412 fixed-freq $cell
    ip addr flush dev wire0
    ip addr add 10.255.0.1/8 dev wlan0
    # Its first times.
    run wifi ip4 "$unknown" 1 101 stack
}

wifi_down() {
    modprobe -r mac80211_hwsim
    ip addr add 10.255.0.1/8 dev wire0
}

# late: frames that the hook dropped.
late() { "$genl" devs | sed -n 's/^wlan0 .* dropped_late=\([0-9]*\).*/\1/p'; }

# wifi_drop CASE ENTRIES: by the hook, all of them, and not by what is behind it.
wifi_drop() {
    local before first=$2
    [ "$first" -le "$sample" ] || first=$sample
    before=$(late)
    run wifi ip4 0 "$2" "$BATCHES" stack
    [ "$(got socket)" = 0 ] || wrong "$1 $2: not dropped: $answer"
    [ $(($(late) - before)) = $((BATCHES * 64 + first)) ] || wrong "$1 $2: $before, then $(late) dropped: $answer"
    row "$1" "$2" drop taken
}

group_mac80211() {
    local kind n
    wifi_up
    wifi_pass none-mac80211 0
    "$genl" attach wlan0
    "$genl" devs | grep '^wlan0 .*hook=mac80211' >/dev/null || wrong "mac80211: $("$genl" devs)"
    for kind in mac ip4; do
        for n in $sizes; do
            "$load" $kind 0 "$n"
            wifi_drop mac80211-$kind "$n"
            wifi_pass mac80211-$kind "$n"
            "$genl" flush
        done
    done
    "$genl" detach wlan0
    wifi_down
}
