# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119,SC2154
#
# The DHCP server of udhcpc, which is no gateway and no resolver: protected while its lease is in force,
# as udhcpc.sh tells. The server is behind c0, in a namespace of its own; /run is one of our own, too.

. tests/cli/lib_netns.sh
own_netns fmpd_dhcp "${1:-}" ip unshare nsenter busybox
[ "${2:-}" = mounted ] || exec unshare --mount bash "$0" inside mounted

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

applets=$(busybox --list)
for applet in udhcpc udhcpd; do
    grep -qx "$applet" <<<"$applets" || { skip fmpd_dhcp "busybox has no $applet"; exit 0; }
done
mount -t tmpfs tmpfs /run
ip link set lo up
netns_behind c0 s0
ip link set c0 up
far ip addr add 192.0.2.67/24 dev s0
far ip link set s0 up

# What a distribution's script does, and its last line.
cat >"$T/script" <<EOF
#!/bin/sh
case \$1 in
bound | renew) ip addr replace "\$ip/24" dev "\$interface" ;;
deconfig) ip addr flush dev "\$interface" ;;
esac
. $PWD/daemon/fmpd/udhcpc.sh
EOF
chmod 755 "$T/script"
cat >"$T/udhcpd.conf" <<EOF
start 192.0.2.100
end 192.0.2.110
interface s0
lease_file $T/leases
pidfile $T/udhcpd.pid
opt subnet 255.255.255.0
opt lease 600
EOF
: >"$T/leases"
service
layers_policy dhcp
start udhcpd nsenter -t "$FAR" -n busybox udhcpd -f "$T/udhcpd.conf"
start udhcpc busybox udhcpc -f -t 20 -T 1 -i c0 -s "$T/script"
UDHCPC=$!

FILE=/run/fmp/dhcp/c0
origin() { field "select(.addr == \"$1\") | .origin" protect list; }
is() { [ "$(origin "$1")" = "$2" ]; }
is_not_blocked() { ! ctl block "$1" 2>"$T/err" && grep -q "$1 is protected: dhcp" "$T/err"; }

lease_is_told() {
    wait_for 30 test -s "$FILE" || { cat "$T/udhcpc.err" "$T/udhcpd.err"; return 1; }
    cat "$FILE"
    grep -qx 'SERVER_ADDRESS=192.0.2.67' "$FILE" && grep -qx 'LIFETIME=600' "$FILE" &&
        grep -q '^ADDRESS=192\.0\.2\.1[01][0-9]$' "$FILE" && [ "$(stat -c %a%u "$FILE")" = 6440 ] &&
        grep -qE '^SINCE=[0-9]+$' "$FILE" && [ "$(ls -A /run/fmp/dhcp)" = c0 ]
}

server_is_protected() {
    plane_up && wait_for 5 is 192.0.2.67 dhcp && is_not_blocked 192.0.2.67
}

# With the lease goes what it says, and with the address.
lease_is_released() {
    kill -USR2 "$UDHCPC"
    wait_for 10 gone_file && wait_for 10 is 192.0.2.67 ''
}
gone_file() { [ ! -e "$FILE" ]; }

# A server need not name a time.
lease_of_no_time_lasts_an_hour() {
    interface=c0 ip=192.0.2.106 serverid=192.0.2.67 sh daemon/fmpd/udhcpc.sh bound &&
        grep -qx LIFETIME=3600 "$FILE" && interface=c0 sh daemon/fmpd/udhcpc.sh deconfig && gone_file
}

# udhcpc says more than that; an interface's name is a file's.
others_are_nothing() {
    interface=c0 sh daemon/fmpd/udhcpc.sh stopped && interface='' sh daemon/fmpd/udhcpc.sh bound &&
        interface=../c0 sh daemon/fmpd/udhcpc.sh bound && interface=.c0 sh -eu daemon/fmpd/udhcpc.sh bound &&
        sh -eu daemon/fmpd/udhcpc.sh bound && [ -z "$(ls -A /run/fmp/dhcp)" ]
}

check lease_is_told lease_is_told
check server_is_protected server_is_protected
check lease_is_released lease_is_released
check lease_of_no_time_lasts_an_hour lease_of_no_time_lasts_an_hour
check others_are_nothing others_are_nothing
