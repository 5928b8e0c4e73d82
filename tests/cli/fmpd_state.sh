# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What an fmpd knows survives its end, a kill and a damaged file.

# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/lib_plane.sh
. tests/cli/lib_plane.sh

STATE=$T/state/file
mkdir "$T/state"
plane_policy kept 'duration="10min" factor="2.0"'

# alone [OPTION...]: an fmpd without a gateway, answering.
alone() {
    [ -z "${FMPD:-}" ] || plane_ends 2>/dev/null
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" \
        --control "$CONTROL" --state "$STATE" "$@"
    FMPD=$!
    wait_for 20 ctl status || {
        echo "FAIL fmpd does not start"
        sed 's/^/    /' "$T/fmpd.err"
        bad=1
        exit 1
    }
}
of() { field 'select(.record == "source") | '"$2" why "$1"; }
block_of() { field 'select(.record == "decision") | '"$2" why "$1"; }
said() { grep -q "$1" "$T/fmpd.err"; }

# not_believed WHY: the file is set aside, and nothing of it counts.
not_believed() {
    rm -f "$STATE.bad"
    alone
    said "$1" && [ -e "$STATE.bad" ] && [ "$(ctl blocks --json | grep -c 192.0.2.55)" = 0 ] ||
        { cat "$T/fmpd.err"; ls -ln "$T/state"; return 1; }
    plane_ends
}

# Whoever can write it could block and unblock anybody.
strangers_file_is_not_believed() {
    alone
    ctl block 192.0.2.55 --for 2h >/dev/null
    plane_ends
    cp -p "$STATE" "$T/kept" && chmod 660 "$STATE"
    not_believed 'others than its owner may write it (mode 660)' || return 1
    cp -p "$T/kept" "$STATE" && chmod 602 "$STATE"
    not_believed 'others than its owner may write it (mode 602)' || return 1
    [ "$(id -u)" != 0 ] || {
        cp -p "$T/kept" "$STATE" && chmod 644 "$STATE" && chown 65534 "$STATE"
        not_believed 'it belongs to user 65534' || return 1
    }
    cp -p "$T/kept" "$STATE"
    alone
    [ "$(ctl blocks --json | grep -c 192.0.2.55)" != 0 ]
}

# Four forgeries of 30 points: blocked; one of another: suspicious only.
attack() {
    control report 192.0.2.7 17 4 && control report 192.0.2.8 17 1
}

survives_the_end() {
    alone
    attack && ctl block 192.0.2.99 --for 1h --reason 'by hand' >/dev/null || return 1
    local id left
    id=$(block_of 192.0.2.7 .decision_id)
    plane_ends
    [ -s "$STATE" ] || { echo "no file"; return 1; }
    [ "$(stat -c %a "$STATE")" = 600 ] || { echo "others may read it"; return 1; }
    alone
    [ "$(of 192.0.2.7 .state)" = malicious ] || { echo "the block is forgotten"; return 1; }
    [ "$(of 192.0.2.7 .strikes)" = 1 ] || { echo "the offence is forgotten"; return 1; }
    [ "$(block_of 192.0.2.7 .decision_id)" = "$id" ] || { echo "another decision"; return 1; }
    [ "$(block_of 192.0.2.99 .reason)" = 'by hand' ] || { echo "no reason"; return 1; }
    [ "$(block_of 192.0.2.99 .manual)" = true ] || { echo "not by hand"; return 1; }
    left=$(block_of 192.0.2.99 .left_ms)
    [ "$left" -gt 3500000 ] && [ "$left" -le 3600000 ] || { echo "left: $left"; return 1; }
    [ "$(of 192.0.2.8 .rank)" -ge 25 ] || { echo "the rank is forgotten"; return 1; }
    [ "$(field 'select(.record == "event") | .kind' why 192.0.2.8)" = signature ]
}

# A decision is on the disk soon, without anybody ending fmpd.
survives_a_kill() {
    ctl unblock 192.0.2.99 >/dev/null
    ctl block 192.0.2.55 --for 2h >/dev/null
    touch -r "$STATE" "$T/before"
    wait_for 20 test "$STATE" -nt "$T/before" || { echo "not written"; return 1; }
    kill -KILL "$FMPD"
    wait "$FMPD" 2>/dev/null
    FMPD=
    alone
    [ "$(block_of 192.0.2.55 .state)" = observed ] && [ -z "$(block_of 192.0.2.99 .state)" ]
}

# A new block comes with an id that no earlier one had, and lasts as the second one does.
goes_on_where_it_was() {
    local old new
    old=$(block_of 192.0.2.55 .decision_id)
    ctl unblock 192.0.2.7 >/dev/null
    plane_ends
    alone
    attack || return 1
    new=$(block_of 192.0.2.7 .decision_id)
    [ "$new" -gt "$old" ] || { echo "id $new after $old"; return 1; }
    [ "$(block_of 192.0.2.7 .duration_ms)" = 1200000 ] || { echo "not a second block"; return 1; }
}

damaged_is_set_aside() {
    plane_ends
    printf 'X' | dd of="$STATE" bs=1 seek=100 conv=notrunc status=none
    alone
    said 'sum is not' || said 'not a row' || said 'row is not valid' || said 'no message of ours' || { echo "no word of it"; return 1; }
    [ -s "$STATE.bad" ] && [ ! -e "$STATE" ] || { echo "not set aside"; return 1; }
    [ "$(of 192.0.2.7 .state)" = unknown ] || { echo "it was believed"; return 1; }
    plane_ends
    head -c 100 "$STATE.bad" >"$STATE"
    alone
    said 'cut off'
}

# A protected address stays free, whatever a file says.
protected_stays_free() {
    ctl block 192.0.2.66 --for 1h >/dev/null || return 1
    plane_ends
    sed -i 's|<enforce|<protect><address>192.0.2.66</address></protect><enforce|' "$T/policy.xml"
    alone
    said 'a block is not restored: 192.0.2.66 is protected' || return 1
    [ -z "$(block_of 192.0.2.66 .state)" ]
}

# Where it can't be written fmpd serves all the same.
unwritable_is_said_once() {
    plane_ends
    alone --state "$T/nowhere/file"
    [ "$(ctl --json status | jq -r '.[0].record')" = status ] || return 1
    plane_ends
    said "can't write $T/nowhere/file"
}

none_means_none() {
    rm -f "$STATE"
    alone --state none
    ctl block 192.0.2.77 >/dev/null
    plane_ends
    [ ! -e "$STATE" ] || return 1
    ! "$BIN/fmpd" --state relative 2>"$T/usage" && grep -q 'absolute path' "$T/usage"
}

check survives_the_end survives_the_end
check survives_a_kill survives_a_kill
check goes_on_where_it_was goes_on_where_it_was
check damaged_is_set_aside damaged_is_set_aside
check strangers_file_is_not_believed strangers_file_is_not_believed
check protected_stays_free protected_stays_free
check unwritable_is_said_once unwritable_is_said_once
check none_means_none none_means_none
