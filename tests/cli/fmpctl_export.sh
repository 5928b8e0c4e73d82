# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# fmpctl export apf: of files, and of what an fmpd enforces with nftables in network namespaces of its own.

. tests/cli/lib_netns.sh
own_netns fmpctl_export "${1:-}" ip nft unshare nsenter

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

ip link set lo up
netns_behind v0 v1
ip addr add 10.7.0.1/24 dev v0
ip link set v0 up

exits() { # CODE COMMAND...
    local want=$1 rc=0
    shift
    "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] || { echo "$*: exit status $rc, not $want"; cat "$T/out" "$T/err"; return 1; }
}
export_list() { exits "$1" "$BIN/fmpctl" export apf --from - "${@:2}"; } # CODE OPTION...: of standard input
has() { grep -q -- "$@" "$T/out" || { echo "without $*"; cat "$T/out"; return 1; }; }
lacks() { ! has "$@" >/dev/null || { echo "with $*"; cat "$T/out"; return 1; }; }

# The three forms of one program.
forms() {
    echo 02:00:00:00:00:07 >"$T/mac"
    export_list 0 <"$T/mac" && [ "$(od -An -tx1 "$T/out" | tr -d ' \n')" = 6a06a202060200000000077201 ] &&
        export_list 0 --hex <"$T/mac" && [ "$(cat "$T/out")" = 6a06a202060200000000077201 ] &&
        export_list 0 --list <"$T/mac" && has '^# APFv4: 13 bytes, 1 blocks$' && has 'jbsne r0, 0x020000000007, PASS$' && has ' jmp   DROP$' &&
        export_list 0 --list --apf-version 6000 <"$T/mac" && has '^# APFv6: 17 bytes' && has 'drop  7$'
}
protects() {
    echo 192.0.2.10 >"$T/protect"
    echo '192.0.2.0/24 for 10min' | export_list 0 --list --protect "$T/protect" && has 'jbsne r0, 0xc000020a, ' && has 'jbsne r0, 0xc00002, ' && has 'jgt   r0, 0x257, PASS' &&
        echo 192.0.2.10 | export_list 0 --list --protect "$T/protect" && has ': li    r0, 0$' && [ "$(wc -l <"$T/out")" = 2 ]
}
room() {
    seq -f '10.%g.7.1' 0 199 >"$T/many"
    export_list 1 --hex <"$T/many" && [ ! -s "$T/out" ] && grep -q '200 blocks need .*--max-size.*--truncate' "$T/err" || return 1
    echo 192.0.2.10 >"$T/protect"
    export_list 0 --hex --max-size 8000 --protect "$T/protect" <"$T/many" && [ ! -s "$T/err" ] || return 1
    # Who forgets what must not be blocked is told.
    export_list 0 --hex --max-size 8000 <"$T/many" && grep -q 'no address is protected: .*--protect$' "$T/err" || return 1
    { echo '198.51.100.1 for 1h'; cat "$T/many"; echo '198.51.100.2 for 2h'; } | export_list 4 --truncate --list --max-size 700 || return 1
    grep -q 'of 202 blocks are left out:' "$T/err" && grep -qx 'fmpctl: 198.51.100.1' "$T/err" && grep -q 'and .* more$' "$T/err" &&
        [ "$(sed -n 's/^# APFv4: \([0-9]*\) .*/\1/p' "$T/out")" -le 700 ] || { cat "$T/err"; return 1; }
}
usage() {
    echo 192.0.2.1 >"$T/one"
    for words in '' 'afp' 'apf more' 'apf --hex --list' 'apf --json --hex' 'apf --apf-version 5' 'apf --max-size 70000' 'apf --max-size 10' \
        'apf --max-size 1k' "apf --from $T/none"; do
        # shellcheck disable=SC2086 # words
        exits 2 "$BIN/fmpctl" export --from "$T/one" $words && [ ! -s "$T/out" ] || return 1
    done
    echo nowhere | export_list 2 --hex && grep -q '1: "nowhere"' "$T/err" || return 1
    # A program is not for a terminal.
    timeout 20 script -qec "$BIN/fmpctl export apf --from $T/one" /dev/null </dev/null | grep -q 'not for a terminal'
}

plane_up() { # ATTRIBUTES
    cat >"$T/policy.xml" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="export">
  <block layers="ip mac" duration="10min" $1/>
  <protect><address>192.0.2.10</address></protect>
  <groups><group name="limited" address="198.51.100.7" action="limit" rate="5/s"/></groups>
</policy>
XML
    [ -z "${FMPD:-}" ] || plane_ends 2>/dev/null
    start fmpd "$BIN/fmpd" --foreground --enforce "ip mac" --policy "$T/policy.xml" --control "$CONTROL"
    FMPD=$!
    wait_for 20 ctl status || { cat "$T/fmpd.err"; return 1; }
}
of_fmpd() {
    plane_up '' || return 1
    ctl block 192.0.2.7 --for 10min >/dev/null && ctl block 2001:db8::/64 --for 0 >/dev/null && ctl block 02:00:00:00:00:07 --for 0 >/dev/null || return 1
    exits 0 ctl export apf --list || return 1
    # Frames of the MAC pass with the protected address; 10 minutes.
    has 0xc0000207, && has 0xc000020a, && has 0x20010db800000000, && has 0x020000000007, && has 'jgt   r0, 0x25[0-7], ' || return 1
    exits 0 ctl export apf --hex && [ "$(wc -l <"$T/out")" = 1 ] && exits 2 ctl export apf --json --hex
}
without_limits() {
    ctl flush --yes >/dev/null
    control report 198.51.100.7 17 4 && [ "$(ctl --json blocks | jq -r '.[0].measure')" = limit ] || { ctl blocks; return 1; }
    exits 0 ctl export apf --list && lacks 0xc6336407 && grep -q 'without 1 limits and blocks of one port' "$T/err"
}
without_observed() {
    ctl flush --yes >/dev/null
    plane_up 'observe="yes"' && ctl block 198.51.100.7 --for 0 >/dev/null || return 1
    exits 0 ctl export apf --list && lacks 0xc6336407 && grep -q 'without 1 blocks that fmpd only observes' "$T/err"
}
no_daemon() { exits 3 "$BIN/fmpctl" --control "$T/nothing" export apf --hex && [ ! -s "$T/out" ]; }

check export/forms forms
check export/protects protects
check export/room room
check export/usage usage
check export/of_fmpd of_fmpd
check export/without_limits without_limits
check export/without_observed without_observed
check export/no_daemon no_daemon
