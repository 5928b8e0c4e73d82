# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154
#
# The other side: a local program calls remote services, and their answers are inspected.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

ENVELOPE='<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">'

answer() { # BODY [STATUS TYPE]: what the remote service says next
    printf '%s\n%s<s:Body>%s</s:Body></s:Envelope>' "${2:-200 text/xml; charset=utf-8}" "$ENVELOPE" "$1" >"$T/said"
}

certificate() { # NAME [ALTNAME]: signed by $T/ca.*; the CA without ALTNAME
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$T/$1.key" 2>/dev/null
    openssl req -new -key "$T/$1.key" -subj "/CN=$1" -out "$T/$1.csr"
    if [ $# = 1 ]; then
        openssl x509 -req -in "$T/$1.csr" -days 2 -signkey "$T/$1.key" -out "$T/$1.crt" \
            -extfile <(echo basicConstraints=critical,CA:TRUE)
    else
        openssl x509 -req -in "$T/$1.csr" -days 2 -CA "$T/ca.crt" -CAkey "$T/ca.key" -CAcreateserial \
            -out "$T/$1.crt" -extfile <(echo "subjectAltName=$2")
    fi 2>/dev/null
}

# call PATH [OPTION...]: the program's request; prints the status, $T/answer is what it gets.
call() {
    local path=$1
    shift
    : >"$T/answer"
    curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H "Content-Type: ${TYPE:-text/xml}" -H 'SOAPAction: "urn:ask"' \
        -H 'Expect:' --data-binary '<any>thing</any>' "$@" "http://127.0.0.1:$PORT$path"
}

passes() { # PATH
    local status
    answer '<one xmlns="urn:t">42</one>'
    status=$(call "$1")
    [ "$status" = 200 ] && grep -q '>42<' "$T/answer" || { echo "status $status"; cat "$T/answer" "$T/gateway.err"; return 1; }
}

# What is sent goes on as it is, and who answers well is credited with it.
good_answer() { # PATH LOG PORT [REST]: of the path
    passes "$1" || return 1
    tail -n 1 "$T/$2.log" | grep -q "^/ws${4:-} \"urn:ask\" 16$" || { cat "$T/$2.log"; return 1; }
    last_event | grep -q "kind=good source=127.0.0.1 source_port=$3 .* step=done service=" || { last_event; return 1; }
}

# bad PATH KIND PORT: the program gets a Fault of ours, nothing of the answer; its sender is charged.
bad() {
    local n status
    n=$(events)
    status=$(call "$1")
    [ "$status" = 500 ] && is_fault && ! grep -q poison "$T/answer" && grep -q Server "$T/answer" || {
        echo "status $status"
        cat "$T/answer"
        return 1
    }
    wait_for 5 more_events "$n" && last_event | grep -q "kind=$2 source=127.0.0.1 source_port=$3 " || {
        last_event
        return 1
    }
}

# compressed CODING FILE [SAID]: it goes on as it is, and says so to who has to expand it.
compressed() {
    local status
    answer '<one xmlns="urn:t">42</one>'
    status=$(curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H "Content-Type: ${TYPE:-text/xml}" -H 'SOAPAction: "urn:ask"' \
        -H 'Expect:' -H "Content-Encoding: $1" --data-binary "@$2" "http://127.0.0.1:$PORT/plain")
    [ "$status" = 200 ] || { echo "status $status"; cat "$T/answer"; return 1; }
    tail -n 1 "$T/plain.log" | grep -qx "/ws \"urn:ask\" $(wc -c <"$2") ${3:-$1}" || { cat "$T/plain.log"; return 1; }
}

tampered_schema() {
    answer '<one xmlns="urn:t">poison</one>'
    bad /plain schema "$PLAIN" && bad /tls/x schema "$TLS"
}
not_xml() {
    answer '<one xmlns="urn:t">poison'
    bad /plain wellformed "$PLAIN"
}
entities() {
    printf '200 text/xml\n<!DOCTYPE a [<!ENTITY b "poison">]>%s<s:Body><a>&b;</a></s:Body></s:Envelope>' "$ENVELOPE" >"$T/said"
    bad /plain dtd "$PLAIN"
}
too_large() {
    answer "<one xmlns='urn:t'>1</one><!-- poison $(head -c 5000 /dev/zero | tr '\0' x) -->"
    bad /plain oversize "$PLAIN"
}
# outage STATUS: what the service said is a page; the program is told that there is no service, and
# nobody is charged.
outage() {
    local n status
    n=$(events)
    status=$(call "${2:-/plain}")
    [ "$status" = "$1" ] && is_fault && ! grep -q poison "$T/answer" || { echo "status $status: $(cat "$T/said" "$T/answer")"; return 1; }
    wait_for 5 more_events "$n" && last_event | grep -q "kind=outage source=127.0.0.1 source_port=${3:-$PLAIN} " || {
        head -n 1 "$T/said"
        last_event
        return 1
    }
}
# A captive portal, a proxy, a service that is down; over TLS it is the service itself.
pages() {
    local said
    for said in '200 text/html' '200 text/html; charset=utf-8' '200 application/xhtml+xml' '200 text/plain' '200 application/json' \
        '302 text/html' '307 text/html' '403 text/html' '404 text/html' '500 text/html' '502 text/html' '503 text/plain' \
        '504 text/html' '511 text/html'; do
        printf '%s\n<html>poison</html>' "$said" >"$T/said"
        outage 502 || return 1
    done
    printf '503 text/html\npoison' >"$T/said"
    outage 502 /tls/x "$TLS"
}
# MTOM and SwA are SOAP, but not allowed there: no page, and no outage. The program and the log are told so.
attachments() {
    local n type status
    for type in multipart/related application/xop+xml; do
        n=$(events)
        printf '200 %s; type="text/xml"; boundary="b"\n--b\r\n\r\npoison' "$type" >"$T/said"
        status=$(call /plain)
        [ "$status" = 502 ] && is_fault && ! grep -q poison "$T/answer" || { echo "status $status: $(cat "$T/answer")"; return 1; }
        wait_for 5 more_events "$n" && last_event | grep -q "kind=unsupported source=127.0.0.1 source_port=$PLAIN " &&
            grep -q "backend of plain: it answered with $type: attachments (MTOM.*) are not allowed" "$T/gateway.err" || {
            tail -n 3 "$T/gateway.err"
            return 1
        }
    done
}
# Nor do long ones pass, which a local service's would as they come, with a length or without.
long_attachments() {
    local n status path
    for path in /mime/length/3000 /mime/length/200000 /mime/chunks/3000 /mime/chunks/200000; do
        n=$(events)
        status=$(call "$path")
        [ "$status" = 502 ] && is_fault && ! grep -q image/png "$T/answer" || { echo "$path: status $status"; head -c 500 "$T/answer"; return 1; }
        wait_for 5 more_events "$n" && last_event | grep -q "kind=unsupported source=127.0.0.1 source_port=$MIME " || { last_event; return 1; }
    done
}
# Longer than any answer, or with the content type of one.
odd_pages() {
    printf '200 text/html\n<html>poison %s</html>' "$(head -c 5000 /dev/zero | tr '\0' x)" >"$T/said"
    outage 502 || return 1
    printf '200 text/xml\n\xef\xbb\xbf \n<!DOCTYPE HTML><html>poison<br></html>' >"$T/said"
    outage 500 || return 1
    printf '500 text/xml; charset=utf-8\n<HTML><body>poison</body></HTML>' >"$T/said"
    outage 500
}
# What only begins as a page is what it is.
attacks_behind_a_page() {
    local soap='http://schemas.xmlsoap.org/soap/envelope/'
    printf '200 text/xml\n<html><!DOCTYPE a [<!ENTITY b "poison">]><a>&b;</a></html>' >"$T/said"
    bad /plain dtd "$PLAIN" || return 1
    printf '200 text/xml\n<!DOCTYPE html [<!ENTITY b "poison">]><html>&b;</html>' >"$T/said"
    bad /tls/x dtd "$TLS" || return 1
    printf '500 text/xml\n<!DOCTYPE html><html>%s</html>' "$(head -c 900 /dev/zero | sed 's/\x0/<a>/g')" >"$T/said"
    bad /plain nesting "$PLAIN" || return 1
    printf '200 text/xml\n<html><s:Envelope xmlns:s="%s"><s:Body>poison</s:Body></s:Envelope></html>' "$soap" >"$T/said"
    bad /plain soap "$PLAIN"
}
sandboxed() { # no field that a page needs a permission for
    curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/plain' -H 'Origin: null' --data-binary '<any>thing</any>' \
        "http://127.0.0.1:$PORT/plain"
}
# A page of another site in a browser of this device asks for a remote service.
page_asks() {
    local n lines
    n=$(events)
    lines=$(wc -l <"$T/plain.log")
    [ "$(call /plain -H 'Origin: http://evil.example')" = 403 ] && [ "$(sandboxed)" = 415 ] &&
        [ "$(wc -l <"$T/plain.log")" = "$lines" ] && [ "$(events)" = $((n + 2)) ] && last_event | grep -q 'kind=browser' ||
        { last_event; return 1; }
}

# A Fault of the service is none of its schema, and reaches the program.
fault_passes() {
    answer '<s:Fault><faultcode>s:Server</faultcode><faultstring>sold out</faultstring></s:Fault>' '500 text/xml'
    [ "$(call /plain)" = 500 ] && grep -q 'sold out' "$T/answer"
}

# With SOAP 1.2 one of the sender comes with 400. What is ours is of the call's version, too.
fault12_passes() {
    local status TYPE='application/soap+xml; charset=utf-8'
    printf '400 application/soap+xml; charset=utf-8\n%s' \
        '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="en">sold out</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>' >"$T/said"
    status=$(call /plain)
    [ "$status" = 400 ] && grep -q 'sold out' "$T/answer" || { echo "status $status"; cat "$T/answer"; return 1; }
    printf '400 text/html\npoison' >"$T/said"
    status=$(call /plain)
    [ "$status" = 502 ] && is_ours12 || { echo "status $status"; cat "$T/answer"; return 1; }
    # Refused by a worker, which may not even know what the answer was to be.
    printf '200 application/soap+xml; charset=utf-8\n<poison' >"$T/said"
    status=$(call /plain)
    [ "$status" = 500 ] && is_ours12 || { echo "status $status"; cat "$T/answer"; return 1; }
    answer '<one xmlns="urn:t">poison</one>'
    status=$(call /plain)
    [ "$status" = 500 ] && is_ours12 || { echo "status $status"; cat "$T/answer"; return 1; }
}
is_ours12() { grep -q 'http://www.w3.org/2003/05/soap-envelope' "$T/answer" && ! grep -q poison "$T/answer"; }

signed_answer() {
    printf '200 text/xml; charset=utf-8\n' >"$T/said"
    cat "$VECTORS/good/wss4j-rsa2048-1k.xml" >>"$T/said"
    [ "$(call /signed)" = 200 ] && grep -q submitOrder "$T/answer" || { cat "$T/answer"; last_event; return 1; }
    # Once more, it is a replay; another one, whose amount was changed, is forged.
    bad /signed replay "$PLAIN" || return 1
    printf '200 text/xml; charset=utf-8\n' >"$T/said"
    sed 's,<qty>[0-9]*</qty>,<qty>77</qty>,; s,<\([a-z0-9]*:\)qty>[0-9]*<,<\1qty>77<,' "$VECTORS/good/wss4j-rsa2048-10k.xml" >>"$T/said"
    bad /signed signature "$PLAIN" || return 1
    answer '<one xmlns="urn:t">poison</one>'
    bad /signed schema "$PLAIN"
}

# An unsigned Fault is not forwarded; the service has done nothing bad, and earns nothing.
unsigned_fault() {
    local n status
    n=$(events)
    answer '<s:Fault><faultcode>s:Client</faultcode><faultstring>poison</faultstring></s:Fault>' '500 text/xml'
    status=$(call /signed)
    [ "$status" = 500 ] && is_fault && ! grep -q poison "$T/answer" || { echo "status $status"; cat "$T/answer"; return 1; }
    passes /plain && [ "$(events)" = $((n + 1)) ] || { last_event; return 1; }
    # What was said to be good must be signed as before.
    answer '<submitOrder xmlns="urn:example:orders:1"/>'
    [ "$(call /signed)" = 500 ] && wait_for 5 more_events $((n + 1)) && ! last_event | grep -q kind=good
}

# Whoever is not on this machine finds nothing there, least of all an open relay.
not_from_outside() {
    local before status
    before=$(wc -l <"$T/plain.log")
    status=$(call /plain --interface 127.0.0.9)
    [ "$status" = 404 ] && [ "$(wc -l <"$T/plain.log")" = "$before" ] && last_event | grep -q 'kind=http source=127.0.0.9 '
}

not_trusted() { # PATH: another name than asked for, or another CA
    [ "$(call "$1")" = 503 ] && is_fault || { cat "$T/answer"; return 1; }
}

# Kept connections, and ones that the service has closed meanwhile.
many_calls() {
    local i
    for i in $(seq 20); do
        passes /tls/x || { echo "call $i"; return 1; }
    done
}

# By a clock that nobody has set the answer is of the future: that is not the service's doing.
unset_clock() {
    local n status
    n=$(events)
    printf '200 text/xml; charset=utf-8\n' >"$T/said"
    sed 's/<wsu:Created>2026/<wsu:Created>2045/' "$VECTORS/good/wss4j-rsa2048-10k.xml" >>"$T/said"
    status=$(call /signed)
    [ "$status" = 502 ] && is_fault && grep -q 'The clock of this device is not set' "$T/answer" || {
        echo "status $status"
        cat "$T/answer"
        return 1
    }
    passes /plain && [ "$(events)" = $((n + 1)) ] || { last_event; return 1; }
}

printf '%s\n' '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t"' \
    ' elementFormDefault="qualified"><xs:element name="one" type="xs:int"/></xs:schema>' >"$T/one.xsd"
echo '<any>thing</any>' | gzip >"$T/any.gz"
echo '<any>thing</any>' | python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))' >"$T/any.zz"
certificate ca
certificate here IP:127.0.0.1
certificate there DNS:elsewhere.example
: >"$T/said"
start plain python3 tests/cli/remote.py "$T/said" "$T/plain.log"
listening plain
PLAIN=$PORT
start tls python3 tests/cli/remote.py "$T/said" "$T/tls.log" "$T/here.crt" "$T/here.key"
listening tls
TLS=$PORT
start other python3 tests/cli/remote.py "$T/said" "$T/other.log" "$T/there.crt" "$T/there.key"
listening other
OTHER=$PORT
start mime python3 tests/cli/attachment_service.py
listening mime
MIME=$PORT
cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="client">
  <gateway security="BcV" workers="1" user="nobody" schema="one.xsd" trust="$PWD/$VECTORS/pki/ca.crt" max-age="0">
    <limits body="4KiB"/>
    <http compressed="yes"/>
    <services>
      <client name="plain" path="/plain" backend="http://127.0.0.1:$PLAIN/ws"><attachments allowed="no"/></client>
      <client name="mime" path="/mime/*" backend="http://127.0.0.1:$MIME/"><attachments allowed="no"/></client>
      <client name="tls" path="/tls/*" backend="https://127.0.0.1:$TLS/ws" ca="ca.crt"/>
      <client name="name" path="/name" backend="https://127.0.0.1:$OTHER/ws" ca="ca.crt"/>
      <client name="root" path="/root" backend="https://127.0.0.1:$TLS/ws" ca="there.crt"/>
      <client name="signed" path="/signed" security="BcS" schema="$PWD/$VECTORS/orders.xsd"
              backend="http://127.0.0.1:$PLAIN/ws"><limits body="1MiB"/></client>
    </services>
  </gateway>
