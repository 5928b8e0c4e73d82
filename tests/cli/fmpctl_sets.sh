# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Named sets of blocks: what a list replaces, what it leaves alone, and lists that fmpctl writes itself.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

exits() { # CODE COMMAND...
    local want=$1 rc=0
    shift
    "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] || { echo "$*: exit status $rc, not $want"; cat "$T/out" "$T/err"; return 1; }
}
list() { printf '%s\n' "${@:2}" | ctl block --file - --set "$1" --reason "feed $1" --for "${FOR:-1h}"; }
# holds SET ADDRESSES
holds() {
    local is
    is=$(ctl --json blocks --set "$1" | jq -r '[.[] | select(.record == "decision") | .addr] | sort | join(" ")')
    [ "$is" = "$2" ] || { echo "set $1 holds: $is"; return 1; }
}
left_s() { ctl --json blocks "$1" | jq --arg a "$1" 'map(select(.addr == $a))[0].left_ms / 1000 | round'; }

replaces() {
    ctl block 198.51.100.9 --for 1d --reason "by hand" >/dev/null && list other 198.51.100.8 203.0.113.0/24 >/dev/null || return 1
    list feed 198.51.100.1 198.51.100.2 198.51.100.3 198.51.100.8 198.51.100.9 >"$T/out" || return 1
    grep -qx '5 of 5 blocked, 2 of them by blocks that stay as they were' "$T/out" &&
        holds feed "198.51.100.1 198.51.100.2 198.51.100.3" && holds other "198.51.100.8 203.0.113.0/24" || return 1
    # Renewed to an earlier end too, as the list says now; what it lacks ends.
    FOR=10min list feed 198.51.100.2 198.51.100.4 >"$T/out" && grep -qx '2 of 2 blocked; 2 ended' "$T/out" || { cat "$T/out"; return 1; }
    holds feed "198.51.100.2 198.51.100.4" && [ "$(left_s 198.51.100.2)" -le 600 ] && [ "$(left_s 198.51.100.9)" -gt 80000 ] || return 1
    # A list without a set is another origin, even with the same words.
    echo 198.51.100.4 | ctl block --file - --reason "feed feed" --for 2h | grep -q '1 of them' && [ "$(left_s 198.51.100.4)" -le 600 ]
}
# This fmpd only observes, and each row says so.
rows_say_observed() {
    [ "$(ctl blocks | sed 1d | grep -c ' yes  *yes ')" = "$(ctl blocks | sed 1d | wc -l)" ] && ctl blocks | head -n1 | grep -q 'Only observed' &&
        ctl --json blocks | jq -e '[.[] | select(.record == "decision")] | length > 0 and all(.observe)' >/dev/null || { ctl blocks; return 1; }
}
of_one_set() {
    [ "$(ctl blocks --set feed | grep -c '^ *[0-9].* feed ')" = 2 ] && ctl blocks --set none | grep -q '^no such address is blocked$' &&
        ctl --json blocks >"$T/json" && python3 tests/cli/json_schema.py daemon/fmpctl/fmpctl.schema.json "$T/json" || return 1
    exits 2 ctl blocks --set 'a b' && exits 2 ctl block --file /dev/null --set "$(printf 'x%.0s' {1..32})" && exits 2 ctl block 192.0.2.1 --set feed
}
# A full table has room for the new list once the old one has gone.
full_table() {
    list big $(seq -f '10.1.1.%g' 50) >/dev/null && list big $(seq -f '10.2.2.%g' 50) >"$T/out" && grep -qx '50 of 50 blocked; 50 ended' "$T/out" || { cat "$T/out"; return 1; }
    ctl flush --set big --yes | grep -qx '50 ended' && holds big "" && holds feed "198.51.100.2 198.51.100.4"
}
ends() { ctl flush --yes "$@" | grep -qx "$N ended"; }
is_free() { ctl blocks "$1" | grep -q 'no such address is blocked'; }
# What two sets have is blocked as long as one of them has it.
held_by_two() {
    ctl flush --yes >/dev/null
    list a 198.51.100.1 198.51.100.2 >/dev/null && FOR=2h list b 198.51.100.2 198.51.100.3 | grep -qx '2 of 2 blocked, 1 of them by blocks that stay as they were' || return 1
    N=1 ends --set a && holds b "198.51.100.2 198.51.100.3" && holds a "" && [ "$(left_s 198.51.100.2)" -gt 7100 ] || return 1
    # The other way round, and of what the list of the other no longer has.
    list a 198.51.100.2 198.51.100.3 198.51.100.4 >/dev/null && list b 198.51.100.3 | grep -qx '1 of 1 blocked' && holds a "198.51.100.2 198.51.100.4" || return 1
    list a 198.51.100.4 >/dev/null && is_free 198.51.100.2 && holds b 198.51.100.3 && N=1 ends --set b && is_free 198.51.100.3 || return 1
    # By hand it ends for both, and --yes alone ends all.
    list b 198.51.100.4 >/dev/null && ctl unblock 198.51.100.4 >/dev/null && is_free 198.51.100.4 || return 1
    list a 198.51.100.5 >/dev/null && list b 198.51.100.5 >/dev/null && N=1 ends && is_free 198.51.100.5
}
# Nor does one that ends sooner let it go: of another set, by hand, by fmpd itself.
held_longer() {
    FOR=1s list a 198.51.100.6 >/dev/null && list b 198.51.100.6 >/dev/null && list b 198.51.100.6 198.51.100.7 198.51.100.8 >/dev/null &&
        ctl block 198.51.100.7 --for 1s >/dev/null && holds b 198.51.100.8 || return 1
    for _ in 1 2 3 4 5 6; do ctl report 198.51.100.9 login; done >/dev/null
    list b 198.51.100.6 198.51.100.7 198.51.100.8 198.51.100.9 >/dev/null
    wait_for 10 holds b "198.51.100.6 198.51.100.7 198.51.100.8" && [ "$(left_s 198.51.100.6)" -gt 3500 ] && [ "$(left_s 198.51.100.7)" -gt 3500 ] || { ctl blocks; return 1; }
    N=0 ends --automatic && holds b "198.51.100.6 198.51.100.7 198.51.100.8 198.51.100.9"
}
# Of two lists at once for one set the newer stands, whole, and the older is told.
newer_list_wins() {
    local conflict=-5
    ctl flush --yes >/dev/null
    list a 198.51.100.1 >/dev/null && printf '198.51.100.2\n198.51.100.3\n' >"$T/newer" || return 1
    python3 tests/cli/half_import.py "$CONTROL" a 198.51.100.4 198.51.100.5 "$BIN/fmpctl" --control "$CONTROL" block --file "$T/newer" --set a >"$T/codes" || return 1
    [ "$(tr '\n' ' ' <"$T/codes")" = "0 $conflict " ] && holds a "198.51.100.2 198.51.100.3" || { cat "$T/codes"; return 1; }
    # Nothing stays behind, and other sets are not concerned.
    list a 198.51.100.6 >/dev/null && holds a 198.51.100.6 || return 1
    python3 tests/cli/half_import.py "$CONTROL" a 198.51.100.4 198.51.100.5 "$BIN/fmpctl" --control "$CONTROL" block --file "$T/newer" --set b >"$T/codes" || return 1
    [ "$(tr '\n' ' ' <"$T/codes")" = "0 0 " ] && holds a "198.51.100.4 198.51.100.5" && holds b "198.51.100.2 198.51.100.3"
}
outlasts_a_restart() {
    plane_ends
    plane --state "$T/state"
    wait_for 10 gateway_up && holds feed "198.51.100.2 198.51.100.4" && list feed 198.51.100.4 | grep -qx '1 of 1 blocked; 1 ended' && holds feed 198.51.100.4
}
export_comes_back() {
    ctl block 198.51.100.10 --for 0 >/dev/null && ctl block 00:16:3e:00:00:66 --for 1d >/dev/null && ctl blocks --export >"$T/list" &&
        grep -q '^198.51.100.10 for 0 # ' "$T/list" || { cat "$T/list"; return 1; }
    ctl --json blocks | jq -r '.[] | select(.record == "decision") | .addr' | sort >"$T/before"
    ctl flush --yes >/dev/null && ctl block --file "$T/list" >"$T/out" || { cat "$T/out"; return 1; }
    ctl --json blocks | jq -r '.[] | select(.record == "decision") | .addr' | sort | diff - "$T/before" &&
        [ "$(left_s 198.51.100.9)" -gt 80000 ] && [ "$(left_s 198.51.100.8)" -gt 3500 ] && [ "$(left_s 198.51.100.8)" -le 3600 ] &&
        ctl --json blocks 198.51.100.10 | jq -e '.[0] | has("left_ms") | not' >/dev/null || return 1
    exits 2 ctl --json blocks --export || return 1
    echo '192.0.2.9 for ever' >"$T/list"
    exits 2 ctl block --file "$T/list" && grep -q 'list:1: .*no duration' "$T/err"
}

service
plane_policy sets
sed -i 's|<enforce |<enforce max-blocks="68" |' "$T/policy.xml"
plane_up --state "$T/state"
check replaces replaces
check of_one_set of_one_set
check rows_say_observed rows_say_observed
check full_table full_table
check outlasts_a_restart outlasts_a_restart
check export_comes_back export_comes_back
check held_by_two held_by_two
check held_longer held_longer
check newer_list_wins newer_list_wins
