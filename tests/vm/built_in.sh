#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A kernel that has the filter and the virtual radio in it, no modules: both are there from the start. In the test VM that
# scripts/check tree makes; not among tests/vm/module_*.sh, which load a module.
# Functions are called by their names.
# shellcheck disable=SC2317,SC2329

. "${0%/*}/lib.sh"

test_there_from_the_start() {
    ! grep '^fmp' /proc/modules || fail "a module was loaded"
    [ -e /sys/module/fmp/parameters ] || fail "no fmp in this kernel"
    "$genl" stats >/dev/null
    same "/sys/class/net/bb0 /sys/class/net/bb1" "$(echo /sys/class/net/bb*)"
}

test_radio_stops_frames() {
    station "$h" bb0 $h4 $h6
    station "$a" bb1 $a4 $a6
    hg attach bb0
    same driver "$(hg devs | grep '^bb0 ' | field hook)"
    reaches "$a" $h4
    hg add $a_mac,block
    silent "$a" $h4
    more "$(radio_count rx_aborted_mac)" 1
    same 0 "$(radio_count rx_aborted_ip)"
    hg flush
    reaches "$a" $h4
    for pair in "$h bb0" "$a bb1"; do
        ip -n "${pair% *}" link set "${pair#* }" netns 1
        ip netns del "${pair% *}"
    done
}

run_tests
