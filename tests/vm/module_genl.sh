#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The netlink family: rules in, rules out, and every way to be refused.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086

. "${0%/*}/lib.sh"

mac=02:00:00:00:00:01

before_each() { "$genl" flush; }

test_empty() {
    same "" "$("$genl" dump)"
    same 0 "$("$genl" stats | field rules)"
    same 65536 "$("$genl" stats | field rules_max)"
}

test_round_trip() {
    for rule in "$mac block" "10.1.2.3/32 block" "10.0.0.0/8 protect" "0.0.0.0/1 block" \
        "fd00::1/128 block" "fd00::/16 protect" "fd00::8000:0:0:0/65 block"; do
        "$genl" add "$(echo "$rule" | tr ' ' ,),id=7"
        got=$("$genl" dump | cut -d ' ' -f 1-3)
        same "$rule id=7" "$got"
        same 1 "$("$genl" stats | field rules)"
        "$genl" del "${rule% *}"
        same "" "$("$genl" dump)"
    done
}

test_host_is_the_default_prefix() {
    "$genl" add 10.1.2.3,block fd00::1,block
    same "10.1.2.3/32 fd00::1/128" "$("$genl" dump | cut -d ' ' -f 1 | sort | xargs)"
    "$genl" del 10.1.2.3/32 fd00::1/128
    same "" "$("$genl" dump)"
}

test_replace() {
    "$genl" add "$mac,block,id=1,timeout=60000"
    "$genl" add "$mac,protect,id=2"
    same "$mac protect id=2 hits=0 bytes=0" "$("$genl" dump)"
    refused EEXIST "$genl" addx "$mac,protect"
    "$genl" del "$mac"
    "$genl" addx "$mac,block"
    same "$mac block id=0 hits=0 bytes=0" "$("$genl" dump)"
}

test_flush_by_verdict() {
    "$genl" add "$mac,block" 10.1.2.3,block fd00::1,protect 10.0.0.0/9,protect 10.200.0.0/16,block \
        >/dev/null && fail "a block of a protected address was taken"
    "$genl" add "$mac,block" 11.1.2.3,block fd00::1,protect 10.0.0.0/9,protect
    "$genl" flush block
    same "10.0.0.0/9 fd00::1/128" "$("$genl" dump | cut -d ' ' -f 1 | sort | xargs)"
    "$genl" add "$mac,block"
    "$genl" flush protect
    same "$mac" "$("$genl" dump | cut -d ' ' -f 1)"
    "$genl" flush
    same "" "$("$genl" dump)"
}

test_refusals_have_a_text() {
    refused EINVAL "$genl" add
    refused EINVAL "$genl" add block
    refused EINVAL "$genl" add "$mac"
    refused EINVAL "$genl" add "$mac,10.0.0.1,fd00::1,block"
    refused EINVAL "$genl" add "$mac,10.0.0.1/32,block"
    refused EINVAL "$genl" add "$mac,fd00::/64,block"
    refused EINVAL "$genl" add 01:00:00:00:00:01,10.0.0.1,block
    refused EINVAL "$genl" add 10.0.0.1,fd00::1,block
    refused EINVAL "$genl" add "$mac,len=48,block"
    refused EINVAL "$genl" add 10.0.0.1/24,block
    refused EINVAL "$genl" add 10.0.0.0/33,block
    refused ERANGE "$genl" add 10.0.0.0/0,block
    refused ERANGE "$genl" add fd00::/129,block
    refused EINVAL "$genl" add fd00::1/64,block
    refused EINVAL "$genl" add 01:00:00:00:00:01,block
    refused EINVAL "$genl" add 00:00:00:00:00:00,block
    refused ERANGE "$genl" add "$mac,verdict=0"
    refused ERANGE "$genl" add "$mac,verdict=4"
    refused ERANGE "$genl" add "$mac,block,timeout=31536000001"
    refused EINVAL "$genl" add "$mac,block,hits=1"
    refused EINVAL "$genl" add "$mac,block" "$mac,protect"
    refused EINVAL "$genl" del
    refused EINVAL "$genl" del "$mac,block"
    refused ENOENT "$genl" del "$mac"
    refused EINVAL "$genl" flush "$mac"
    refused EINVAL "$genl" flush id=1
    refused ENODEV "$genl" attach no-such-dev
    refused ENODEV "$genl" attach '#99999'
    refused ERANGE "$genl" attach '#0'
    refused EINVAL "$genl" attach ''
    refused EINVAL "$genl" attach bb0 4
    refused EOPNOTSUPP "$genl" attach lo
    refused ENOENT "$genl" detach bb0
    refused EINVAL "$genl" detach bb0 1
    same "" "$("$genl" dump)"
}

