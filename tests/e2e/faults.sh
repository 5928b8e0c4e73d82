# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What goes wrong in the field: rules taken away by hand, daemons killed.

ratio_below_one() { [ "$(ratio | awk '{ print ($1 < 1) }')" = 1 ]; }

# Invariant 5: what the status says is measured.
test_invariant_5_status_and_repair() {
    attacked "ip mac premac" 5s
    local set
    set=$(ip netns exec "${W}handheld" nft -j list ruleset | jq -r --arg a "$ATTACKER_IP" \
        '[.nftables[].set? | select(. != null and .table == "fmp" and .family == "inet") | select((.elem // []) | tostring | contains($a)) | .name][0]')
    ip netns exec "${W}handheld" nft delete element inet fmp "$set" "{ $ATTACKER_IP }"
    ip netns exec "${W}handheld" "$BUILD/tests/vm/fmp_genl" del "$ATTACKER_IP"
    expect "the status shows it" ratio_below_one
    ctl status
    wait_until 60 "it to be repaired" ratio_is_one
    expect "nft has it again" nft_has "$ATTACKER_IP"
    expect "the module has it again" module_has "$ATTACKER_IP"
}

test_repair_after_flush_ruleset() {
    attacked "ip mac premac" 5s
    ip netns exec "${W}handheld" nft flush ruleset
    expect "the status shows it" ratio_below_one
    wait_until 60 "it to be repaired" ratio_is_one
    expect "nft has it again" nft_has "$ATTACKER_IP"
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

other_gateway() { local p; p=$(pgrep -o -x fmp-gateway) && [ "$p" != "$1" ] && gateway_ready; }

test_gateway_killed() {
    local fmpd gw t0
    handheld_up
    friend_ok 3
    fmpd=$(pgrep -x fmpd)
    gw=$(pgrep -o -x fmp-gateway)
    t0=${EPOCHREALTIME/./}
    kill -9 "$gw"
    wait_until 5 "the gateway to be back" other_gateway "$gw"
    echo "back after $(((${EPOCHREALTIME/./} - t0) / 1000)) ms"
    expect "back within a second" [ $((${EPOCHREALTIME/./} - t0)) -lt 1000000 ]
    expect "fmpd goes on" [ "$(pgrep -x fmpd)" = "$fmpd" ]
    friend_ok 3
}
