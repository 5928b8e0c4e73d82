# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154 # no option more; GOOD, BAD, CONTROL are lib_plane.sh's
#
# fmpctl replay: what would have been decided of a log; and of what a running fmpd saw, the same again.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

OTHER=198.51.100.7
WRAPPING=16 # FMP_EVENT_WRAPPING on the wire

exits() { # CODE ARGS...
    local want=$1 rc=0
    shift
    "$BIN/fmpctl" "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] || { echo "exit status $rc, not $want"; cat "$T/out" "$T/err"; return 1; }
}

replay() { "$BIN/fmpctl" replay "$@"; }
records() { # KIND FILTER ARGS...: of a replay with --json, all of the kind must agree
    local kind=$1 filter=$2
    shift 2
    replay --json "$@" >"$T/json" || return 1
    jq -e "map(select(.record == \"$kind\")) | $filter" "$T/json" >/dev/null && return 0
    cat "$T/json"
    return 1
}

line() { # ADDRESS SECOND STATUS
    printf '%s - - [22/Nov/2026:02:30:%02d +0000] "GET /x HTTP/1.1" %s 10 "-" "a client"\n' "$1" "$2" "$3"
}

for s in 1 2 3 4 5 6 7 8 9 10 11 12 13; do line 192.0.2.66 "$s" 400; done >"$T/access.log"
{
    line 192.0.2.66 14 200
    line 192.0.2.67 15 404
    line 192.0.2.67 16 500
    echo nonsense
} >>"$T/access.log"

access_log() {
    records replay 'length == 1 and .[0].blocks == 1 and .[0].good == 1 and .[0].events == 13 and
        .[0].good_lost == 1 and .[0].left_out == 2 and .[0].not_understood == 1' \
        --policy policies/balanced.xml "$T/access.log" || return 1
    records block 'length == 1 and .[0].addr == "192.0.2.66" and .[0].duration_ms == 600000 and
        .[0].time == "2026-11-22T02:30:11Z" and .[0].at_ms == 10000 and .[0].kept_out == 2' \
        --policy policies/balanced.xml "$T/access.log" || return 1
    replay --policy policies/balanced.xml "$T/access.log" >"$T/out" && cat "$T/out" &&
        grep -q '2 bad messages kept out, 1 good ones lost' "$T/out" &&
        grep -q 'not understood: 1, the first is line 17' "$T/out" &&
        grep -Eq '^2026-11-22T02:30:11Z +192.0.2.66 +10min +2 +1 +rank ' "$T/out"
}

mapped() {
    records replay '.[0].events == 1 and .[0].left_out == 15 and .[0].sources == 1' \
        --map 4xx=none --map 404=http --map 200=none --policy policies/balanced.xml "$T/access.log"
}

compared() {
    records difference 'length == 1 and .[0].blocked_by == "second" and .[0].other_kept_out > 2 and
        (.[0] | has("at_ms") | not)' \
        --policy policies/permissive.xml --against policies/cautious.xml "$T/access.log" || return 1
    replay --policy policies/balanced.xml --against policies/balanced.xml "$T/access.log" |
        grep -q 'alike' || return 1
    replay --policy policies/balanced.xml --against policies/cautious.xml "$T/access.log" >"$T/out"
    cat "$T/out"
    grep -q '^cautious ' "$T/out" && grep -Eq '^192.0.2.66 +both ' "$T/out"
}

# As a timeline, through a pipe, and cut in two files: always the same blocks.
same_in_other_forms() {
    local f=$T/blocks
    blocks() { replay --json --policy policies/balanced.xml "$@" | jq -c '.[] | select(.record == "block") | del(.time)'; }
    blocks "$T/access.log" >"$f.1"
    replay --timeline "$T/access.log" | tee "$T/timeline" | blocks - >"$f.2"
    head -n 5 "$T/access.log" >"$T/part.1"
    tail -n +6 "$T/access.log" >"$T/part.2"
    blocks "$T/part.1" "$T/part.2" >"$f.3"
    [ -s "$f.1" ] && cmp "$f.1" "$f.2" && cmp "$f.1" "$f.3" && grep -q '^10000ms event 192.0.2.66 http ' "$T/timeline"
}

golden() {
    [ "$(replay --policy policies/balanced.xml tests/golden/escalation.log | grep -c crash)" = 10 ]
}

