# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What clients do to a gateway over HTTP: raw requests, pipelining, slowness, floods.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# raw FILE: sends its bytes, prints all that comes back until the gateway closes.
raw() {
    local fd
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT" || return 1
    cat "$1" >&"$fd"
    timeout 20 cat <&"$fd"
    exec {fd}>&-
}

raw_refused() { # FILE STATUS KIND
    local before
    before=$(events)
    raw "$1" >"$T/answer"
    head -n 1 "$T/answer" | grep -q "^HTTP/1.1 $2 " || { head -n 5 "$T/answer"; return 1; }
    grep -q '^Connection: close' "$T/answer" || { echo "not closed"; return 1; }
    is_fault && event_follows "$before" "$3"
}

raw_accepted() { # FILE ANSWERS
    raw "$1" >"$T/answer"
    [ "$(grep -c '^HTTP/1.1 200 OK' "$T/answer")" = "$2" ] || { cat "$T/answer"; return 1; }
    [ "$(grep -o '<o:total>' "$T/answer" | wc -l)" = "$2" ]
}

# order ID [FIELD]: a whole request
order() {
    sed "s/1234567/$1/" "$VECTORS/plain/plain-1k.xml" >"$T/order"
    printf 'POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\n'
    printf 'Content-Length: %d\r\n%b\r\n' "$(wc -c <"$T/order")" "${2:-}"
    cat "$T/order"
}

in_order() {
    { order 11; order 12; order 13 'Connection: close\r\n'; } >"$T/three"
    raw "$T/three" >"$T/answer"
    [ "$(grep -o '<o:orderId>[0-9]*' "$T/answer" | tr -dc '0-9\n' | xargs)" = "11 12 13" ] ||
        { cat "$T/answer"; return 1; }
}

# A bad message in the middle: its Fault stands in its place, the connection goes on.
fault_in_the_middle() {
    {
        order 21
        printf 'POST / HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: 7\r\n\r\n<a></b>'
        order 22 'Connection: close\r\n'
    } >"$T/mixed"
    raw "$T/mixed" >"$T/answer"
    [ "$(grep -o '^HTTP/1.1 [0-9]*' "$T/answer" | cut -d' ' -f2 | xargs)" = "200 500 200" ] ||
        { cat "$T/answer"; return 1; }
    last=$(grep -o '<o:orderId>[0-9]*\|<faultcode>' "$T/answer" | xargs)
    [ "$last" = '<o:orderId>21 <faultcode> <o:orderId>22' ] || { echo "$last"; return 1; }
}

continues() {
    {
        order 31 'Expect: 100-continue\r\n' | sed '/^\r$/q'
    } >"$T/head"
    local fd line
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    cat "$T/head" >&"$fd"
    read -r -t 10 line <&"$fd"
    [ "$line" = $'HTTP/1.1 100 Continue\r' ] || { echo "got: $line"; return 1; }
    cat "$T/order" >&"$fd"
    read -r -t 10 line <&"$fd"
    read -r -t 10 line <&"$fd"
    exec {fd}>&-
    [ "$line" = $'HTTP/1.1 200 OK\r' ] || { echo "got: $line"; return 1; }
}

# Half a header stays open; others are answered meanwhile; then 408 and an event.
slow_beside_fast() {
    local fd line before
    before=$(events)
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    printf 'POST /orders HT' >&"$fd"
    "$BIN/fmp-orders-client" --endpoint "$URL" --count 5 --quiet || return 1
    [ "$(events)" -lt $((before + 6)) ] || { echo "the slow one was not outlived"; return 1; }
    read -r -t 10 line <&"$fd"
    exec {fd}>&-
    [ "$line" = $'HTTP/1.1 408 Request Timeout\r' ] || { echo "got: $line"; return 1; }
    last_event | grep -q 'kind=connection .*header did not come in time'
}

# Some clients send an empty line behind a body: the connection is idle with it, until its time is over or the next request.
empty_line_behind() {
    local fd before rest
    before=$(events)
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    { cat "$T/one"; printf '\r\n'; } >&"$fd"
    wait_for 5 more_events "$before"
    { cat "$T/one"; printf '\r\n'; } >&"$fd"
    rest=$(timeout 10 cat <&"$fd")
    exec {fd}>&-
    [ "$(grep -c '^HTTP/1.1 200' <<<"$rest")" = 2 ] && ! grep -q '^HTTP/1.1 408' <<<"$rest" || { grep ^HTTP <<<"$rest"; return 1; }
    [ "$(events)" = $((before + 2)) ] || { last_event; return 1; }
}

