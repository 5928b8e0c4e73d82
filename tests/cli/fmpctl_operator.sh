# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# What an operator does by habit: ranges and several addresses at once, and blocks that would end
# the SSH session in which fmpctl is called. In a network namespace of its own.

. tests/cli/lib_netns.sh
own_netns fmpctl_operator "${1:-}" ip nft unshare nsenter script

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

ip link set lo up
netns_behind v0 v1 address 00:16:3e:00:00:66
ip addr add 192.0.2.1/24 dev v0
ip link set v0 up
far ip link set lo up
far ip addr add 192.0.2.66/24 dev v1
far ip link set v1 up
unset SSH_CONNECTION

exits() { # CODE COMMAND...
    local want=$1 rc=0
    shift
    "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] || { echo "$*: exit status $rc, not $want"; cat "$T/out" "$T/err"; return 1; }
}
blocked() { ctl --json blocks "$@" | jq -r '[.[] | select(.record == "decision") | .addr] | sort | join(" ")'; }
is_blocked() { [ "$(blocked)" = "$1" ] || { echo "blocked: $(blocked)"; return 1; }; }

# unblock, blocks and sources with prefixes and several addresses.
ranges() {
    local a
    for a in 198.51.100.10 198.51.100.11 203.0.113.7; do ctl block $a >/dev/null || return 1; done
    exits 2 ctl unblock && exits 2 ctl blocks 198.51.100.1/24 && exits 1 ctl unblock 192.0.2.128/25 &&
        [ "$(blocked 198.51.100.0/24)" = "198.51.100.10 198.51.100.11" ] &&
        [ "$(blocked 203.0.113.7 198.51.100.11)" = "198.51.100.11 203.0.113.7" ] &&
        ctl blocks 192.0.2.0/24 | grep -q '^nothing of it is blocked$' || return 1
    # Of the answers only those of the decisions shown.
    ctl --json blocks 203.0.113.7 | jq -e '[.[].decision_id] | unique | length == 1' || return 1
    [ "$(ctl sources 198.51.100.0/24 | grep -c '^198')" = 2 ] && [ "$(ctl sources 198.51.100.10 203.0.113.7 | grep -c '^[12]')" = 2 ] || return 1
    exits 0 ctl unblock 198.51.100.0/24 && [ "$(grep -c 'is unblocked$' "$T/out")" = 2 ] && is_blocked 203.0.113.7 || return 1
    ctl block 198.51.100.10 >/dev/null
    exits 4 ctl unblock 198.51.100.10 198.51.100.99 203.0.113.7 && grep -q '198.51.100.99 is not blocked' "$T/err" && is_blocked ""
}
json_of_several() {
    ctl block 198.51.100.10 >/dev/null
    ctl block 198.51.100.11 >/dev/null
    ctl --json unblock 198.51.100.10 198.51.100.11 | jq -e '[.[] | select(.record == "decision")] | length == 2' && is_blocked ""
}

# refused COMMAND...: not on a terminal: nothing is blocked, and what to do is said.
refused() {
    exits 1 "$@" </dev/null && grep -q 'your SSH session comes from .* --yes ' "$T/err" && is_blocked ""
}
from_ssh() { SSH_CONNECTION="${FROM:-192.0.2.66} 50000 192.0.2.1 22" ctl "$@"; }
# As under sudo: only the environment of the shell above has it.
from_sudo() { SSH_CONNECTION="192.0.2.66 50000 192.0.2.1 22" bash -c 'env -u SSH_CONNECTION "$@"; exit $?' sudo "$BIN/fmpctl" --control "$CONTROL" "$@"; }
own_session() {
    refused from_ssh block 192.0.2.66 && refused from_ssh block 192.0.2.64/26 && refused from_sudo block 192.0.2.66 &&
        FROM=::ffff:192.0.2.66 refused from_ssh block 192.0.2.66 && FROM=fe80::1%v0 refused from_ssh block fe80::/64 || return 1
    ping -qc1 -W2 192.0.2.66 >/dev/null && refused from_ssh block 00:16:3e:00:00:66 || return 1
    printf '198.51.100.1\n192.0.2.64/26\n' >"$T/list"
    refused from_ssh block --file "$T/list" || return 1
    from_ssh --json block 192.0.2.66 </dev/null 2>/dev/null | jq -e '.[0].record == "error" and .[0].kind == "denied"' || return 1
    # Others' addresses are no question; with --yes none is.
    from_ssh block 192.0.2.67 >/dev/null && from_ssh block 192.0.2.66 --yes >/dev/null && is_blocked "192.0.2.66 192.0.2.67" &&
        ctl unblock 192.0.2.0/24 >/dev/null
}
at_terminal() { # ANSWER
    printf '%s\n' "$1" | SSH_CONNECTION="192.0.2.66 50000 192.0.2.1 22" timeout 10 script -qec \
        "$BIN/fmpctl --control $CONTROL block 192.0.2.66" /dev/null >"$T/out"
}
own_session_at_a_terminal() {
    at_terminal n && return 1
    grep -q '\[y/N\]' "$T/out" && is_blocked "" && at_terminal y && is_blocked 192.0.2.66 && ctl unblock 192.0.2.66 >/dev/null
}

service
layers_policy operator
plane_layers 192.0.2.1:8080 || { echo "FAIL fmpd does not start"; exit 1; }
check ranges ranges
check json_of_several json_of_several
check own_session own_session
check own_session_at_a_terminal own_session_at_a_terminal