test_attach_twice() {
    "$genl" attach bb0
    refused EEXIST "$genl" attach bb0
    "$genl" devs | grep -q '^bb0 .*hook=driver' || fail "not attached"
    "$genl" detach "#$(cat /sys/class/net/bb0/ifindex)"
    refused ENOENT "$genl" detach bb0
    "$genl" devs | grep -q '^bb0 .*hook=none' || fail "not detached"
}

test_header_is_read_strictly() {
    # 0x800, NLM_F_APPEND, says nothing here; 0x600, NLM_F_CREATE and _EXCL, does.
    refused EINVAL "$genl" addflags 2048 0 "$mac,block"
    refused EINVAL "$genl" addflags 0 1 "$mac,block"
    same "" "$("$genl" dump)"
    "$genl" addflags 1536 0 "$mac,block"
    refused EEXIST "$genl" addflags 1536 0 "$mac,block"
}

test_block_of_protected_is_refused() {
    "$genl" add "$mac,protect" 10.0.0.0/8,protect fd00::/16,protect
    refused EPERM "$genl" add "$mac,block"
    refused EPERM "$genl" add 10.1.2.3,block
    refused EPERM "$genl" add 10.0.0.0/8,block
    refused EPERM "$genl" add fd00:1::/32,block
    refused EPERM "$genl" add 11.0.0.1,block 11.0.0.0/24,protect
    # A wider block is taken: protect wins for what it covers.
    "$genl" add 8.0.0.0/5,block
}

test_batch_is_all_or_nothing() {
    "$genl" add 10.1.1.1,block,id=1
    before=$("$genl" dump)
    refused EINVAL "$genl" add 10.1.1.1,block,id=2 10.1.1.2,block 10.1.1.3/31,block
    same "$before" "$("$genl" dump)"
    refused EEXIST "$genl" addx 10.1.1.2,block 10.1.1.1,block,id=2
    same "$before" "$("$genl" dump)"
    refused ENOENT "$genl" del 10.1.1.1 10.1.1.2
    same "$before" "$("$genl" dump)"
    generation=$("$genl" stats | field generation)
    refused EINVAL "$genl" del 10.1.1.1 10.1.1.1
    same "$generation" "$("$genl" stats | field generation)"
    "$genl" flush
    more "$("$genl" stats | field generation)" "$generation"
}

# batch NET NUMBER WORD: that many rules in 10.NET.
batch() { seq 1 "$2" | awk -v n="$1" -v w="$3" '{ printf "10.%d.%d.%d%s\n", n, $1 / 256, $1 % 256, w }'; }

test_batch_limit() {
    batch 7 512 ,block | xargs -n 600 "$genl" add
    same 512 "$("$genl" stats | field rules)"
    batch 8 513 ,block | xargs -n 600 "$genl" add >"$tmp/said" && fail "513 rules were taken"
    same "refused E2BIG: too many rules in one message" "$(cat "$tmp/said")"
    batch 7 512 "" | xargs -n 600 "$genl" del
    same 0 "$("$genl" stats | field rules)"
}

test_long_dump() {
    for net in 1 2 3 4; do
        batch $net 512 ,block | xargs -n 600 "$genl" add
    done
    # Many messages, each rule once.
    "$genl" dump >"$tmp/dump"
    same 2048 "$(sort -u "$tmp/dump" | wc -l)"
    same 0 "$(grep -c interrupted "$tmp/dump")"
    # One that changes under the reader's hands says so.
    "$genl" dump 10.8.0.1,block >"$tmp/dump"
    grep -q interrupted "$tmp/dump" || fail "a torn dump does not say so"
}