# local-mac-pair: who has the address after the offender comes through, until he offends himself.
pairs() {
    local policy=tests/golden/local-mac-pair.policy.xml alone=$T/alone.xml
    cat >"$T/pairs.log" <<'END'
1s   event 192.0.2.66 crash times=2 mac=02:00:5e:00:53:66
+1s  event 192.0.2.66 schema mac=02:00:5e:00:53:66
+5s  event 192.0.2.66 good times=10 every=1s mac=02:00:5e:00:53:99
+1s  event 192.0.2.66 crash times=2 mac=02:00:5e:00:53:99
END
    records replay '.[0].blocks == 2 and .[0].kept_out == 1 and .[0].good_lost == 0' --policy "$policy" "$T/pairs.log" &&
        records block '.[0].pair_mac == "02:00:5e:00:53:66" and .[1].duration_ms == 1200000 and (.[1] | has("pair_mac") | not)' \
            --policy "$policy" "$T/pairs.log" || return 1
    sed 's/ local-mac-pair="yes"//' "$policy" >"$alone"
    records difference '.[0].good_lost == 0 and .[0].other_good_lost == 10' --policy "$policy" --against "$alone" "$T/pairs.log"
}

unusable() {
    exits 2 replay --policy policies/balanced.xml "$T/none" && grep -q "$T/none" "$T/err" &&
        exits 2 replay "$T/access.log" && exits 2 replay --policy policies/balanced.xml &&
        exits 2 replay --policy "$T/none.xml" "$T/access.log" &&
        exits 2 replay --format pcapng --policy policies/balanced.xml "$T/access.log" &&
        exits 2 replay --map 404=evil --policy policies/balanced.xml "$T/access.log" &&
        exits 1 replay --format watch --policy policies/balanced.xml "$T/access.log" || return 1
    echo '1s event 192.0.2.1 nonsense' >"$T/bad.log"
    exits 1 replay --policy policies/balanced.xml "$T/bad.log" && grep -q "^fmpctl: $T/bad.log:1: " "$T/err" &&
        exits 1 replay --json --policy policies/balanced.xml "$T/bad.log" &&
        jq -e '.[0].record == "error" and .[0].line == 1' "$T/out" >/dev/null
}

check access_log access_log
check mapped mapped
check compared compared
check same_in_other_forms same_in_other_forms
check golden golden
check pairs pairs
check unusable unusable

# ---- what fmpd and its gateway saw and decided ----

service
plane_policy replayed
sed -i "s|<gateway |<gateway access-log=\"$T/gateway.log\" |" "$T/policy.xml"
plane_up
start watch "$BIN/fmpctl" --control "$CONTROL" watch --json
seen() { post "$GOOD" >/dev/null; grep -q '"good"' "$T/watch.out"; }
decided() { grep -q '"record":"decision".*'"$OTHER" "$T/watch.out"; }

invariant7_watched_again() {
    wait_for 10 seen || return 1
    # Three block; fmpd counts the time at which it comes to an event, the log that of the message: a
    # fraction of a point may lie between them.
    control report "$OTHER" "$WRAPPING" 5 >"$T/log" || return 1
    wait_for 10 decided || { cat "$T/watch.out"; return 1; }
    jq -r 'select(.record == "decision") | "\(.addr) \(.duration_ms) \(.reason | sub("^rank 1[0-9]+"; "rank"))"' "$T/watch.out" >"$T/real"
    replay --json --policy "$T/policy.xml" "$T/watch.out" |
        jq -r '.[] | select(.record == "block") | "\(.addr) \(.duration_ms) \(.reason | sub("^rank 1[0-9]+"; "rank"))"' >"$T/again"
    diff "$T/real" "$T/again" && [ -s "$T/real" ]
}

of_the_gateway() {
    local _
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do post "$BAD" >/dev/null; done
    cat "$T/gateway.log"
    # Loopback is protected, here as there; anybody else is blocked.
    records replay '.[0].blocks == 0 and .[0].protected_hits == 1' --policy "$T/policy.xml" "$T/gateway.log" ||
        return 1
    sed "s/^127.0.0.1 /$OTHER /" "$T/gateway.log" >"$T/other.log"
    records block 'length == 1 and .[0].addr == "198.51.100.7" and (.[0].reason | test("newest: schema"))' \
        --policy "$T/policy.xml" "$T/other.log"
}

check invariant7_watched_again invariant7_watched_again
check of_the_gateway of_the_gateway
