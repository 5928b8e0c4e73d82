#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A router whose forward chain has a software flowtable, which takes frames at netdev ingress, before the layer ip: what a
# block of fmpd is worth there, with each layer. Not among tests/vm/module_*.sh: it needs fmpd.
# Functions are called by their names; addresses and numbers hold no blanks.
# shellcheck disable=SC2317,SC2329,SC2086

. "${0%/*}/lib.sh"

bin=$PWD/build/bin control=$tmp/control
r=fmp-$$-r b=fmp-$$-b
# The client $a, the router $r, the server $b.
a4=10.5.1.2 b4=10.5.2.2
in_r() { ip netns exec "$r" "$@"; }

link_to_router() { # NAMESPACE NETWORK DEVICE
    ip netns add "$1"
    ip -n "$r" link add "$3" type veth peer name eth0 netns "$1"
    # The checksum of what is forwarded, and its length, as on a wire.
    ip netns exec "$1" ethtool -K eth0 tso off gso off gro off tx off >/dev/null
    in_r ethtool -K "$3" gro off >/dev/null
    ip -n "$1" addr add "$2.2/24" dev eth0
    ip -n "$r" addr add "$2.1/24" dev "$3"
    ip -n "$1" link set eth0 up
    ip -n "$r" link set "$3" up
    ip -n "$1" route add default via "$2.1"
}

world() {
    modprobe nf_conntrack_netlink
    ip netns add "$r"
    in_r sysctl -qw net.ipv4.ip_forward=1
    link_to_router "$a" 10.5.1 ra
    link_to_router "$b" 10.5.2 rb
    in_r nft -f - <<END
table ip forwarding {
    flowtable fast { hook ingress priority filter; devices = { ra, rb }; }
    chain forward {
        type filter hook forward priority filter;
        meta l4proto tcp flow add @fast
    }
}
END
}

world_down() {
    for ns in "$a" "$b" "$r"; do
        ip netns del "$ns"
    done
}

protection() { # LAYERS
    cat >"$tmp/policy.xml" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="flows">
  <block layers="$1" duration="10min"/>
  <enforce reconcile="30s">
    <device>ra</device>
    <device>rb</device>
  </enforce>
</policy>
XML
    ip netns exec "$r" "$bin/fmpd" --foreground --policy "$tmp/policy.xml" --enforce "$1" --control "$control" --state none >"$tmp/log" 2>&1 &
    fmpd=$!
    trap clear_after EXIT
    wait_until 30 in_r "$bin/fmpctl" --control "$control" status
}

clear_after() {
    kill $fmpd
    wait $fmpd || true
    in_r "$bin/fmpd" --teardown >/dev/null
    for ns in "$a" "$b"; do
        ip netns pids "$ns" | xargs -r kill -9 || true
    done
    wait
    cat "$tmp/log"
}

# Frames that the router has sent by a device.
sent() { ip netns exec "$r" cat "/sys/class/net/$1/statistics/tx_packets"; }
offloaded() { in_r grep OFFLOAD /proc/net/nf_conntrack; }
in_a_second() { # DEVICE
    was=$(sent "$1")
    sleep 1
    echo $(($(sent "$1") - was))
}
flows() { [ "$(in_a_second "$1")" -gt 20 ]; }

# A connection in the flowtable, from the client to the server, that never ends.
stream() {
    timeout $((90 * patience)) ip netns exec "$b" "$tcp" serve 7001 >"$tmp/served" &
    wait_until 10 grep -q listening "$tmp/served"
    timeout $((90 * patience)) ip netns exec "$a" "$tcp" send $b4 7001 0 &
    wait_until 20 offloaded
    wait_until 20 flows "$1"
}

# blocked ADDRESS DEVICE LAYERS: its frames, which go on by the device, stop. An address that only receives sends
# acknowledgements; the sender's frames try to bring the connection back to the flowtable.
blocked() {
    protection "$3"
    stream "$2"
    before=$(in_a_second "$2")
    in_r "$bin/fmpctl" --control "$control" block "$1" --for 5min
    [ "$3" != ip ] || wait_until 20 grep -q event=flows "$tmp/log"
    was=$(sent "$2")
    sleep 4
    more $((before / 4)) $(($(sent "$2") - was))
}

idle() { ! offloaded; }
signal() { ip netns pids "$a" | xargs kill "-$1"; }

# A connection that was too idle for the flowtable when its source was blocked: the peer's next frame brings it back.
test_ip_idle_receiver() {
    in_r sysctl -qw net.netfilter.nf_flowtable_tcp_timeout=2
    stream ra
    protection ip
    # It has looked once.
    sleep $((3 * patience))
    signal STOP
    wait_until 20 idle
    in_r "$bin/fmpctl" --control "$control" block $b4 --for 5min
    sleep $((2 * patience))
    signal CONT
    sleep $((2 * patience))
    was=$(sent ra)
    sleep 4
    now=$(sent ra)
    in_r sysctl -qw net.netfilter.nf_flowtable_tcp_timeout=30
    more 20 $((now - was))
}
test_ip_sender() { blocked $a4 rb ip; }
test_ip_receiver() { blocked $b4 ra ip; }
# These are before the flowtable, and nothing has to be flushed.
test_mac_sender() { blocked $a4 rb mac; }
test_premac_sender() { blocked $a4 rb premac; }
test_premac_receiver() { blocked $b4 ra premac; }

insmod "$modules/fmp.ko"
world
run_tests
rc=$?
world_down
wait_until 10 rmmod fmp
exit $rc