test_timeout() {
    listen 4
    long=$((4000 * patience))
    "$genl" add "$mac,block,timeout=$long,id=9"
    left=$("$genl" dump | field timeout)
    more "$left" 0
    more $((long + 1)) "$left"
    # Replaced: the old end counts no more.
    "$genl" add "10.1.1.1,block,timeout=$((3000 * patience))"
    "$genl" add 10.1.1.1,block
    wait
    same "changed changed changed" "$(sed -n 2,4p "$tmp/events" | xargs)"
    same "expired $mac block id=9 hits=0 bytes=0" "$(tail -n 1 "$tmp/events")"
    same "10.1.1.1/32" "$("$genl" dump | cut -d ' ' -f 1)"
}

test_events_of_devices() {
    listen 2
    "$genl" attach bb0
    "$genl" detach bb0
    wait
    same "attached bb0 detached bb0" "$(sed 1d "$tmp/events" | cut -d ' ' -f 1,2 | xargs)"
}

# denied COMMAND...: by nobody; the refusal names the right that is missing.
denied() {
    said=$(setpriv --reuid 65534 --clear-groups "$@") && fail "$* was done"
    same "refused EPERM: CAP_NET_ADMIN is needed in the user namespace of this network namespace" "$said"
}

test_needs_rights() {
    for cmd in "add $mac,block" "del $mac" flush "flush block" "attach bb0" "detach bb0"; do
        denied "$genl" $cmd
    done
    # Who is blocked, and what happens to the rules, is the administrator's business alone.
    "$genl" add "$mac,block"
    # Before 6.2 the kernel takes no text from a dump that does not begin.
    case $(uname -r) in
    5.* | 6.1.*)
        said=$(setpriv --reuid 65534 --clear-groups "$genl" dump) && fail "rules were read"
        same "refused EPERM: " "$said"
        ;;
    *) denied "$genl" dump ;;
    esac
    said=$(setpriv --reuid 65534 --clear-groups timeout 5 "$genl" events 1 2>&1) && fail "events were joined"
    case $said in *"join events: Operation not permitted"*) ;; *) fail "events: $said" ;; esac
    setpriv --reuid 65534 --clear-groups "$genl" stats >/dev/null
    same "$mac" "$("$genl" dump | cut -d ' ' -f 1)"
}

tracing=/sys/kernel/tracing

can_trace() {
    mountpoint -q $tracing || mount -t tracefs tracefs $tracing
    grep -qw function $tracing/available_tracers || {
        echo "this kernel has no function tracer"
        exit 77
    }
}

# traced FUNCTION... -- COMMAND...: the calls of these functions, in their order, into $tmp/trace.
traced() {
    echo 16384 >$tracing/buffer_size_kb
    echo >$tracing/set_ftrace_filter
    while [ "$1" != -- ]; do
        echo "$1" >>$tracing/set_ftrace_filter
        shift
    done
    shift
    echo function >$tracing/current_tracer
    trap 'echo nop >$tracing/current_tracer; echo >$tracing/set_ftrace_filter' EXIT
    "$@"
    echo 0 >$tracing/tracing_on
    grep -v '^#' $tracing/trace >"$tmp/trace"
    echo 1 >$tracing/tracing_on
}

