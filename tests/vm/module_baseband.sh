#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The virtual radio: a real network device, header first, in bursts, on a shared medium.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086

. "${0%/*}/lib.sh"

param=/sys/module/fmp_baseband/parameters

test_wrong_parameters_are_refused() {
    world_down
    insmod "$modules/fmp.ko"
    for bad in stations=0 stations=-1 stations=65 stations=x slots=0 slots=15 slots=16385 \
        burst_bytes=0 burst_bytes=15 burst_bytes=2049 burst_bytes=-64 rate_kbps=-1; do
        ! insmod "$modules/fmp_baseband.ko" $bad 2>/dev/null || fail "$bad was taken"
        dmesg | grep -q "fmp_baseband: $bad refused, .* expected" || fail "$bad: $(dmesg)"
    done
    rmmod fmp
    world_up
    for bad in burst_bytes=0 rate_kbps=-1; do
        ! echo "${bad#*=}" 2>/dev/null >"$param/${bad%=*}" || fail "$bad was taken"
    done
    same 128 "$(cat $param/burst_bytes)"
    same 0 "$(cat $param/rate_kbps)"
}

test_each_station_has_a_receiver_of_its_own() {
    for dev in bb0 bb1 bb2; do
        same 1 "$(cat /proc/[0-9]*/comm | grep -c "^napi/$dev-")"
    done
}

test_sender_does_not_hear_itself() {
    in_f ip link set bb2 down
    reaches "$h" $a4
    # What it sends to another would be foreign to it.
    foreign=$(radio_count rx_aborted_foreign)
    in_h ping -q -c 5 -i 0.05 $a4 >/dev/null
    same "$foreign" "$(radio_count rx_aborted_foreign)"
    in_f ip link set bb2 up
    # With the device down its IPv6 addresses went.
    in_f ip addr add $f6/64 dev bb2 nodad
    reaches "$f" $h6
}

test_broadcast_and_multicast_reach_all() {
    a_frames=$(radio_count rx_delivered a)
    f_frames=$(radio_count rx_delivered f)
    in_h ping -q -c 2 -i 0.1 -W 1 -b 10.9.0.255 >/dev/null 2>&1 || true
    in_h ping -q -c 2 -i 0.1 -W 1 -I bb0 ff02::1 >/dev/null
    more "$(radio_count rx_delivered a)" $((a_frames + 3))
    more "$(radio_count rx_delivered f)" $((f_frames + 3))
}

test_tcp_both_ways_intact() {
    transfer "$a" "$h" $h4 4000000
    transfer "$h" "$a" $a6 4000000
    reaches "$f" $h4
}

test_tcp_in_bursts_of_any_size() {
    for burst in 16 61 2048; do
        echo $burst >$param/burst_bytes
        same $burst "$(cat $param/burst_bytes)"
        transfer "$a" "$h" $h4 300001
    done
    echo 128 >$param/burst_bytes
}

test_tcp_while_others_are_blocked() {
    hg attach bb0
    hg add $f_mac,block 10.200.0.0/16,block fd0a::/16,block
    in_f ping -q -f -w 3 $h4 >/dev/null &
    transfer "$a" "$h" $h4 1000000
    wait || true
    more "$(dev_count stopped_mac)" 10
    fresh
}

test_rate() {
    # 400 kB at 8 Mbit/s take 0.4 s at least; half of that per station if two send.
    echo 8000 >$param/rate_kbps
    read -r start _ </proc/uptime
    transfer "$a" "$h" $h4 400000
    read -r end _ </proc/uptime
    took=$(awk "BEGIN { print int(($end - $start) * 1000) }")
    more "$took" 400
    # Two at a time: nobody starves.
    (
        timeout $((60 * patience)) ip netns exec "$a" "$tcp" serve 7002 >"$tmp/second" &
        wait_until 10 grep -q listening "$tmp/second"
        in_f "$tcp" send $a4 7002 200000
        wait
    ) &
    transfer "$h" "$f" $f4 200000
    wait_until 20 grep -q "200000 bytes intact" "$tmp/second"
    # Back to no rate with the medium busy: nothing stays stopped.
    in_a ping -q -f -w 2 $h4 >/dev/null &
    sleep 0.2
    echo 0 >$param/rate_kbps
    wait
    reaches "$a" $h4
    reaches "$f" $h4
}