silent_is_reported() {
    local fd before rest
    before=$(events)
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    rest=$(timeout 10 cat <&"$fd")
    exec {fd}>&-
    [ -z "$rest" ] || return 1
    wait_for 5 more_events "$before"
    last_event | grep -q 'kind=browser .*no byte came in time'
}
# More than any browser opens ahead: the last six are a browser's again.
silent_ones_are_charged() {
    local before fds=() fd
    before=$(events)
    for _ in $(seq 10); do
        exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
        fds+=("$fd")
    done
    wait_for 10 more_events $((before + 9))
    for fd in "${fds[@]}"; do
        exec {fd}>&-
    done
    grep '^event ' "$T/gateway.err" | tail -n 10 >"$T/silent"
    [ "$(grep -c 'kind=connection .*no byte came in time' "$T/silent")" = 4 ] || { cut -d' ' -f2 "$T/silent"; return 1; }
}

# begun FILE: sends its bytes, and closes.
begun() {
    local fd
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    cat "$1" >&"$fd"
    exec {fd}>&-
}

broken_off() { # BYTES WHAT
    local before
    before=$(events)
    order 51 >"$T/whole"
    head -c "$1" "$T/whole" >"$T/part"
    begun "$T/part"
    wait_for 5 more_events "$before" || { echo "no event"; return 1; }
    last_event | grep -q "kind=connection .* bytes=$1 .*the $2 was broken off" || { last_event; return 1; }
}

# A health check says nothing; some send an empty line behind their last request. Neither is charged.
closed_between_requests() {
    local fd line before
    before=$(events)
    : >"$T/nothing"
    begun "$T/nothing"
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    { order 52; printf '\r\n'; } >&"$fd"
    read -r -t 10 line <&"$fd"
    exec {fd}>&-
    [ "$line" = $'HTTP/1.1 200 OK\r' ] || { echo "got: $line"; return 1; }
    order 53 'Connection: close\r\n' >"$T/last"
    raw_accepted "$T/last" 1 && wait_for 5 more_events $((before + 1)) || return 1
    [ "$(events)" = $((before + 2)) ] || { grep '^event ' "$T/gateway.err" | tail -n 3; return 1; }
}

no_more_than_three() {
    local a b c d before line=
    before=$(events)
    exec {a}<>"/dev/tcp/127.0.0.1/$PORT" {b}<>"/dev/tcp/127.0.0.1/$PORT" \
        {c}<>"/dev/tcp/127.0.0.1/$PORT" {d}<>"/dev/tcp/127.0.0.1/$PORT"
    order 41 'Connection: close\r\n' >&"$a"
    wait_for 5 grep -q 'too many connections from one source' "$T/gateway.err" || return 1
    read -r -t 10 line <&"$a"
    exec {a}>&- {b}>&- {c}>&- {d}>&-
    [ "$line" = $'HTTP/1.1 200 OK\r' ] || { echo "got: $line"; return 1; }
}

same_as_vector() { # FILE EXPECT
    case $2 in
    accept) raw_accepted "$VECTORS/$1" "$([ "$1" = http/pipelined-2.http ] && echo 2 || echo 1)" ;;
    *) raw_refused "$VECTORS/$1" '4[0-9][0-9]' 'http\|oversize' ;;
    esac
}

# What a good, a bad and a refused request leave in the access log.
access_log() {
    wait_for 5 test -s "$T/access"
    grep -qE '^127\.0\.0\.1 - - \[.* \+0000\] "POST /orders HTTP/1\.1" 200 [1-9][0-9]* port=[1-9][0-9]* kind=good step=done cpu_us=[1-9]' \
        "$T/access" || { echo "no good one"; tail -n 3 "$T/access"; return 1; }
    grep -q '" 500 .* kind=wellformed step=screen ' "$T/access" || { echo "no bad one"; return 1; }
    grep -q '" 413 .* kind=oversize step=http ' "$T/access" || { echo "no refused one"; return 1; }
}

