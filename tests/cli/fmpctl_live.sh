# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154 # no option more; GOOD, BAD, CONTROL are lib_plane.sh's
#
# fmpctl top and stats on a running fmpd.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

OTHER=198.51.100.7
SCHEMA=10 # FMP_EVENT_SCHEMA on the wire

service
plane_policy live
plane_up
post "$GOOD" >/dev/null
post "$BAD" >/dev/null

# Twelve reports in the interval of the one picture: the rate is theirs.
top_once() {
    ctl top --once --interval 4s >"$T/top" &
    local top=$!
    sleep 0.5
    [ "$(control report "$OTHER" "$SCHEMA" 12)" = "code 0" ] || return 1
    wait "$top" || return 1
    cat "$T/top"
    ! grep -q "$(printf '\033')" "$T/top" && grep -q '^fmpd .* policy live' "$T/top" &&
        grep -Eq ' 1 would be blocked; [23]\.[0-9] bad and 0\.0 good messages/s' "$T/top" &&
        grep -Eq "^$OTHER +malicious " "$T/top" && grep -Eq '^  gateway ready, ' "$T/top" &&
        grep -Eq '^  ip +off$|^  ip +absent' "$T/top"
}

# At a terminal: another screen, as many sources as fit, and q gives the old one back.
top_at_a_terminal() {
    local rc=0
    { sleep 1; printf q; } | LINES=10 timeout 10 script -qec \
        "$BIN/fmpctl --control $CONTROL top --interval 200ms" "$T/typescript" >/dev/null || rc=$?
    sed 's/\x1b/ESC/g' "$T/typescript" | tail -n 3
    [ "$rc" = 0 ] && [ "$(grep -c 'fmpd .*policy live' "$T/typescript")" -ge 3 ] || return 1
    sed 's/\x1b/ESC/g' "$T/typescript" | tr -d '\r\n' >"$T/plain"
    grep -q 'ESC\[?1049hESC\[?25l' "$T/plain" && grep -q 'ESC\[?25hESC\[?1049l' "$T/plain" || return 1
    # The head's nine lines leave one source of two.
    grep -q "$OTHER" "$T/plain" && ! grep -q '127.0.0.1  ' "$T/plain"
}

top_without_a_daemon() {
    local rc=0
    "$BIN/fmpctl" --control "$T/none" top --once >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = 3 ] && [ ! -s "$T/out" ]
}

counter() { ctl stats | awk -v n="$1" '$1 == n { print $2 }'; }

stats() {
    local before
    before=$(counter status/events)
    [ "$(control report "$OTHER" "$SCHEMA" 3)" = "code 0" ] || return 1
    [ "$(counter status/events)" = "$((before + 3))" ] || return 1
    wait_for 10 rejected_one || { ctl stats; return 1; }
    [ "$(counter step/schema/rejected)" = 1 ] || return 1
    # Of the good one and the bad one.
    [ "$(counter step/parse/events) $(counter step/schema/events) $(counter step/done/events)" = "2 2 1" ] || return 1
    [ "$(counter step/signature/events) $(counter step/decrypt/events)" = "0 0" ] || return 1
    [ "$(counter step/parse/cpu_ns)" -gt 1000 ] && [ "$(counter step/http/cpu_ns)" -gt 1000 ] || return 1
    ctl stats --json | jq -e 'length > 30 and all(.record == "counter" and (.count | type) == "number") and
        (map(.name) | (unique | length) == length)'
}
rejected_one() { [ "$(counter gateway/rejected)" = 1 ]; }

check top_once top_once
check top_at_a_terminal top_at_a_terminal
check top_without_a_daemon top_without_a_daemon
check stats stats
