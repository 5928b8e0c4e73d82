#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The hook before mac80211: three radios of mac80211_hwsim. The handheld's and the
# attacker's are in one cell (IBSS), in a network namespace each; the third sends
# hand-made frames.
#
# FMP_MAC80211=FILE: a mac80211.ko that was patched to ask (scripts/drivers mac80211), which
# takes the place of the kernel's own; without it the hook is set by ftrace.
# FMP_HOOK=mac80211|refused: what a device must get from the kernel's own here, if that is known.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086

. "${0%/*}/lib.sh"

# What mac80211_hwsim gives its radios.
h_mac=02:00:00:00:00:00 a_mac=02:00:00:00:01:00
cell=02:ca:fe:00:00:01
# What hand-made frames say: a cell that nobody is in, so that mac80211 takes none of them; a
# relay, a source behind it, somebody else, and who ends each series.
nowhere=02:ca:fe:00:00:02
relay=02:66:6d:70:aa:01 source=02:66:6d:70:aa:02 other=02:66:6d:70:aa:03
last=02:66:6d:70:aa:ff
source4=10.9.0.99
hooked=/sys/kernel/tracing/enabled_functions

way=mac80211
[ -z "${FMP_MAC80211:-}" ] || way=mac80211-patched

# As modprobe does, but one that is patched comes from where it was built.
mac80211_up() {
    [ "$way" = mac80211-patched ] || return 0
    for module in cfg80211 libarc4; do modprobe $module; done
    insmod "$FMP_MAC80211"
}

# by_ftrace: the rest of the test is about that way.
by_ftrace() {
    [ "$way" = mac80211 ] || { echo "about ftrace"; exit 0; }
}

# Of one device of the handheld.
count() { dev_count "$1" wlan0; }
hook() { count hook; }
is_hooked() {
    [ "$way" = mac80211-patched ] || grep -q '^ieee80211_rx_list ' $hooked
}
is_free() { [ "$way" = mac80211-patched ] || ! is_hooked; }
# Frames that mac80211 gave to the handheld's stack.
received() { in_h cat /sys/class/net/wlan0/statistics/rx_packets; }

# join NAMESPACE DEVICE [KEY]
join() {
    ip netns exec "$1" iw dev "$2" ibss join fmp 2412 fixed-freq $cell ${3:+key "$3"}
}

leave() { ip netns exec "$1" iw dev "$2" ibss leave 2>/dev/null || true; }

# rejoin [KEY]
rejoin() {
    leave "$h" wlan0
    leave "$a" wlan1
    join "$h" wlan0 "$@"
    join "$a" wlan1 "$@"
    wait_until 20 in_a ping -q -c 1 -W 1 $h4
}

# radio NAMESPACE DEVICE IPV4 IPV6
radio() {
    ip netns add "$1"
    # Radios are numbered on from those that were there before.
    iw phy "$(cat "/sys/class/net/$2/phy80211/name")" set netns name "$1"
    ip netns exec "$1" iw dev "$2" set type ibss
    ip -n "$1" addr add "$3/24" dev "$2"
    ip -n "$1" addr add "$4/64" dev "$2" nodad
    ip -n "$1" link set "$2" up
    join "$1" "$2"
}

radios_up() {
    lsmod | grep '^mac80211 ' >/dev/null || mac80211_up
    modprobe mac80211_hwsim radios=3
    radio "$h" wlan0 $h4 $h6
    radio "$a" wlan1 $a4 $a6
    iw dev wlan2 set type monitor
    ip link set wlan2 up
    iw dev wlan2 set freq 2412
    wait_until 20 in_a ping -q -c 1 -W 1 $h4
    wait_until 20 in_a ping -q -c 1 -W 1 $h6
}

radios_down() {
    # A radio goes home when its namespace goes, which is not at once.
    ip netns del "$h"
    ip netns del "$a"
    wait_until 20 test -e /sys/class/net/wlan0 -a -e /sys/class/net/wlan1
    rmmod mac80211_hwsim
}

fmp_up() { insmod "$modules/fmp.ko" "$@"; }

