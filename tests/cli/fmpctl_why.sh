# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154
#
# What fmpctl why says: all that is known, and nothing that is not so.

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

# alone [OPTION...]: fmpd without a gateway.
alone() {
    [ -z "${FMPD:-}" ] || plane_ends 2>/dev/null
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$CONTROL" "$@"
    FMPD=$!
    wait_for 20 ctl status || { cat "$T/fmpd.err"; return 1; }
}

# As long as an event can be, with characters of more than a byte; one byte more is refused.
detail_is_whole() {
    local detail rc=0
    alone --state "$T/state" || return 1
    detail=$(printf 'ü%.0s' {1..100})$(printf 'x%.0s' {1..52})end
    ctl report 192.0.2.7 local --detail "$detail" || return 1
    ctl report 192.0.2.7 local --detail "${detail}y" 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 2 ] && grep -q 'takes up to 255 bytes, not 256' "$T/err" || return 1
    says_detail "$detail" || return 1
    # So does the next fmpd.
    alone --state "$T/state" && says_detail "$detail"
}
says_detail() {
    ctl why 192.0.2.7 | grep -Eq " local .* $1\$" && [ "$(field 'select(.record == "event") | .detail' why 192.0.2.7)" = "$1" ]
}

# Only a terminal's width cuts it, and that is shown.
terminal_cuts_at_its_width() {
    COLUMNS=80 script -qec "$BIN/fmpctl --control $CONTROL why 192.0.2.7" /dev/null >"$T/screen" </dev/null || return 1
    python3 - "$T/screen" <<'EOF'
import re, sys
lines = re.sub("\x1b\\[[0-9]*m|\r", "", open(sys.argv[1], encoding="utf-8").read()).splitlines()
print("\n".join(lines))
row = [line for line in lines if " local " in line]
sys.exit(len(row) != 1 or len(row[0]) != 80 or not row[0].endswith("ü...") or any(len(line) > 80 for line in lines))
EOF
}

why() { ctl why "$@" >"$T/why"; cat "$T/why"; }
source_of() { field "select(.record == \"source\") | $2" why "$1"; }
fits_schema() { ctl --json why "$1" >"$T/json" && python3 tests/cli/json_schema.py daemon/fmpctl/fmpctl.schema.json "$T/json"; }

# Of whom nothing is counted nothing is said but that.
unknown_is_said() {
    why 192.0.2.99 | head -n 1 | grep -qx '192.0.2.99 is not known: nothing bad came from it, or it is forgotten' &&
        ! grep -q 'clean\|messages\|rank' "$T/why" && [ "$(source_of 192.0.2.99 .state)" = unknown ] && fits_schema 192.0.2.99 || return 1
    # One whom wider blocks hold: which ones.
    ctl block 203.0.113.0/24 --for 1h >/dev/null && ctl block 203.0.113.0/28 >/dev/null || return 1
    why 203.0.113.5 | grep -qx '203.0.113.5 is part of the source 203.0.113.0/28' &&
        grep -q '^Decision [0-9]*: block 203.0.113.0/28 for ' "$T/why" &&
        grep -A1 '^Other blocks hold it' "$T/why" | grep -Eqx '  observed: block 203.0.113.0/24 \(decision [0-9]+\), .* left' || return 1
    fits_schema 203.0.113.5 && ctl --json why 203.0.113.5 |
        jq -e '[.[] | select(.record == "decision" or .record == "covered") | .addr] | sort == ["203.0.113.0/24", "203.0.113.0/28"]'
}

by_hand_is_no_verdict() {
    ctl block 192.0.2.50 >/dev/null || return 1
    why 192.0.2.50 | head -n 1 | grep -q '^192.0.2.50 would be blocked, by hand: rank 0, ' || return 1
    # Nor is one that is malicious for what it sent named for who blocked it.
    control report 192.0.2.51 17 12 >/dev/null && why 192.0.2.51 | head -n 1 | grep -q '^192.0.2.51 is malicious: rank ' || return 1
}

# A prefix without a block: what is known and blocked in it, and how to see all of it.
prefix_names_its_members() {
    local n
    for ((n = 1; n <= 20; n++)); do echo "198.51.100.$n"; done >"$T/list"
    ctl block --file "$T/list" >/dev/null && control report 198.51.100.200 17 1 >/dev/null || return 1
    why 198.51.100.0/24 >/dev/null
    cat "$T/why"
    head -n 1 "$T/why" | grep -qx '198.51.100.0/24 is no source of its own' &&
        grep -qx '  21 sources in it: fmpctl sources 198.51.100.0/24' "$T/why" &&
        grep -qx '  20 blocks in it: fmpctl blocks 198.51.100.0/24' "$T/why" || return 1
    [ "$(ctl sources 198.51.100.0/24 | sed 1d | wc -l)" = 21 ] && [ "$(ctl blocks 198.51.100.0/24 | sed 1d | wc -l)" = 20 ] || return 1
    [ "$(grep -c '^ *[0-9]* *198.51.100.[0-9]* .* observed ' "$T/why")" = 16 ] && [ "$(source_of 198.51.100.0/24 .blocks)" = 20 ] &&
        [ "$(source_of 198.51.100.0/24 .sources)" = 21 ] && fits_schema 198.51.100.0/24 || return 1
    [ "$(jq '[.[] | select(.record == "member")] | length' "$T/json")" = 16 ] || return 1
    # Its own block is none of its members, nor is the prefix its own source.
    ctl block 198.51.100.0/24 >/dev/null && [ "$(source_of 198.51.100.0/24 .blocks)" = 20 ] && [ "$(source_of 198.51.100.0/24 .sources)" = 21 ] || return 1
    why 198.51.100.0/24 >/dev/null
    head -n 1 "$T/why" | grep -q '^198.51.100.0/24 would be blocked, by hand: ' && grep -q '^Decision [0-9]*: block 198.51.100.0/24 ' "$T/why" || return 1
    why 100.64.0.0/10 | head -n 1 | grep -qx '100.64.0.0/10 is no source of its own' && ! grep -q 'in it' "$T/why"
}

# An fmpd that observes blocks nobody, in any of its words.
observing_claims_no_block() {
    ctl status | grep -Eq '^Sources .* [1-9][0-9]* would be blocked$' || { ctl status; return 1; }
    ctl top --once --interval 100ms | grep -Eq ' [1-9][0-9]* would be blocked; '
}

refusal_names_its_address_once() {
    local rc=0
    printf '%s\n' 192.0.2.60 127.0.0.1 >"$T/list"
    ctl block --file "$T/list" >/dev/null 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 4 ] && grep -qx 'fmpctl: 127.0.0.1 is protected: .*' "$T/err"
}

plane_policy why
check detail_is_whole detail_is_whole
check terminal_cuts_at_its_width terminal_cuts_at_its_width
check unknown_is_said unknown_is_said
check by_hand_is_no_verdict by_hand_is_no_verdict
check prefix_names_its_members prefix_names_its_members
check observing_claims_no_block observing_claims_no_block
check refusal_names_its_address_once refusal_names_its_address_once
