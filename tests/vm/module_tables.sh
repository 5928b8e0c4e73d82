#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tables: pairs, rules that observe, memory, what happens when they are full.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086

. "${0%/*}/lib.sh"

mac=02:00:00:00:00:01

before_each() { "$genl" flush; }

# with PARAMETER=VALUE...: the module anew, of small or large tables.
with() {
    rmmod fmp_baseband
    rmmod fmp
    trap 'rmmod fmp; load' EXIT
    insmod "$modules/fmp.ko" "$@"
}

addresses() { "$genl" dump | cut -d ' ' -f 1 | sort | xargs; }
stat() { "$genl" stats | field "$1"; }

test_pair_round_trip() {
    for rule in "$mac,10.1.2.3 block" "$mac,10.1.2.3 protect" "$mac,fd00::1 observe"; do
        "$genl" add "$(echo "$rule" | tr ' ' ,),id=7,timeout=60000"
        same "$rule id=7" "$("$genl" dump | cut -d ' ' -f 1,2,4)"
        refused EEXIST "$genl" addx "$mac,block" "${rule% *},protect"
        same 1 "$(stat rules)"
        "$genl" del "${rule% *}"
        same "" "$("$genl" dump)"
    done
}

test_pair_is_an_address_of_its_own() {
    other=02:00:00:00:00:02
    "$genl" add "$mac,block" 10.1.2.3,block "$mac,10.1.2.3,block" "$mac,10.1.2.4,block" \
        "$other,10.1.2.3,block" "$mac,fd00::1,block" fd00::1,block
    same 7 "$(stat rules)"
    refused EINVAL "$genl" add "$mac,10.1.2.5,block" "$mac,10.1.2.5,protect"
    refused ENOENT "$genl" del "$other,10.1.2.4"
    "$genl" del "$mac,10.1.2.3"
    same "$mac $mac,10.1.2.4 $mac,fd00::1 $other,10.1.2.3" \
        "$("$genl" dump | cut -d ' ' -f 1 | grep ^02 | sort | xargs)"
}

test_protected_pairs_are_not_blocked() {
    for friend in "$mac" 10.0.0.0/8 10.1.2.3; do
        refused EPERM "$genl" add "$friend,protect" "$mac,10.1.2.3,block"
        same 0 "$(stat rules)"
    done
    for friend in "$mac" 10.0.0.0/8 10.1.2.3 "$mac,10.1.2.3"; do
        "$genl" add "$friend,protect"
        refused EPERM "$genl" add "$mac,10.1.2.3,block"
        refused EPERM "$genl" add "$mac,10.1.2.3,observe"
        "$genl" flush
    done
    "$genl" add "$mac,fd00::1,protect"
    refused EPERM "$genl" add "$mac,fd00::1,block"
    # Wider ones are taken: protect wins for what it covers.
    "$genl" add "$mac,block" fd00::1,block "$mac,fd00::2,block"
}

test_observe_is_refused_where_block_is() {
    "$genl" add 10.0.0.0/8,protect "$mac,observe,id=3"
    refused EPERM "$genl" add 10.1.2.3,observe
    refused EPERM "$genl" add 10.0.0.0/8,observe
    "$genl" add "$mac,block,id=4"
    "$genl" add 11.0.0.1,observe
    "$genl" flush observe
    same "$mac 10.0.0.0/8" "$(addresses)"
}

# pairs NUMBER WORD: that many pairs.
pairs() { seq 1 "$1" | awk -v m="$mac" -v w="$2" '{ printf "%s,10.6.%d.%d%s\n", m, $1 / 256, $1 % 256, w }'; }

