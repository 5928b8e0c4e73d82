#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The filter, tried with frames: on the radio, where it stops them, and on other devices.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086,SC2119

. "${0%/*}/lib.sh"

before_each() { fresh; }

# Everybody must ask for addresses again: ARP goes through the filter too.
forget() {
    in_h ip neigh flush all
    in_a ip neigh flush all
}

# What rules stopped on the radio, whichever way.
all_stopped() {
    echo $(($(dev_count stopped_mac) + $(dev_count stopped_ip) + $(dev_count dropped_late)))
}

test_mac_block_stops_frames_before_their_payload() {
    hg attach bb0
    reaches "$a" $h4
    stopped=$(dev_count stopped_mac)
    spared=$(dev_count stopped_bytes)
    aborted=$(radio_count rx_aborted_mac)
    hg add $a_mac,block,id=1
    silent "$a" $h4
    silent "$a" $h6
    # Four frames at least, and 14 bytes of each were taken. Detached, all counters rest.
    hg detach bb0
    n=$(hg dump | field hits)
    more "$n" 3
    same "$n" $(($(dev_count stopped_mac) - stopped))
    same "$n" $(($(radio_count rx_aborted_mac) - aborted))
    same "$(hg dump | field bytes)" $((14 * n + $(dev_count stopped_bytes) - spared))
    more "$(hg dump | field first_hit)" 0
    hg attach bb0
    # The others are served, and so is he when it is over.
    reaches "$f" $h4
    hg del $a_mac
    reaches "$a" $h4
    reaches "$a" $h6
}

test_ipv4_block() {
    hg attach bb0
    stopped=$(dev_count stopped_ip)
    spared=$(dev_count stopped_bytes)
    hg add $a4,block
    silent "$a" $h4
    more "$(dev_count stopped_ip)" $((stopped + 1))
    more "$(dev_count stopped_bytes)" "$spared"
    reaches "$a" $h6
    reaches "$f" $h4
    hg del $a4
    reaches "$a" $h4
}

test_ipv6_block() {
    hg attach bb0
    stopped=$(dev_count stopped_ip)
    hg add $a6,block
    silent "$a" $h6
    more "$(dev_count stopped_ip)" $((stopped + 1))
    reaches "$a" $h4
    reaches "$f" $h6
    hg del $a6
    reaches "$a" $h6
}

test_prefix_block() {
    hg attach bb0
    hg add 10.9.0.2/31,block fd09::2/127,block
    for who in "$a" "$f"; do
        silent "$who" $h4
        silent "$who" $h6
    done
    hg flush
    hg add 10.9.0.0/31,block
    reaches "$a" $h4
}

test_pair_block_stops_that_pair_only() {
    hg attach bb0
    stopped=$(dev_count stopped_ip)
    # The addresses of one and of the other: not of the same frame.
    hg add $a_mac,$f4,block $f_mac,$a4,block $a_mac,$f6,block $f_mac,$a6,block
    for who in "$a" "$f"; do
        reaches "$who" $h4
        reaches "$who" $h6
    done
    same "$stopped" "$(dev_count stopped_ip)"
    hg add $a_mac,$a4,block
    silent "$a" $h4
    reaches "$a" $h6
    more "$(dev_count stopped_ip)" $((stopped + 1))
    hg add $a_mac,$a6,block
    hg del $a_mac,$a4
    silent "$a" $h6
    reaches "$a" $h4
    reaches "$f" $h4
}

test_short_frames_are_dropped_late() {
    hg attach bb0
    hg add $a4,block
    forget
    late=$(dev_count dropped_late)
    # ARP has no payload: with its sender known it is complete.
    silent "$a" $h4
    more "$(dev_count dropped_late)" "$late"
    hg detach bb0
    same "$(dev_count dropped_late)" "$(radio_count rx_late)"
    hg attach bb0
    reaches "$f" $h4
}

test_invariant_1_protected_mac_wins() {
    hg attach bb0
    hg add $a4,block $a6,block $a_mac,protect
    hits=$(hg stats | field protected_hits)
    stopped=$(all_stopped)
    forget
    reaches "$a" $h4
    reaches "$a" $h6
    more "$(hg stats | field protected_hits)" $((hits + 1))
    same "$stopped" "$(all_stopped)"
}

