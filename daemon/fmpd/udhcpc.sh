#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tells fmpd who gave a lease: udhcpc writes that to no file, so its script must. OpenWrt runs this out of
# /etc/udhcpc.user.d; elsewhere let the script of udhcpc end with the line
#
#	. /usr/share/fmp/udhcpc.sh
#
# udhcpc(8) gives "$1", what happened, and interface, ip, serverid and lease in the environment.

# In a subshell of its own: it is sourced, and what it sets or leaves must not be its caller's. What is
# not written whole has another name: fmpd reads no file whose name begins with a dot.
(
    umask 022
    dir=/var/run/fmp/dhcp
    case ${interface:-} in
    '' | .* | */*) exit 0 ;;
    esac
    case ${1:-} in
    bound | renew)
        # Since the start of the system: the clock may be set behind the lease. A server that names no
        # time means an hour, says udhcpc.
        read -r since _ </proc/uptime &&
            mkdir -p "$dir" &&
            printf 'ADDRESS=%s\nSERVER_ADDRESS=%s\nLIFETIME=%s\nSINCE=%s\n' \
                "${ip:-}" "${serverid:-}" "${lease:-3600}" "${since%%.*}" >"$dir/.$interface" &&
            mv "$dir/.$interface" "$dir/$interface"
        ;;
    deconfig | leasefail | nak) rm -f "$dir/$interface" ;;
    esac
)
