# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2120,SC2153,SC2154
#
# Requests with attachments pass as they come: of any length, in constant memory; what is wrong behind the root ends the
# message before the service has all of it.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

LARGE=10000000

cat >"$T/file.xsd" <<'XSD'
<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:f' elementFormDefault='qualified'>
<xs:element name='file'><xs:complexType><xs:sequence maxOccurs='2'><xs:element name='data' type='xs:base64Binary'/>
<xs:element name='more' type='xs:base64Binary' minOccurs='0'/></xs:sequence></xs:complexType></xs:element></xs:schema>
XSD
sed "s/type='xs:base64Binary'/type='f:short'/; s/<xs:schema /&xmlns:f='urn:f' /; s|</xs:schema>|<xs:simpleType name='short'><xs:restriction base='xs:base64Binary'><xs:maxLength value='300000'/></xs:restriction></xs:simpleType>&|" \
    "$T/file.xsd" >"$T/short.xsd"

send() { # PATH KIND FRAMING BYTES [FAULT]: prints the status; the digest is in $T/sent
    python3 tests/cli/upload_client.py "$GATEWAY_PORT" "$@" >"$T/sent"
    cut -d' ' -f1 "$T/sent"
}
logged() { grep -c . "$T/log" 2>/dev/null; }
got() { # N TEXT: line N of the service's log
    wait_for 10 eval "[ \"\$(logged)\" -ge $1 ]"
    sed -n "${1}p" "$T/log" | grep -q "$2" || { echo "service: $(sed -n "${1}p" "$T/log"), expected $2"; tail -n 3 "$T/gateway.err"; return 1; }
}
# What comes is what was sent.
passes() { # PATH KIND FRAMING BYTES [FAULT]
    local n status
    n=$(logged)
    status=$(send "$@")
    [ "$status" = 200 ] || { echo "status $status"; tail -n 3 "$T/gateway.err"; return 1; }
    got $((n + 1)) "^$1 $3 complete [0-9]* $(cut -d' ' -f2 "$T/sent")"
}
rss() { awk '/^VmHWM/ { print $2 }' "/proc/$GATEWAY/status"; }
constant_memory() {
    local before after kind
    passes /take swa length 100000 || return 1
    before=$(rss)
    for kind in mtom swa; do
        passes /take $kind length $LARGE || return 1
        passes /take $kind chunks $LARGE || return 1
        passes /slow $kind length $LARGE || return 1
    done
    after=$(rss)
    echo "KiB: $before, then $after"
    [ $((after - before)) -lt 2048 ]
}
short_ones_are_held() {
    passes /take mtom length 1000 && passes /take swa length 1000
    local n
    n=$(logged)
    [ "$(send /take mtom chunks 1000)" = 200 ] && got $((n + 1)) '/take length complete'
}
# Folding and epilogue go, the announced length stays.
folded() {
    local n
    n=$(logged)
    [ "$(send /take swa length 200000 folded)" = 200 ] && got $((n + 1)) '/take length complete' || return 1
    [ "$(send /take swa chunks 200000 folded)" = 200 ] && got $((n + 2)) '/take chunks complete'
}
# FAULT STATUS KIND FRAMING EVENT: the service gets an incomplete message, the client is charged.
aborts() {
    local n e status
    n=$(logged) e=$(events)
    status=$(send /take "$3" "$4" "${6:-1000000}" "$1")
    [ "$status" = "$2" ] || { echo "status $status"; tail -n 3 "$T/gateway.err"; return 1; }
    got $((n + 1)) "/take $4 incomplete" && PORT=$GATEWAY_PORT event_follows "$e" "$5" && [ "$(events)" = $((e + 1)) ]
}
# The same is refused before the service has any of it.
refused() { # FAULT STATUS KIND FRAMING EVENT
    local n e status
    n=$(logged) e=$(events)
    status=$(send /take "$3" "$4" 1000000 "$1")
    [ "$status" = "$2" ] || { echo "status $status"; tail -n 3 "$T/gateway.err"; return 1; }
    PORT=$GATEWAY_PORT event_follows "$e" "$5" && [ "$(logged)" = "$n" ]
}
slow_client() { passes /take swa length 1000000 slow; }
silent_client() { aborts silent 408 swa length connection; }
client_leaves() {
    local n e
    n=$(logged) e=$(events)
    send /take swa length 1000000 gone >/dev/null
    got $((n + 1)) '/take length incomplete' && PORT=$GATEWAY_PORT event_follows "$e" connection
}
service_leaves() {
    local e
    e=$(events)
    [ "$(send /gone swa length $LARGE)" = 502 ] && last_event | grep -q 'kind=good' && [ "$(events)" = $((e + 1)) ]
}
service_is_stuck() { [ "$(send /stuck swa length $LARGE)" = 504 ]; }
early_answer() { [ "$(send /early swa length $LARGE)" = 401 ]; }
# Both on one connection to the service.
works_after_all() { passes /take mtom length 200000 && passes /take mtom length 1000; }
# A facet that counts the bytes of the part.
facet_is_held() {
    passes /take mtom length 200000 || return 1
    local n
    n=$(logged)
    [ "$(send /take mtom length 400000)" = 500 ] && last_event | grep -q 'kind=schema' && [ "$(logged)" = "$n" ] || return 1
    # Not longer than what is held.
    [ "$(send /take mtom length 2000000)" = 413 ] && [ "$(logged)" = "$n" ]
}
# curl URL OPTION...: it waits for 100 Continue.
curl_passes() {
    local n status
    n=$(logged)
    status=$(curl -s -m 30 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: multipart/related; type="text/xml"; boundary=b' \
        -H 'SOAPAction: ""' --data-binary "@$T/body" "$@")
    [ "$status" = 200 ] || { echo "status $status"; tail -n 3 "$T/gateway.err"; return 1; }
    got $((n + 1)) " complete $(wc -c <"$T/body") $(sha256sum <"$T/body" | cut -d' ' -f1)"
}
with_tls() {
    local before after
    curl_passes -k "https://127.0.0.1:$GATEWAY_PORT/slow" || return 1
    before=$(rss)
    curl_passes -k "https://127.0.0.1:$GATEWAY_PORT/slow" || return 1
    curl_passes -k -H 'Transfer-Encoding: chunked' "https://127.0.0.1:$GATEWAY_PORT/take" || return 1
    after=$(rss)
    echo "KiB: $before, then $after"
    [ $((after - before)) -lt 2048 ]
}
# Slow ones leave half of the connections to others.
many_slow() {
    local status e
    e=$(grep -c kind=oversize "$T/gateway.err")
    for _ in $(seq 34); do
        send /stuck swa length 200000 silent >/dev/null &
        pids+=($!)
    done
    wait_for 40 busy || return 1
    status=$(send /take swa length 1000),$(send /take swa length 500000),$(send /take swa length 2000000)
    [ "$status" = 200,200,503 ] && [ "$(grep -c kind=oversize "$T/gateway.err")" = "$e" ] || { echo "$status"; tail -n 3 "$T/gateway.err"; return 1; }
}
busy() { [ "$(ss -tnH state established "dport = :${SERVICE_URL##*:}" | wc -l)" -ge 32 ]; }
ends_meanwhile() {
    send /take swa length 1000000 slow >/dev/null &
    pids+=($!)
    sleep 0.5
    gateway_ends
}

{
    printf -- "--b\r\nContent-Type: text/xml\r\n\r\n<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>"
    printf "<file xmlns='urn:f'><data>QUJD</data></file></s:Body></s:Envelope>\r\n--b\r\n\r\n"
    head -c $LARGE /dev/zero
    printf '\r\n--b--\r\n'
} >"$T/body"
start service python3 tests/cli/upload_service.py "$T/log"
listening service
SERVICE_URL=http://127.0.0.1:$PORT
services="<services><service name='a' path='/*' answer-timeout='3s' backend='$SERVICE_URL'/></services>"
BACKEND=$SERVICE_URL
policy "security='BcV' workers='1' schema='$T/file.xsd'" '' "body='2s'" "per-source='60'" "<attachments bytes='12MiB'/>$services"
sed -i "s|schema=\"[^\"]*\"||" "$T/policy.xml"
gateway
GATEWAY_PORT=$PORT
check constant-memory constant_memory
check short-ones-are-held short_ones_are_held
check folded folded
check unreferenced aborts unreferenced 400 mtom length soap
check unreferenced-chunks aborts unreferenced 400 mtom chunks soap
check double aborts double 400 mtom length http
check missing aborts missing 400 mtom length soap
check header aborts header 400 swa length http
check oversize aborts oversize 413 swa length oversize 4250000
check cut aborts cut 400 swa length http
check tail aborts tail 400 swa chunks http
check chunk aborts chunk 400 swa chunks http
check no-root refused no-root 400 swa length http
check big-root refused big-root 413 swa length oversize
check slow-client slow_client
check silent-client silent_client
check client-leaves client_leaves
check service-leaves service_leaves
check service-is-stuck service_is_stuck
check early-answer early_answer
check works-after-all works_after_all
check curl curl_passes "http://127.0.0.1:$GATEWAY_PORT/take"
check ends ends_meanwhile
sed -i "s|file.xsd|short.xsd|; s|body='2s'|body='60s'|; s|answer-timeout='3s'|answer-timeout='60s'|" "$T/policy.xml"
gateway
GATEWAY_PORT=$PORT
check facet-is-held facet_is_held
check many-slow many_slow
check ends-held gateway_ends
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=gw -keyout "$T/tls.key" -out "$T/tls.crt" 2>/dev/null
sed -i "s|short.xsd|file.xsd|; s|<attachments|<tls certificate='$T/tls.crt' key='$T/tls.key'/>&|" "$T/policy.xml"
gateway
GATEWAY_PORT=$PORT
check with-tls with_tls
check ends-well gateway_ends