test_invariant_1_protected_ip_wins_over_its_mac() {
    hg attach bb0
    hg add $a_mac,block
    silent "$a" $h4
    hg add $a4,protect
    forget
    hits=$(hg stats | field protected_hits)
    # ARP and IPv4 of the protected address pass, all else of that MAC does not.
    reaches "$a" $h4
    more "$(hg stats | field protected_hits)" "$hits"
    stopped=$(dev_count stopped_mac)
    silent "$a" $h6
    more "$(dev_count stopped_mac)" "$stopped"
}

test_invariant_1_protected_ip_wins_over_its_network() {
    hg attach bb0
    hg add 10.9.0.0/24,block fd09::/64,block
    silent "$a" $h4
    hg add $f4,protect $f6,protect
    reaches "$f" $h4
    reaches "$f" $h6
    silent "$a" $h6
    # A protected network around a blocked address too, when it comes later.
    hg flush
    hg add $a4,block
    silent "$a" $h4
    hg add 10.9.0.0/29,protect
    reaches "$a" $h4
}

test_invariant_1_protected_pair_lets_only_that_pair_through() {
    hg attach bb0
    hg add $a_mac,block $a4,block $a_mac,$a4,protect
    hits=$(hg stats | field protected_hits)
    forget
    reaches "$a" $h4
    more "$(hg stats | field protected_hits)" $((hits + 1))
    silent "$a" $h6
    # Neither of its addresses is protected by itself.
    hg flush
    hg add 10.9.0.0/24,block $a_mac,$a4,protect
    reaches "$a" $h4
    silent "$f" $h4
    hg flush
    hg add $a_mac,block $a_mac,$a6,protect
    reaches "$a" $h6
    silent "$a" $h4
}

test_forged_frames_of_protected_pass_as_the_protected() {
    hg attach bb0
    hg add $a_mac,block $f_mac,protect
    in_a ip link set bb1 address $f_mac
    in_f ip link set bb2 address $a_mac
    forget
    passed=$(dev_count passed)
    in_a ping -q -c 1 -W 1 $h4 >/dev/null 2>&1 || true
    in_a ip link set bb1 address $a_mac
    in_f ip link set bb2 address $f_mac
    forget
    more "$(dev_count passed)" "$passed"
}

test_foreign_frames_are_stopped_without_rules() {
    foreign=$(radio_count rx_aborted_foreign)
    forget
    in_a ping -q -c 5 -i 0.05 $f4 >/dev/null
    more "$(radio_count rx_aborted_foreign)" $((foreign + 9))
    more "$(dev_count stopped_foreign)" 9
    # In promiscuous mode they are wanted.
    in_h ip link set bb0 promisc on
    trap 'in_h ip link set bb0 promisc off' EXIT
    foreign=$(radio_count rx_aborted_foreign)
    in_a ping -q -c 2 -i 0.05 $f4 >/dev/null
    same "$foreign" "$(radio_count rx_aborted_foreign)"
}

test_observe_counts_and_stops_nothing() {
    hg attach bb0 1
    hg add $a_mac,block $a4,block
    observed=$(dev_count observed)
    stopped=$(all_stopped)
    forget
    reaches "$a" $h4
    more "$(dev_count observed)" "$observed"
    same "$stopped" "$(all_stopped)"
}

# replay: the same five frames of $a each time, and no other IPv4 ones of it.
replay() {
    in_a ping -q -c 5 -i 0.1 -W 1 -s 100 $h4 >/dev/null 2>&1 || true
}

counted() {
    hg dump | sed -n 's/.*\(hits=[0-9]* bytes=[0-9]*\).*/\1/p'
}

