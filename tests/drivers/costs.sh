#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2086 # numbers hold no blanks
#
# Usage: tests/drivers/costs.sh DRIVER [PARAMETER...]
#
# Instructions that the reception of a frame costs on a board under the instruction counter,
# FMP_NS nanoseconds each, with tests/drivers/peer.py at the other end: the driver's interrupt
# handler and the softirq, up to the end of the frame. Frames come one or four at a time; the
# figure is the median of these groups, as a timer may interrupt one, and a busy host delay the
# second half of another. Writes `GROUP SIZE CASE INSTRUCTIONS READ`, where READ is what the driver
# read from its bus, in its unit.
#
#   plain     the kernel's own driver; the frame ends at the socket layer, by an nft rule
#   ingress   the kernel's own driver; nft drops it at netdev ingress, by a set
#   passed    the driver that asks; rules for other hosts
#   mac, ip   the driver that asks; stopped
set -eu
cd "${0%/*}/../.."
driver=$1
shift
genl=build/tests/vm/fmp_genl
frames=${FMP_FRAMES:-200}

# What receives, and the length of the peer's answer in the driver's unit.
case $driver in
smsc911x) receivers="smsc911x_irqhandler net_rx_action" answer=17 ;;
smc91x) receivers="smc_interrupt net_rx_action" answer=66 ;;
esac

# The time of each call of these functions, by the function graph tracer.
tracing=/sys/kernel/tracing
trace() { # on|off
    case $1 in
    on)
        echo "$receivers" >$tracing/set_ftrace_filter
        echo 1 >$tracing/max_graph_depth
        echo function_graph >$tracing/current_tracer
        echo funcgraph-abstime >$tracing/trace_options
        ;;
    off) echo 0 >$tracing/tracing_on ;;
    esac
}
# Nanoseconds of a group: the median of the sums between pauses of a millisecond. Then the
# tracer is at rest again.
polled() {
    awk '$2 == "|" && / us / {
            if ($1 - last > 0.001)
                n++
            last = $1
            sub(/^ *[0-9.]+ \| *[0-9]+\) *[^0-9 ]? */, "")
            sum[n] += $1 * 1000
        }
        END { for (i = 1; i <= n; i++) print sum[i] }' $tracing/trace | sort -n |
        awk '{ sum[NR] = $1 } END { printf "%d\n", sum[int((NR + 1) / 2)] }'
    echo nop >$tracing/current_tracer
    echo 1 >$tracing/tracing_on
}
burst() {
    exec 3<>/dev/udp/10.9.0.2/9000
    echo "burst $*" >&3
    [ "$(timeout 100 dd bs=64 count=1 status=none <&3)" = sent ] || { echo "the peer does not answer" >&2; exit 1; }
    exec 3>&-
}
# Frames that the driver got: on a busy host some are lost before.
received() {
    ethtool -S eth0 2>/dev/null | awk -v n="$(cat /sys/class/net/eth0/statistics/rx_packets)" '/fmp_stopped/{ n += $2 } END { print n }'
}
read_units() { ethtool -S eth0 2>/dev/null | awk '/fmp_read|fmp_drained/{ n += $2 } END { print n + 0 }'; }

# The peer's answer is one of the frames; the kernel's own driver counts nothing.
measure() { # CASE
    for group in 1 4; do
        for size in 64 576 1500; do
            burst 8 $size 3 $group
            units=$(read_units) got=$(received)
            trace on
            burst $((frames * group / 4)) $size 3 $group
            trace off
            got=$(($(received) - got)) units=$(($(read_units) - units))
            [ $units = 0 ] || units=$(((units - answer) / (got - 1)))
            echo "$group $size $1 $(($(polled) / group / FMP_NS)) $units"
        done
    done
}

up() { # MODULE-COMMAND...
    "$@"
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ ! -e /sys/class/net/eth0 ] || break; sleep 0.5; done
    ip link set eth0 up
    ip addr add 10.9.0.1/24 dev eth0
    for host in 2 3; do
        ip neigh replace 10.9.0.$host lladdr 02:66:6d:70:00:0$host dev eth0 nud permanent
    done
    for _ in 1 2 3 4 5 6 7 8 9 10; do ! ping -q -c 1 -W 2 10.9.0.2 >/dev/null || break; done
}

for module in libphy mii smsc; do modprobe -q $module || true; done
sysctl -qw net.ipv6.conf.all.disable_ipv6=1
nft 'add table ip t; add chain ip t in { type filter hook input priority 0; }; add rule ip t in udp dport 9 drop'
up modprobe "$driver"
measure plain
nft 'add table netdev n; add set netdev n s { type ipv4_addr; }; add element netdev n s { 10.9.0.3 };
    add chain netdev n in { type filter hook ingress device eth0 priority 0; }; add rule netdev n in ip saddr @s drop'
measure ingress
nft delete table netdev n
ip link set eth0 down
rmmod "$driver"
insmod build/drivers/fmp.ko
up insmod "build/drivers/$driver.ko" "$@"
"$genl" add 02:00:00:00:00:01,block 192.0.2.1,block
"$genl" attach eth0
measure passed
"$genl" add 02:66:6d:70:00:03,block
measure mac
"$genl" del 02:66:6d:70:00:03
"$genl" add 10.9.0.3,block
measure ip
