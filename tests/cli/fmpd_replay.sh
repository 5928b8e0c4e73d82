# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2016,SC2119,SC2154
#
# A signed message passes once, whatever becomes of the gateway that took it.

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

signed=$VECTORS/good/wss4j-rsa2048-1k.xml

write_policy() { # ENTRIES
    cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="replay">
  <gateway security="BcS" schema="$PWD/$VECTORS/orders.xsd" trust="$PWD/$VECTORS/pki/ca.crt"
           max-age="0" workers="2" user="nobody">
    <replay entries="$1" per-signer="$1"/>
  </gateway>
</policy>
EOF
}

replays() { ctl --json why 127.0.0.1 | jq 'map(select(.record == "event" and .kind == "replay")) | length'; }
is_replay() {
    local status before
    before=$(replays)
    status=$(post "$signed")
    [ "$status" != 200 ] || { echo "it passed again"; return 1; }
    wait_for 10 more_replays "$before"
}
more_replays() { [ "$(replays)" -gt "$1" ]; }

passes() { [ "$(post "$signed")" = 200 ]; }

# Memory that there is no room for is found out before the policy is in force.
no_room() {
    local own=$T/small there
    mkdir -p "$own"
    write_policy 64
    start fmpd unshare -m sh -c 'mount -t tmpfs -o size=1m none "$0" && exec "$@"' "$own" "$BIN/fmpd" --foreground \
        --enforce none --policy "$T/policy.xml" --listen 127.0.0.1:0 --backend "$BACKEND" --control "$own/control"
    FMPD=$!
    wait_for 20 grep -q 'the gateway serves' "$T/fmpd.err" || { cat "$T/fmpd.err"; return 1; }
    there=/proc/$FMPD/root$own
    write_policy 100000
    ! "$BIN/fmpctl" --control "$there/control" policy reload >"$T/out" 2>&1 &&
        grep -q "can't make .*/replays of [0-9]* bytes: No space left on device" "$T/out" || { cat "$T/out"; return 1; }
    write_policy 128
    "$BIN/fmpctl" --control "$there/control" policy reload && [ -e "$there/replays" ] && [ ! -e "$there/replays.trial" ]
}

start orders "$BIN/fmp-orders" --listen 127.0.0.1:0
listening orders
BACKEND=http://127.0.0.1:$PORT/orders
write_policy 64
plane_up
check passes-once passes
check a-copy-is-refused is_replay
check policy-reloaded reloaded
check known-behind-a-reload is_replay
check gateway-dies gateway_dies
check known-behind-its-death is_replay
check ours-alone test "$(stat -c %a "$T/replays")" = 600
check fmpd-ends plane_ends
plane_up
check known-behind-a-restart is_replay
write_policy 32
check another-size-reloaded reloaded
check another-size-begins-anew passes
check fmpd-ends-again plane_ends
chmod 666 "$T/replays"
plane
check what-others-write-is-not-read wait_for 20 grep -q 'replays is not a file of ours alone' "$T/fmpd.err"
check fmpd-goes-on-without plane_ends
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    check no-room-is-found-out-before no_room
    check ends-well plane_ends
else
    skip no-room-is-found-out-before 'no right to mount'
fi
