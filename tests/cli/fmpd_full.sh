# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A table of blocks that is full: what people may take of it, who waits for room, and where that is said.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

burn() { # ADDR [TIMES]
    local i
    for ((i = 0; i < ${2:-6}; i++)); do ctl report "$1" login >/dev/null || return 1; done
}
state_of() { field 'select(.record == "source") | .state' why "$1"; }
is_state() { [ "$(state_of "$1")" = "$2" ]; }

# A list leaves a tenth to what fmpd decides by itself, and says what did not fit and why.
list_leaves_room() {
    local rc=0
    seq -f '198.51.100.%g' 20 | ctl block --file - --for 1d >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = 4 ] && grep -q '^18 of 20 blocked, some refused$' "$T/out" && grep -q '198.51.100.20: .*by hand.*automatic-share' "$T/err" &&
        grep -q '2 of 20 addresses of a list are not blocked' "$T/fmpd.err" || { cat "$T/out" "$T/err"; return 1; }
    rc=0
    ctl block 198.51.100.30 2>"$T/err" >"$T/out" || rc=$?
    [ "$rc" = 1 ] && grep -q automatic-share "$T/err" && burn 203.0.113.1 && is_state 203.0.113.1 malicious
}
# Nor does anybody take over by hand what fmpd blocks by itself, once the share is used up.
nothing_is_taken_over() {
    local rc=0 id
    id=$(field 'select(.record == "decision") | .decision_id' why 203.0.113.1)
    ctl block 203.0.113.1 --for 1d >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = 1 ] && grep -q "decision $id of fmpd's own stays.*automatic-share" "$T/err" && is_state 203.0.113.1 malicious &&
        [ "$(field 'select(.record == "decision") | .decision_id' why 203.0.113.1)" = "$id" ] || { cat "$T/err"; return 1; }
}
# Who finds no room is named everywhere, once.
says_so() {
    burn 203.0.113.2 && is_state 203.0.113.2 malicious && burn 203.0.113.3 && is_state 203.0.113.3 waiting && burn 203.0.113.4 9 || return 1
    ctl why 203.0.113.3 | grep -q 'NOT BLOCKED.*max-blocks' && ctl status | grep -q '^Full  *2 malicious sources are NOT blocked' &&
        ctl status --short | grep -q 'FULL: 2 malicious sources not blocked' && ctl sources | grep -q '^203.0.113.4  *waiting' || return 1
    [ "$(ctl stats | awk '$1 == "status/waiting" { print $2 }')" = 2 ] && [ "$(grep -c '203.0.113.3 is malicious, but not blocked' "$T/fmpd.err")" = 1 ] &&
        curl -s "http://$METRICS/metrics" | grep -qx 'fmp_sources{state="waiting"} 2' &&
        curl -s "http://$METRICS/metrics" | grep -qx "fmp_refused_total $(ctl stats | awk '$1 == "status/blocks_refused" { print $2 }')" || return 1
    ctl --json status >"$T/json" && python3 tests/cli/json_schema.py daemon/fmpctl/fmpctl.schema.json "$T/json"
}
# One that waits does so behind a restart of fmpd too.
waits_over_a_restart() {
    plane_ends
    plane --state "$T/state"
    wait_for 10 gateway_up && is_state 203.0.113.3 waiting && is_state 203.0.113.4 waiting
}
# The most dangerous first, without another message.
blocked_in_turn() {
    ctl unblock 198.51.100.1 >/dev/null && wait_for 5 is_state 203.0.113.4 malicious && is_state 203.0.113.3 waiting || return 1
    ctl unblock 198.51.100.2 >/dev/null && wait_for 5 is_state 203.0.113.3 malicious && ctl status | grep -q '^Full  *no more than 20'
}
# A policy that allows fewer, put in force by a restart or a reload: what gives way is said, and who is malicious waits.
fewer_are_allowed() { # MAX
    [ "$(field 'select(.record == "status") | .blocked' status)" = "$1" ]
}
fewer_over_a_restart() {
    plane_ends
    sed -i 's/max-blocks="20"/max-blocks="17"/' "$T/policy.xml"
    plane --state "$T/state"
    wait_for 10 gateway_up && wait_for 10 fewer_are_allowed 17 || { ctl status; return 1; }
    grep -q 'blocks in force beyond <enforce max-blocks=.*17.*: 3 end' "$T/fmpd.err" &&
        [ "$(ctl stats | awk '$1 == "status/waiting" { print $2 }')" = 2 ] && ctl unblock "$(one_by_hand)" >/dev/null &&
        wait_for 5 fewer_wait || { ctl stats; cat "$T/fmpd.err"; return 1; }
}
# One of the list that is still blocked: which of them ended, the policy leaves open.
one_by_hand() { ctl blocks | grep -o '198\.51\.100\.[0-9]*' | head -n 1; }
# Blocked, or let go when so much time went by that it is no longer malicious.
fewer_wait() { [ "$(ctl stats | awk '$1 == "status/waiting" { print $2 }')" -lt 2 ]; }
fewer_after_a_reload() {
    sed -i 's/max-blocks="17"/max-blocks="16"/' "$T/policy.xml"
    ctl policy reload && wait_for 10 fewer_are_allowed 16 && grep -q 'blocks in force beyond <enforce max-blocks=.*16.*: 1 end' "$T/fmpd.err"
}

METRICS=127.0.0.1:39334
service
plane_policy full
# Ranks halve in an hour: who is malicious stays so however slow the machine.
sed -i "s|<enforce .*|<suspicion half-life=\"1h\"/><enforce max-blocks=\"20\"/><metrics listen=\"$METRICS\"/>|" "$T/policy.xml"
plane_up --state "$T/state"
check list_leaves_room list_leaves_room
check nothing_is_taken_over nothing_is_taken_over
check says_so says_so
check waits_over_a_restart waits_over_a_restart
check blocked_in_turn blocked_in_turn
check fewer_over_a_restart fewer_over_a_restart
check fewer_after_a_reload fewer_after_a_reload
