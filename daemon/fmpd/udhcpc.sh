#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tell fmpd the DHCP server of a lease: udhcpc stores it in no file, so its script must. OpenWrt runs this file from
# /etc/udhcpc.user.d; elsewhere end the script of udhcpc with the line
#
#	. /usr/share/fmp/udhcpc.sh
#
# udhcpc(8) gives "$1", what happened, and interface, ip, serverid and lease in the environment.

# In a subshell, for this file is sourced and must not change its caller. A file that is not complete has a name with a
# leading dot, which fmpd does not read.
(
    umask 022
    dir=/var/run/fmp/dhcp
    case ${interface:-} in
    '' | .* | */*) exit 0 ;;
    esac
    case ${1:-} in
    bound | renew)
        # Uptime, for the clock may be set after the lease. If the server names no lease time, udhcpc assumes an
        # hour.
        read -r since _ </proc/uptime &&
            mkdir -p "$dir" &&
            printf 'ADDRESS=%s\nSERVER_ADDRESS=%s\nLIFETIME=%s\nSINCE=%s\n' \
                "${ip:-}" "${serverid:-}" "${lease:-3600}" "${since%%.*}" >"$dir/.$interface" &&
            mv "$dir/.$interface" "$dir/$interface"
        ;;
    deconfig | leasefail | nak) rm -f "$dir/$interface" ;;
    esac
)
