#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What drop monitors see of a frame that is dropped at netdev ingress: the tracepoint skb:kfree_skb.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086

. "${0%/*}/lib.sh"

trace=/sys/kernel/tracing
[ -e $trace/trace ] || mount -t tracefs tracefs $trace
event=$trace/events/skb/kfree_skb/enable

world() {
    echo 0 >$trace/options/hash-ptr
    insmod "$modules/fmp.ko"
    ip netns add "$h"
    ip netns add "$a"
    ip -n "$h" link add v0 type veth peer name v1 netns "$a"
    ip -n "$a" link set v1 address $a_mac
    for end in "$h v0 $h4/24 $h6/64" "$a v1 $a4/24 $a6/64"; do
        # shellcheck disable=SC2086
        set -- $end
        ip -n "$1" addr add "$3" dev "$2"
        ip -n "$1" addr add "$4" dev "$2" nodad
        ip -n "$1" link set "$2" up
    done
    wait_until 10 in_a ping -q -c 1 -W 1 $h4
    wait_until 10 in_a ping -q -c 1 -W 1 $h6
    hg attach v0
}

world_down() {
    echo 0 >$event
    echo 1 >$trace/options/hash-ptr
    ip netns del "$a"
    ip netns del "$h"
    wait_until 10 rmmod fmp
}

before_each() {
    hg flush
    echo >$trace/trace
    echo 1 >$event
}

# where_dropped: FUNCTION REASON of each event in a module. 6.1 shows an address there, and names no
# reason, not even one of its own.
where_dropped() {
    awk 'NR == FNR { if ($4 != "") { at[++n] = "x" $1; name[n] = $3 } next }
        match($0, /location=[^ ]+/) {
            where = substr($0, RSTART + 9, RLENGTH - 9)
            if (where ~ /^(0x)?[0-9a-f]+$/) {
                sub(/^(0x)?/, "x", where)
                for (best = i = 0; ++i <= n;)
                    if (at[i] <= where && (!best || at[i] > at[best]))
                        best = i
                where = best ? name[best] : "core"
            }
            sub(/[+].*/, "", where)
            sub(/.*reason: /, "")
            print $1 == "" ? where : where " " $1
        }' /proc/kallsyms $trace/trace
}

# The kernel's list of subsystems is fixed: only one from scripts/kernel-tree has reasons of the module's own.
# dropped_by FUNCTION ADDRESS: frames to ADDRESS are dropped there and nowhere else.
dropped_by() {
    silent "$a" "$2"
    echo 0 >$event
    where_dropped | grep '^fmp_' | sort | uniq -c >"$tmp/seen"
    more "$(awk '{ n += $1 } END { print n + 0 }' "$tmp/seen")" 1
    reason=" NETFILTER_DROP"
    ! grep -q 'reason: $' $trace/trace || reason=
    same "$1$reason" "$(sed 's/^ *[0-9]* //' "$tmp/seen")"
}

test_mac_block() {
    hg add $a_mac,block
    dropped_by fmp_drop_mac $h4
}

test_ipv4_block() {
    hg add $a4,block
    dropped_by fmp_drop_ipv4 $h4
}

test_ipv4_pair_block() {
    hg add $a_mac,$a4,block
    dropped_by fmp_drop_ipv4 $h4
}

test_ipv6_block() {
    hg add $a6,block
    dropped_by fmp_drop_ipv6 $h6
}

test_no_block() {
    hg add 10.7.7.7,block
    reaches "$a" $h4
    same 0 "$(where_dropped | grep -c '^fmp_')"
}

world
run_tests
rc=$?
world_down
exit $rc
