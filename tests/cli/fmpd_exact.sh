# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119
#
# The counts of a mixed flood with two reloads in it: those of the sender, of fmpctl stats, of the metrics and of the
# access log are the same.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

ROUNDS=60
flood() {
    local i
    for ((i = 0; i < ROUNDS; i++)); do
        post "$GOOD" && post "$BAD" && post "$BAD" || return 1
        echo
    done >"$T/codes"
}
stat_of() { ctl stats | awk -v n="$1" '$1 == n { print $2 }'; }
metric() { curl -s "http://$METRICS/metrics" | awk -v n="$1" '$1 == n { print $2 }'; }
agrees() {
    [ "$(stat_of gateway/accepted)" = $ROUNDS ] && [ "$(stat_of gateway/rejected)" = $((2 * ROUNDS)) ] && [ "$(stat_of gateway/lost)" = 0 ]
}
counts_agree() {
    local sender i
    flood &
    sender=$!
    for i in 20 40; do
        wait_for 30 sent $i && ctl policy reload >/dev/null || return 1
    done
    wait "$sender" && [ "$(grep -cx 200500500 "$T/codes")" = $ROUNDS ] || { sort "$T/codes" | uniq -c; return 1; }
    wait_for 10 agrees || { ctl stats | grep gateway; return 1; }
    [ "$(stat_of status/good)" = $ROUNDS ] && [ "$(stat_of status/events)" = $((2 * ROUNDS)) ] &&
        [ "$(stat_of step/schema/rejected)" = $((2 * ROUNDS)) ] && [ "$(stat_of step/schema/events)" = $((3 * ROUNDS)) ] || { ctl stats; return 1; }
    [ "$(metric 'fmp_messages_total{result="good"}')" = $ROUNDS ] && [ "$(metric 'fmp_messages_total{result="bad"}')" = $((2 * ROUNDS)) ] &&
        [ "$(metric 'fmp_events_total{kind="schema"}')" = $((2 * ROUNDS)) ] && [ "$(metric 'fmp_events_total{kind="login"}')" = 0 ] &&
        [ "$(metric 'fmp_gateway_step_rejected_total{step="schema"}')" = $((2 * ROUNDS)) ] || { curl -s "http://$METRICS/metrics" | grep gateway; return 1; }
    [ "$(wc -l <"$T/log/access")" = $((3 * ROUNDS)) ] || { wc -l "$T/log/access"; return 1; }
}
sent() { [ "$(wc -l <"$T/codes" 2>/dev/null)" -ge "$1" ]; }

METRICS=127.0.0.1:39335
mkdir -m 777 "$T/log"
chmod 755 "$T"
service
plane_policy exact
sed -i "s|<block |<suspicion malicious=\"100000\"/>&|; s|<gateway |&access-log=\"$T/log/access\" |; s|<enforce|<metrics listen=\"$METRICS\"/>&|" "$T/policy.xml"
plane_up --state none
check counts_agree counts_agree
