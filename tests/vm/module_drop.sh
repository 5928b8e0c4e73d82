#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What drop monitors see of a frame that is dropped at netdev ingress: the tracepoint skb:kfree_skb, and the
# kernel's drop monitor, which also names reasons that are not the core's.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086

. "${0%/*}/lib.sh"

trace=/sys/kernel/tracing
[ -e $trace/trace ] || mount -t tracefs tracefs $trace
event=$trace/events/skb/kfree_skb/enable

world() {
    echo 0 >$trace/options/hash-ptr
    [ "${built_in:-}" ] || insmod "$modules/fmp.ko"
    grep ' t .*]$' /proc/kallsyms >"$tmp/symbols" || true
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
    [ "${built_in:-}" ] || wait_until 10 rmmod fmp
}

before_each() {
    hg flush
    echo >$trace/trace
    echo 1 >$event
}

# where_dropped: FUNCTION REASON of each event in a module. 6.1 shows an address there, and names no
# reason, not even one of its own.
where_dropped() {
    awk 'FILENAME == ARGV[1] { at[++n] = "x" $1; name[n] = $3; next }
        match($0, /location=[^ ]+/) {
            where = substr($0, RSTART + 9, RLENGTH - 9)
            if (where ~ /^(0x)?[0-9a-f]+$/) {
                sub(/^(0x)?/, "x", where)
                # Frames are many and places few.
                if (!(where in of)) {
                    for (best = i = 0; ++i <= n;)
                        if (at[i] <= where && (!best || at[i] > at[best]))
                            best = i
                    of[where] = best ? name[best] : "core"
                }
                where = of[where]
            }
            sub(/[+].*/, "", where)
            sub(/.*reason: /, "")
            print $1 == "" ? where : where " " $1
        }' "$tmp/symbols" $trace/trace
}

# The kernel's list of subsystems is fixed: only one from scripts/kernel-tree has reasons of the module's own.
# reason NAME: what the drop monitor calls it.
reason() { [ "${in_tree:-}" ] && echo "$1" || echo NETFILTER_DROP; }

# dropped_by FUNCTION NUMBER ADDRESS: frames to ADDRESS are dropped there and nowhere else. The tracepoint has names for
# the core's reasons only: of the module's own it shows the subsystem, in the upper half, and the NUMBER.
dropped_by() {
    silent "$a" "$3"
    echo 0 >$event
    where_dropped | grep '^fmp_' | sort | uniq -c >"$tmp/seen"
    more "$(awk '{ n += $1 } END { print n + 0 }' "$tmp/seen")" 1
    reason=" NETFILTER_DROP"
    ! grep -q 'reason: $' $trace/trace || reason=
    [ -z "${in_tree:-}" ] || reason=" own $2"
    same "$1$reason" "$(sed -e 's/^ *[0-9]* //' -e 's/ 0x[1-9a-f]*000\([0-9]\)$/ own \1/' "$tmp/seen")"
}

test_mac_block() {
    hg add $a_mac,block
    dropped_by fmp_drop_mac 1 $h4
}

test_ipv4_block() {
    hg add $a4,block
    dropped_by fmp_drop_ipv4 2 $h4
}

test_ipv4_pair_block() {
    hg add $a_mac,$a4,block
    dropped_by fmp_drop_ipv4 2 $h4
}

test_ipv6_block() {
    hg add $a6,block
    dropped_by fmp_drop_ipv6 3 $h6
}

# send FIRST-ADDRESS COUNT: frames from there on, all from the MAC address 02:00:00:00:00:99.
send() { in_a "$tools/frames" v1 "$(in_h cat /sys/class/net/v0/address)" "$1" "$2"; }

# have_hit COUNT: so many frames were dropped since the last flush. On a busy machine that is some time after they were sent.
have_hit() { [ "$(hg dump | field hits | awk '{ n += $1 } END { print n + 0 }')" = "$1" ]; }

test_monitor_counts_each_reason() {
    modprobe -q drop_monitor || { echo "no drop monitor in this kernel"; exit 77; }
    hg add 10.7.7.7,block
    timeout $((120 * patience)) "$tools/drop_monitor" fmp_ 101 >"$tmp/alerts" &
    monitor=$!
    wait_until 10 grep -q listening "$tmp/alerts"
    hg add 02:00:00:00:00:99,block
    send 10.8.0.1 7
    send fd0a::1 4
    wait_until 10 have_hit 11
    hg flush
    hg add 10.8.0.0/16,block 02:00:00:00:00:99,10.9.9.9,block fd0a::/64,block
    send 10.8.0.1 30
    send 10.9.9.9 1
    send fd0a::1 59
    # Nobody blocks these.
    send 10.11.0.1 9
    send fd0b::1 9
    wait_until 10 have_hit 90
    rc=0
    wait $monitor || rc=$?
    sort "$tmp/alerts" | uniq -c | sed 's/^ *//' >"$tmp/seen"
    [ $rc = 0 ] || fail "the monitor ended with $rc: $(cat "$tmp/seen")"
    same "31 fmp_drop_ipv4 $(reason FMP_IPV4)
59 fmp_drop_ipv6 $(reason FMP_IPV6)
11 fmp_drop_mac $(reason FMP_MAC)
1 listening
1 lost 0" "$(cat "$tmp/seen")"
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
