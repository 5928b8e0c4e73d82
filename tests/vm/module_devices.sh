#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Devices that come and go, pending attaches that wait for them, and what is reported of it.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086,SC2119

. "${0%/*}/lib.sh"

wait_flag=2
n1=fmp-$$-1 n2=fmp-$$-2

before_each() {
    "$genl" flush
    for dev in $("$genl" devs | awk '!/hook=none/ { print $1 }'); do
        "$genl" detach "$dev"
    done
    for dev in w0 w1 w2 w3; do
        ip link del $dev 2>/dev/null || true
    done
    dmesg -C
}

# hook DEV: where the filter sits on it; nothing if it is neither attached nor pending.
hook() { "$genl" devs | grep "^$1 " | field hook; }
flags() { "$genl" devs | grep "^$1 " | field flags; }
in_1() { ip netns exec "$n1" "$@"; }

# record_events [BYTES]: all events into $tmp/events from now on, until recorded.
record_events() {
    mkfifo "$tmp/go" 2>/dev/null || true
    timeout $((120 * patience)) "$genl" events 1000000 "$@" <"$tmp/go" >"$tmp/events" &
    recorder=$!
    exec 9>"$tmp/go"
    wait_until 20 grep -q listening "$tmp/events"
}
# record_all_events: with a receive buffer that holds every event of a test, however late the recorder is scheduled.
record_all_events() {
    record_events 16777216
    echo go >&9
}
# recorded PATTERN: waits until such an event has come, then ends it.
recorded() {
    wait_until 60 grep -q "$1" "$tmp/events"
    kill $recorder
    wait $recorder 2>/dev/null || true
    exec 9>&-
}
# What the events say was lost, all of them together.
told_lost() { sed -n 's/.*lost=\([0-9]*\).*/\1/p' "$tmp/events" | awk '{ n += $1 } END { print n + 0 }'; }
# How many of them were first hits.
told_lost_hits() { sed -n 's/.*lost_hits=\([0-9]*\).*/\1/p' "$tmp/events" | awk '{ n += $1 } END { print n + 0 }'; }
lost() { "$genl" stats | field events_lost; }
# kinds: the events' names, a word each.
kinds() { sed '1d;s/ .*//' "$tmp/events" | xargs; }

test_wish_waits_for_a_device() {
    record_events
    "$genl" attach w0 $wait_flag
    same waiting "$(hook w0)"
    same $wait_flag "$(flags w0)"
    # At once: ip has not returned before the device is attached.
    ip link add w0 type dummy
    same ingress "$(hook w0)"
    same $wait_flag "$(flags w0)"
    ip link del w0
    same waiting "$(hook w0)"
    ip link add w0 type dummy
    same ingress "$(hook w0)"
    "$genl" detach w0
    same "" "$(hook w0)"
    ip link del w0
    "$genl" attach w0 3
    same 3 "$(flags w0)"
    "$genl" detach w0
    same "" "$(hook w0)"
    recorded "detached w0 flags=3"
    same "waiting attached detached waiting attached detached waiting detached" "$(kinds)"
}

test_wish_for_a_device_that_is_there() {
    ip link add w0 type dummy
    "$genl" attach w0 $wait_flag
    same ingress "$(hook w0)"
    ip link del w0
    same waiting "$(hook w0)"
    refused EEXIST "$genl" attach w0 $wait_flag
    # Attached without the flag: it belongs to the pending attach all the same.
    "$genl" detach w0
    ip link add w0 type dummy
    "$genl" attach w0 1
    "$genl" attach w0 $wait_flag
    same $wait_flag "$(flags w0)"
    refused EEXIST "$genl" attach w0 $wait_flag
    "$genl" detach "#$(cat /sys/class/net/w0/ifindex)"
    same "" "$(hook w0)"
    ip link del w0
    same "" "$(hook w0)"
}

test_wish_for_a_radio() {
    "$genl" attach bb0 $wait_flag
    same driver "$(hook bb0)"
    rmmod fmp_baseband
    same waiting "$(hook bb0)"
    insmod "$modules/fmp_baseband.ko" stations=2
    same driver "$(hook bb0)"
    same none "$(hook bb1)"
}

