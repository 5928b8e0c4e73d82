# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What a policy says of counts, groups and blocklists, in a running fmpd: over reloads and a restart.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

SIGNATURE=17 # FMP_EVENT_SIGNATURE on the wire

rules_policy() { # BLOCKLISTS
    cat >"$T/policy.xml" <<EOT
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="rules">
  <suspicion malicious="1000"><event kind="signature" count="3" within="10min"/></suspicion>
  <groups><group name="office" address="198.51.100.7" action="limit" rate="50/s"/></groups>
  <blocklists>$1</blocklists>
  <gateway security="BcV" schema="$PWD/$VECTORS/orders.xsd" workers="1"/>
</policy>
EOT
}
head_of() { ctl why "$1" | head -1 | tee "$T/head"; }
reports() { [ "$(control report "$1" "$SIGNATURE" "$2")" = "code 0" ]; }
measure() { field 'select(.record == "decision") | .measure' why "$1"; }

# Two before a reload and a restart, the third behind them.
count_outlasts_reload_and_restart() {
    reports 198.51.100.1 2 && reloaded && [ -z "$(measure 198.51.100.1)" ] || return 1
    plane_ends
    plane --state "$T/state"
    wait_for 10 gateway_up && reports 198.51.100.1 1 || return 1
    head_of 198.51.100.1 | grep -q '^198.51.100.1 is malicious: 3 of 3 signature events in 10min, rank [0-9]* of 1000, newest: signature'
}
office_is_limited() {
    reports 198.51.100.7 40 && [ "$(measure 198.51.100.7)" = limit ] || return 1
    head_of 198.51.100.7 | grep -q 'limited, its group is never blocked: .*(group office)' &&
        [ "$(field 'select(.record == "source") | .rule' why 198.51.100.7)" = "group office" ] || return 1
    ctl --json why 198.51.100.7 >"$T/json" && python3 tests/cli/json_schema.py daemon/fmpctl/fmpctl.schema.json "$T/json"
}

holds() { # SET ADDRESSES
    is=$(ctl --json blocks --set "$1" | jq -r '[.[] | select(.record == "decision") | .addr] | sort | join(" ")')
    [ "$is" = "$2" ]
}
list_is_taken() {
    ctl block 203.0.113.9 --for 1d --reason "by hand" >/dev/null || return 1
    printf '; DROP\r\n203.0.113.1 for 1h\n203.0.113.4-203.0.113.5\n203.0.113.9\n127.0.0.1\n' >"$T/drop.txt"
    rules_policy '<blocklist file="drop.txt" for="2d"/>'
    reloaded && wait_for 10 holds drop "203.0.113.1 203.0.113.4/31" || { echo "$is"; return 1; }
    # What is protected is said; what somebody else blocks stays his.
    wait_for 10 grep -q 'blocklist .*drop.txt: 1 of 4 are not blocked: 127.0.0.1 is protected' "$T/fmpd.err" || return 1
    [ "$(field 'select(.record == "decision") | .reason' why 203.0.113.9)" = "by hand" ] &&
        [ "$(ctl --json blocks 203.0.113.1 | jq '.[0].left_ms <= 3600000')" = true ] &&
        [ "$(ctl --json blocks 203.0.113.4/31 | jq '.[0].left_ms > 90000000')" = true ]
}
list_is_replaced() {
    printf '203.0.113.4/31\n203.0.113.6\n' >"$T/drop.txt"
    reloaded && wait_for 10 holds drop "203.0.113.4/31 203.0.113.6" || { echo "$is"; return 1; }
}
list_outlasts_a_restart() {
    plane_ends
    printf '203.0.113.6\n203.0.113.8\n' >"$T/drop.txt"
    plane --state "$T/state"
    wait_for 10 gateway_up && wait_for 10 holds drop "203.0.113.6 203.0.113.8" || { echo "$is"; return 1; }
}
# A slip in the list is told with its own place, and what is in force stays.
wrong_list_changes_nothing() {
    local rc=0
    printf '203.0.113.6\n\n203.0.113.300\n' >"$T/drop.txt"
    ctl policy reload 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" != 0 ] && grep -q "$T/drop.txt:3: .*203.0.113.300" "$T/err" && holds drop "203.0.113.6 203.0.113.8" || return 1
    "$BIN/fmpctl" policy check "$T/policy.xml" 2>&1 | tee "$T/err" | grep -q "$T/drop.txt:3: "
}
list_that_goes() {
    rules_policy ''
    reloaded && wait_for 10 holds drop "" && [ "$(field 'select(.record == "decision") | .reason' why 203.0.113.9)" = "by hand" ]
}
# The same while no fmpd runs; what a person blocks in a set of another name stays.
list_that_goes_while_nobody_runs() {
    printf '203.0.113.6\n203.0.113.8\n' >"$T/drop.txt"
    rules_policy '<blocklist file="drop.txt" for="2d"/>'
    reloaded && wait_for 10 holds drop "203.0.113.6 203.0.113.8" && echo 203.0.113.20 | ctl block --set own --file - --for 1d >/dev/null || { echo "$is"; return 1; }
    plane_ends
    rules_policy ''
    plane --state "$T/state"
    wait_for 10 gateway_up && wait_for 10 holds drop "" && holds own 203.0.113.20 || { echo "$is"; return 1; }
    [ "$(field 'select(.record == "decision") | .reason' why 203.0.113.9)" = "by hand" ]
}

service
rules_policy ''
plane_up --state "$T/state"
check count_outlasts_reload_and_restart count_outlasts_reload_and_restart
check office_is_limited office_is_limited
check list_is_taken list_is_taken
check list_is_replaced list_is_replaced
check list_outlasts_a_restart list_outlasts_a_restart
check wrong_list_changes_nothing wrong_list_changes_nothing
check list_that_goes list_that_goes
check list_that_goes_while_nobody_runs list_that_goes_while_nobody_runs
plane_ends
