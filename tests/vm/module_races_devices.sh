#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Devices and modules come and go while frames flow. With one processor they take turns, with two
# (scripts/vm --smp 2) they meet. FMP_ROUNDS times each (1).
# Functions are called by their names; numbers hold no blanks, lists of rules do.
# shellcheck disable=SC2046,SC2086,SC2119,SC2317,SC2329

. "${0%/*}/lib.sh"
. "${0%/*}/flood.sh"

test_device_goes_under_flood() {
    air
    i=0
    while [ $i -lt $(turns 4) ]; do
        i=$((i + 1))
        in_h ip link add radio0 type fmpbb
        in_h ip link set radio0 up
        hg attach radio0
        hg add "$a_mac,block"
        wait_until 20 device_stops radio0
        in_h ip link del radio0
        hg flush
    done
    ! hg devs | grep '^radio0 ' >/dev/null || fail "a device that is gone is in the dump"
    air_ends
    add_up
}
device_stops() { [ "$(dev_count rx_frames "$1")" -gt 0 ]; }

test_reload_under_flood() {
    i=0
    while [ $i -lt $(turns 2) ]; do
        i=$((i + 1))
        hg attach bb0
        air
        ip netns exec "$h" "$churn" rules 400 >/dev/null 2>&1 &
        changer=$!
        hg add 10.0.0.0/8,block,timeout=5
        # The driver first: while it is there, fmp stays.
        rmmod fmp_baseband
        kill $changer 2>/dev/null || true
        wait $changer $air 2>/dev/null || true
        rmmod fmp
        ip netns del "$h"
        ip netns del "$a"
        ip netns del "$f"
        world_up
    done
    reaches "$a" "$h4"
}

# Counter KEY (or hook) of a device in a namespace.
count_in() { ip netns exec "$1" "$genl" devs | grep "^$2 " | field "$3"; }
# grows NAMESPACE DEVICE COUNTER
grows() {
    was=$(count_in "$@")
    wait_until 20 above "$was" "$@"
}
above() {
    than=$1
    shift
    [ "$(count_in "$@")" -gt "$than" ]
}
# rests NAMESPACE DEVICE COUNTER OTHER: the one stays as it is while the other grows. A frame
# that was under way may still count.
rests() {
    grows "$1" "$2" "$4"
    rested=$(count_in "$1" "$2" "$3")
    grows "$1" "$2" "$4"
    same "$rested" "$(count_in "$1" "$2" "$3")"
}

wait_flag=2

# rename DEVICE NAME: 6.1 renames no device that is up.
rename() {
    in_h ip link set "$1" name "$2" 2>/dev/null && return
    in_h ip link set "$1" down
    in_h ip link set "$1" name "$2"
    in_h ip link set "$2" up
}

test_rename_under_flood() {
    hg add $(by_flood block)
    hg attach radio0 $wait_flag
    in_h ip link add radio0 type fmpbb
    in_h ip link set radio0 up
    air
    i=0
    while [ $i -lt $(turns 4) ]; do
        i=$((i + 1))
        same driver "$(count_in "$h" radio0 hook)"
        grows "$h" radio0 stopped_mac
        rename radio0 radio1
        same "waiting none" "$(count_in "$h" radio0 hook) $(count_in "$h" radio1 hook)"
        rests "$h" radio1 stopped_mac passed
        rename radio1 radio0
    done
    hg detach radio0
    rests "$h" radio0 stopped_mac passed
    air_ends
    in_h ip link del radio0
    add_up
}

test_move_under_flood() {
    # Blocked in one namespace, observed in the other.
    hg add $(by_flood block)
    in_f "$genl" add $(by_flood observe)
    hg attach radio0 $wait_flag
    in_f "$genl" attach radio0 $wait_flag
    in_h ip link add radio0 type fmpbb
    air
    i=0
    while [ $i -lt $(turns 3) ]; do
        i=$((i + 1))
        in_h ip link set radio0 up
        grows "$h" radio0 stopped_mac
        ip -n "$h" link set radio0 netns "$f"
        same "waiting driver" "$(count_in "$h" radio0 hook) $(count_in "$f" radio0 hook)"
        in_f ip link set radio0 up
        rests "$f" radio0 stopped_mac observed
        ip -n "$f" link set radio0 netns "$h"
        same "driver waiting" "$(count_in "$h" radio0 hook) $(count_in "$f" radio0 hook)"
    done
    air_ends
    in_h ip link del radio0
    hg detach radio0
    in_f "$genl" detach radio0
    in_f "$genl" flush
    add_up
}

test_cable_goes_under_flood() {
    hg add $(by_flood block)
    hg attach eth0 $wait_flag
    air
    i=0
    while [ $i -lt $(turns 4) ]; do
        i=$((i + 1))
        ip -n "$h" link add eth0 type veth peer name to-h netns "$a"
        same ingress "$(count_in "$h" eth0 hook)"
        in_h ip link set eth0 up
        in_a ip link set to-h up
        air_on to-h
        grows "$h" eth0 dropped_late
        # From either end.
        if [ $((i % 2)) = 0 ]; then in_h ip link del eth0; else in_a ip link del to-h; fi
        same waiting "$(count_in "$h" eth0 hook)"
    done
    hg detach eth0
    air_ends
    add_up
}

test_namespace_goes_under_flood() {
    x=fmp-$$-x
    i=0
    while [ $i -lt $(turns 2) ]; do
        i=$((i + 1))
        ip netns add $x
        ip link add radio0 type fmpbb
        ip link set radio0 netns $x
        ip -n $x link add eth0 type veth peer name to-x netns "$a"
        for dev in radio0 eth0; do
            ip -n $x link set $dev up
            ip netns exec $x "$genl" attach $dev $wait_flag
        done
        in_a ip link set to-x up
        # Some with little time left, and an attach that waits.
        ip netns exec $x "$genl" add $(by_flood block) 10.0.0.0/9,block,timeout=500 \
            fd00::/16,observe,timeout=2000
        ip netns exec $x "$genl" attach none0 $wait_flag
        air
        air_on to-x
        trap 'air_ends; ip netns del $x 2>/dev/null || true' EXIT
        grows $x radio0 stopped_mac
        grows $x eth0 dropped_late
        ip netns del $x
        # A radio comes home, a cable goes.
        wait_until 20 test -e /sys/class/net/radio0
        same none "$("$genl" devs | grep '^radio0 ' | field hook)"
        wait_until 20 no_cable
        air_ends
        ip link del radio0
    done
    add_up
}
no_cable() { ! in_a ip link show to-x; }

world_up || exit 1
run_tests
rc=$?
world_down || exit 1
exit $rc
