#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The family by its description alone: the kernel's ynl reads kernel/netlink/fmp.yaml, in the test VM.
# Not among tests/vm/module_*.sh: ynl is in the kernel's source only (scripts/setup tree).
# Functions are called by their names.
# shellcheck disable=SC2317,SC2329

. "${0%/*}/lib.sh"

source=build/vm/tree/source

ynl() {
    "$source/tools/net/ynl/cli.py" --spec kernel/netlink/fmp.yaml --no-schema --output-json "$@"
}
# get FILTER: of the JSON on standard input.
get() { jq -c "$1"; }

before_each() { "$genl" flush; }

# 167772161 is 10.0.0.1.
add_one() { ynl --do rule-add --json '{"rule": {"ipv4": 167772161, "verdict": "block", "id": 7}}' >/dev/null; }

test_dump_is_empty() { same '[]' "$(ynl --dump rule-get | get '[.[].rule // empty]')"; }

test_rules() {
    add_one
    ynl --do rule-add --json '{"rule": [{"mac": "020000000001", "verdict": "protect"},
        {"ipv6": "fd000000000000000000000000000000", "prefix-len": 16, "verdict": "observe", "timeout-ms": 60000}]}' >/dev/null
    same "$("$genl" dump | cut -d ' ' -f 1 | sort)" "02:00:00:00:00:01
10.0.0.1/32
fd00::/16"
    same '["10.0.0.1",32,"block",7]' "$(ynl --dump rule-get |
        get '.[].rule | .[]? | select(.ipv4) | [.ipv4, ."prefix-len", .verdict, .id]')"
    ynl --do rule-del --json '{"rule": {"ipv4": 167772161}}' >/dev/null
    ynl --do rule-flush --json '{"rule": {"verdict": "observe"}}' >/dev/null
    same 02:00:00:00:00:01 "$("$genl" dump | cut -d ' ' -f 1)"
    same 1 "$(ynl --do stats-get --json '{}' | get .rules)"
}

test_refusal_has_a_text() {
    ynl --do rule-add --json '{"rule": {"ipv4": 167772161, "prefix-len": 8, "verdict": "block"}}' >"$tmp/said" 2>&1 &&
        fail "not refused"
    grep -q "extack: {'msg': '[a-z]" "$tmp/said" || fail "no text: $(cat "$tmp/said")"
}

test_policy_is_told() {
    ynl --do rule-add --json '{"rule": {"ipv4": 167772161, "verdict": 9}}' >"$tmp/said" 2>&1 && fail "not refused"
    grep -q "min-value.*1.*max-value.*3" "$tmp/said" || fail "no bounds: $(cat "$tmp/said")"
}

test_devices() {
    ip link add d0 type dummy
    ynl --do dev-attach --json '{"dev": {"name": "d0", "flags": ["observe"]}}' >/dev/null
    same '["d0","ingress",["observe"]]' "$(ynl --dump dev-get | get '.[].dev | select(.name == "d0") | [.name, .hook, .flags]')"
    ip link del d0
}

test_event() {
    ynl --subscribe events --sleep $((4 * patience)) >"$tmp/events" &
    sleep $((2 * patience))
    add_one
    wait
    same '["event","rules-changed"]' "$(get '.[0] | [.name, .msg.event]' <"$tmp/events")"
}

insmod "$modules/fmp.ko"
run_tests
rc=$?
rmmod fmp
exit $rc