# Nothing may be left of the test before: no rule, nothing attached, both back in the open cell.
before_each() {
    [ ! -s "$tmp/refused" ] || return 0
    lsmod | grep '^fmp ' >/dev/null || fmp_up mac80211=1
    ! lsmod | grep '^fmp_patch ' >/dev/null || rmmod fmp_patch
    sysctl -qw kernel.ftrace_enabled=1
    hg flush
    hg detach wlan0 >/dev/null 2>&1 || true
    in_a ping -q -c 1 -W 2 $h4 >/dev/null || rejoin
}

# Without a hook before mac80211 the module says so at once, and what to do.
test_parameter_is_kept_or_refused() {
    got=$way
    [ ! -s "$tmp/refused" ] || got=refused
    wanted=${FMP_MAC80211:+$way}
    same "${wanted:-${FMP_HOOK:-$got}}" $got
    if [ ! -s "$tmp/refused" ]; then
        same Y "$(cat /sys/module/fmp/parameters/mac80211)"
        return
    fi
    grep -q 'not supported' "$tmp/refused" || fail "$(cat "$tmp/refused")"
    dmesg | grep 'fmp: mac80211=1 refused, .*load fmp without it' >/dev/null || fail "no reason in the log"
    fmp_up
    rmmod fmp
}

test_module_does_not_need_mac80211() {
    rmmod fmp
    radios_down
    [ "$way" = mac80211-patched ] || rmmod mac80211
    fmp_up mac80211=1
    [ "$way" = mac80211-patched ] || ! lsmod | grep '^mac80211 ' >/dev/null || fail "it came along"
    radios_up
    # Come later, found all the same; and not held.
    hg attach wlan0
    same $way "$(hook)"
    same 1 "$(cat /sys/module/mac80211/refcnt)"
}

test_off_by_default() {
    rmmod fmp
    fmp_up
    same "" "$(hg attach wlan0)"
    same ingress "$(hook)"
    is_free
    hg add $a_mac,block
    silent "$a" $h4
    more "$(count dropped_late)" 1
    rmmod fmp
}

test_hooked_only_while_attached() {
    is_free
    same "" "$(hg attach wlan0)"
    same $way "$(hook)"
    is_hooked
    refused EEXIST hg attach wlan0
    hg detach wlan0
    wait_until 20 is_free
    refused ENOENT hg detach wlan0
    # Detached and attached again before it was let go.
    hg attach wlan0
    hg detach wlan0
    hg attach wlan0
    same $way "$(hook)"
    hg add $a_mac,block
    before=$(received)
    silent "$a" $h4
    same "$before" "$(received)"
    is_hooked
}

test_says_why_not() {
    hg attach wlan0
    in_h iw dev wlan0 interface add mesh0 type mp
    said=$(hg attach mesh0)
    same ingress "$(dev_count hook mesh0)"
    in_h iw dev mesh0 del
    case $said in "done: hooked at ingress: "*interface*) ;; *) fail "said: $said" ;; esac
    same $way "$(hook)"
}

# refused_because WORD: attached now, the device is hooked at ingress, and is judged there.
refused_because() {
    said=$(hg attach wlan0)
    case $said in "done: hooked at ingress: "*"$1"*) ;; *) fail "said: $said" ;; esac
    same ingress "$(hook)"
    hg add $a_mac,block
    silent "$a" $h4
    more "$(count dropped_late)" 0
    hg flush
    hg detach wlan0
}

test_one_of_two_redirects_is_refused() {
    by_ftrace
    insmod "$modules/fmp_patch.ko"
    refused_because patched
    rmmod fmp_patch
    hg attach wlan0
    same $way "$(hook)"
    ! insmod "$modules/fmp_patch.ko" 2>"$tmp/said" || fail "two redirect mac80211"
    grep -q 'resource busy' "$tmp/said" || fail "$(cat "$tmp/said")"
    hg add $a_mac,block
    silent "$a" $h4
    more "$(count dropped_late)" 0
}