test_renamed() {
    ip link add w0 type dummy
    "$genl" attach w0 $wait_flag
    ip link set w0 name w1
    same "waiting " "$(hook w0) $(hook w1)"
    ip link set w1 name w0
    same ingress "$(hook w0)"
    # Without a pending attach the attachment follows the name.
    "$genl" detach w0
    "$genl" attach w0 1
    ip link set w0 name w2
    same " ingress" "$(hook w0) $(hook w2)"
    # A pending attach takes it, with its own flags.
    "$genl" attach w3 $wait_flag
    ip link set w2 name w3
    same "ingress $wait_flag" "$(hook w3) $(flags w3)"
    ip link set w3 name w2
    same "waiting " "$(hook w3) $(hook w2)"
}

test_names_swapped() {
    ip link add w0 type dummy
    ip link add w1 type dummy
    "$genl" attach w0 $wait_flag
    "$genl" attach w1 3
    first=$(cat /sys/class/net/w0/ifindex)
    ip link set w0 name w2
    ip link set w1 name w0
    ip link set w2 name w1
    same "ingress $wait_flag ingress 3" "$(hook w0) $(flags w0) $(hook w1) $(flags w1)"
    same "$first" "$(cat /sys/class/net/w1/ifindex)"
}

test_alternative_name() {
    ip link add w0 type dummy
    ip link property add dev w0 altname other-name
    "$genl" attach other-name $wait_flag
    same ingress "$(hook w0)"
    # Still its name.
    ip link set w0 name w1
    same ingress "$(hook w1)"
}

test_moved_to_another_namespace() {
    ip netns add "$n1"
    trap 'ip netns del "$n1"' EXIT
    "$genl" attach bb1 $wait_flag
    in_1 "$genl" attach bb1 3
    in_1 "$genl" attach w0 $wait_flag
    same waiting "$(in_1 "$genl" devs | grep '^bb1 ' | field hook)"
    ip link set bb1 netns "$n1"
    same waiting "$(hook bb1)"
    same "driver 3" "$(in_1 "$genl" devs | grep '^bb1 ' | field hook) $(
        in_1 "$genl" devs | grep '^bb1 ' | field flags)"
    # Moved and named in one step.
    ip link add w1 type dummy
    ip link set w1 netns "$n1" name w0
    same ingress "$(in_1 "$genl" devs | grep '^w0 ' | field hook)"
    ip -n "$n1" link set bb1 netns 1
    same driver "$(hook bb1)"
    same waiting "$(in_1 "$genl" devs | grep '^bb1 ' | field hook)"
}

test_device_that_can_not_be_attached() {
    "$genl" attach w0 $wait_flag
    ip link add w0 type wireguard || { echo "no wireguard"; exit 77; }
    same waiting "$(hook w0)"
    dmesg | grep "w0: fmp: waited for, but can't be attached: not an Ethernet device" >/dev/null ||
        fail "the log does not say why: $(dmesg)"
    # A refused request changes nothing, nor the flags of the pending attach.
    refused EOPNOTSUPP "$genl" attach w0 1
    same $wait_flag "$(flags w0)"
    ip link del w0
    ip link add w0 type dummy
    same ingress "$(hook w0)"
}

test_refusals_have_a_text() {
    refused ENODEV "$genl" attach w0
    refused ENODEV "$genl" detach w0
    refused ENOENT "$genl" detach bb0
    refused EINVAL "$genl" attach '#1' $wait_flag
    refused EINVAL "$genl" attach a/b $wait_flag
    refused EINVAL "$genl" attach .. $wait_flag
    refused EINVAL "$genl" attach a-name-of-sixteen-characters $wait_flag
    refused EOPNOTSUPP "$genl" attach lo $wait_flag
    same "" "$(hook lo)"
    for i in $(seq 64); do
        "$genl" attach "x$i" $wait_flag
    done
    refused ENOSPC "$genl" attach x65 $wait_flag
    same 64 "$("$genl" devs | grep -c hook=waiting)"
    "$genl" detach x7
    "$genl" attach x65 $wait_flag
}

