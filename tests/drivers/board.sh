#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2086,SC2317,SC2329 # numbers hold no blanks; functions are called by their names
#
# Usage: tests/drivers/board.sh DRIVER [PARAMETER...]
#
# A driver that asks the module, on its board in the test VM, with tests/drivers/peer.py at the
# other end. Its counters are compared with what each frame must cost: stopped by its MAC
# address after the words that hold the MAC header, by its IPv4 address after those that hold
# the fixed IPv4 header. Writes `ok NAME` or `FAIL NAME`.
set -u
cd "${0%/*}/../.." || exit 1
driver=$1
shift
genl=build/tests/vm/fmp_genl
attacker=10.9.0.3 attacker_mac=02:66:6d:70:00:03
friend=10.9.0.2
failed=0

case $driver in
# Words of the FIFO: two bytes of padding in front, the checksum behind.
smsc911x) units() { echo $((($1 + 4 + 2 + 3) / 4)); }; at_mac=4 at_ip=9 ;;
# Bytes, with the control word at the end; the emulated chip pads to 64 bytes.
smc91x) units() { echo $((($1 < 64 ? 64 : $1 / 2 * 2) + 2)); }; at_mac=14 at_ip=34 ;;
esac
case " $* " in *' fmp_drain=1 '*) wants_unread= ;; *) wants_unread=1 ;; esac

fail() {
    echo "$*"
    exit 1
}

same() { # WANTED GOT WORDS
    [ "$1" = "$2" ] || fail "$3: wanted $1, got $2"
}

stat() { ethtool -S "$dev" | sed -n "s/^ *fmp_$1: //p"; }
count() { "$genl" devs | grep "^$dev " | tr ' ' '\n' | sed -n "s/^$1=//p"; }
remember() {
    for key in stopped read drained unread; do
        printf -v "was_$key" %s "$(stat $key)"
    done
}
more() { # KEY
    local was=was_$1
    echo $(($(stat "$1") - ${!was}))
}

# burst COUNT SIZE HOST: has the peer send frames and waits for the end.
burst() {
    exec 3<>/dev/udp/$friend/9000
    echo "burst $*" >&3
    # Not by read: it takes a byte at a time, and the rest of a datagram is gone.
    said=$(timeout 60 dd bs=64 count=1 status=none <&3)
    exec 3>&-
    same sent "$said" "answer of the peer"
}

# The answer "sent" is a frame, too: of 60 bytes, passed.
stopped_frames() { # SIZE UNITS-BEFORE-THE-DECISION
    remember
    burst 20 "$1" 3
    local rest=$((20 * ($(units "$1") - $2)))
    same 20 "$(more stopped)" "frames of $1 bytes stopped"
    same $((20 * $2 + $(units 60))) "$(more read)" "read of frames of $1 bytes"
    same $rest $(($(more drained) + $(more unread))) "drained and unread of frames of $1 bytes"
    [ -z "$wants_unread" ] || same $rest "$(more unread)" "unread of frames of $1 bytes"
}

test_passed() {
    for size in 60 61 62 63 576 1514; do
        remember
        burst 20 $size 3
        same 0 "$(more stopped)" "frames stopped"
        same $((20 * $(units $size) + $(units 60))) "$(more read)" "read of frames of $size bytes"
    done
    same 0 "$(count stopped_mac)" "stopped_mac"
}

# "frames passed" of the filter is all that came in between.
test_stopped_by_mac() {
    "$genl" add "$attacker_mac,block" && "$genl" attach "$dev" || fail "cannot attach"
    for size in 60 61 62 63 576 1514; do
        stopped_frames $size $at_mac
    done
    same 120 "$(count stopped_mac)" "stopped_mac"
    ! ping -q -c 1 -W 1 $attacker >/dev/null || fail "the blocked host answers"
    ping -q -c 5 -i 0.2 -s 1000 -W 5 $friend >/dev/null || fail "the friend does not answer"
    # With a rule for an IP address both headers are read at once.
    "$genl" add 192.0.2.1,block
    stopped_frames 576 $at_ip
    same 141 "$(count stopped_mac)" "stopped_mac, with the answer to the ping"
    "$genl" flush
}

test_stopped_by_ip() {
    "$genl" add "$attacker,block"
    for size in 60 576 1514; do
        stopped_frames $size $at_ip
    done
    same 60 "$(count stopped_ip)" "stopped_ip"
    ping -q -c 5 -i 0.2 -s 1000 -W 5 $friend >/dev/null || fail "the friend does not answer"
    "$genl" flush
}

# What was stopped in the middle leaves the frames behind it whole.
test_unharmed_after() {
    for size in 18 56 57 58 59 1000 1472; do
        ping -q -c 5 -i 0.1 -s $size -W 5 $attacker >"$tmp" || fail "$(cat "$tmp")"
    done
    same 0 "$(cat "/sys/class/net/$dev/statistics/rx_errors")" rx_errors
    "$genl" detach "$dev"
}

test_unloads() {
    ip link set "$dev" down
    rmmod "$driver" && rmmod fmp || fail "a module is in use"
    insmod build/drivers/fmp.ko && insmod "build/drivers/$driver.ko" && sleep 1 && ip link set "$dev" up
    same "$driver" "$(ethtool -i "$dev" | sed -n 's/^driver: //p')" "driver after loading again"
}

tmp=$(mktemp)
for module in libphy mii smsc; do modprobe -q $module; done
insmod build/drivers/fmp.ko || exit 1
insmod "build/drivers/$driver.ko" "$@" || exit 1
for _ in 1 2 3 4 5 6 7 8 9 10; do
    for dev in /sys/class/net/e*; do dev=${dev#/sys/class/net/}; done
    [ "$dev" = "e*" ] || break
    sleep 0.5
done
[ "$dev" != "e*" ] || { dmesg | tail -n 20; exit 1; }
sysctl -qw net.ipv6.conf.all.disable_ipv6=1
ip link set "$dev" up
ip addr add 10.9.0.1/24 dev "$dev"
for _ in 1 2 3 4 5 6 7 8 9 10; do
    ! ping -q -c 1 -W 2 $friend >/dev/null || break
done
ping -q -c 1 -W 2 $attacker >/dev/null
# Neither host is asked for by ARP in the middle of a count.
for host in 2 3; do
    ip neigh replace 10.9.0.$host lladdr 02:66:6d:70:00:0$host dev "$dev" nud permanent
done
# Nor is an answer sent to the frames of a burst.
nft 'add table ip t; add chain ip t in { type filter hook input priority 0; }; add rule ip t in udp dport 9 drop'

for t in passed stopped_by_mac stopped_by_ip unharmed_after unloads; do
    if said=$(test_$t 2>&1); then
        echo "ok $driver-${t//_/-}"
    else
        failed=1
        echo "FAIL $driver-${t//_/-}"
        printf '%s\n' "$said" | sed 's/^/    /'
    fi
done
exit $failed