test_dump_of_pairs_is_consistent() {
    pairs 1024 ,block | xargs -n 512 "$genl" add
    "$genl" dump >"$tmp/dump"
    same 1024 "$(sort -u "$tmp/dump" | wc -l)"
    same 0 "$(grep -c interrupted "$tmp/dump")"
    "$genl" dump "$mac,fd00::1,block" >"$tmp/dump"
    grep interrupted "$tmp/dump" >/dev/null || fail "a torn dump does not say so"
    pairs 1024 "" | xargs -n 512 "$genl" del
    same "$mac,fd00::1" "$(addresses)"
}

test_entry_at_fault_is_named() {
    "$genl" add 10.9.9.9,protect
    # A header of 20 bytes, then 20 for each IPv4 address with its verdict.
    {
        seq 1 299 | awk '{ printf "10.7.%d.%d,block\n", $1 / 256, $1 % 256 }'
        echo 10.9.9.9,block
        seq 1 212 | awk '{ printf "10.8.0.%d,block\n", $1 }'
    } >"$tmp/batch"
    said=$(xargs -n 600 "$genl" add <"$tmp/batch") && fail "taken"
    same "refused EPERM: a protect rule covers the address (at $((20 + 299 * 20)))" "$said"
    same 1 "$(stat rules)"
    # Of two that are the same, the second one.
    sed -i s/10.9.9.9/10.7.0.5/ "$tmp/batch"
    said=$(xargs -n 600 "$genl" add <"$tmp/batch") && fail "taken"
    same "refused EINVAL: the address is twice in the message (at $((20 + 299 * 20)))" "$said"
    same 1 "$(stat rules)"
}

test_memory_is_accounted() {
    with max_rules=65536
    same 0 "$(stat memory)"
    "$genl" add 10.1.1.1,block
    one=$(stat memory)
    "$genl" add 10.1.1.2,block 10.1.1.3,block
    same $(($(stat memory) - one)) $((2 * 96))
    "$genl" del 10.1.1.2 10.1.1.3
    same "$one" "$(stat memory)"
    # An IPv6 address and an IPv4 pair take one word more, an IPv6 pair two.
    "$genl" add fd00::1,block "$mac,10.1.1.1,block" "$mac,fd00::1,block"
    three=$(stat memory)
    "$genl" add fd00::2,block "$mac,10.1.1.2,block" "$mac,fd00::2,block"
    same $((104 + 104 + 112)) $(($(stat memory) - three))
    same 96 "$(cat /sys/kernel/slab/fmp_rule_1/object_size)"
    # Kernels that look for faults put more behind it.
    [ -e /sys/kernel/debug/kmemleak ] || same 96 "$(cat /sys/kernel/slab/fmp_rule_1/slab_size)"
}

test_full_table_gives_up_the_least_time_left() {
    with max_rules=3
    "$genl" add 10.0.0.1,block,timeout=600000 10.0.0.2,block,timeout=300000 10.0.0.3,block
    listen 2
    "$genl" add 10.0.0.4,block,timeout=900000,id=4
    wait
    same "evicted 10.0.0.2/32 block" "$(sed -n 2p "$tmp/events" | cut -d ' ' -f 1-3)"
    same "10.0.0.1/32 10.0.0.3/32 10.0.0.4/32" "$(addresses)"
    same 1 "$(stat evicted)"
    # A rule that the message itself renews is no victim, though it were the next one.
    "$genl" add 10.0.0.5,block 10.0.0.1,block,timeout=600000
    same "10.0.0.1/32 10.0.0.3/32 10.0.0.5/32" "$(addresses)"
    # A protect may take the place of a block; it has one for good itself.
    "$genl" add 10.0.0.6,protect,timeout=200000
    same "10.0.0.3/32 10.0.0.5/32 10.0.0.6/32" "$(addresses)"
    same 3 "$(stat evicted)"
    said=$("$genl" add 10.0.0.7,block,timeout=1000) && fail "taken"
    same "refused ENOSPC: the table is full: all rules protect or have no timeout (at 20)" "$said"
    # A rule that observes gives way as well, and another table has its own room.
    "$genl" add 10.0.0.5,observe,timeout=1000000
    "$genl" add 10.0.0.7,block,timeout=1000000 fd00::1,block
    same "10.0.0.3/32 10.0.0.6/32 10.0.0.7/32 fd00::1/128" "$(addresses)"
    same 4 "$(stat evicted)"
}