test_dump_of_devices_says_when_it_is_torn() {
    # More than one part of a dump holds.
    seq 250 | sed 's/.*/link add y& type fmpbb/' >"$tmp/batch"
    seq 250 | sed 's/.*/link del y&/' >"$tmp/undo"
    trap 'ip -force -batch "$tmp/undo" 2>/dev/null || true; ip netns del "$n1" 2>/dev/null || true' EXIT
    ip -batch "$tmp/batch"
    "$genl" devs >"$tmp/dump"
    same "252 0" "$(grep -c hook=none "$tmp/dump") $(grep -c interrupted "$tmp/dump")"
    for change in "$genl attach y7" "$genl attach zz $wait_flag" "ip link del y9"; do
        "$genl" devs during "$change" >"$tmp/dump"
        grep interrupted "$tmp/dump" >/dev/null || fail "torn by $change, and does not say so"
    done
    # Another namespace's devices are not ours.
    ip netns add "$n1"
    "$genl" devs during "ip -n $n1 link add z0 type dummy && ip netns exec $n1 $genl attach z0" >"$tmp/dump"
    ! grep interrupted "$tmp/dump" >/dev/null || fail "torn by another namespace"
}

test_counters_of_each_processor() {
    ip addr add 10.7.1.1/24 dev bb0
    ip netns add "$n1"
    trap 'ip -n "$n1" link set bb1 netns 1; ip netns del "$n1"; ip addr flush dev bb0' EXIT
    ip link set bb1 netns "$n1"
    ip -n "$n1" addr add 10.7.1.2/24 dev bb1
    ip -n "$n1" link set bb1 up
    ip link set bb0 up
    "$genl" attach bb0
    wait_until 20 in_1 ping -q -c 1 -W 1 10.7.1.1
    in_1 ping -q -c 20 -i 0.01 10.7.1.1 >/dev/null
    ip -n "$n1" link set bb1 down
    "$genl" devs cpu | grep '^bb0 ' | tr ' ' '\n' | awk -F= '
        $1 == "cpu" { cpus++ }
        !cpus { total[$1] = $2; next }
        { sum[$1] += $2 }
        END {
            if (!cpus || total["passed"] < 20)
                exit 1
            for (k in total)
                if (total[k] != sum[k] && k ~ /^(rx_|passed|stopped|dropped|observed)/) {
                    print k, total[k], "is not", sum[k]
                    exit 1
                }
        }' || fail "$("$genl" devs cpu | grep '^bb0 ')"
    same "" "$("$genl" devs | grep -o cpu= || true)"
    ip link set bb0 down
}

test_tracepoints() {
    mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null || true
    [ -d /sys/kernel/tracing/events/fmp ] || fail "no tracepoints"
    ip netns add "$n1"
    trap 'echo 0 >/sys/kernel/tracing/events/fmp/enable; ip netns del "$n1"' EXIT
    ip link add w0 type veth peer name w1 netns "$n1"
    mac=$(in_1 cat /sys/class/net/w1/address)
    ip addr add 10.7.2.1/24 dev w0
    ip link set w0 up
    ip -n "$n1" addr add 10.7.2.2/24 dev w1
    ip -n "$n1" link set w1 up
    wait_until 20 in_1 ping -q -c 1 -W 1 10.7.2.1
    "$genl" attach w0
    index=$(cat /sys/class/net/w0/ifindex)
    echo >/sys/kernel/tracing/trace
    echo 1 >/sys/kernel/tracing/events/fmp/enable
    in_1 ping -q -c 1 -W 1 10.7.2.1 >/dev/null
    grep "fmp_verdict: ifindex=$index src=$mac .*decision=pass" /sys/kernel/tracing/trace >/dev/null ||
        fail "no verdict in the trace: $(cat /sys/kernel/tracing/trace)"
    ! grep fmp_stop: /sys/kernel/tracing/trace || fail "a STOP without a block"
    "$genl" add "$mac,block"
    ! in_1 ping -q -c 1 -W 1 10.7.2.1 >/dev/null || fail "not blocked"
    grep "fmp_verdict: ifindex=$index src=$mac .*decision=block-mac" /sys/kernel/tracing/trace >/dev/null
    grep "fmp_stop: ifindex=$index src=$mac .*reason=mac" /sys/kernel/tracing/trace >/dev/null ||
        fail "no STOP in the trace: $(cat /sys/kernel/tracing/trace)"
}

