# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154
#
# What is counted beside verdicts: the TLS handshakes of clients, as a step of its own, and messages
# that are refused for what this device lacks.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

TOKENS=$PWD/$VECTORS/tokens

https() { # FILE
    curl -s -m 20 -o "$T/answer" -w '%{http_code}' --cacert "$T/tls.crt" -H 'Content-Type: text/xml' \
        --data-binary "@$1" "https://$LISTEN/orders"
}

handshake() { openssl s_client -connect "$LISTEN" -CAfile "$T/tls.crt" </dev/null >"$T/client" 2>&1; }

step_is() { # EVENTS REJECTED
    [ "$(field 'select(.record == "step" and .step == "connection") | "\(.events) \(.rejected) \(.cpu_ns > 100000)"' status)" = "$1 $2 true" ]
}

# One without a request, and one of a message that another step refuses.
handshakes_are_a_step() {
    handshake
    wait_for 10 step_is 1 1 || { ctl status; return 1; }
    grep -q 'a TLS handshake without a request' <(ctl --json why 127.0.0.1) || { ctl why 127.0.0.1; return 1; }
    [ "$(ctl stats | grep -c '^step/connection/')" = 3 ] || { ctl stats; return 1; }
    [ "$(https "$PWD/$BAD")" = 500 ] && wait_for 10 step_is 2 1 || { ctl status; return 1; }
}

lists_missing() { # N
    [ "$(field 'select(.record == "gateway") | .unjudged_lists' status)" = "$1" ]
}

lists_are_told() {
    [ "$(https "$TOKENS/direct.xml")" = 503 ] || { cat "$T/answer"; return 1; }
    wait_for 10 lists_missing 1 || { ctl --json status; return 1; }
    ctl status | grep -q '^Lists  *1 messages or TLS clients refused: the revocation list' || { ctl status; return 1; }
    wait_for 10 grep -qx 'fmp_gateway_unjudged_total{lacks="lists"} 1' "$T/metrics" || { cat "$T/metrics"; return 1; }
    grep -qx 'fmp_gateway_unjudged_total{lacks="time"} 0' "$T/metrics" &&
        grep -q '^fmp_gateway_step_cpu_seconds_total{step="connection"} 0\.0*[1-9]' "$T/metrics"
}

# What is not as it should be is said to who takes the policy, though it is in force.
reload_warns() {
    reloaded >"$T/out" 2>"$T/warned" || { cat "$T/warned"; return 1; }
    grep -q "^fmpctl: warning: .*crl-expired.pem: the revocation list of .* is out of date" "$T/warned" &&
        [ "$(grep -c . "$T/warned")" = 1 ] || { cat "$T/warned"; return 1; }
}

openssl req -new -x509 -newkey rsa:2048 -nodes -keyout "$T/tls.key" -out "$T/tls.crt" -days 2 -subj /CN=gw \
    -addext subjectAltName=IP:127.0.0.1 2>/dev/null
chmod 644 "$T/tls.key"
plane_policy counts
element="<gateway security='BcS' schema='$PWD/$VECTORS/orders.xsd' trust='$TOKENS/pki/ca.crt' crl='$TOKENS/pki/crl-expired.pem' max-age='0'"
element="$element workers='1' user='nobody'><tls certificate='$T/tls.crt' key='$T/tls.key'/></gateway>"
sed -i "s|<gateway .*|$element|; s|<enforce|<metrics interval='1s' file='$T/metrics'/><enforce|" "$T/policy.xml"
service
plane_up
LISTEN=$(field 'select(.record == "gateway") | .listen' status)
check handshakes-are-a-step handshakes_are_a_step
check missing-lists-are-told lists_are_told
check reload-warns reload_warns
check ends-well plane_ends

# ---- what is not decrypted, for too many others were refused behind that ----

CBC=$VECTORS/good/wss4j-enc-cbc256-1k.xml

tries_are_told() {
    local n
    for n in 41 42 43 44 45 46; do
        sed "s|\(<xenc:CipherValue>[^<]\{$n\}\).\([^<]\{400,\}</xenc:CipherValue>\)|\1=\2|" "$CBC" >"$T/changed.xml"
        [ "$(post "$T/changed.xml")" = 500 ] || return 1
    done
    [ "$(post "$CBC")" = 503 ] || return 1
    wait_for 10 tries_missing 1 || { ctl --json status; return 1; }
    ctl status | grep -q '^CBC  *1 messages not decrypted: too many others' || { ctl status; return 1; }
    wait_for 10 grep -qx 'fmp_gateway_unjudged_total{lacks="tries"} 1' "$T/metrics" || { cat "$T/metrics"; return 1; }
}

tries_missing() { # N
    [ "$(field 'select(.record == "gateway") | .unjudged_tries' status)" = "$1" ]
}

plane_policy counts
element="<gateway security='BcE' schema='$PWD/$VECTORS/orders.xsd' key='$PWD/$VECTORS/pki/server.key' workers='1' user='nobody'>"
element="$element<algorithms encryption='aes128-cbc aes256-cbc'/></gateway>"
sed -i "s|<gateway .*|$element|; s|<enforce|<metrics interval='1s' file='$T/metrics'/><enforce|" "$T/policy.xml"
plane_up
URL=http://$(field 'select(.record == "gateway") | .listen' status)/orders
check missing-tries-are-told tries_are_told
check cbc-ends-well plane_ends
