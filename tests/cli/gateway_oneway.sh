# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2120,SC2153,SC2154
#
# One-way messages, answers without a body, Faults of either status, compressed answers; and services
# that take long to answer.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

S11='<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">'
S12='<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">'
FAULT11="$S11<s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>sold out</faultstring></s:Fault></s:Body></s:Envelope>"
FAULT12="$S12<s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang=\"en\">sold out</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>"
ACK="$S11<s:Body><ack xmlns=\"urn:t\">7</ack></s:Body></s:Envelope>"
REMOTE_IS_CALLED=
PLAIN=$VECTORS/plain/plain-1k.xml
KEYS="certificate=\"$PWD/$VECTORS/pki/server.crt\" key=\"$PWD/$VECTORS/pki/server.key\""

says() { # THEN HEADER [FILE]: what the service says next, byte by byte
    { printf '1 %s\n' "$1"; printf '%b\r\n' "$2"; [ $# = 2 ] || cat "$3"; } >"$T/said.new"
    mv "$T/said.new" "$T/said"
}
says_body() { # "STATUS REASON" TYPE BODY [FIELD]
    printf '%s' "$3" >"$T/body"
    says keep "HTTP/1.1 $1\r\nContent-Type: $2\r\n${4:-}Content-Length: $(wc -c <"$T/body")\r\n" "$T/body"
}
says_compressed() { # BODY
    printf '%s' "$1" | gzip -9n >"$T/gz"
    says keep "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\nContent-Length: $(wc -c <"$T/gz")\r\n" "$T/gz"
}

# send [OPTION...]: prints the status; $T/answer, $T/head.
send() {
    : >"$T/answer"
    curl -s -m 20 -o "$T/answer" -D "$T/head" -w '%{http_code}' -H 'Content-Type: text/xml' -H 'SOAPAction: ""' \
        -H 'Expect:' --data-binary "@$PLAIN" "$@" "$URL"
}
gets() { # STATUS [WORDS...]: an answer with them, or with an empty body; nobody is charged
    local n status word
    n=$(events)
    status=$(send)
    [ "$status" = "$1" ] || { echo "status $status"; cat "$T/answer" "$T/gateway.err"; return 1; }
    shift
    [ $# -gt 0 ] || [ ! -s "$T/answer" ] || { echo "a body"; cat "$T/answer"; return 1; }
    for word; do
        grep -q "$word" "$T/answer" || { echo "no $word"; cat "$T/answer"; return 1; }
    done
    # Nothing of a remote service was inspected, if it said nothing.
    [ -n "$REMOTE_IS_CALLED" ] && [ $# = 0 ] || wait_for 5 more_events "$n" || return 1
    [ "$(grep '^event ' "$T/gateway.err" | tail -n "+$((n + 1))" | grep -vc 'kind=good')" = 0 ] || { last_event; return 1; }
}

# empty: each way to answer without a body.
empty() {
    local status
    for status in '200 OK' '202 Accepted'; do
        says keep "HTTP/1.1 $status\r\nContent-Length: 0\r\n" && gets "${status%% *}" || return 1
        says keep "HTTP/1.1 $status\r\nContent-Type: text/xml\r\nContent-Length: 0\r\n" && gets "${status%% *}" || return 1
        says close "HTTP/1.1 $status\r\n" && gets "${status%% *}" || return 1
        says close "HTTP/1.0 $status\r\n" && gets "${status%% *}" || return 1
        printf '0\r\n\r\n' >"$T/body"
        says keep "HTTP/1.1 $status\r\nTransfer-Encoding: chunked\r\n" "$T/body" && gets "${status%% *}" || return 1
    done
    says keep 'HTTP/1.1 204 No Content\r\n' && gets 204 || return 1
    says keep 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n' && gets 204 || return 1
    ! grep -qi '^content-length' "$T/head"
}
interim() {
    says keep 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n'
    gets 202 || return 1
    [ "$(grep -c '^HTTP/' "$T/head")" = 1 ] || { cat "$T/head"; return 1; }
}
# faults WORDS...
faults() {
    says_body '500 Internal Server Error' 'text/xml' "$FAULT11" && gets 500 'sold out' "$@" || return 1
    says_body '500 Internal Server Error' 'application/soap+xml' "$FAULT12" && gets 500 'sold out' "$@" || return 1
    says_body '400 Bad Request' 'text/xml; charset=utf-8' "$FAULT11" && gets 400 'sold out' "$@" || return 1
    says_body '400 Bad Request' 'application/soap+xml' "$FAULT12" && gets 400 'sold out' "$@"
}
accepted_envelope() {
    says_body '202 Accepted' 'text/xml' "$ACK" && gets 202 '>7<' "$@"
}
# Text beside the status, which nobody reads: it can't be signed, nor be mistaken for what is signed.
accepted_notice() {
    says_body '202 Accepted' 'text/plain' 'on its way' && gets 202 "$@"
}
compressed() { # as the service sent it
    says_compressed "$ACK"
    [ "$(send)" = 200 ] && cmp "$T/answer" "$T/gz" && grep -qi '^content-encoding: gzip' "$T/head"
}
compressed_and_checked() { # it is decoded for that
    says_compressed "$ACK"
    gets 200 '>7<' "$@" && ! grep -qi '^content-encoding' "$T/head"
}
bomb() { # STATUS KIND
    local n
    head -c 3000000 /dev/zero | gzip -9n >"$T/gz"
    says keep "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\nContent-Length: $(wc -c <"$T/gz")\r\n" "$T/gz"
    n=$(events)
    [ "$(send)" = "$1" ] && is_fault && charges "$n" "$2"
}
charges() { # N KIND
    wait_for 5 more_events "$1" && last_event | grep -q "kind=$2 " || { last_event; return 1; }
}
replaced() {
    local n
    n=$(events)
    [ "$(send)" = 502 ] && is_fault && ! grep -q poison "$T/answer" && event_follows "$n" good
}
not_secured() {
    # A 400 with no Fault is no answer of SOAP 1.1.
    says_body '400 Bad Request' 'text/xml' "$S11<s:Body><poison/></s:Body></s:Envelope>" && gets 400 || return 1
    says_body '202 Accepted' 'multipart/related; boundary=b' 'poison' && replaced || return 1
    says_body '202 Accepted' 'text/xml' "$S11<s:Body><poison>" && replaced
}
bad_acknowledgement() { # of a remote service
    local n
    says_body '202 Accepted' 'text/xml' "$S11<s:Body><poison>"
    n=$(events)
    [ "$(send)" = 500 ] && is_fault && ! grep -q poison "$T/answer" && charges "$n" wellformed
}

: >"$T/said"
start service python3 tests/cli/raw_service.py "$T/said" "$T/log"
listening service
REMOTE=http://127.0.0.1:$PORT/ws
BACKEND=$REMOTE

policy 'security="Bc" workers="1"' 'body="64KiB"'
gateway
check empty empty
check interim interim
check faults faults
check accepted-with-an-envelope accepted_envelope
check compressed compressed
check ends gateway_ends

policy 'security="Bc" workers="1"' 'body="64KiB"' '' '' "<answers sign=\"rsa-sha256\" $KEYS/>"
gateway
check secured-empty empty
check secured-interim interim
check secured-faults faults '<ds:SignatureValue>'
check secured-accepted accepted_envelope '<ds:SignatureValue>'
check secured-notice accepted_notice 'on its way'
check secured-compressed compressed_and_checked '<ds:SignatureValue>'
check secured-bomb bomb 502 good
check not-secured not_secured
check secured-ends gateway_ends

policy 'security="Bc" workers="1"' 'body="64KiB"' '' '' "<services><client name='remote' path='/orders' backend='$REMOTE'/></services>"
gateway
REMOTE_IS_CALLED=yes
check remote-empty empty
check remote-interim interim
check remote-faults faults
check remote-accepted accepted_envelope
check remote-notice accepted_notice
check remote-compressed compressed_and_checked
check remote-bomb bomb 500 oversize
check remote-bad-acknowledgement bad_acknowledgement
check remote-ends gateway_ends
REMOTE_IS_CALLED=

# Long polling: the client waits for longer than each time limit of its own, and nobody is charged.
late() { # PATH STATUS
    local n
    URL=http://127.0.0.1:$GATEWAY_PORT$1
    n=$(events)
    [ "$(send)" = "$2" ] || { cat "$T/answer" "$T/gateway.err"; return 1; }
    wait_for 5 more_events "$n" && [ "$(grep '^event ' "$T/gateway.err" | grep -vc 'kind=good')" = 0 ]
}
# One client's many do not delay another message, and are all answered.
many() {
    local pids=() pid
    URL=http://127.0.0.1:$GATEWAY_PORT/pull
    for _ in $(seq 24); do
        curl -s -m 20 -o /dev/null -w '%{http_code}\n' -H 'Content-Type: text/xml' -H 'Expect:' --data-binary "@$PLAIN" "$URL" >>"$T/many" &
        pids+=($!)
    done
    wait_for 10 test "$(grep -c came "$T/slow.log")" -ge 3 && late /now 200 || return 1
    for pid in "${pids[@]}"; do wait "$pid"; done
    [ "$(grep -cx 200 "$T/many")" = 24 ] || { cat "$T/many"; return 1; }
}

: >"$T/slow.log"
start slow python3 tests/cli/slow_service.py "$T/slow.log"
listening slow
SLOW=http://127.0.0.1:$PORT
policy 'security="Bc" workers="1" answer-timeout="300ms"' '' 'header="300ms" body="300ms" idle="300ms"' '' "<services>
    <service name='pull' path='/pull' backend='$SLOW/2' answer-timeout='10s'/>
    <service name='short' path='/short' backend='$SLOW/2'/>
    <service name='now' path='/now' backend='$SLOW/0'/></services>"
gateway
GATEWAY_PORT=$PORT
check waits-for-it late /pull 200
check gives-up late /short 504
check at-once late /now 200
check many-wait many
check long-ends gateway_ends
check example "$BIN/fmpctl" policy check policies/notifications.xml
