#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The header record: it spares a later hook the work, and is never believed wrongly.
#
# bb0 has the driver's hook; behind it, a bridge or a VLAN device of the handheld has the
# filter at netdev ingress and finds the records of bb0.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086

. "${0%/*}/lib.sh"

bpf=$tools/fmp_bpf
burst=$tools/tcp_burst
pins=$tmp/bpf
trace=$tmp/trace

# A rule that matches nobody, so that the rules want the network header.
some_rule="10.200.0.1,block"

# One of each test's own; gone at its end.
bridge_up() {
    in_h ip link add br0 type bridge forward_delay 0
    trap 'bridge_down' EXIT
    in_h ip link set bb0 master br0
    in_h ip addr flush dev bb0
    in_h ip addr add $h4/24 dev br0
    in_h ip addr add $h6/64 dev br0 nodad
    in_h ip link set br0 up
    wait_until 10 in_a ping -q -c 1 -W 1 $h4
    hg attach bb0 "$@"
    hg attach br0
}

bridge_down() {
    in_h ip link del br0
    in_h ip addr add $h4/24 dev bb0
    in_h ip addr add $h6/64 dev bb0 nodad
}

# vlan_up TAG...: the same nest of tags on both sides; the innermost is 10.7.0.0/24.
vlan_up() {
    a_dev=bb1 h_dev=bb0
    trap 'in_a ip link del bb1.7; in_h ip link del bb0.7' EXIT
    for tag; do
        in_a ip link add link $a_dev name $a_dev.$tag type vlan id $tag
        in_h ip link add link $h_dev name $h_dev.$tag type vlan id $tag
        a_dev=$a_dev.$tag h_dev=$h_dev.$tag
        in_a ip link set $a_dev up
        in_h ip link set $h_dev up
    done
    in_a ip addr add 10.7.0.2/24 dev $a_dev
    in_h ip addr add 10.7.0.1/24 dev $h_dev
    wait_until 10 in_a ping -q -c 1 -W 1 10.7.0.1
    hg attach bb0
    hg attach bb0.7
}

