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

plane_policy why
check detail_is_whole detail_is_whole
check terminal_cuts_at_its_width terminal_cuts_at_its_width
