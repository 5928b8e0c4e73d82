# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
#
# A gateway before the sample service, for the scripts gateway_*.sh; needs lib.sh.

# policy ATTRIBUTES [LIMITS [TIMEOUTS [CONNECTIONS [ELEMENTS]]]]: writes $T/policy.xml.
policy() {
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="test">
  <gateway schema="$PWD/$VECTORS/orders.xsd" trust="$PWD/$VECTORS/pki/ca.crt"
           key="$PWD/$VECTORS/pki/server.key" max-age="0" user="nobody" ${1:-}>
    <limits ${2:-}/>
    <timeouts ${3:-}/>
    <connections ${4:-}/>
    ${5:-}
  </gateway>
</policy>
EOF
}

# service: the sample service; sets BACKEND.
service() {
    start orders "$BIN/fmp-orders" --listen 127.0.0.1:0
    ORDERS=$!
    listening orders
    BACKEND=http://127.0.0.1:$PORT/orders
}

# gateway [FLAGS...]: with $T/policy.xml; sets GATEWAY (its process) and URL.
gateway() {
    start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 \
        --backend "$BACKEND" --verbose "$@"
    GATEWAY=$!
    listening gateway
    wait_for 20 grep -q 'ready' "$T/gateway.err"
    URL=http://127.0.0.1:$PORT/orders
}

gateway_ends() {
    kill "$GATEWAY"
    wait "$GATEWAY"
}

# post FILE [TYPE]: prints the status; the answer is in $T/answer.
post() {
    : >"$T/answer"
    curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H "Content-Type: ${2:-text/xml; charset=utf-8}" \
        -H 'SOAPAction: ""' -H 'Expect:' --data-binary "@$1" "$URL"
}

# The newest event of standard error: events "kind=..." from line N on.
events() {
    grep -c '^event ' "$T/gateway.err"
}

last_event() {
    grep '^event ' "$T/gateway.err" | tail -n 1
}

# event_follows N KIND: after N events there is one more, of this kind.
event_follows() {
    wait_for 10 more_events "$1" || { echo "no event"; return 1; }
    last_event | grep -q "kind=$2 source=127.0.0.1 .* port=$PORT bytes=[1-9]" || {
        echo "expected kind $2, got: $(last_event)"
        return 1
    }
}

is_fault() {
    grep -q '<SOAP-ENV:Fault>' "$T/answer" || { echo "no Fault: $(head -c 300 "$T/answer")"; return 1; }
}

# Workers in the order in which they get work.
workers() {
    pgrep -P "$GATEWAY" -x fmp-gw-worker | sort -n
}

more_events() {
    [ "$(events)" -gt "$1" ]
}
