# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A script that runs in a network namespace of its own, and others behind it; sourced before lib.sh.

# own_netns NAME INSIDE TOOL...: the script anew in a namespace, with the word "inside", unless INSIDE
# is that word; without the tools or the right it is skipped by its name.
own_netns() {
    local name=$1 inside=$2 tool own
    shift 2
    [ "$inside" != inside ] || return 0
    for tool; do
        command -v "$tool" >/dev/null || { echo "skip $name: $tool is missing"; exit 0; }
    done
    own=$([ "$(id -u)" = 0 ] || echo --map-root-user)
    # shellcheck disable=SC2086 # one word or none
    unshare $own --net true 2>/dev/null || {
        echo "skip $name: no right to make a network namespace"
        exit 0
    }
    # shellcheck disable=SC2086
    exec unshare $own --net bash "$0" inside
}

# netns_behind DEVICE THERE [OPTION...]: a namespace of its own, reached through DEVICE; its end of the veth
# pair is THERE, with ip-link's options. Its process, FAR, goes with the script (lib.sh).
netns_behind() {
    local device=$1 there=$2
    shift 2
    unshare --net sleep 600 &
    FAR=$!
    pids+=("$FAR")
    wait_for 5 has_own_net "$FAR"
    ip link add "$device" type veth peer name "$there" "$@" netns "$FAR"
}
has_own_net() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]; }

# far COMMAND...: in the namespace that came last.
far() { nsenter -t "$FAR" -n "$@"; }