test_refused_batch_evicts_nothing() {
    with max_rules=4
    "$genl" add 10.0.0.1,block,timeout=600000 10.0.0.2,block,timeout=70000 10.0.0.3,block \
        10.0.0.4,protect
    before=$("$genl" dump | sed 's/timeout=[0-9]*//' | sort)
    generation=$(stat generation)
    # Two may go and three want to come.
    said=$("$genl" add 10.1.0.1,block 10.1.0.2,block 10.1.0.3,block) && fail "taken"
    same "refused ENOSPC: the table is full: all rules protect or have no timeout (at 60)" "$said"
    refused EPERM "$genl" add 10.1.0.1,block 10.0.0.4,block
    same "$before" "$("$genl" dump | sed 's/timeout=[0-9]*//' | sort)"
    same "0 $generation" "$(stat evicted) $(stat generation)"
    "$genl" add 10.1.0.1,block 10.1.0.2,block
    same "2 4" "$(stat evicted) $(stat rules)"
}

test_full_namespace_gives_up_the_least_time_left() {
    with max_rules=3 max_rules_total=4
    same 4 "$(stat rules_max_total)"
    "$genl" add 10.0.0.1,block,timeout=600000 10.0.0.2,block "$mac,block,timeout=50000" \
        "$mac,10.0.0.1,block,timeout=40000"
    "$genl" add fd00::1,block
    same "$mac 10.0.0.1/32 10.0.0.2/32 fd00::1/128" "$(addresses | tr ' ' '\n' | sort | xargs)"
    "$genl" add fd00::2,block,timeout=1000000 fd00::3,block
    same "10.0.0.2/32 fd00::1/128 fd00::2/128 fd00::3/128" "$(addresses)"
    # Its table is full: none of another one helps.
    "$genl" del fd00::2
    "$genl" add fd00::2,block 10.0.0.2,block,timeout=60000
    said=$("$genl" add fd00::4,block) && fail "taken"
    same "refused ENOSPC: the table is full: all rules protect or have no timeout (at 20)" "$said"
    "$genl" add 10.0.0.2,block
    said=$("$genl" add 10.0.0.3,block) && fail "taken"
    same "refused ENOSPC: the tables are full: all rules protect or have no timeout (at 20)" \
        "$said"
    same "3 4" "$(stat evicted) $(stat rules)"
    # Each namespace has its own.
    unshare -n "$genl" add 10.0.0.3,block
}

test_a_million() {
    with max_rules=1048576
    "$fmp_load" ip4 0 1000000 3600000
    same 1000000 "$(stat rules)"
    memory=$(stat memory)
    echo "1000000 rules: $memory bytes"
    # 96 bytes each, and a hash array of 2 MiB.
    more $((96 * 1000000 + 8 * 262144 + 64)) "$memory"
    more "$memory" $((96 * 1000000))
    before=$(stat generation)
    refused EEXIST "$genl" addx 11.0.0.1,block 10.0.1.0,block
    same "$before 1000000" "$(stat generation) $(stat rules)"
    "$fmp_load" ip4 1000000 48576 7200000
    same "1048576 0" "$(stat rules) $(stat evicted)"
    # The first of them has the least time left.
    "$genl" add 12.0.0.1,block
    same "1048576 1" "$(stat rules) $(stat evicted)"
    refused ENOENT "$genl" del 10.0.1.0
    "$genl" del 12.0.0.1 10.0.1.1
    "$genl" flush
    same "0 $((8 * 262144 + 32))" "$(stat rules) $(stat memory)"
}

load || exit 1
run_tests
rc=$?
unload || exit 1
exit $rc