# at_ingress ARGUMENT... of fmp_bpf behind the pin: a program between bb0 and what is behind.
at_ingress() {
    mountpoint -q "$pins" || { mkdir -p "$pins" && mount -t bpf bpf "$pins"; }
    rm -f "$pins"/*
    what=$1
    shift
    "$bpf" $what "$pins/$what" "$@"
    in_h tc qdisc replace dev bb0 clsact
    in_h tc filter replace dev bb0 ingress prio 1 handle 1 bpf direct-action pinned "$pins/$what"
}

used() { dev_count record_used "${1:-br0}"; }
stale() { dev_count record_stale "${1:-br0}"; }

before_each() {
    fresh
    hg detach br0 >/dev/null 2>&1 || true
    hg detach bb0.7 >/dev/null 2>&1 || true
    in_h tc qdisc del dev bb0 clsact >/dev/null 2>&1 || true
}

# pings NUMBER ADDRESS: all of them answered, from the attacker's station.
pings() {
    in_a ping -q -c "$1" -i 0.02 -W 3 "$2" >"$tmp/ping"
    grep -q " $1 received" "$tmp/ping" || fail "$(cat "$tmp/ping")"
}

test_upper_hook_is_spared_the_work() {
    bridge_up
    hg add $some_rule fd0a::1,block
    index=$(in_h cat /sys/class/net/br0/ifindex)
    mkdir -p "$trace"
    mountpoint -q "$trace" || mount -t tracefs tracefs "$trace"
    echo 1 >"$trace/events/fmp/fmp_verdict/enable"
    : >"$trace/trace"
    hg devs | grep "^br0 " >"$tmp/br0"
    before=$(field record_used <"$tmp/br0") without=$(field passed <"$tmp/br0")
    pings 20 $h4
    pings 20 $h6
    echo 0 >"$trace/events/fmp/fmp_verdict/enable"
    more "$(used)" $((before + 39))
    same 0 "$(stale)"
    # Of one dump: a frame may come between two. Those before the rules had no record.
    hg devs | grep "^br0 " >"$tmp/br0"
    same "$((before - without))" "$(($(field record_used <"$tmp/br0") - $(field passed <"$tmp/br0")))"
    # The rules were asked for bb0's frames, never for the bridge's.
    grep -c "fmp_verdict: ifindex=" "$trace/trace" >"$tmp/asked"
    more "$(cat "$tmp/asked")" 39
    ! grep "fmp_verdict: ifindex=$index " "$trace/trace" || fail "parsed and looked up again"
    umount "$trace"
}

test_record_of_a_verdict_on_the_mac_address() {
    # No rule wants a network header: the record tells of none, and is believed.
    bridge_up
    hg add 02:00:00:00:00:99,block
    at_ingress read
    before=$(used)
    pings 10 $h4
    more "$(used)" $((before + 9))
    "$bpf" show "$pins/read" >"$tmp/record"
    grep -q ' l3_off=0 l4_off=0 l3=0 verdict=1$' "$tmp/record" || fail "$(cat "$tmp/record")"
}

# record_is ADDRESS PATTERN: the record of the last frame, a ping's. Another frame may come
# behind it: a neighbour's question, or what IPv6 says of itself.
record_is() {
    for _ in 1 2 3 4 5; do
        pings 5 "$1"
        "$bpf" show "$pins/read" >"$tmp/record"
        ! grep -q "$2" "$tmp/record" || return 0
    done
    fail "$(cat "$tmp/record")"
}

test_bpf_reads_it() {
    bridge_up
    hg add $some_rule fd0a::1,block
    at_ingress read
    generation=$(hg stats | field generation)
    record_is $h4 "magic=0x666d7031 generation=$generation l3_off=14 l4_off=34 l3=2 verdict=1\$"
    more "$(field frames <"$tmp/record")" 4
    record_is $h6 ' l3_off=14 l4_off=54 l3=3 verdict=1$'
}

test_no_record_without_rules() {
    bridge_up
    hg detach bb0
    # Behind a frame of the bridge's own, that had a record when it came.
    pings 1 $h4
    at_ingress read
    used_before=$(used)
    stale_before=$(stale)
    pings 5 $h4
    "$bpf" show "$pins/read" | grep '^frames=0 ' >/dev/null
    same "$used_before" "$(used)"
    same "$stale_before" "$(stale)"
}

test_every_field_is_checked() {
    bridge_up
    hg add $some_rule
    # Magic number: not a record. Generation, check, offsets and verdict: not to be believed.
    at_ingress flip meta 0 1
    before=$(used)
    pings 5 $h4
    same "$before" "$(used)"
    same 0 "$(stale)"
    for field in "4 1" "4 0x80000000" "8 1" "8 0x80000000" "12 4" "12 0x200" "12 0x10000" \
        "12 0x2000000"; do
        stale_before=$(stale)
        at_ingress flip meta $field
        before=$(used)
        pings 5 $h4
        more "$(stale)" $((stale_before + 4))
        same "$before" "$(used)" || fail "believed with $field flipped"
    done
}

test_observed_is_not_passed_on() {
    # bb0 only observes: what it let through, the bridge blocks. Nothing else that may be in
    # the air, as a neighbour's question, has a record that could be used.
    bridge_up 1
    hg add $a4,block $f4,block ::/1,block 8000::/1,block
    in_a ip neigh replace $h4 lladdr $h_mac dev bb1
    silent "$a" $h4
    more "$(dev_count observed)" 1
    more "$(dev_count dropped_late br0)" 1
    same 0 "$(used)"
    # The same with a record forged to say: passed.
    at_ingress flip meta 12 0x3000000
    dropped=$(dev_count dropped_late br0)
    silent "$a" $h4
    more "$(dev_count dropped_late br0)" $((dropped + 1))
    more "$(stale)" 1
    same 0 "$(used)"
}

test_rewritten_source_is_judged_anew() {
    # 10.9.0.2 becomes 10.9.0.3 on the way, which is blocked: bb0 did not see that.
    bridge_up
    hg add $f4,block
    pings 3 $h4
    before=$(used)
    at_ingress flip data 26 0x01000000
    in_a ip neigh replace $h4 lladdr $h_mac dev bb1
    silent "$a" $h4
    more "$(dev_count dropped_late br0)" 1
    more "$(stale)" 1
    same "$before" "$(used)"
    # The same with the source MAC address: ...:01 becomes ...:02.
    at_ingress flip data 8 0x03000000
    hg flush
    hg add $f_mac,block
    dropped=$(dev_count dropped_late br0)
    silent "$a" $h4
    more "$(dev_count dropped_late br0)" $((dropped + 1))
}

test_survives_vlan_strip() {
    vlan_up 7
    hg add $some_rule
    before=$(used bb0.7)
    pings 20 10.7.0.1
    more "$(used bb0.7)" $((before + 19))
    same 0 "$(stale bb0.7)"
    hg add 10.7.0.2,block
    silent "$a" 10.7.0.1
}

test_what_a_tag_hid_is_judged_when_it_is_gone() {
    # Three tags are too many for bb0; behind bb0.7 there are two.
    vlan_up 7 8 9
    stopped=$(dev_count stopped_ip)
    hg add 10.7.0.2,block
    silent "$a" 10.7.0.1
    same "$stopped" "$(dev_count stopped_ip)"
    more "$(dev_count dropped_late bb0.7)" 1
}

test_other_rules_make_it_stale() {
    # Forwarded to another namespace with the record still in front of it.
    x=fmp-$$-x
    ip netns add $x
    trap 'ip netns del $x; in_h sysctl -q net.ipv4.ip_forward=0; in_a ip route del 10.8.0.0/24' EXIT
    ip -n "$h" link add to-x type veth peer name eth0 netns $x
    in_h ip addr add 10.8.0.1/24 dev to-x
    in_h ip link set to-x up
    in_h sysctl -q net.ipv4.ip_forward=1
    ip -n $x addr add 10.8.0.2/24 dev eth0
    ip -n $x link set eth0 up
    ip -n $x route add default via 10.8.0.1
    in_a ip route add 10.8.0.0/24 via $h4
    hg attach bb0
    hg add $some_rule
    wait_until 10 in_a ping -q -c 1 -W 1 10.8.0.2
    ip netns exec $x "$genl" attach eth0
    ip netns exec $x "$genl" add 10.66.0.0/16,block
    pings 10 10.8.0.2
    ip netns exec $x "$genl" devs >"$tmp/devs"
    more "$(field record_stale <"$tmp/devs")" 9
    same 0 "$(field record_used <"$tmp/devs")"
    ip netns exec $x "$genl" add $a4,block
    silent "$a" 10.8.0.2
}

test_rules_of_another_namespace_make_it_stale() {
    # Bridged there: addresses are what they were, nothing else tells.
    bridge_up
    x=fmp-$$-x x4=10.9.0.9
    ip netns add $x
    trap 'ip netns del $x; bridge_down' EXIT
    ip -n "$h" link add to-x type veth peer name eth0 netns $x
    in_h ip link set to-x master br0 up
    ip -n $x addr add $x4/24 dev eth0
    ip -n $x link set eth0 up
    hg add $some_rule
    wait_until 10 in_a ping -q -c 1 -W 1 $x4
    ip netns exec $x "$genl" attach eth0
    ip netns exec $x "$genl" add 10.66.0.0/16,block
    pings 10 $x4
    ip netns exec $x "$genl" devs >"$tmp/devs"
    more "$(field record_stale <"$tmp/devs")" 9
    same 0 "$(field record_used <"$tmp/devs")"
    ip netns exec $x "$genl" add $a4,block
    silent "$a" $x4
}

# received FRAMES: packets that the network layer got of a burst of them.
# shellcheck disable=SC2016
received() {
    before=$(in_h awk '/^Ip: [0-9]/ { print $3 }' /proc/net/snmp)
    frames=$(radio_count rx_delivered)
    in_a chrt -f 50 "$burst" bb1 $h_mac $a4 $h4 "$1" 1000
    wait_until 10 [ "$(radio_count rx_delivered)" -ge $((frames + $1)) ]
    after=$(in_h awk '/^Ip: [0-9]/ { print $3 }' /proc/net/snmp)
    echo $((after - before))
}

test_gro_merges_as_without() {
    in_h ip link set bb2 down 2>/dev/null || true
    without=$(received 40)
    more 20 "$without"
    hg attach bb0
    hg add $some_rule
    at_ingress read
    with=$(received 40)
    "$bpf" show "$pins/read" | grep -v '^frames=0 ' >/dev/null || fail "no record was there"
    same "$without" "$with"
}

test_a_rule_that_comes_later_counts_at_once() {
    bridge_up
    hg add $some_rule
    ip netns exec "$a" ping -q -f -w 100 $h4 >/dev/null 2>&1 &
    flood=$!
    wait_until 10 more_used 50
    hg add $a4,block
    stopped=$(dev_count stopped_ip)
    passed=$(dev_count passed br0)
    wait_until 10 more_stopped "$stopped"
    # Not by in_a above: the one to be killed is the program itself.
    kill $flood
    wait $flood || true
    # At most what was on its way in that moment.
    more $((passed + 64)) "$(dev_count passed br0)"
}
more_used() { [ "$(used)" -gt "$1" ]; }
more_stopped() { [ "$(dev_count stopped_ip)" -gt $(($1 + 5)) ]; }

# shellcheck disable=SC2119
world_up || exit 1
run_tests
rc=$?
umount "$pins" 2>/dev/null
umount "$trace" 2>/dev/null
world_down || exit 1
exit $rc