test_observe_and_block_count_the_same() {
    in_a ip neigh replace $h4 lladdr $h_mac dev bb1 nud permanent
    in_h ip neigh replace $a4 lladdr $a_mac dev bb0 nud permanent
    trap 'in_a ip neigh del $h4 dev bb1; in_h ip neigh del $a4 dev bb0' EXIT
    for who in $a4 $a_mac,$a4 10.9.0.2/31; do
        hg attach bb0
        hg add $who,block
        stopped=$(all_stopped)
        replay
        same "hits=5 bytes=710" "$(counted)"
        same 5 $(($(all_stopped) - stopped))
        hg flush

        stopped=$(all_stopped)
        observed=$(dev_count observed)
        hg add $who,observe
        replay
        same "hits=5 bytes=710" "$(counted)"
        same 5 $(($(dev_count observed) - observed))
        hg flush
        hg detach bb0

        hg attach bb0 1
        hg add $who,block
        replay
        same "hits=5 bytes=710" "$(counted)"
        same 10 $(($(dev_count observed) - observed))
        same "$stopped" "$(all_stopped)"
        hg flush
        hg detach bb0
    done
}

test_observe_gives_way() {
    hg attach bb0
    # To a block of the other address, and to a protect.
    hg add $a_mac,observe $a4,block
    observed=$(dev_count observed)
    silent "$a" $h4
    reaches "$a" $h6
    more "$(dev_count observed)" "$observed"
    hg flush
    hg add $a4,observe $a_mac,protect
    observed=$(dev_count observed)
    reaches "$a" $h4
    same "$observed" "$(dev_count observed)"
}

test_first_hit_is_told_of_once() {
    hg attach bb0
    # Before the rule: somebody may ask for an address at any time.
    listen_h 3
    hg add $a_mac,$a4,block,id=5
    silent "$a" $h4
    silent "$a" $h4
    hg add 11.0.0.1,block
    wait
    same "changed" "$(sed -n 2p "$tmp/events" | xargs)"
    same "hit $a_mac,$a4 block id=5" "$(sed -n 3p "$tmp/events" | cut -d ' ' -f 1-4)"
    same "changed" "$(sed -n 4p "$tmp/events" | xargs)"
}

test_not_attached_means_no_rule_is_asked() {
    hg add $a_mac,block $a4,block
    reaches "$a" $h4
    same 0 "$(hg dump | field hits | sort -u)"
    hg attach bb0
    silent "$a" $h4
    hg detach bb0
    reaches "$a" $h4
}

no_rules() { [ "$(hg stats | field rules)" = 0 ]; }

test_expired_rules_block_no_more() {
    hg attach bb0
    hg add $a_mac,block,timeout=3000
    # Asked for more than a second.
    silent "$a" $h4
    wait_until 5 in_a ping -q -c 1 -W 1 $h4
    wait_until 5 no_rules
}

test_rules_of_one_namespace_stop_nothing_in_another() {
    hg attach bb0
    ip netns exec "$f" "$genl" add $h_mac,block $h4,block
    ip netns exec "$f" "$genl" attach bb2
    hg add $a_mac,block
    reaches "$a" $f4
    silent "$a" $h4
    silent "$h" $f4
    ip netns exec "$f" "$genl" flush
    ip netns exec "$f" "$genl" detach bb2
}

# rx_bytes_above NUMBER
rx_bytes_above() { [ "$(dev_count rx_bytes)" -gt "$1" ]; }
stopped_mac_above() { [ "$(dev_count stopped_mac)" -gt "$1" ]; }

test_tcp_dies_with_the_block() {
    hg attach bb0
    in_h timeout $((30 * patience)) "$tcp" serve 7000 >"$tmp/served" &
    wait_until 5 grep -q listening "$tmp/served"
    in_a timeout $((30 * patience)) "$tcp" send $h4 7000 0 >/dev/null 2>&1 &
    wait_until 5 rx_bytes_above $(($(dev_count rx_bytes) + 200000))
    stopped=$(dev_count stopped_mac)
    hg add $a_mac,block
    wait_until 5 stopped_mac_above "$stopped"
    delivered=$(in_h cat /proc/net/netstat | awk '/^IpExt: [0-9]/ { print $8 }')
    # Retransmissions go on and none arrives.
    wait_until 10 stopped_mac_above $((stopped + 3))
    same "$delivered" "$(in_h cat /proc/net/netstat | awk '/^IpExt: [0-9]/ { print $8 }')"
    # Both give up after 10 s without a byte.
    wait
    ! grep -q intact "$tmp/served" || fail "the transfer came to its end"
}