# A log on a full disk costs no client its answer, and is said once for all its lines.
full_access_log() {
    gateway_ends
    policy 'access-log="/dev/full"'
    gateway --security BcV
    for _ in 1 2 3; do [ "$(post "$VECTORS/plain/plain-1k.xml")" = 200 ] || return 1; done
    [ "$(grep -c "access log can't be written: No space left on device; lines lost: 1" "$T/gateway.err")" = 1 ] &&
        [ "$(grep -c 'access log' "$T/gateway.err")" = 1 ] || { cat "$T/gateway.err"; return 1; }
}

ipv6() {
    gateway_ends
    start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen '[::1]:0' --backend "$BACKEND" \
        --security BcV --verbose
    GATEWAY=$!
    listening gateway
    URL="http://[::1]:$PORT/orders"
    [ "$(post "$VECTORS/plain/plain-1k.xml")" = 200 ] || { cat "$T/answer"; return 1; }
    wait_for 5 more_events 0 && last_event | grep -q 'kind=good source=::1 ' || { last_event; return 1; }
}

# ticket STATUS: a Kerberos ticket of 12 KB, as of who is in many groups.
ticket() {
    local status
    status=$(curl -s -m 10 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' \
        -H "Authorization: Negotiate $(head -c 12000 /dev/zero | tr '\0' A)" --data-binary "@$VECTORS/plain/plain-1k.xml" "$URL")
    [ "$status" = "$1" ] || { echo "status $status"; return 1; }
}
many_fields() { # STATUS
    local status
    for _ in $(seq 80); do echo 'header = "X-A: b"'; done >"$T/fields"
    status=$(curl -s -m 10 -K "$T/fields" -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' \
        --data-binary "@$VECTORS/plain/plain-1k.xml" "$URL")
    [ "$status" = "$1" ] || { echo "status $status"; return 1; }
}
long_header() { ticket 431 && last_event | grep -q 'detail="header is longer than the policy.s <http header=' || { last_event; return 1; }; }

policy 'workers="2" access-log="'"$T"'/access"' '' 'header="2s" body="2s" idle="2s"' 'per-source="3"' \
    '<http header="8KiB" fields="64"/>'
service
gateway --security BcV

while read -r file expect; do
    check "$file-$expect" same_as_vector "$file" "$expect"
done <<EOF
$(jq -r '.[] | select(.file | startswith("http/")) | "\(.file) \(.expect)"' "$VECTORS/MANIFEST.json")
EOF

printf 'POST / HTTP/1.1\r\nHost: gw\r\nContent-Length: 99999999999\r\n\r\n' >"$T/claims"
check claimed-length-is-refused-at-once raw_refused "$T/claims" 413 oversize
printf '\026\003\001\002' >"$T/tls"
check not-http-is-refused raw_refused "$T/tls" 400 browser
# What the gateway does not know is an offence too: else a source could go on with it for ever.
printf 'POST / HTTP/9.9\r\nHost: gw\r\n\r\n' >"$T/version"
check unknown-version-is-reported raw_refused "$T/version" 505 http
printf 'POST / HTTP/1.1\r\nHost: gw\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n' >"$T/coding"
check unknown-coding-is-reported raw_refused "$T/coding" 501 http
check pipelined-answers-in-order in_order
check fault-keeps-the-connection fault_in_the_middle
check expect-continue continues
check slow-client-blocks-nobody slow_beside_fast
{
    printf 'POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: %s\r\n\r\n' "$(wc -c <"$VECTORS/plain/plain-1k.xml")"
    cat "$VECTORS/plain/plain-1k.xml"
} >"$T/one"
check empty-line-behind-a-body empty_line_behind
check silent-client-is-reported silent_is_reported
check header-broken-off-is-charged broken_off 30 header
check body-broken-off-is-charged broken_off 600 body
check closed-between-requests-is-not-charged closed_between_requests
check connections-per-source no_more_than_three
check other-media-is-refused test "$(post "$VECTORS/plain/plain-1k.xml" application/json)" = 415
check long-header-is-refused-and-says-so long_header
check many-fields-are-refused many_fields 431
check access-log access_log
check access-log-is-full full_access_log
check listens-on-ipv6 ipv6
check ends-well gateway_ends
# gSOAP, of which the sample service is made, reads no field as long as that.
policy 'workers="2"' '' 'header="1s"' '' '<fields><remove name="Authorization"/></fields>'
gateway --security BcV
check long-header-by-default ticket 200
check many-fields-by-default many_fields 200
check silent-ones-are-charged silent_ones_are_charged
check ends-well-with-long-headers gateway_ends
