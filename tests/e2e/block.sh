# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2034 # jq programs; variables of scripts/lib/world.sh
# The main job, and who is never blocked.

test_block_below_the_mac() {
    local before
    attacked
    expect "the attacker's MAC is blocked too" \
        [ "$(field 'select(.record? == "decision") | .mac' ctl why "$ATTACKER_IP")" = "$ATTACKER_MAC" ]
    expect "nft has it" nft_has "$ATTACKER_IP"
    expect "the module has it" module_has "$ATTACKER_IP"
    # What is on its way has arrived after this.
    wait_until 5 "the attacker's frames to be dropped" premac_drops
    expect "the status says where the module sits" \
        [ "$(field 'select(.record? == "device" and .name? == "bb0") | .hook' ctl status)" = driver ]
    expect "in the text too" grep -Eq '^bb0 +driver +no ' <<<"$(ctl status)"
    before=$(dev_rx)
    attack 3 >/dev/null
    expect "no frame of the attacker is handed to the stack ($before, $(dev_rx))" [ "$(dev_rx)" = "$before" ]
    friend_ok 10
}

premac_drops() { [ "$(field 'select(.record? == "layer" and .layer? == "premac") | .dropped' ctl status)" -gt 0 ]; }

test_why_tells_all() {
    local text json
    attacked
    text=$(ctl why "$ATTACKER_IP")
    json=$(ctl why "$ATTACKER_IP" --json)
    echo "$text"
    expect "an event's kind" grep -Eq 'schema|signature' <<<"$text"
    expect "the rank" jq -e '[.. | objects | select(.record? == "source") | .rank][0] >= 0' <<<"$json"
    expect "the threshold" jq -e '[.. | objects | select(.record? == "source") | .malicious][0] > 0' <<<"$json"
    expect "the decision's id" jq -e '[.. | objects | select(.record? == "decision") | .decision_id][0] > 0' <<<"$json"
    for layer in ip mac premac; do
        expect "the answer of $layer" jq -e --arg l "$layer" \
            '[.. | objects | select(.record? == "answer" and .layer? == $l) | .state][0] == "enforced"' <<<"$json"
        expect "$layer in the text" grep -qw "$layer" <<<"$text"
    done
}

# Invariants 1, 2 and 3: frames forged from innocents, while the attacker is being blocked.
test_invariant_1_2_3_innocents() {
    local victim mac
    handheld_up
    friend_ok 5
    for victim in friend:$FRIEND_IP router:$ROUTER_IP handheld:$HANDHELD_IP; do
        mac=$(node_mac "${victim%%:*}")
        in_node attacker "$BIN/fmp-flood" forge --device bb1 --src-ip "${victim#*:}" --src-mac "$mac" \
            --dst-ip "$HANDHELD_IP" --dst-mac "$(node_mac handheld)" --dport "$PORT" --rate 200 --count 300 >/dev/null
        in_node attacker "$BIN/fmp-flood" forge --device bb1 --src-ip "$ATTACKER_IP" --src-mac "$mac" \
            --dst-ip "$HANDHELD_IP" --dst-mac "$(node_mac handheld)" --dport "$PORT" --rate 200 --count 300 >/dev/null
    done
    attack 30 >/dev/null &
    wait_until 25 "the attacker to be found" is_malicious "$ATTACKER_IP"
    for victim in "$FRIEND_IP" "$ROUTER_IP" "$HANDHELD_IP"; do
        expect "$victim is not blocked" [ "$(state_of "$victim")" != malicious ]
        if module_has "block $victim"; then echo "the module blocks $victim"; return 1; fi
    done
    for victim in friend router handheld; do
        mac=$(node_mac "$victim")
        if module_has "block $mac"; then echo "the module blocks the $victim's MAC"; return 1; fi
    done
    expect "the router answers" ip netns exec "${W}handheld" ping -qc1 -W2 "$ROUTER_IP"
    friend_ok 10
}

# Invariant 3: an attacker that borrows the friend's MAC is blocked by IP alone.
test_invariant_3_borrowed_mac() {
    handheld_up
    friend_ok 5
    ip -n "${W}attacker" link set bb1 down
    ip -n "${W}attacker" link set bb1 address "$(node_mac friend)"
    ip -n "${W}attacker" link set bb1 up
    attack 30 >/dev/null &
    wait_until 25 "the attacker to be found" is_malicious "$ATTACKER_IP"
    ctl why "$ATTACKER_IP"
    expect "no MAC in the decision" [ -z "$(field 'select(.record? == "decision") | .mac' ctl why "$ATTACKER_IP")" ]
    expect "why says so" [ -n "$(field 'select(.record? == "decision") | .mac_veto' ctl why "$ATTACKER_IP")" ]
    friend_ok 10
}

# Invariant 1: by hand neither.
test_invariant_1_refused_by_hand() {
    local a rc
    handheld_up
    # A router's MAC is protected from when the neighbour table has it.
    expect "the router answers" ip netns exec "${W}handheld" ping -qc1 -W5 "$ROUTER_IP"
    wait_until 10 "its MAC to be protected" mac_is_protected "$(node_mac router)"
    for a in "$HANDHELD_IP" "$ROUTER_IP" "$(node_mac router)" "$(node_mac handheld)" 192.0.2.200 192.0.2.0/24 127.0.0.1; do
        rc=0
        ctl block "$a" --for 10s || rc=$?
        expect "block $a is refused with 1, got $rc" [ "$rc" = 1 ]
        if module_has "block $a"; then echo "the module blocks $a"; return 1; fi
    done
}

mac_is_protected() { ctl protect | grep -F "$1" >/dev/null; }

test_block_ends() {
    handheld_up
    ctl block "$ATTACKER_IP" --for 2s
    expect "nft has it" nft_has "$ATTACKER_IP"
    expect "the module has it" module_has "$ATTACKER_IP"
    wait_until 10 "the module to forget it" gone module_has "$ATTACKER_IP"
    wait_until 10 "nft to forget it" gone nft_has "$ATTACKER_IP"
    wait_until 5 "why to say so" gone is_malicious "$ATTACKER_IP"
    expect "it reaches the handheld again" ip netns exec "${W}attacker" ping -qc1 -W2 "$HANDHELD_IP"
}

gone() { ! "$@"; }