# 4096 rules in 8 messages: they end faster than events may be told, however slow the kernel.
short_lived() {
    seq 0 4095 | awk '{ printf "10.6.%d.%d,block,timeout=1\n", $1 / 256, $1 % 256 }' |
        xargs -n 512 "$genl" add
}
no_rules() { [ "$("$genl" stats | field rules)" = 0 ]; }

test_events_are_rationed_and_losses_told() {
    before=$(lost)
    record_all_events
    short_lived
    wait_until 60 no_rules
    # Of another kind: comes through, and tells.
    "$genl" attach w0 $wait_flag
    recorded "waiting .*w0"
    more "$(told_lost)" 0
    same $((4096 + 8)) $(($(grep -c '^expired\|^changed' "$tmp/events") + $(told_lost)))
    same "$(told_lost)" $(($(lost) - before))
    # None of them was a first hit.
    same 0 "$(told_lost_hits)"
    # Nobody listens: nothing is lost.
    before=$(lost)
    short_lived
    wait_until 60 no_rules
    same "$before" "$(lost)"
}

all_told() { [ $((4096 + 8)) = $(($(grep -c '^expired\|^changed' "$tmp/events") + $(told_lost))) ]; }

# What was lost last is told of by an event of its own: nothing else happens here.
test_loss_is_told_without_another_event() {
    record_all_events
    short_lived
    wait_until 60 no_rules
    wait_until 60 all_told
    recorded '^lost lost='
}

hits_are() { [ "$("$genl" dump | field hits | awk '{ n += $1 } END { print n + 0 }')" = "$1" ]; }
# told NUMBER: so many first hits were told of or counted as lost.
told() { [ "$(($(grep -c '^hit\|^lost=[0-9]* hit' "$tmp/events") + $(lost) - before))" = "$1" ]; }

test_flood_of_first_hits() {
    ip link set bb0 up
    ip link set bb1 up
    "$genl" attach bb0
    seq 0 511 | awk '{ printf "10.200.%d.%d,block\n", $1 / 256, $1 % 256 }' | xargs -n 600 "$genl" add
    before=$(lost)
    record_all_events
    "$tools/frames" bb1 "$(cat /sys/class/net/bb0/address)" 10.200.0.0 512
    wait_until 60 hits_are 512
    wait_until 60 told 512
    more "$(lost)" "$before"
    "$genl" attach w0 $wait_flag
    recorded "waiting .*w0"
    same "$(told_lost)" $(($(lost) - before))
    # So nobody need dump the rules again.
    same "$(told_lost)" "$(told_lost_hits)"
    # Each rule's first frame is told of once at most.
    same "" "$(grep 'hit' "$tmp/events" | grep -o '10.200[0-9.]*' | sort | uniq -d)"
    ip link set bb0 down
    ip link set bb1 down
}

test_listener_with_a_small_buffer() {
    before=$(lost)
    record_events 2048
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        "$genl" attach bb0
        "$genl" detach bb0
    done
    echo go >&9
    # Its socket tells it, and nobody else of it.
    wait_until 20 grep overrun "$tmp/events"
    "$genl" attach w0 $wait_flag
    recorded "waiting .*w0"
    more 20 "$(grep -c 'attached\|detached' "$tmp/events")"
    same 0 "$(told_lost)"
    same "$before" "$(lost)"
}

# Objects of the sizes that ports and pending attaches have, and pages of counters.
objects() {
    # What is freed after a grace period is gone after two of another's.
    for _ in 1 2 3; do
        ip link add w3 type dummy && ip link del w3
    done
    awk '/^kmalloc-(cg-)?(64|96|128|192|256|512|1k) / { n += $2 } END { print n }' /proc/slabinfo
}
percpu_kb() { sed -n 's/^Percpu: *\([0-9]*\) kB/\1/p' /proc/meminfo; }

