# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The log as machines read it: JSON or logfmt, one line a decision.

# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/lib_plane.sh
. tests/cli/lib_plane.sh

plane_policy logged

# logged FORMAT: an fmpd that blocks one source, refuses one block, and takes a reason that needs escapes.
logged() {
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$CONTROL" \
        --log-format "$1"
    FMPD=$!
    wait_for 20 ctl status || return 1
    python3 tests/cli/control.py "$CONTROL" report 192.0.2.7 17 4 >/dev/null
    ctl block 192.0.2.8 --for 1h --reason 'a "quoted" \ reason = ü' >/dev/null
    ctl block 127.0.0.1 >/dev/null 2>&1
    plane_ends
}

json_is_json() {
    logged json || return 1
    jq -es 'all(has("time") and has("level") and has("event") and has("msg"))' "$T/fmpd.err" >/dev/null || return 1
    [ "$(jq -s length "$T/fmpd.err")" = "$(wc -l <"$T/fmpd.err")" ] || return 1
    jq -es '[.[] | select(.event == "decision")] | length == 2 and (.[0] | .id == 1 and .addr == "192.0.2.7" and
        .action == "block" and .ip == "observed" and .duration_ms == 600000) and
        (.[1].msg | contains("a \"quoted\" \\ reason = ü")) and (.[1].manual == 1)' "$T/fmpd.err"
}

logfmt_is_logfmt() {
    logged logfmt || return 1
    [ "$(grep -c '^time=[^ ]* level=notice event=decision msg="' "$T/fmpd.err")" = 2 ] || return 1
    grep -q 'a \\"quoted\\" \\\\ reason = ü' "$T/fmpd.err" && ! grep -qvE '^time=[^ ]+ level=[a-z]+ event=[a-z]+ msg=' "$T/fmpd.err"
}

# Ten times as many as would be let through of other lines.
every_decision_has_its_line() {
    local i
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$CONTROL" \
        --log-format json
    FMPD=$!
    wait_for 20 ctl status || return 1
    for ((i = 0; i < 2000; i++)); do echo "198.18.$((i / 250)).$((i % 250))"; done >"$T/many"
    ctl block --file "$T/many" --for 1h >/dev/null || return 1
    plane_ends
    jq -es '[.[] | select(.event == "decision") | .addr] | length == 2000 and (unique | length) == 2000' "$T/fmpd.err"
}

# Of each change what it is of and what came of it, with the place in the file; and no blank where there is none.
each_change_has_its_line() {
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$CONTROL"
    FMPD=$!
    wait_for 20 ctl status || return 1
    ctl policy reload >/dev/null && ctl block 192.0.2.8 >/dev/null || return 1
    sed -i 's|<enforce|<enforce/>&|' "$T/policy.xml"
    ctl policy reload >/dev/null 2>&1
    sed -i 's|<enforce/>||' "$T/policy.xml"
    plane_ends
    grep -o 'event=control msg="uid .*' "$T/fmpd.err" | sed 's/uid [0-9]*/uid N/' >"$T/changes"
    diff "$T/changes" - <<EOF
event=control msg="uid N: policy reload"
event=control msg="uid N: block 192.0.2.8"
event=control msg="uid N: policy reload: $T/policy.xml:5:13: <enforce> stands twice in <policy>"
EOF
}

no_other_format() {
    ! "$BIN/fmpd" --log-format xml 2>"$T/usage" && grep -q 'takes logfmt or json; not: xml' "$T/usage"
}

check json_is_json json_is_json
check logfmt_is_logfmt logfmt_is_logfmt
check every_decision_has_its_line every_decision_has_its_line
check each_change_has_its_line each_change_has_its_line
check no_other_format no_other_format
