# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154 # no option more; GOOD, BAD, CONTROL are lib_plane.sh's
#
# fmpctl learn: of a log and of a running fmpd; what it prints is a policy that fits.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

cp policies/balanced.xml "$T/balanced.xml"
cat >"$T/good.log" <<'END'
0 event 192.0.2.1 good bytes=5000
1s event 192.0.2.1 schema times=8 every=1s
9s event 192.0.2.1 good times=20
10s event 192.0.2.66 crash times=9
END

of_a_log() {
    "$BIN/fmpctl" learn --policy "$T/balanced.xml" "$T/good.log" >"$T/learned.xml"
    cat "$T/learned.xml"
    "$BIN/fmpctl" policy check "$T/learned.xml" || return 1
    [ "$("$BIN/fmpctl" policy show --json "$T/learned.xml" |
        jq -r '.[] | select(.name == "gateway/limits/body") | .value')" = 8KiB ] || return 1
    # Who sent good ones is let be now, and nobody else.
    "$BIN/fmpctl" replay --json --policy "$T/learned.xml" "$T/good.log" |
        jq -e 'map(select(.record == "block") | .addr) == ["192.0.2.66"]' || return 1
    "$BIN/fmpctl" learn --json --margin 300% --policy "$T/balanced.xml" "$T/good.log" |
        jq -e '.[0] | .left_out == 1 and .sources == 1 and .good == 21 and .events == 17 and
            .suspicious > 3 * .rank and .malicious > .suspicious and .bytes == 15360'
}

exits() { # CODE ARGS...
    local want=$1 rc=0
    shift
    "$BIN/fmpctl" learn "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] && [ ! -s "$T/out" ] || { echo "exit status $rc, not $want: $*"; return 1; }
}

# Of few messages nobody learns what is usual.
few() {
    "$BIN/fmpctl" learn --policy "$T/balanced.xml" "$T/good.log" 2>"$T/err" >/dev/null &&
        grep -q 'learned from 38 messages only: below 1000 ' "$T/err" || return 1
    echo '0 event 192.0.2.1 good times=1000 every=1s' >"$T/many.log"
    "$BIN/fmpctl" learn --policy "$T/balanced.xml" "$T/many.log" 2>"$T/err" >/dev/null && [ ! -s "$T/err" ]
}

unusable() {
    local p=policies/balanced.xml
    : >"$T/empty.log"
    exits 2 "$T/good.log" && exits 2 --policy $p && exits 2 --policy $p --duration 1s "$T/good.log" &&
        exits 2 --policy $p --duration soon && exits 2 --policy $p --margin 99 "$T/good.log" &&
        exits 2 --policy $p "$T/none.log" && exits 1 --policy $p "$T/empty.log" &&
        exits 3 --control "$T/none" --policy $p --duration 1s
}

# Thresholds that the rest of the policy forbids are said, but are no policy.
does_not_fit() {
    cat >"$T/shared.xml" <<'END'
<policy xmlns="urn:fmp:policy:1" name="shared">
  <suspicion suspicious="30" malicious="60"><credit points="1" max="50"/></suspicion>
  <block><shared narrow="limit" credit="10" up-to="120"/></block>
</policy>
END
    printf '0 event 192.0.2.1 good\n1ms event 192.0.2.1 schema times=40 every=1ms\n' >"$T/bad.log"
    exits 1 --policy "$T/shared.xml" "$T/bad.log" && grep -q 'malicious="[0-9]*" was learned, .*up-to="120" is not above' "$T/err"
}

check few few
check of_a_log of_a_log
check does_not_fit does_not_fit
check unusable unusable

service
plane_policy learning
plane_up

of_a_running_fmpd() {
    local learner _
    ctl learn --policy "$T/balanced.xml" --duration 4s --json >"$T/live" &
    learner=$!
    sleep 1
    post "$GOOD" >/dev/null
    for _ in 1 2 3; do post "$BAD" >/dev/null; done
    wait "$learner" || return 1
    cat "$T/live"
    jq -e --argjson bytes "$(stat -c %s "$GOOD")" '.[0] | .good == 1 and .events == 3 and .sources == 1 and
        .addr == "127.0.0.1" and .rank >= 28 and .rank <= 30 and .suspicious > .rank and .bytes >= $bytes' "$T/live"
}

check of_a_running_fmpd of_a_running_fmpd
