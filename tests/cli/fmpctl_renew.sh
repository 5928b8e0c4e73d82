# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A set that is renewed asks no more of the kernel than it must: an element of what the list has still is
# deleted and added, what is new is added, what is gone is deleted; each once, on each layer.

. tests/cli/lib_netns.sh
own_netns fmpctl_renew "${1:-}" ip nft unshare nsenter
. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

list() { seq -f "10.${2:-1}.1.%g" "$1" | ctl block --file - --set feed --for 1h; }
seen() { grep -cE "^($1) element .* fmp block4_32 .*$2" "$T/monitor.out"; }
# marks ADDRESS: a block that the monitor of nftables shows; what was before it is shown too.
marks() { ctl block "$1" >/dev/null && sleep 0.05 && grep -q "$1" "$T/monitor.out"; }
watched() { # COMMAND...
    start monitor nft -n monitor elements
    wait_for 10 marks 192.0.2.77 && "$@" && wait_for 10 marks 192.0.2.78 && kill "$!"
}

renewed_once() {
    list 200 >"$T/out" && grep -qx '200 of 200 blocked' "$T/out" || { cat "$T/out"; return 1; }
    watched list 198 >"$T/out" && grep -qx '198 of 198 blocked; 2 ended' "$T/out" || { cat "$T/out"; return 1; }
    # Two layers, less the marker's.
    [ "$(seen delete '10\.1\.1\.')" = 400 ] && [ "$(seen 'add|create' '10\.1\.1\.')" = 396 ] ||
        { echo "$(seen delete .) deleted, $(seen 'add|create' .) added"; return 1; }
}
# The kernel lost some, and holds some that fmpd does not know to be there: all are in force all the same.
renewed_what_is_gone() {
    local family
    for family in inet netdev; do
        nft delete element "$family" fmp block4_32 '{ 10.1.1.5 }' || return 1
    done
    list 199 >"$T/out" && grep -qx '199 of 199 blocked' "$T/out" || { cat "$T/out"; return 1; }
    for family in inet netdev; do
        [ "$(nft list set "$family" fmp block4_32 | grep -oc '10\.1\.1\.[0-9]* ')" -gt 0 ] &&
            [ "$(nft list set "$family" fmp block4_32 | grep -o '10\.1\.1\.[0-9]* ' | sort -u | wc -l)" = 199 ] || return 1
    done
    ctl status --verify | grep -q '^Enforcement  100 %'
}

ip link set lo up
netns_behind wlan0 s0 address 00:16:3e:00:00:66
ip addr add 192.0.2.1/24 dev wlan0
ip link set wlan0 up
service
layers_policy renew
plane_layers 127.0.0.1:0
check renewed_once renewed_once
check renewed_what_is_gone renewed_what_is_gone