test_no_wakeup_is_lost() {
    # A burst from all sides at once, then silence: a frame left in the air would be
    # answered only with the next one.
    before=$(radio_count rx_overruns)
    in_a ping -q -c 400 -i 0.002 -W 3 $h4 >"$tmp/a" &
    in_f ping -q -c 400 -i 0.002 -W 3 $h6 >"$tmp/f" &
    in_h ping -q -c 400 -i 0.002 -W 3 $f4 >"$tmp/h" &
    wait
    same "$before" "$(radio_count rx_overruns)"
    for who in a f h; do
        grep -q '400 received, 0% packet loss' "$tmp/$who" || fail "$who: $(cat "$tmp/$who")"
    done
}

test_overrun_is_counted_and_survived() {
    world_down
    world_up slots=16
    receiver=$(grep -l '^napi/bb0-' /proc/[0-9]*/comm | cut -d / -f 3)
    taskset -p 1 "$receiver" >/dev/null
    # On the receiver's processor and before it: it is behind by hundreds of frames.
    in_a chrt -f 50 taskset 1 bash -c \
        "exec 3<>/dev/udp/$h4/9; for i in {1..300}; do echo x >&3; done" 2>/dev/null || true
    wait_until 5 reaches "$a" $h4
    more "$(radio_count rx_overruns)" 10
    same "$(radio_count rx_overruns)" "$(in_h cat /sys/class/net/bb0/statistics/rx_over_errors)"
    transfer "$a" "$h" $h4 300000
    world_down
    world_up
}

test_link_add() {
    ip link add radio0 address 02:00:00:00:00:77 type fmpbb
    ip link set radio0 up
    ip addr add 10.9.0.7/24 dev radio0
    in_h ping -q -c 1 -W 2 10.9.0.7 >/dev/null
    ethtool -i radio0 | grep -q '^driver: fmp_baseband'
    said=$(ip link set radio0 mtu 1501 2>&1) && fail "an MTU of 1501 was taken"
    said=$(ip link add radio1 address 01:00:00:00:00:01 type fmpbb 2>&1) &&
        fail "a multicast address was taken"
    case $said in *"not a unicast MAC address"*) ;; *) fail "$said" ;; esac
    ip link del radio0
    [ ! -e /sys/class/net/radio0 ]
    reaches "$a" $h4
}

test_no_user_joins_the_medium() {
    ! modinfo -F alias "$modules/fmp_baseband.ko" | grep . || fail "a user can load it"
    # With all capabilities in namespaces of its own.
    unshare -Urn true
    said=$(unshare -Urn ip link add radio2 type fmpbb 2>&1) && fail "a user made a station"
    case $said in *"needs CAP_NET_ADMIN of the host"*) ;; *) fail "$said" ;; esac
}

frames_above() { [ "$(radio_count rx_frames)" -gt "$1" ]; }

test_load_and_unload() {
    world_down
    for _ in 1 2 3 4 5; do
        load stations=2
        ip link set bb0 up
        ip link set bb1 up
        "$genl" attach bb0
        "$genl" add $a_mac,block,timeout=1 10.0.0.0/8,block,timeout=100000 fd00::1,protect
        unload
    done
    # In use, fmp stays.
    load
    ! rmmod fmp 2>/dev/null || fail "fmp was removed under its driver"
    unload
    # With traffic in the air.
    world_up
    in_a ping -q -f -w 2 $h4 >/dev/null 2>&1 &
    wait_until 10 frames_above 20
    rmmod fmp_baseband
    wait || true
    rmmod fmp
    ip netns del "$h"
    ip netns del "$a"
    ip netns del "$f"
    world_up
}

world_up || exit 1
run_tests
rc=$?
world_down || exit 1
exit $rc