# What was judged before mac80211 is not judged again at ingress: the hook must stay.
test_ftrace_cannot_be_switched_off_while_hooked() {
    by_ftrace
    hg attach wlan0
    same $way "$(hook)"
    ! sysctl -qw kernel.ftrace_enabled=0 2>/dev/null || fail "it is off"
    hg add $a_mac,block
    silent "$a" $h4
    hg flush
    hg detach wlan0
    wait_until 20 is_free
    sysctl -qw kernel.ftrace_enabled=0
    refused_because ftrace
}

test_mac_block_ends_frames_before_mac80211() {
    hg attach wlan0
    reaches "$a" $h4
    hg add $a_mac,block,id=1
    before=$(received)
    silent "$a" $h4
    silent "$a" $h6
    # mac80211 had none of them to give on.
    same "$before" "$(received)"
    more "$(count dropped_late)" 3
    hg flush
    reaches "$a" $h4
    reaches "$a" $h6
    more "$(received)" "$before"
}

test_counts_of_a_block_agree() {
    hg add $a_mac,block
    hg attach wlan0
    silent "$a" $h4
    silent "$a" $h6
    leave "$a" wlan1
    hits=$(hg dump | field hits)
    more "$hits" 3
    same "$hits" "$(count dropped_late)"
    same "$hits" $(($(count rx_frames) - $(count passed)))
    same "$(hg dump | field bytes)" "$(count rx_bytes)"
    hg flush
    rejoin
}

test_ip_block_in_an_open_cell() {
    in_a ip addr add 10.9.0.12/24 dev wlan1
    hg attach wlan0
    hg add $a4,block $a6,block
    silent "$a" $h4
    silent "$a" $h6
    in_a ping -q -c 1 -W 2 -I 10.9.0.12 $h4 >/dev/null || fail "his other address is blocked too"
    hg flush
    in_a ip addr del 10.9.0.12/24 dev wlan1
    reaches "$a" $h4
    reaches "$a" $h6
}

test_protect_comes_first() {
    hg attach wlan0
    hg add $a4,protect
    hg add $a_mac,block
    reaches "$a" $h4
    silent "$a" $h6
    hg flush
    hg add $a_mac,protect
    hg add $a4,block
    reaches "$a" $h4
}

test_observe() {
    hg attach wlan0 1
    same $way "$(hook)"
    hg add $a_mac,block
    reaches "$a" $h4
    more "$(count observed)" 0
    same 0 "$(count dropped_late)"
    more "$(hg dump | field hits)" 0
}

test_encrypted_cell() {
    rejoin d:0:abcde
    hg attach wlan0
    reaches "$a" $h4
    # The IP header is read at ingress, behind mac80211.
    hg add $a4,block
    before=$(received) late=$(count dropped_late)
    silent "$a" $h4
    more "$(received)" "$before"
    more "$(count dropped_late)" "$late"
    hg flush
    reaches "$a" $h4
    # The source before it.
    hg add $a_mac,block
    before=$(received)
    silent "$a" $h4
    same "$before" "$(received)"
    # A protected address can be told only there.
    hg add $a4,protect
    reaches "$a" $h4
    more "$(received)" "$before"
    hg detach wlan0
    rejoin
}

# data FC RECEIVER TRANSMITTER ADDRESS3 [FIELDS]: a data frame with an IPv4 packet of $source4,
# its sequence control in $sequence.
data() {
    echo "$1:0000:$2:$3:$4:${sequence:-0000}${5:+:$5}:aaaa03000000:0800:4500001c00000000:40110000:0a090063:0a090001:0007000700080000"
}

# hits RULE... -- FRAME...: of the first rule on all frames; then the rules are gone.
hits() {
    counted=${1%%,*} rules=
    while [ "$1" != -- ]; do
        rules="$rules $1"
        shift
    done
    shift
    hg add $rules $last,block
    "$wifi" wlan2 "$@" "$(data 0800 $h_mac $last $nowhere)"
    wait_until 10 last_seen
    grep "^$counted" "$tmp/rules" | field hits
    hg flush
}
wifi=$PWD/build/tests/vm/wifi_send
# A later frame of the same radio comes later.
last_seen() {
    hg dump >"$tmp/rules"
    grep -q "^$last.* hits=1 " "$tmp/rules"
}