# A pair of cables into a namespace of their own: eth0 here, eth1 there.
veth_up() {
    ip netns add fmp-$$-v
    ip -n "$h" link add eth0 type veth peer name eth1 netns fmp-$$-v ||
        { ip netns del fmp-$$-v; echo "no veth"; exit 77; }
    in_h ip addr add 10.8.0.1/24 dev eth0
    in_h ip link set eth0 up
    ip -n fmp-$$-v addr add 10.8.0.2/24 dev eth1
    ip -n fmp-$$-v link set eth1 up
    trap 'ip netns del fmp-$$-v' EXIT
    wait_until 5 ip netns exec fmp-$$-v ping -q -c 1 -W 1 10.8.0.1
}

test_other_devices_are_filtered_at_ingress() {
    veth_up
    mac=$(ip netns exec fmp-$$-v cat /sys/class/net/eth1/address)
    hg attach eth0
    reaches fmp-$$-v 10.8.0.1
    same ingress "$(dev_count hook eth0)"
    hg add "$mac,block"
    silent fmp-$$-v 10.8.0.1
    more "$(dev_count dropped_late eth0)" 1
    hg add 10.8.0.2,protect
    reaches fmp-$$-v 10.8.0.1
    hg flush
    hg add 10.8.0.0/24,block
    silent fmp-$$-v 10.8.0.1
    hg detach eth0
    reaches fmp-$$-v 10.8.0.1
    same "" "$(dev_count hook eth0)"
}

test_vlan_tags_hide_nothing() {
    in_a ip link add link bb1 name bb1.7 type vlan id 7 || { echo "no vlan"; exit 77; }
    in_h ip link add link bb0 name bb0.7 type vlan id 7
    in_a ip addr add 10.7.0.2/24 dev bb1.7
    in_h ip addr add 10.7.0.1/24 dev bb0.7
    in_a ip link set bb1.7 up
    in_h ip link set bb0.7 up
    trap 'in_a ip link del bb1.7; in_h ip link del bb0.7' EXIT
    wait_until 5 in_a ping -q -c 1 -W 1 10.7.0.1
    hg attach bb0
    reaches "$a" 10.7.0.1
    stopped=$(dev_count stopped_ip)
    hg add 10.7.0.2,block
    silent "$a" 10.7.0.1
    more "$(dev_count stopped_ip)" $((stopped + 1))
}

test_device_goes_while_attached() {
    veth_up
    hg attach eth0
    listen_h 1
    in_h ip link del eth0
    wait
    same "detached eth0" "$(sed 1d "$tmp/events" | cut -d ' ' -f 1,2)"
    same "" "$(hg devs | grep eth0)"
    # A radio that moves on leaves its attachment behind.
    hg attach bb0
    in_h ip link set bb0 netns 1
    same none "$("$genl" devs | grep '^bb0 ' | field hook)"
    ip link set bb0 netns "$h"
    in_h ip addr add $h4/24 dev bb0
    in_h ip addr add $h6/64 dev bb0 nodad
    in_h ip link set bb0 up
    wait_until 5 in_a ping -q -c 1 -W 1 $h4
}

test_namespace_goes_while_attached() {
    ip netns add fmp-$$-x
    ip link add radio0 type fmpbb
    ip link set radio0 netns fmp-$$-x
    ip netns exec fmp-$$-x "$genl" add $a_mac,block,timeout=1000 10.0.0.0/8,block
    ip netns exec fmp-$$-x "$genl" attach radio0
    ip -n fmp-$$-x link set radio0 up
    ip netns del fmp-$$-x
    # Radios come home.
    wait_until 10 test -e /sys/class/net/radio0
    same none "$("$genl" devs | grep '^radio0 ' | field hook)"
    ip link del radio0
    same "" "$("$genl" devs | grep radio0)"
}

listen_h() {
    in_h timeout $((20 * patience)) "$genl" events "$1" >"$tmp/events" &
    wait_until 10 grep -q listening "$tmp/events"
}

world_up || exit 1
run_tests
rc=$?
world_down || exit 1
exit $rc
