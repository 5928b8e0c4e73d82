#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Devices and modules come and go while frames flow. With one processor they take turns, with two
# (scripts/vm --smp 2) they meet. FMP_ROUNDS times each (1).
# Functions are called by their names; numbers hold no blanks.
# shellcheck disable=SC2086,SC2119,SC2317,SC2329

. "${0%/*}/lib.sh"
. "${0%/*}/flood.sh"

test_device_goes_under_flood() {
    air
    i=0
    while [ $i -lt $((4 * rounds)) ]; do
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
    while [ $i -lt $((2 * rounds)) ]; do
        i=$((i + 1))
        hg attach bb0
        air
        ip netns exec "$h" "$churn" rules 400 >/dev/null 2>&1 &
        changer=$!
        hg add 10.0.0.0/8,block,timeout=5
        # The driver first: while it is there, fmp stays.
        rmmod fmp_baseband
        kill $changer 2>/dev/null || true
        wait $changer "$air" 2>/dev/null || true
        rmmod fmp
        ip netns del "$h"
        ip netns del "$a"
        ip netns del "$f"
        world_up
    done
    reaches "$a" "$h4"
}

world_up || exit 1
run_tests
rc=$?
world_down || exit 1
exit $rc
