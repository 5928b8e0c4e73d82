# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154
#
# Every process of a gateway that fmpd has started is without any capability, its bounding set is empty as well: the
# listener, what forks workers, the workers, who keeps their keys, who resolves names.

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

family() { # PID: itself, and all that it started
    local child
    echo "$1"
    for child in $(pgrep -P "$1"); do
        family "$child"
    done
}

kinds() { # all that are there, by name
    local pid
    for pid in $(family "$(gateway_pid)"); do
        cat "/proc/$pid/comm"
    done | sort -u | xargs
}

all_are_there() { [ "$(kinds)" = "fmp-gateway fmp-gw-dns fmp-gw-fork fmp-gw-keys fmp-gw-worker" ]; }

without_capabilities() {
    local pid set n=0
    for pid in $(family "$(gateway_pid)"); do
        for set in Inh Prm Eff Bnd Amb; do
            grep -qE "^Cap$set:\s0+$" "/proc/$pid/status" || { cat "/proc/$pid/comm"; grep '^Cap' "/proc/$pid/status"; return 1; }
        done
        n=$((n + 1))
    done
    # A process of keys for each worker, and one that forks them.
    [ "$n" -ge 6 ]
}

[ "$(id -u)" = 0 ] || { skip without-capabilities "needs root"; exit 0; }
cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="confined">
  <gateway security="BcES" schema="$PWD/$VECTORS/orders.xsd" trust="$PWD/$VECTORS/pki/ca.crt"
           key="$PWD/$VECTORS/pki/server.key" workers="1" user="nobody">
    <services><service name="orders" path="/orders" backend="http://backend.invalid:9000/"/></services>
  </gateway>
</policy>
EOF
BACKEND=http://127.0.0.1:9/
plane_up
check all-are-there wait_for 20 all_are_there
check without-capabilities without_capabilities
check fmpd-ends plane_ends
