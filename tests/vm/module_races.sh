#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# One thing changes while another uses it. With one processor they take turns, with two
# (scripts/vm --smp 2) they meet. FMP_ROUNDS times each (1).
# Functions are called by their names; numbers hold no blanks.
# shellcheck disable=SC2086,SC2119,SC2317,SC2329

. "${0%/*}/lib.sh"
. "${0%/*}/flood.sh"

no_rule_left() { [ "$(hg stats | field rules)" = 0 ] && [ -z "$(hg dump)" ]; }

test_rules_change_while_frames_flow() {
    hg attach bb0
    air
    in_h "$churn" rules $((40 * rounds)) &
    changer=$!
    in_h "$churn" attach $((100 * rounds)) bb0
    wait $changer
    air_ends
    hg flush
    no_rule_left
    add_up
    more "$(dev_count rx_frames)" "$before"
}

test_expiry_races_with_delete() {
    hg attach bb0
    air
    in_h "$churn" expire $((40 * rounds)) &
    first=$!
    in_h "$churn" expire $((40 * rounds)) &
    wait $first $!
    # What is left has milliseconds.
    wait_until 20 no_rule_left
    air_ends
    add_up
}

test_dumps_while_rules_change() {
    in_h "$churn" rules $((60 * rounds)) &
    changer=$!
    in_h "$churn" dump $((30 * rounds)) || fail "$(cat "$tmp/out")"
    wait $changer
    hg flush
    no_rule_left
}

test_eviction_races_with_lookup() {
    world_down
    fmp_parameters="max_rules=48 max_rules_total=80"
    world_up
    hg attach bb0
    air
    in_h "$churn" fresh $((30 * rounds)) &
    first=$!
    in_h "$churn" rules $((20 * rounds))
    in_h "$churn" fresh $((30 * rounds))
    wait $first
    air_ends
    more 81 "$(hg stats | field rules)"
    more "$(hg stats | field evicted)" 0
    add_up
    world_down
    fmp_parameters=
    world_up
}

world_up || exit 1
run_tests
rc=$?
world_down || exit 1
exit $rc
