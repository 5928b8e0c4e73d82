# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The sample service without a gateway before it: it inspects its messages itself.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# in_process SECURITY [ELEMENTS [OPTION...]]: as the policy says; sets ORDERS and URL.
in_process() {
    policy "security=\"$1\"" '' '' '' "${2:-}"
    shift $(($# > 1 ? 2 : 1))
    start orders "$BIN/fmp-orders" --listen 127.0.0.1:0 --threads 4 --in-process "$T/policy.xml" "$@"
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

# The inspector's limit (1 MiB) holds while a body is read: two are enough to be refused, and reported.
too_long() { # CHUNKS OF (in hex)
    local fd line i
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    # In a shell of its own: the service need not read it all.
    (
        printf 'POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n'
        for i in $(seq "$1"); do
            printf '%s\r\n' "$2"
            head -c "$((16#$2))" /dev/zero | tr '\0' x
            printf '\r\n'
        done
    ) 2>/dev/null 1>&"$fd"
    read -r -t 10 line <&"$fd"
    exec {fd}>&-
    [[ $line == 'HTTP/1.1 413 '* ]] || { echo "got: $line"; return 1; }
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

chunked() {
    [ "$(curl -s -m 10 -o "$T/answer" -w '%{http_code}' -H 'Transfer-Encoding: chunked' -H 'Content-Type: text/xml' \
        --data-binary "@$VECTORS/plain/plain-100k.xml" "$URL")" = 200 ] && grep -q submitOrderResponse "$T/answer"
}

# Ten messages over one connection.
kept_connection() {
    local more=()
    for _ in $(seq 10); do
        more+=("$URL")
    done
    curl -s -m 20 -w '\n%{http_code} %{num_connects}\n' -H 'Content-Type: text/xml' \
        --data-binary "@$VECTORS/plain/plain-10k.xml" "${more[@]}" >"$T/out"
    [ "$(grep -c '<o:submitOrderResponse>' "$T/out")" = 10 ] && [ "$(grep -xc '200 1' "$T/out")" = 1 ] &&
        [ "$(grep -xc '200 0' "$T/out")" = 9 ] || { grep '^[0-9]' "$T/out"; return 1; }
}

# A revocation list that is out of date is the service's own want: its Fault says so.
list_out_of_date() {
    local status
    policy 'security="BcS"' '' '' '' '<replay entries="0"/>'
    sed -i "s|trust=\"[^\"]*\"|trust=\"$PWD/$VECTORS/tokens/pki/ca.crt\" crl=\"$PWD/$VECTORS/tokens/pki/crl-expired.pem\"|" "$T/policy.xml"
    start orders "$BIN/fmp-orders" --listen 127.0.0.1:0 --in-process "$T/policy.xml" "--report=$T/report"
    ORDERS=$!
    listening orders
    URL=http://127.0.0.1:$PORT/orders
    status=$(post "$VECTORS/tokens/direct.xml")
    ends
    [ "$status" = 500 ] && grep -q SOAP-ENV:Server "$T/answer" && grep -q "can't be judged now" "$T/answer" || { echo "status $status"; cat "$T/answer"; return 1; }
}

# What was left of a bad one is not read as the next, by no thread.
after_a_bad_one() {
    local i
    for i in $(seq 12); do
        [ "$i" = 1 ] || refused xml-attack/schema-qty-zero.xml || return 1
        answered plain/plain-1k.xml || return 1
    done
}

compressed() {
    gzip -c "$VECTORS/plain/plain-1k.xml" >"$T/gz"
    [ "$(curl -s -m 10 -o /dev/null -w '%{http_code}' -H 'Content-Encoding: gzip' -H 'Content-Type: text/xml' \
        --data-binary "@$T/gz" "$URL")" = 415 ]
}

# A good order that holds another message as a MIME part, in CDATA of its header: gSOAP takes that
# one if a Content-Type, or a parameter of it, says MIME.
make_carrier() {
    local envelope
    envelope=$(tail -n +2 "$VECTORS/plain/plain-1k.xml")
    {
        printf '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header><h:x xmlns:h="urn:h"><![CDATA[\r\n'
        printf '%s\r\nContent-Type: text/xml\r\nContent-ID: <r>\r\n\r\n%s\r\n%s\r\n' --b "${envelope//1234567/666}" --b--
        printf ']]></h:x></e:Header><e:Body>%s</e:Body></e:Envelope>' \
            "$(sed 's/.*<soapenv:Body>//; s/<.soapenv:Body>.*//' <<<"$envelope")"
    } >"$T/carrier"
}

sent_as() { # TYPE FIELD...: prints the status
    curl -s -m 10 -o "$T/answer" -w '%{http_code}' -H "Content-Type: $1" "${@:2}" -H 'SOAPAction: ""' \
        --data-binary "@$T/carrier" "$URL"
}

# What a gateway takes, and nothing else.
media() {
    local type status
    make_carrier
    for type in 'text/xml' 'Text/XML; charset="utf-8"' 'application/soap+xml; action="urn:a"'; do
        status=$(sent_as "$type")
        [ "$status" = 200 ] && grep -q '<o:orderId>1234567<' "$T/answer" || { echo "$type: $status"; return 1; }
    done
    for type in 'multipart/related; boundary="b"; type="text/xml"; start="<r>"' 'application/dime' 'text/plain' \
        'text/xml; multipart/related; boundary="b"; start="<r>"' 'text/xml; application/dime' \
        'multipart/form-data; boundary=b' 'application/json' 'application/xop+xml' ''; do
        status=$(sent_as "$type")
        [ "$status" = 415 ] || { echo "$type: $status: $(head -c 300 "$T/answer")"; return 1; }
    done
    # The second of two fields is what gSOAP keeps, and it remembers MIME of the first.
    status=$(sent_as 'multipart/related; boundary="b"; start="<r>"' -H 'content-type: text/xml')
    [ "$status" = 415 ] || { echo "two fields: $status"; return 1; }
}

# with_part ROOT-FILE [TYPE-OF-ROOT [PART]]: sends it with an attachment; prints the status.
with_part() {
    {
        printf '%s\r\nContent-Type: %s\r\nContent-ID: <r>\r\n\r\n' --b "${2:-text/xml}"
        cat "$1"
        printf '\r\n%s\r\nContent-Type: image/png\r\n%s\r\n\r\n' --b "${3:-Content-ID: <p>}"
        printf 'a\r\nb\0--c'
        printf '\r\n%s\r\n' --b--
    } >"$T/mime"
    curl -s -m 10 -o "$T/answer" -w '%{http_code}' -H "Content-Type: ${TYPE:-multipart/related; boundary=b; type=\"text/xml\"; start=\"<r>\"}" \
        -H 'SOAPAction: ""' --data-binary "@$T/mime" "$URL"
}
# attachments WORDS: which stand in each answer.
attachments() {
    local status good=$VECTORS/plain/plain-1k.xml i
    # Each thread, and not mistaken in a plain message that follows.
    for i in 1 2 3 4 5; do
        status=$(with_part "$good")
        [ "$status" = 200 ] && grep -q "$1" "$T/answer" || { echo "status $status"; cat "$T/answer"; return 1; }
        answered plain/plain-1k.xml && ! grep -q 'Attachments:' "$T/answer" || return 1
    done
    # The root is inspected, wherever gSOAP would look for it, and so are the parts.
    [ "$(with_part "$VECTORS/xml-attack/sql-injection.xml")" = 500 ] &&
        [ "$(with_part "$good" 'text/xml; application/dime')" = 400 ] || { echo "root"; cat "$T/answer"; return 1; }
    status="$(with_part "$good" text/xml 'Content-ID: <r>') $(with_part "$good" text/plain)"
    [ "$status" = '400 400' ] || { echo "parts: $status"; return 1; }
    [ "$(TYPE='multipart/related; boundary=b; type="text/xml"; start="<p>"' with_part "$good")" = 400 ] &&
        [ "$(TYPE='multipart/related; type="text/xml"; start="<r>"' with_part "$good")" = 400 ] || { echo "start"; return 1; }
    make_carrier
    status=$(sent_as 'multipart/related; boundary="b"; type="text/xml"; start="<r>"')
    # Its preamble is no message for anybody.
    [ "$status" != 200 ] || { grep -q '<o:orderId>666<' "$T/answer" && ! grep -q 1234567 "$T/answer"; } || { cat "$T/answer"; return 1; }
    answered plain/plain-1k.xml
}

# gSOAP itself takes messages without HTTP around them: nobody would have inspected these.
without_http() {
    local good=$VECTORS/plain/plain-1k.xml way fd
    cat "$good" >"$T/raw.xml"
    { printf '\r\n \t'; cat "$good"; } >"$T/raw.space"
    { printf '\xef\xbb\xbf'; cat "$good"; } >"$T/raw.bom"
    { printf '%s\r\nContent-Type: text/xml\r\nContent-ID: <r>\r\n\r\n' --b; cat "$good"; printf '\r\n%s\r\n' --b--; } >"$T/raw.mime"
    gzip -c "$good" >"$T/raw.gzip"
    { printf 'POST /orders\r\n\r\n'; cat "$good"; } >"$T/raw.old"
    { printf 'X'; cat "$good"; } >"$T/raw.letter"
    for way in "$T"/raw.*; do
        exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
        cat "$way" >&"$fd"
        timeout 1 cat <&"$fd" >"$T/answer" 2>/dev/null
        exec {fd}>&-
        ! grep -q submitOrderResponse "$T/answer" || { echo "$way: $(head -c 300 "$T/answer")"; return 1; }
    done
    answered plain/plain-1k.xml
}
without_http_reported() {
    without_http && wait_for 10 raw_event
}
raw_event() {
    kinds_of && grep -qx http "$T/kinds" && grep -q 'a message without HTTP' <("$BIN/fmpctl" --control "$T/control" why 127.0.0.1)
}

media_reported() {
    [ "$(sent_as 'multipart/related; boundary="b"')" = 415 ] && wait_for 10 media_event unsupported &&
        [ "$(as_form)" = 415 ] && wait_for 10 media_event browser || { cat "$T/why"; return 1; }
}
as_form() { curl -s -m 10 -o /dev/null -w '%{http_code}' -H 'Content-Type: text/plain' --data x "$URL"; }
media_event() {
    events_of >"$T/why" && jq -e "select(.kind == \"$1\" and (.detail | startswith(\"http: Content-Type\")))" "$T/why"
}

# What a page can have sent weighs nothing, nor does what looks at the service; a form's type that no page sends is one that is not supported.
pages_reported() {
    local text='Content-Type: text/plain' status kinds
    status=$(curl -s -m 10 -o /dev/null -w '%{http_code} ' -X OPTIONS -H 'Origin: http://evil.example' -H 'Access-Control-Request-Method: POST' "$URL" \
        --next -s -o /dev/null -w '%{http_code} ' "$URL?wsdl" \
        --next -s -o /dev/null -w '%{http_code} ' -X DELETE "$URL" \
        --next -s -o /dev/null -w '%{http_code} ' -H 'Content-Type:' -H 'Origin: null' --data x "$URL" \
        --next -s -o /dev/null -w '%{http_code} ' -H "$text; action=a" --data x "$URL" \
        --next -s -m 5 -o /dev/null -w '%{http_code} ' -H "$text" -H 'Content-Length: 99999999999' --data x "$URL" \
        --next -s -o /dev/null -w '%{http_code} ' -H "$text" -H 'SOAPAction: ""' --data x "$URL" \
        --next -s -o /dev/null -w '%{http_code} ' -H "$text" -H 'Transfer-Encoding: chunked' --data x "$URL")
    [ "$status" = '405 405 405 415 415 413 415 415 ' ] || { echo "$status"; return 1; }
    wait_for 5 six_events || { cat "$T/why"; return 1; }
    kinds=$(jq -r .kind "$T/why" | xargs)
    [ "$kinds" = 'browser browser browser browser unsupported unsupported' ] || { echo "$kinds"; return 1; }
}
six_events() { events_of >"$T/why" && [ "$(wc -l <"$T/why")" = 6 ]; }

# handshakes N: so many pages ask over TLS, each with a handshake of its own, of any thread.
handshakes() {
    python3 - "$PORT" "$1" <<'PY'
import socket, ssl, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
for _ in range(int(sys.argv[2])):
    with context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10)) as s:
        s.sendall(b"POST /orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx")
        while s.recv(4096):
            pass
PY
}
kinds_of() { "$BIN/fmpctl" --control "$T/control" --json why 127.0.0.1 | jq -r '.[] | select(.record == "event") | .kind' >"$T/kinds"; }
charged_for_handshakes() { kinds_of && grep -q '^connection$' "$T/kinds"; }

# Handshakes for what weighs nothing are not to be had without end: as at the gateway, 200 and one a second are.
handshakes_for_pages() {
    [ "$(curl -sk -m 10 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' --data-binary "@$VECTORS/plain/plain-1k.xml" "https://127.0.0.1:$PORT/orders")" = 200 ] || { cat "$T/orders.err"; return 1; }
    handshakes 150 && wait_for 5 kinds_of && ! charged_for_handshakes || { sort "$T/kinds" | uniq -c; return 1; }
    handshakes 150 && wait_for 5 charged_for_handshakes && ! grep -v '^browser$\|^connection$' "$T/kinds" || { sort "$T/kinds" | uniq -c; return 1; }
}

# fmpd: a management plane that enforces nothing; its socket for reports is $T/report.
fmpd() {
    start fmpd "$BIN/fmpd" --foreground --enforce none --control "$T/control" --policy policies/observe.xml
    FMPD=$!
    wait_for 20 test -S "$T/report"
}

events_of() { "$BIN/fmpctl" --control "$T/control" --json why 127.0.0.1 | jq -c '.[] | select(.record == "event")'; }
reported() {
    events_of >"$T/why" && [ "$(wc -l <"$T/why")" = 1 ] &&
        jq -e ".kind == \"dtd\" and .rank > 0 and .dest_port == $PORT and (.detail | startswith(\"screen: \"))" "$T/why" ||
        { cat "$T/why" "$T/fmpd.err"; return 1; }
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
check too-long-in-a-chunk too_long 1 200000
check too-long-in-chunks too_long 32 10000
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

# By soap_serve() alone, which gets bytes.
in_process BcS '' --bytes
check bytes-signed answered good/wss4j-ec256-1k.xml
check bytes-soap-1.2 answered good/wss4j-soap12-rsa2048-1k.xml
check bytes-tampered-refused refused bad-wss/tampered-body.xml
check bytes-wrapped-refused refused bad-wss/xsw1.xml
check bytes-copies copies
check bytes-end-well ends

in_process BcV '<attachments allowed="no"/>' --bytes
check bytes-of-one-item orders 1
check bytes-of-many-items orders 1000
check bytes-chunked chunked
check bytes-kept-connection kept_connection
check bytes-after-a-bad-one after_a_bad_one
check bytes-of-4-GB four_gigabytes
check bytes-compressed compressed
check bytes-media media
check bytes-without-http without_http
check bytes-end-well-plain ends

in_process BcV '' --bytes
check bytes-attachments attachments 'Attachments: 1, 8 bytes, sum 1922'
check bytes-attachments-end-well ends
in_process BcV
check tree-attachments attachments submitOrderResponse
check tree-attachments-end-well ends

in_process BcV '<attachments allowed="no"/>'
check tree-chunked chunked
check tree-media media
check tree-without-http without_http
check tree-kept-connection kept_connection
check tree-after-a-bad-one after_a_bad_one
check tree-ends-well ends

# A bad message of nobody's gateway is known to fmpd all the same.
check fmpd-starts fmpd
# Nor is it reported: below there is one event.
check list-out-of-date list_out_of_date
in_process BcV '<attachments allowed="no"/>' --bytes "--report=$T/report"
check bad-one-for-report refused xml-attack/billion-laughs.xml
check good-one-beside answered plain/plain-1k.xml
check reported reported
check media-reported media_reported
check report-ends-well ends

ends_plane() { kill "$FMPD" && wait "$FMPD"; }
check fmpd-ends ends_plane
check fmpd-starts-again fmpd
in_process BcV '' --bytes "--report=$T/report"
check pages-reported pages_reported
check without-http-reported without_http_reported
check pages-end-well ends
check fmpd-ends-again ends_plane
check fmpd-starts-for-tls fmpd
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/key" -out "$T/certificate" -days 2 -subj /CN=a 2>/dev/null
cat "$T/key" "$T/certificate" >"$T/tls.pem"
in_process BcV '' --bytes "--report=$T/report" --tls "$T/tls.pem"
check handshakes-for-pages handshakes_for_pages
check tls-ends-well ends
in_process BcV '' --bytes "--report=$T/nobody"
check nobody-to-tell refused xml-attack/billion-laughs.xml
check nobody-to-tell-ends-well ends