test_transmitter_and_source_are_judged() {
    # Numbered frames of the attacker would leave IP addresses to ingress.
    leave "$a" wlan1
    hg attach wlan0
    # Fields: receiver, transmitter, cell; from the relay: receiver, relay, source.
    own=$(data 0800 $h_mac $source $nowhere) relayed=$(data 0802 $h_mac $relay $source)
    same 1 "$(hits $source,block -- $own)"
    same 2 "$(hits $source,block -- $own $own)"
    same 0 "$(hits $other,block -- $own)"
    same 1 "$(hits $source4,block -- $own)"
    same 1 "$(hits $source,block -- $relayed)"
    same 1 "$(hits $relay,block -- $relayed)"
    same 1 "$(hits $source4,block -- $relayed)"
    # Four addresses: the source is the last.
    same 1 "$(hits $source,block -- "$(data 0803 $h_mac $relay $other $source)")"
    # What protects the relay does not protect what it relays; a protected source does.
    same 1 "$(hits $source,block $relay,protect -- $relayed)"
    same 0 "$(hits $relay,block $source,protect -- $relayed)"
    rejoin
}

test_frame_to_a_group() {
    hg attach wlan0
    same 1 "$(hits $source,block -- "$(data 0800 ff:ff:ff:ff:ff:ff $source $nowhere)")"
    same 1 "$(hits $source,block -- "$(data 8802 01:00:5e:00:00:01 $relay $source 0000)")"
}

test_relayed_frame_with_a_number_is_left_to_ingress() {
    hg attach wlan0
    # Dropped here, it would have mac80211 hold back what others sent by the same relay.
    same 0 "$(hits $source,block -- "$(data 8802 $h_mac $relay $source 0000)")"
    same 0 "$(hits $source4,block -- "$(data 8802 $h_mac $relay $source 0000)")"
    same 1 "$(hits $relay,block -- "$(data 8802 $h_mac $relay $source 0000)")"
    same 1 "$(hits $source,block -- "$(data 8800 $h_mac $source $nowhere 0000)")"
}

# Block acknowledgement: mac80211 holds back what follows a gap of a station that has other addresses.
test_numbered_frame_of_a_station_is_left_to_ingress() {
    hg attach wlan0
    same 0 "$(hits $source4,block -- "$(data 8801 $h_mac $source $other 0000)")"
    same 0 "$(hits $source4,block -- "$(data 8800 $h_mac $source $nowhere 0000)")"
    same 1 "$(hits $source,block -- "$(data 8801 $h_mac $source $other 0000)")"
    # A number in half of the half that mac80211 takes for the past.
    same 1 "$(hits $source,block -- "$(sequence=e03f data 8801 $h_mac $source $other 0000)")"
    same 0 "$(hits $source,block -- "$(sequence=f03f data 8801 $h_mac $source $other 0000)")"
}

test_second_device_of_the_radio_has_its_own_groups() {
    hg attach wlan0
    group=$(data 0800 ff:ff:ff:ff:ff:ff $source $nowhere)
    in_h iw dev wlan0 interface add second type managed addr 02:66:6d:70:aa:04
    same 1 "$(hits $source,block -- $group)"
    in_h ip link set second up
    # The second device is not attached.
    same 0 "$(hits $source,block -- $group)"
    same 1 "$(hits $source,block -- "$(data 0800 $h_mac $source $nowhere)")"
    in_h iw dev second del
    same 1 "$(hits $source,block -- $group)"
}

test_stations_of_an_ap_vlan_are_left_to_ingress() {
    ap_mac=02:66:6d:70:aa:05
    own=$(data 0801 $ap_mac $source $other)
    in_h iw dev wlan0 interface add ap0 type __ap addr $ap_mac
    in_h ip link set ap0 up
    hg attach ap0
    same $way "$(dev_count hook ap0)"
    hg attach wlan0
    same 1 "$(hits $source,block -- $own)"
    in_h iw dev ap0 interface add vlan0 type __ap_vlan addr $ap_mac
    in_h ip link set vlan0 up
    same 0 "$(hits $source,block -- $own)"
    in_h iw dev vlan0 del
    same 1 "$(hits $source,block -- $own)"
    in_h iw dev ap0 del
}