test_200_rounds_leave_nothing() {
    [ -e /proc/slabinfo ] || { echo "this kernel does not count objects"; exit 77; }
    ip link add w0 type dummy
    "$genl" attach w0 $wait_flag
    # Each round detaches at one rename and attaches at the other.
    for _ in $(seq 200); do
        echo "link set w0 name w1"
        echo "link set w1 name w0"
    done >"$tmp/batch"
    ip -batch "$tmp/batch"
    before=$(objects) pages=$(percpu_kb)
    for _ in 1 2 3; do
        ip -batch "$tmp/batch"
    done
    same ingress "$(hook w0)"
    grown=$(($(objects) - before))
    more 300 $grown
    more 40 $(($(percpu_kb) - pages))
    # And 200 pending attaches with their devices.
    for i in $(seq 200); do
        echo "link add w1 type dummy"
        echo "link del w1"
    done >"$tmp/batch"
    "$genl" attach w1 $wait_flag
    ip -batch "$tmp/batch"
    same waiting "$(hook w1)"
}

# A cable to $n1, flooded from there: w0 here.
flood() {
    ip netns add "$n1"
    ip link add w0 type veth peer name w1 netns "$n1"
    ip addr add 10.7.3.1/24 dev w0
    ip link set w0 up
    ip -n "$n1" addr add 10.7.3.2/24 dev w1
    ip -n "$n1" link set w1 up
    wait_until 20 in_1 ping -q -c 1 -W 1 10.7.3.1
    # Not by in_1(): $! is to be ping itself, or it floods on until its end.
    ip netns exec "$n1" ping -q -f -w 300 10.7.3.1 >/dev/null 2>&1 &
    flooder=$!
    trap 'kill $flooder; ip netns del "$n1"' EXIT
}

test_device_goes_under_flood() {
    flood
    mac=$(in_1 cat /sys/class/net/w1/address)
    "$genl" add "$mac,observe"
    "$genl" attach w0 $wait_flag
    for _ in 1 2 3 4 5 6 7 8; do
        "$genl" detach w0
        "$genl" attach w0 $wait_flag
        # 6.1 renames no device that is up.
        ip link set w0 down
        ip link set w0 name w2
        ip link set w2 name w0
        ip link set w0 up
    done
    same ingress "$(hook w0)"
    ip link del w0
    same waiting "$(hook w0)"
}

test_namespace_goes_with_pending() {
    ip netns add "$n1"
    ip netns add "$n2"
    for i in 1 2 3 4 5; do
        in_1 "$genl" attach "x$i" $wait_flag
    done
    ip link add w0 netns "$n1" type veth peer name w1 netns "$n2"
    in_1 "$genl" attach w0 $wait_flag
    ip netns exec "$n2" "$genl" attach w1 $wait_flag
    same 5 "$(in_1 "$genl" devs | grep -c hook=waiting)"
    ip netns del "$n1"
    # The cable's other end goes with it, when the kernel comes to it.
    end=$(($(uptime) + 60))
    until [ "$(ip netns exec "$n2" "$genl" devs | field hook)" = waiting ]; do
        [ "$(uptime)" -le $end ] || fail "the other end is still there"
        sleep 0.1
    done
    ip netns del "$n2"
}

test_module_goes_with_pending_and_traffic() {
    flood
    for _ in 1 2 3; do
        "$genl" attach w0 $wait_flag
        "$genl" attach bb0 $wait_flag
        "$genl" attach x1 $wait_flag
        in_1 "$genl" attach x2 $wait_flag
        in_1 "$genl" attach w1
        "$genl" add 10.7.3.2,observe
        unload
        load stations=2
        same none "$("$genl" devs | field hook | sort -u)"
        same "" "$(in_1 "$genl" devs)"
    done
}

load stations=2 || exit 1
run_tests
rc=$?
unload || exit 1
exit $rc
