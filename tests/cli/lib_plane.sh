# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
#
# An fmpd with its gateway and the sample service, for the scripts fmpd_*.sh; needs lib.sh.

CONTROL=$T/control

# plane_policy NAME [BLOCK [RECONCILE]]: writes $T/policy.xml.
plane_policy() {
    local block=${2:-'duration="10min"'}
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="$1">
  <block layers="ip mac premac" mac="yes" $block/>
  <gateway security="BcV" schema="$PWD/$VECTORS/orders.xsd" workers="1" user="nobody"/>
  <enforce reconcile="${3:-30s}"/>
</policy>
EOF
}

# layers_policy NAME: the same for layers that need no module, and for who is root of own_netns alone.
layers_policy() {
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="$1">
  <block layers="ip mac" mac="yes" duration="10min"/>
  <gateway security="BcV" schema="$PWD/$VECTORS/orders.xsd" workers="1"
           user="$([ "$(id -u)" = 0 ] && [ -w /proc/1/oom_score_adj ] && echo nobody || id -un)"/>
  <enforce reconcile="30s"/>
</policy>
EOF
}

ctl() { "$BIN/fmpctl" --control "$CONTROL" "$@"; }
control() { python3 tests/cli/control.py "$CONTROL" "$@"; }

# field FILTER ARGS...: what a jq filter finds in the records of an answer.
field() {
    local filter=$1
    shift
    ctl --json "$@" | jq -r "map($filter)[0] | if . == null then empty else . end"
}

gateway_pid() { field 'select(.record == "gateway" and .state == "ready") | .pid' status; }
gateway_up() { [ -n "$(gateway_pid)" ]; }
up_or_dead() { gateway_up || ! kill -0 "$FMPD"; }
other_gateway() { # than PID
    local pid
    pid=$(gateway_pid)
    [ -n "$pid" ] && [ "$pid" != "$1" ]
}

# The gateway gives way to the next one.
reloaded() {
    local pid
    pid=$(gateway_pid)
    ctl policy reload && wait_for 20 other_gateway "$pid"
}
gateway_dies() {
    local pid
    pid=$(gateway_pid)
    kill -9 "$pid"
    wait_for 20 other_gateway "$pid"
}

# plane [OPTION...]: fmpd with $T/policy.xml; sets FMPD. Options come last, so they override.
# One that a failed test left behind ends first.
plane() {
    [ -z "${FMPD:-}" ] || plane_ends 2>/dev/null
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" \
        --listen 127.0.0.1:0 --backend "$BACKEND" --control "$CONTROL" "$@"
    FMPD=$!
}

# plane_layers LISTEN: on these layers, and its gateway.
plane_layers() {
    plane --enforce "ip mac" --listen "$1"
    wait_for 20 up_or_dead && gateway_up || { cat "$T/fmpd.err"; return 1; }
}

# plane_up [OPTION...]: and its gateway; sets URL.
plane_up() {
    plane "$@"
    wait_for 20 up_or_dead && gateway_up || {
        echo "FAIL fmpd does not start"
        sed 's/^/    /' "$T/fmpd.err"
        bad=1
        exit 1
    }
    URL=http://$(field 'select(.record == "gateway") | .listen' status)/orders
}

plane_ends() {
    local pid=$FMPD
    FMPD=
    kill "$pid"
    wait "$pid"
}

# post FILE: prints the HTTP status.
post() {
    curl -s -m 10 -o /dev/null -w '%{http_code}' -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "@$1" "$URL"
}

GOOD=$VECTORS/plain/plain-1k.xml
BAD=$VECTORS/xml-attack/schema-qty-zero.xml