test_unreadable_frame_is_left_to_ingress() {
    hg attach wlan0
    locked=$(data 0840 $h_mac $source $nowhere)
    same 0 "$(hits $source4,block -- $locked)"
    same 1 "$(hits $source,block -- $locked)"
    # Several sources in one frame.
    several=$(data 8800 $h_mac $source $nowhere 8000)
    same 0 "$(hits $source4,block -- $several)"
    same 1 "$(hits $source,block -- $several)"
    # A fragment: the first one may be too short for an IP header.
    part=$(data 0804 $h_mac $source $nowhere)
    same 0 "$(hits $source4,block -- $part)"
    same 1 "$(hits $source,block -- $part)"
}

test_only_data_of_ours_is_judged() {
    hg attach wlan0
    body=0102030405060708090a0b0c0d0e0f
    for fc in 8000 4000 d000 b000 c000 4800 c800; do
        same "$fc 0" "$fc $(hits $source,block -- $fc:0000:$h_mac:$source:$nowhere:0000:$body)"
    done
    # Request to send; block acknowledgement request.
    for fc in b400 8400; do
        same "$fc 0" "$fc $(hits $source,block -- $fc:0000:$h_mac:$source:00000000)"
    done
    same 0 "$(hits $source,block -- "$(data 0800 $other $source $nowhere)")"
}

# under_flood COMMAND...: while the attacker floods the handheld
under_flood() {
    # Not by in_a(): $! is to be ping itself.
    ip netns exec "$a" ping -q -f $h4 >/dev/null &
    flood=$!
    trap 'kill $flood' EXIT
    wait_until 20 flooded
    "$@"
}
flooded() { [ "$(received)" -gt $((flood_start + 50)) ]; }

attach_detach() {
    for _ in 1 2 3 4 5 6 7 8; do
        hg attach wlan0
        hg detach wlan0
    done
    hg attach wlan0
    hg add $a_mac,block
    same $way "$(hook)"
    hg detach wlan0
}

test_attach_and_detach_under_flood() {
    flood_start=$(received)
    under_flood attach_detach
    hg flush
    reaches "$a" $h4
}

load_unload() {
    for _ in 1 2 3; do
        rmmod fmp
        fmp_up mac80211=1
        hg attach wlan0
        hg add $a_mac,block
        wait_until 10 late_more_than 10
    done
    rmmod fmp
    is_free
}
late_more_than() { [ "$(count dropped_late)" -gt "$1" ]; }

test_unload_under_flood() {
    flood_start=$(received)
    under_flood load_unload
    wait_until 20 in_a ping -q -c 1 -W 1 $h4
}

test_radio_goes_while_attached() {
    hg attach wlan0
    "$genl" add $source,block
    radios_down
    rmmod mac80211
    is_free
    same "" "$("$genl" devs)"
    "$genl" flush
    radios_up
    hg attach wlan0
    same $way "$(hook)"
    hg add $a_mac,block
    silent "$a" $h4
}

mac80211_up || exit 1
if fmp_up mac80211=1 2>"$tmp/refused"; then
    rmmod fmp
else
    # What follows needs the hook.
    FMP_TEST=test_parameter_is_kept_or_refused
fi
if ! modinfo -k "$(uname -r)" mac80211_hwsim >/dev/null 2>&1 || [ ! -w /sys/kernel/tracing/trace ]; then
    [ ! -s "$tmp/refused" ] || run_tests || exit
    echo "skip test_mac80211: this kernel has no simulated radios, or no tracing"
    exit 0
fi
if [ -s "$tmp/refused" ]; then
    run_tests
    exit
fi
radios_up
fmp_up mac80211=1 || exit 1
run_tests
rc=$?
rmmod fmp || exit 1
radios_down
exit $rc
