# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The sample service without a gateway before it: it inspects its messages itself.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# in_process SECURITY [ELEMENTS]: as the policy says; sets ORDERS and URL.
in_process() {
    policy "security=\"$1\"" '' '' '' "${2:-}"
    start orders "$BIN/fmp-orders" --listen 127.0.0.1:0 --threads 4 --in-process "$T/policy.xml"
    ORDERS=$!
    listening orders
    URL=http://127.0.0.1:$PORT/orders
}

ends() { kill "$ORDERS" && wait "$ORDERS"; }

refused() { [ "$(post "$VECTORS/$1")" = 500 ]; }
answered() { [ "$(post "$VECTORS/$1")" = 200 ] && grep -q 'submitOrderResponse' "$T/answer"; }

orders() { "$BIN/fmp-orders-client" --endpoint "$URL" --count 20 --items "$1" --quiet; }

# gSOAP would take memory for it.
four_gigabytes() {
    [ "$(curl -s -m 10 -o /dev/null -w '%{http_code}' -H 'Content-Length: 4294967296' --data x "$URL")" = 413 ]
}

copies() {
    local n pids=()
    for n in $(seq 8); do
        curl -s -m 20 -o /dev/null -w '%{http_code}\n' -H 'Content-Type: text/xml' -H 'Expect:' \
            --data-binary "@$VECTORS/good/wss4j-rsa2048-1k.xml" "$URL" >"$T/status.$n" &
        pids+=("$!")
    done
    wait "${pids[@]}"
    [ "$(cat "$T"/status.* | grep -c '^200$')" = 1 ]
}

says_what_is_wrong() {
    policy 'security="Os"'
    ! "$BIN/fmp-orders" --listen 127.0.0.1:0 --in-process "$T/policy.xml" 2>"$T/why" && grep -q 'no tree' "$T/why"
}

in_process BcV
check orders-of-one-item orders 1
check orders-of-many-items orders 1000
check schema-refuses refused xml-attack/sql-injection.xml
check screen-refuses refused xml-attack/billion-laughs.xml
check a-length-of-4-GB four_gigabytes
check ends-well ends

in_process BcS
check signed answered good/wss4j-ec256-1k.xml
check soap-1.2 answered good/wss4j-soap12-rsa2048-1k.xml
check unsigned-refused refused plain/plain-1k.xml
check tampered-refused refused bad-wss/tampered-body.xml
check one-of-all-copies-in-all-threads copies
check ends-well-signed ends

in_process BcES
check decrypted answered good/wss4j-sign-then-enc-1k.xml
check ends-well-encrypted ends

in_process BcES '<require order="encrypt-then-sign"/>'
check decrypted-signed-last answered good/wss4j-enc-then-sign-1k.xml
check ends-well-signed-last ends

check says-what-is-wrong says_what_is_wrong