# Other families share a lock, which a flush must not hold: they are answered between two of its steps.
test_flush_holds_up_no_other_family() {
    can_trace
    "$fmp_load" ip4 0 60000
    same 60000 "$("$genl" stats | field rules)"
    traced fmp_table_remove ctrl_getfamily -- "$tools/flush_beside"
    same 0 "$("$genl" stats | field rules)"
    same 60000 "$(grep -c fmp_table_remove "$tmp/trace")"
    between=$(awk '/fmp_table_remove/ { between += asked; asked = 0; removing = 1 }
        /ctrl_getfamily/ { asked += removing } END { print between + 0 }' "$tmp/trace")
    more "$between" 5
}

# many: rules that end faster than events may be sent.
many() { seq 0 1023 | awk '{ printf "10.6.%d.%d,block,timeout=1\n", $1 / 256, $1 % 256 }' | xargs -n 512 "$@" add; }
lost() { "$@" "$genl" stats | field events_lost; }
no_rules_in() { [ "$("$@" "$genl" stats | field rules)" = 0 ]; }

test_listener_elsewhere_makes_no_losses() {
    ip netns add fmp-$$
    trap 'ip netns del fmp-$$' EXIT
    listen 1
    there="ip netns exec fmp-$$"
    many $there "$genl"
    wait_until 60 no_rules_in $there
    same 0 "$(lost $there)"
    # What was not sent before one joins is not lost either.
    $there timeout 20 "$genl" events 1 >"$tmp/there" &
    wait_until 10 grep -q listening "$tmp/there"
    $there "$genl" add 10.1.1.1,block
    wait_until 10 grep -q changed "$tmp/there"
    same 0 "$(lost $there)"
    # And none of it was heard here.
    same listening "$(cat "$tmp/events")"
    "$genl" add 10.1.1.1,block
    wait
}

changes_are() { [ "$(grep -c changed "$tmp/events")" = "$1" ]; }

test_listener_that_never_reads() {
    mkfifo "$tmp/never"
    timeout $((120 * patience)) "$genl" events 1000 2048 errors <"$tmp/never" >"$tmp/deaf" &
    deaf=$!
    exec 8>"$tmp/never"
    wait_until 10 grep -q listening "$tmp/deaf"
    listen 40
    before=$(lost env)
    for i in $(seq 40); do "$genl" add "10.1.1.$i,block"; done
    wait_until 20 changes_are 40
    kill $deaf
    exec 8>&-
    wait
    same "$before" "$(lost env)"
    same "" "$(grep -o 'lost=.*' "$tmp/events")"
}

test_owner_of_a_namespace_has_rights_in_it() {
    # shellcheck disable=SC2016
    said=$(setpriv --reuid 65534 --regid 65534 --clear-groups unshare -Urn \
        sh -c '"$0" add "$1",block && "$0" dump' "$genl" "$mac")
    same "$mac block id=0 hits=0 bytes=0" "$said"
    same "" "$("$genl" dump)"
}

test_namespaces_isolate() {
    ip netns add fmp-$$
    trap 'ip netns del fmp-$$' EXIT
    ip netns exec fmp-$$ "$genl" add "$mac,block"
    "$genl" add 10.1.1.1,block
    same "$mac" "$(ip netns exec fmp-$$ "$genl" dump | cut -d ' ' -f 1)"
    same "10.1.1.1/32" "$("$genl" dump | cut -d ' ' -f 1)"
    ip netns exec fmp-$$ "$genl" flush
    same "10.1.1.1/32" "$("$genl" dump | cut -d ' ' -f 1)"
    same "" "$(ip netns exec fmp-$$ "$genl" devs)"
    refused ENODEV ip netns exec fmp-$$ "$genl" attach bb0
}

test_full_table() {
    unload
    insmod "$modules/fmp.ko" max_rules=3
    "$genl" add 10.0.0.1,block 10.0.0.2,block
    refused ENOSPC "$genl" add 10.0.0.3,block 10.0.0.4,block
    same 2 "$("$genl" stats | field rules)"
    "$genl" add 10.0.0.3,block
    # A replacement needs no room, another table has its own.
    "$genl" add 10.0.0.3,block,id=5 fd00::1,block "$mac,block"
    same 3 "$("$genl" stats | field rules_max)"
    rmmod fmp
    for bad in 0 -1 4194305 x; do
        ! insmod "$modules/fmp.ko" max_rules=$bad 2>/dev/null || fail "max_rules=$bad was taken"
    done
    load
}

load || exit 1
run_tests
rc=$?
unload || exit 1
exit $rc
