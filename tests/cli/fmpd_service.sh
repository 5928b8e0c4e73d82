# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# fmpd as a service: what it tells systemd, what it lacks, the unit that make install makes.

# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/lib_plane.sh
. tests/cli/lib_plane.sh

plane_policy service
# notified LINE [TIMES]
notified() { [ "$(grep -cax "$1" "$T/notify.out")" -ge "${2:-1}" ]; }
env_of() { tr '\0' '\n' <"/proc/$1/environ"; }

# A stand-in for systemd's end of the socket: what comes, a datagram at a time.
listen_notify() { # ADDRESS: a path, or @NAME
    start notify python3 -uc 'import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace("@", "\0"))
print("bound")
while True:
    print(s.recv(4096).decode())' "$1"
    wait_for 20 notified bound
}

tells_systemd() {
    listen_notify "$T/notify" || return 1
    NOTIFY_SOCKET=$T/notify WATCHDOG_USEC=400000 plane --backend http://127.0.0.1:9/
    wait_for 20 notified READY=1 && notified 'STATUS=policy service; 127.0.0.1:0; layers: none' || return 1
    wait_for 20 notified WATCHDOG=1 || { echo "no watchdog"; return 1; }
    # A reload, good or bad, ends in READY.
    kill -HUP "$FMPD"
    wait_for 20 notified RELOADING=1 && wait_for 20 notified READY=1 2 || { echo "no reload"; return 1; }
    grep -qaE '^MONOTONIC_USEC=[0-9]+$' "$T/notify.out" || return 1
    mv "$T/policy.xml" "$T/away.xml"
    kill -HUP "$FMPD"
    wait_for 20 notified READY=1 3 || { echo "not ready after a bad reload"; return 1; }
    mv "$T/away.xml" "$T/policy.xml"
    plane_ends
    notified STOPPING=1
}

# The gateway must not speak for fmpd.
gateway_has_no_socket() {
    NOTIFY_SOCKET=$T/notify plane --backend http://127.0.0.1:9/
    wait_for 20 gateway_up || return 1
    ! env_of "$(gateway_pid)" | grep -q NOTIFY_SOCKET
}

abstract_socket_works() {
    listen_notify "@fmp-test-$$" || return 1
    NOTIFY_SOCKET=@fmp-test-$$ plane --backend http://127.0.0.1:9/
    wait_for 20 notified READY=1
}

# The watchdog of another process is none of ours, nor is an address that is none.
others_are_left_alone() {
    listen_notify "$T/notify2" || return 1
    NOTIFY_SOCKET=$T/notify2 WATCHDOG_USEC=1000 WATCHDOG_PID=1 plane --backend http://127.0.0.1:9/
    wait_for 20 notified READY=1 || return 1
    ! wait_for 1 notified WATCHDOG=1 || return 1
    NOTIFY_SOCKET=relative plane --backend http://127.0.0.1:9/
    wait_for 20 gateway_up
}

# As its user: root believes no other.
poor_ctl() { setpriv --reuid 65534 --regid 65534 --clear-groups "$BIN/fmpctl" --control "$T/poor/control" "$@"; }
# Where neither module nor nft can be used it serves, and says what it lacks.
says_what_it_lacks() {
    plane_ends
    start fmpd setpriv --reuid 65534 --regid 65534 --clear-groups "$BIN/fmpd" --foreground \
        --policy "$T/policy.xml" --control "$T/poor/control"
    FMPD=$!
    wait_for 20 test -S "$T/poor/control" || { cat "$T/fmpd.err"; return 1; }
    poor_ctl --json status |
        jq -e '[.[] | select(.record == "layer" and .state == "absent" and .text != "")] | length == 3' || return 1
    poor_ctl --json status | jq -e '.[0].observe' || return 1
    grep -q 'layer ip is not there' "$T/fmpd.err" && grep -q 'layer premac is not there' "$T/fmpd.err"
}

unit_is_made() {
    make -s install-unit DESTDIR="$T/tree" PREFIX=/usr >"$T/install" 2>&1 || { cat "$T/install"; return 1; }
    local unit=$T/tree/usr/lib/systemd/system/fmpd.service
    grep -qx "ExecStart=/usr/sbin/fmpd --foreground \$FMPD_OPTIONS" "$unit" &&
        grep -qx 'EnvironmentFile=-/etc/fmp/fmpd.env' "$unit" && ! grep -q '@[A-Z]*@' "$unit" || return 1
    # Every capability that fmpd keeps is in its bounds.
    local cap
    grep -o '\bCAP_[A-Z_]*' libfmp/process/privileges.c | sort -u >"$T/caps"
    while read -r cap; do
        grep -q "^CapabilityBoundingSet=.*\b$cap\b" "$unit" || { echo "$cap is missing"; return 1; }
    done <"$T/caps"
}

BACKEND=http://127.0.0.1:9/
check tells_systemd tells_systemd
check gateway_has_no_socket gateway_has_no_socket
check abstract_socket_works abstract_socket_works
check others_are_left_alone others_are_left_alone
if [ "$(id -u)" = 0 ]; then
    mkdir "$T/poor" && chown 65534:65534 "$T/poor"
    check says_what_it_lacks says_what_it_lacks
else
    skip says_what_it_lacks 'only root can be somebody else'
fi
check unit_is_made unit_is_made
