# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# fmpd's gateway at boot, without DNS; and what one knows of names the next one knows.

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
    skip fmpd_names 'needs a namespace of mounts'
    exit
fi

known() { echo "127.0.0.1 backend.invalid" >>"$T/hosts"; }
unknown() { echo '127.0.0.1 localhost' >"$T/hosts"; }

answers() { # STATUS
    local status
    status=$(post "$VECTORS/plain/plain-1k.xml")
    [ "$status" = "$1" ] || { echo "status $status"; tail -n 3 "$T/fmpd.err"; return 1; }
}

start orders "$BIN/fmp-orders" --listen 127.0.0.1:0
listening orders
plane_policy names
unknown
printf 'passwd: files\ngroup: files\nhosts: files\n' >"$T/nsswitch.conf"
chmod 644 "$T/hosts" "$T/nsswitch.conf"
# shellcheck disable=SC2016 # the inner shell expands it
start fmpd unshare -m sh -c 'mount --bind "$0/hosts" /etc/hosts && { [ ! -e /etc/nsswitch.conf ] ||
    mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf; } && exec "$@"' "$T" "$BIN/fmpd" --foreground \
    --enforce none --policy "$T/policy.xml" --listen 127.0.0.1:0 --control "$CONTROL" \
    --backend "http://backend.invalid:$PORT/orders"
FMPD=$!
check boots-without-names wait_for 20 gateway_up
URL=http://$(field 'select(.record == "gateway") | .listen' status)/orders
check answers-that-it-is-away answers 503
check says-so wait_for 5 grep -q 'backend backend.invalid does not resolve' "$T/fmpd.err"
known
check serves-when-it-is-known wait_for 60 answers 200
unknown
check reloads-without-names reloaded
check serves-from-what-was-known answers 200
check gateway-dies gateway_dies
check serves-behind-that answers 200
check ours-alone test "$(stat -c %a "$T/names")" = 600
check fmpd-ends plane_ends
