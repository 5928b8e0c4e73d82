# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What goes wrong in the field: rules taken away by hand, daemons killed.

# fmpd hears of it and repairs before a person has asked: its log says what it found.
log_says_repaired() { grep -q "msg=\"layer $1: .* [1-9][0-9]* repaired" "$WORLD_DIR/fmpd.log"; }

# Invariant 5: what is in force is measured, and mended.
test_invariant_5_status_and_repair() {
    attacked "ip mac premac" 5s
    local set
    set=$(ip netns exec "${W}handheld" nft -j list ruleset | jq -r --arg a "$ATTACKER_IP" \
        '[.nftables[].set? | select(. != null and .table == "fmp" and .family == "inet") | select((.elem // []) | tostring | contains($a)) | .name][0]')
    ip netns exec "${W}handheld" nft delete element inet fmp "$set" "{ $ATTACKER_IP }"
    ip netns exec "${W}handheld" "$BUILD/tests/vm/fmp_genl" del "$ATTACKER_IP"
    wait_until 60 "nft to have it again" nft_has "$ATTACKER_IP"
    wait_until 60 "the module to have it again" module_has "$ATTACKER_IP"
    expect "the log says so of nft" log_says_repaired ip
    expect "the log says so of the module" log_says_repaired premac
    expect "all layers enforce it" ratio_is_one
}

test_repair_after_flush_ruleset() {
    attacked "ip mac premac" 5s
    ip netns exec "${W}handheld" nft flush ruleset
    wait_until 60 "nft to have it again" nft_has "$ATTACKER_IP"
    expect "the log says so" log_says_repaired ip
    expect "all layers enforce it" ratio_is_one
}

module_lost() { ip netns exec "${W}handheld" "$BUILD/tests/vm/fmp_genl" stats | tr ' ' '\n' | sed -n 's/^events_lost=//p'; }
more_lost() { [ "$(module_lost)" -gt $(($1 + 500)) ]; }

# The module sends some of its events only: fmpd is told that others are missing, and looks for itself. What it
# looks for is deleted while rules end that are not its own, faster than events may be sent.
test_events_lost() {
    local before
    attacked "ip mac premac" 1min
    before=$(module_lost)
    seq 0 5999 | awk '{ printf "10.66.%d.%d,observe,timeout=%d\n", $1 / 256, $1 % 256, 8000 + $1 }' |
        ip netns exec "${W}handheld" xargs -n 500 "$BUILD/tests/vm/fmp_genl" add
    wait_until 60 "events to be lost" more_lost "$before"
    ip netns exec "${W}handheld" "$BUILD/tests/vm/fmp_genl" del "$ATTACKER_IP"
    wait_until 60 "the module to have it again" module_has "$ATTACKER_IP"
    expect "the log says why" grep -q "notifications of the kernel were lost" "$WORLD_DIR/fmpd.log"
    # As long as rules end that fast, a dump is interrupted.
    wait_until 60 "all layers to enforce it" ratio_is_one
}

# Invariant 10: rules survive the daemon, and are adopted with what is left of their time.
test_invariant_10_fmpd_killed() {
    local id left before
    attacked
    id=$(field 'select(.record? == "decision") | .decision_id' ctl why "$ATTACKER_IP")
    left=$(field 'select(.record? == "decision") | .left_ms' ctl why "$ATTACKER_IP")
    kill -9 "$(pgrep -x fmpd)"
    wait_until 5 "the gateway to follow" gone pgrep -x fmp-gateway
    before=$(dev_rx)
    attack 2 >/dev/null
    expect "the attacker stays blocked" [ "$(dev_rx)" = "$before" ]
    fmpd_start "$WORLD_DIR/policy.xml" auto
    expect "it is known as malicious" is_malicious "$ATTACKER_IP"
    expect "under the same decision" \
        [ "$(field 'select(.record? == "decision") | .decision_id' ctl why "$ATTACKER_IP")" = "$id" ]
    local now
    now=$(field 'select(.record? == "decision") | .left_ms' ctl why "$ATTACKER_IP")
    echo "left: $left before, $now after"
    expect "with less time left, but not much less" [ "$now" -lt "$left" ] && [ "$now" -gt $((left - 60000)) ]
    expect "all layers enforce it" ratio_is_one
    attack 2 >/dev/null
    expect "the attacker stays blocked" [ "$(dev_rx)" -le $((before + 4)) ]
}

# Blocks are of the time since the start: who sets the clock neither frees nor keeps anybody.
left_of() { field 'select(.record? == "decision") | .left_ms' ctl why "$1"; }
most_is_left() { [ "$(left_of "$ATTACKER_IP")" -gt 300000 ]; }
unblocked() { grep -q "msg=\"unblock $1 " "$WORLD_DIR/fmpd.log"; }

test_clock_jumps() {
    attacked
    ctl block 192.0.2.77 --for 20s
    expect "a short block is in force" nft_has 192.0.2.77
    date -s '+10 years' >/dev/null
    expect "the attacker stays blocked" is_malicious "$ATTACKER_IP"
    expect "so does the short one" nft_has 192.0.2.77
    expect "the module has the attacker still" module_has "$ATTACKER_IP"
    expect "most of its ten minutes are left" most_is_left
    date -s '-20 years' >/dev/null
    wait_until 60 "the short one to end" unblocked 192.0.2.77
    expect "most of the attacker's ten minutes are left" most_is_left
    expect "the attacker stays blocked" is_malicious "$ATTACKER_IP"
    expect "all layers enforce it" ratio_is_one
    date -s '+10 years' >/dev/null
}

other_gateway() { local p; p=$(pgrep -o -x fmp-gateway) && [ "$p" != "$1" ] && gateway_ready; }

test_gateway_killed() {
    local fmpd gw t0
    handheld_up
    friend_ok 3
    fmpd=$(pgrep -x fmpd)
    gw=$(pgrep -o -x fmp-gateway)
    t0=${EPOCHREALTIME/./}
    kill -9 "$gw"
    wait_until 20 "the gateway to be back" other_gateway "$gw"
    echo "back after $(((${EPOCHREALTIME/./} - t0) / 1000)) ms"
    # On an emulated machine that others slow down; a second on a real one.
    expect "back within ten seconds" [ $((${EPOCHREALTIME/./} - t0)) -lt 10000000 ]
    expect "fmpd goes on" [ "$(pgrep -x fmpd)" = "$fmpd" ]
    friend_ok 3
}