</policy>
EOF
begin() {
    start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --verbose
    GATEWAY=$!
    listening gateway
    wait_for 20 grep -q ready "$T/gateway.err"
}
begin

check good-answer good_answer /plain plain "$PLAIN"
check good-answer-tls good_answer /tls/x tls "$TLS" /x
check compressed-gzip compressed gzip "$T/any.gz"
check compressed-x-gzip compressed x-gzip "$T/any.gz" gzip
check compressed-deflate compressed deflate "$T/any.zz"
check and-plain-behind-it good_answer /plain plain "$PLAIN"
check tampered-schema tampered_schema
check not-xml not_xml
check entities entities
check too-large too_large
check pages-are-outages pages
check odd-pages-are-outages odd_pages
check attachments-are-unsupported attachments
check long-attachments-are-unsupported long_attachments
check attacks-behind-a-page attacks_behind_a_page
check a-page-asks page_asks
check fault-passes fault_passes
check fault-of-soap12-passes fault12_passes
check signed-answer signed_answer
check unsigned-fault unsigned_fault
check not-from-outside not_from_outside
check other-name not_trusted /name
check other-ca not_trusted /root
check many-calls many_calls
check gateway-ends-well gateway_ends

touch -d 2040-01-02 "$T/policy.xml"
begin
check unset-clock unset_clock
