# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2034 # jq programs; variables of scripts/lib/world.sh
# What the end-to-end tests share. Sourced by tests/e2e/run after scripts/lib/world.sh.

# expect TEXT COMMAND...: fails the test, saying what was expected, unless COMMAND succeeds.
expect() {
    local text=$1
    shift
    "$@" || { echo "expected: $text"; echo "  failed: $*"; return 1; }
}

# field FILTER COMMAND...: the first value that a jq filter finds in every object of the output.
field() {
    local filter=$1
    shift
    "$@" --json | jq -r "[.. | objects | $filter | values][0] // empty"
}

dev_rx() { ip netns exec "${W}handheld" cat /sys/class/net/bb0/statistics/rx_packets; }

# shellcheck disable=SC2153 # PKI and URL are set by tests/e2e/run
attack() { # SECONDS [FLOOD OPTION...]
    local seconds=$1
    shift
    in_node attacker "$BIN/fmp-flood" --url "$URL" --rate 20 --mix schema=50,signature=50 \
        --source "$ATTACKER_IP" --connections 8 --timeout 500 --duration "$seconds" \
        --key "$PKI/rogue.key" --cert "$PKI/rogue.crt" --quiet "$@"
}

# friend_ok N: N good messages get N good answers.
friend_ok() {
    in_node friend "$BIN/fmp-flood" --url "$URL" --rate 20 --mix good=100 --keepalive --count "$1" \
        --key "$PKI/friend.key" --cert "$PKI/friend.crt" --quiet --json "$WORLD_DIR/friend.json" >/dev/null
    expect "$1 good answers, got $(jq -c . "$WORLD_DIR/friend.json")" \
        jq -e --argjson n "$1" '[.. | objects | .good? // empty | numbers][0] == $n' "$WORLD_DIR/friend.json"
}

state_of() { field 'select(.record? == "source") | .state' ctl why "$1"; }
is_malicious() { [ "$(state_of "$1")" = malicious ]; }
ratio() { field 'select(.record? == "status") | .enforcement_ratio' ctl status --verify; }
ratio_is_one() { [ "$(ratio | awk '{ print ($1 == 1) }')" = 1 ]; }

# handheld_up [LAYERS [RECONCILE]]: all of it, from nothing.
handheld_up() {
    world_policy "$WORLD_DIR/policy.xml" "$PKI" "${1:-ip mac premac}" "${2:-30s}"
    handheld_start "$WORLD_DIR/policy.xml" auto
}

# attacked: the handheld is up, the attacker found and blocked on all layers.
attacked() {
    handheld_up "$@"
    attack 30 >/dev/null &
    wait_until 25 "the attacker to be found" is_malicious "$ATTACKER_IP"
    wait_until 10 "all layers to enforce it" ratio_is_one
}

# world_quiet: between two tests: nobody runs, no rule is left.
world_quiet() {
    local node
    for node in attacker friend handheld; do
        ip netns pids "$W$node" | xargs -r kill -9 2>/dev/null || true
    done
    wait 2>/dev/null
    FMPD_PID='' ORDERS_PID=''
    ip -n "${W}attacker" link set bb1 address "$ATTACKER_MAC" 2>/dev/null || true
    ip -n "${W}handheld" neigh flush dev bb0 2>/dev/null || true
    handheld_clean || echo "teardown failed"
}

# The element and the rule that stand for a blocked address, as other tools see them.
nft_has() { ip netns exec "${W}handheld" nft list ruleset | grep -F "$1" >/dev/null; }
module_has() { ip netns exec "${W}handheld" "$BUILD/tests/vm/fmp_genl" dump | grep -F "$1" >/dev/null; }
