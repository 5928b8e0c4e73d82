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

# Two that enforce one after the other, with another control socket, have one memory.
one_of_a_namespace() {
    mkdir -p "$T/run"
    write_policy 64
    # shellcheck disable=SC2016
    unshare -mn bash -c '
        set -eu
        mount -t tmpfs -o mode=755 none "$T/run"
        export RUNTIME_DIRECTORY=$T/run
        ip link set lo up
        "$BIN/fmp-orders" --listen 127.0.0.1:8081 >/dev/null 2>&1 &
        orders=$!
        for n in 1 2; do
            "$BIN/fmpd" --foreground --enforce ip --policy "$T/policy.xml" --listen 127.0.0.1:8080 \
                --backend http://127.0.0.1:8081/orders --control "$T/run/control$n" 2>"$T/one$n.err" &
            fmpd=$!
            for _ in $(seq 500); do
                grep -q "the gateway serves" "$T/one$n.err" && break
                sleep 0.02
            done
            curl -s -o /dev/null -w "%{http_code}\n" -H "Content-Type: text/xml" --data-binary "@$signed" http://127.0.0.1:8080/orders
            kill "$fmpd"
            wait "$fmpd" || true
        done
        ls "$T/run"
        kill "$orders"' >"$T/one" 2>&1 || { cat "$T/one"; return 1; }
    [ "$(sed -n 1p "$T/one")" = 200 ] && [ "$(sed -n 2p "$T/one")" != 200 ] && grep -q '^replays-' "$T/one" || { cat "$T/one" "$T"/one?.err; return 1; }
}
export T BIN signed

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
check known-in-another-size is_replay
check fmpd-ends-again plane_ends
chmod 666 "$T/replays"
plane
check what-others-write-is-not-read wait_for 20 grep -q 'replays is not a file of ours alone' "$T/fmpd.err"
check fmpd-goes-on-without plane_ends
if [ "$(id -u)" = 0 ] && unshare -mn true 2>/dev/null; then
    check one-of-a-network-namespace one_of_a_namespace
else
    skip one-of-a-network-namespace 'no right to unshare'
fi
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    check no-room-is-found-out-before no_room
    check ends-well plane_ends
else
    skip no-room-is-found-out-before 'no right to mount'
fi
