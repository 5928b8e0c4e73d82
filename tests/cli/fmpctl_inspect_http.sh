# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2119,SC2153,SC2154
#
# fmpctl inspect on raw HTTP: it chooses the service as the gateway does, and says what would be forwarded. A live gateway
# with the same policy is asked the same.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

E11=http://schemas.xmlsoap.org/soap/envelope/
E12=http://www.w3.org/2003/05/soap-envelope
body() { # ELEMENT [NAMESPACE [HEADER]]
    printf '<s:Envelope xmlns:s="%s"><s:Header>%s</s:Header><s:Body><%s xmlns="urn:t">1</%s></s:Body></s:Envelope>' \
        "${2:-$E11}" "${3:-}" "$1" "$1"
}
action() { echo "<a:Action xmlns:a='http://www.w3.org/2005/08/addressing'>$1</a:Action>"; }

# request NAME TARGET FIELDS BODY: the file $T/requests/NAME; FIELDS with escapes.
request() {
    { printf 'POST %s HTTP/1.1\r\nHost: front.example\r\n%bContent-Length: %d\r\n\r\n%s' "$2" "$3" "${#4}" "$4"; } \
        >"$T/requests/$1"
}

get() { # NAME TARGET [FIELDS [HOST]]
    printf 'GET %s HTTP/1.1\r\nHost: %s\r\n%b\r\n' "$2" "${4:-front.example}" "${3:-}" >"$T/requests/$1"
}

inspect() {
    "$BIN/fmpctl" inspect --policy "$T/policy.xml" "$@" 2>"$T/err"
}

schema() { # ELEMENT: an XSD that knows only it
    printf '%s\n' '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t"' \
        ' elementFormDefault="qualified">' " <xs:element name='$1' type='xs:int'/></xs:schema>" >"$T/$1.xsd"
}

write_wsdl() { # of an operation with the element of one.xsd
    cat >"$T/one.wsdl" <<'XML'
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
             xmlns:w="urn:w" xmlns:t="urn:t" targetNamespace="urn:w">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema"><import namespace="urn:t" schemaLocation="one.xsd"/></schema></types>
  <message name="One"><part name="p" element="t:one"/></message>
  <portType name="P"><operation name="one"><input message="w:One"/></operation></portType>
  <binding name="B" type="w:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="one"><soap:operation soapAction=""/><input><soap:body use="literal"/></input></operation></binding>
  <service name="S"><port name="Q" binding="w:B"><soap:address location="http://inside.example/"/></port></service>
</definitions>
XML
}

write_policy() { # BACKEND
    schema one
    schema two
    write_wsdl
    cat >"$T/policy.xml" <<XML
<policy xmlns="urn:fmp:policy:1" name="t"><gateway user="nobody" security="Bc">
  <http requests="4" compressed="yes"/>
  <services>
    <service name="one" path="/one" security="BcV" schema="one.xsd" backend="$1/inside?v=2">
      <limits body="2KiB"/></service>
    <service name="deep" path="/deep/*" backend="$1/below/">
      <fields><remove name="X-Secret"/><set name="X-Site" value="north" in="both"/></fields>
      <attachments allowed="no"/></service>
    <service name="first" path="/both" action="urn:first" security="BcV" schema="one.xsd" backend="$1/first"/>
    <service name="second" path="/both" action="urn:second" security="BcV" schema="two.xsd" backend="$1/second"/>
    <service name="any" path="/any" security="Os" backend="$1/any"/>
    <service name="named" path="/named/*" backend="$1/named">
      <headers><header name="{urn:h}a" required="yes"/></headers></service>
    <service name="parts" path="/parts" backend="$1/parts"><identity forward="yes"/></service>
    <service name="described" path="/described" security="BcV" schema="one.wsdl" backend="$1/described"/>
    <service name="silent" path="/silent" security="BcV" schema="one.wsdl" describe="refuse" backend="$1/silent"/>
    <service name="passed" path="/passed" describe="pass" backend="$1/passed/in"/>
    <client name="remote" path="/remote" backend="$1/remote"/>
  </services></gateway></policy>
XML
}

write_requests() {
    local xml='Content-Type: text/xml; charset=utf-8\r\nSOAPAction: ""\r\n' one two named type
    one=$(body one) two=$(body two) named=$(body one "$E11" '<h:a xmlns:h="urn:h"/>')
    mkdir -p "$T/requests"
    request one /one "$xml" "$one"
    request query '/one?a=b' "$xml" "$one"
    request absolute http://front.example/one "$xml" "$one"
    request spelled /%6fne "$xml" "$one"
    request wrong_schema /one "$xml" "$two"
    request wrong_schema_12 /one 'Content-Type: application/soap+xml\r\n' "$(body two "$E12")"
    request nowhere /nowhere "$xml" "$one"
    request nowhere_form /nowhere 'Content-Type: text/plain\r\n' "$one"
    request below /deep/er/and?x=y "$xml" "$one"
    request named /named/x "$xml" "$named"
    request unnamed /named/x "$xml" "$one"
    request dots /deep/../one "$xml" "$one"
    request soap_action /both 'Content-Type: text/xml\r\nSOAPAction: "urn:second"\r\n' "$two"
    request soap_action_unquoted /both 'Content-Type: text/xml\r\nSOAPAction: urn:first\r\n' "$one"
    request parameter /both 'Content-Type: application/soap+xml; action="urn:second"\r\n' "$(body two "$E12")"
    request other_action /both 'Content-Type: text/xml\r\nSOAPAction: "urn:third"\r\n' "$two"
    request wsa /both 'Content-Type: text/xml\r\n' "$(body two "$E11" "$(action urn:second)")"
    request wsa_wrong /both 'Content-Type: text/xml\r\n' "$(body two "$E11" "$(action urn:first)")"
    request wsa_none /both 'Content-Type: text/xml\r\n' "$two"
    request actions_differ /both 'Content-Type: application/soap+xml; action="urn:first"\r\nSOAPAction: "urn:second"\r\n' \
        "$(body two "$E12")"
    request client /remote "$xml" "$one"
    request any /any 'Content-Type: text/plain\r\n' anything
    request form /one 'Content-Type: application/x-www-form-urlencoded\r\n' "$one"
    request cross_site /one "${xml}Origin: http://elsewhere.example\\r\\n" "$one"
    request no_type /one '' "$one"
    request fields /deep/x "${xml}Cookie: a=b; c=d\\r\\nAuthorization: Basic YTpi\\r\\nX-Secret: s\\r\\nx_site: south\\r\\nX-Real-IP: 192.0.2.1\\r\\nX-Forwarded-For: 192.0.2.1\\r\\nX-Fmp-User: root\\r\\nAccept-Encoding: gzip\\r\\nConnection: Keep-Alive, TE, X-Hop\\r\\nTE: trailers\\r\\nX-Hop: 1\\r\\nKeep-Alive: 3\\r\\nUpgrade: h2c\\r\\nX-M: M\\0374ller\\r\\n" "$one"
    request expect /one "${xml}Expect: 100-continue\\r\\n" "$one"
    request long /one "$xml" "$(body one "$E11" "$(head -c 3000 /dev/zero | tr '\0' ' ')")"
    request long_elsewhere /parts "$xml" "$(body one "$E11" "$(head -c 3000 /dev/zero | tr '\0' ' ')")"
    request header_8000 /one "${xml}Cookie: a=$(head -c 8000 /dev/zero | tr '\0' B)\\r\\n" "$one"
    request header_17000 /one "${xml}Cookie: a=$(head -c 17000 /dev/zero | tr '\0' B)\\r\\n" "$one"
    request two_lengths /one "${xml}Transfer-Encoding: chunked\\r\\n" "$one"
    printf 'POST /one HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n%x;a=b\r\n%s\r\n0\r\n\r\n' \
        "${#one}" "$one" >"$T/requests/chunked"
    printf 'POST /one HTTP/1.0\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n%s' "${#one}" "$one" >"$T/requests/http10"
    printf '\r\nPOST /one HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n%s' "${#one}" "$one" \
        >"$T/requests/newline_first"
    printf 'POST /one HTTP/1.1\nHost: h\nContent-Type: text/xml\nContent-Length: %d\n\n%s' "${#one}" "$one" >"$T/requests/bare_lf"
    get wsdl '/described?wsdl'
    get wsdl_single '/described?singleWsdl'
    get wsdl_file /described.wsdl
    get wsdl_none '/described?xsd=other.xsd'
    get wsdl_of_xsd '/one?wsdl'
    get wsdl_silent '/silent?wsdl'
    get wsdl_passed '/passed?wsdl' 'Cookie: a=b\r\nX-Real-IP: 192.0.2.1\r\n'
    get wsdl_outside '/passed?xsd=/etc/passwd'
    get wsdl_nowhere '/nowhere?wsdl'
    get wsdl_host '/described?wsdl' '' 'a"b'
    get page /
    sed 's/GET/HEAD/' "$T/requests/wsdl" >"$T/requests/head"
    printf 'OPTIONS /one HTTP/1.1\r\nHost: h\r\nOrigin: http://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n' \
        >"$T/requests/options"
    printf '%s' "$one" | gzip -n >"$T/packed"
    { printf 'POST /one HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n' \
        "$(wc -c <"$T/packed")"; cat "$T/packed"; } >"$T/requests/gzip"
    type='multipart/related; type="application/xop+xml"; start-info="text/xml"; boundary=b'
    attached=$(printf -- '--b\r\nContent-Type: application/xop+xml; type="text/xml"\r\n\r\n<s:Envelope xmlns:s="%s"><s:Body><x xmlns="urn:x"><i:Include xmlns:i="http://www.w3.org/2004/08/xop/include" href="cid:p"/></x></s:Body></s:Envelope>\r\n--b\r\nContent-ID: <p>\r\n\r\nAB\r\n--b--' "$E11")
    request mtom /parts "Content-Type: $type\\r\\n" "$attached"
    request mtom_refused /deep/x "Content-Type: $type\\r\\n" "$attached"
}

# What one connection gets for a file: the statuses of all answers.
live() { # FILE
    python3 - "$PORT" "$1" <<'PY'
import re, socket, sys
client = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
with open(sys.argv[2], "rb") as file:
    client.sendall(file.read())
client.shutdown(socket.SHUT_WR)
answers = b""
try:
    while piece := client.recv(65536):
        answers += piece
except OSError:
    pass
print(*re.findall(r"HTTP/1.1 (?!100)(\d+)", answers.decode("latin-1")))
PY
}

# names LIST in|notin: names of fields, separated by commas, in what the service got.
names() {
    local name
    for name in ${1//,/ }; do
        if [ "$2" = in ]; then grep -qi "^$name:" "$T/log.head"; else ! grep -qi "^$name:" "$T/log.head"; fi ||
            { echo "$name is not $2: $(cat "$T/log.head")"; return 1; }
    done
}

# agrees NAME: the live gateway answers this request as fmpctl said, and the service gets what it said.
agrees() {
    local file=$T/requests/$1 n status said kept
    n=$(events)
    rm -f "$T/log.head"
    inspect --json "$file" >"$T/said.json"
    status=$(live "$file")
    wait_for 10 more_events "$n" || { echo "no event"; return 1; }
    said=$(jq -r '"\(.verdict) \(.status) \(.kind) \(.service // "-")"' "$T/said.json")
    last_event | grep -q "kind=$(jq -r .kind "$T/said.json") .* service=$(jq -r '.service // "-"' "$T/said.json") " ||
        { echo "said $said, but $(last_event)"; return 1; }
    case $said in
    accept*) [ "$status" = "$(jq -r '.status // 200' "$T/said.json")" ] ;;
    *) [ "$status" = "$(jq -r .status "$T/said.json")" ] && [ ! -e "$T/log.head" ] ;;
    esac || { echo "said $said, but it was answered with $status"; cat "$T/said.json"; return 1; }
    jq -e 'has("target")' "$T/said.json" >"$T/x" || return 0
    head -n 1 "$T/log.head" | grep -qF " $(jq -r .target "$T/said.json") HTTP/1.1" ||
        { echo "other target: $(jq -r .target "$T/said.json"), $(head -n 1 "$T/log.head")"; return 1; }
    # A field that was replaced is both.
    kept=$(jq -r '(.withheld | split(", ")) - (.added | split(", ")) | join(",")' "$T/said.json")
    names "$kept" notin && names "$(jq -r .added "$T/said.json")" in
}

write_requests
start backend python3 tests/cli/raw_service.py "$T/answer.said" "$T/log"
printf '0 keep\nHTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>' >"$T/answer.said"
listening backend
BACKEND=http://127.0.0.1:$PORT
write_policy "$BACKEND"
start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --verbose
GATEWAY=$!
listening gateway
wait_for 20 grep -q ready "$T/gateway.err"

for name in "$T"/requests/*; do
    name=${name##*/}
    # The gateway knows this one as of a program of its machine.
    [ "$name" != client ] || continue
    check "agrees_$name" agrees "$name"
done

# is NAME FILTER: the record of this request.
is() {
    inspect --json "$T/requests/$1" >"$T/out"
    jq -e "$2" "$T/out" >"$T/x" || { cat "$T/out" "$T/err"; return 1; }
}

chosen() {
    is one '.service == "one" and .verdict == "accept" and .target == "/inside?v=2" and .number == 1' &&
        is query '.target == "/inside?v=2&a=b"' && is below '.service == "deep" and .target == "/below/er/and?x=y"' &&
        is soap_action '.service == "second"' && is wsa '.service == "second" and .target == "/second"' &&
        is wrong_schema '.service == "one" and .kind == "schema" and .status == 500 and (has("target") | not)' &&
        is wrong_schema_12 '.status == 400' && is client '.status == 404' && is nowhere '(has("service") | not) and .status == 404' &&
        is named '.target == "/named/x"' && is unnamed '.service == "named" and .kind == "soap"'
}

fields() {
    is fields '(.withheld | split(", ") | sort) == ["Connection", "Keep-Alive", "TE", "Upgrade", "X-Fmp-User", "X-Forwarded-For",
        "X-Hop", "X-Real-IP", "X-Secret", "x_site"] and
        (.added | split(", ") | sort) == ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Site"]' &&
        is mtom '.added | contains("X-Fmp-Assurance")'
}

as_text() {
    inspect "$T/requests/fields" >"$T/out" || { cat "$T/out"; return 1; }
    grep -q 'requests/fields: accept$' "$T/out" && grep -q '^  service: deep$' "$T/out" &&
        grep -qF "  forwarded: $BACKEND/below/x" "$T/out" && grep -q '^  withheld: .*X-Secret' "$T/out" &&
        grep -q '^  added: .*X-Site' "$T/out" || { cat "$T/out"; return 1; }
    ! inspect "$T/requests/nowhere" >"$T/out" && grep -q 'reject at http (http): no service at this path' "$T/out" &&
        grep -q '^  answered: 404$' "$T/out" || { cat "$T/out"; return 1; }
}

# several STATUSES VERDICTS NAME...: requests on one connection.
several() {
    local statuses=$1 verdicts=$2 name
    shift 2
    for name; do cat "$T/requests/$name"; done >"$T/several"
    inspect --json "$T/several" >"$T/out"
    [ "$(jq -r .verdict "$T/out" | tr '\n' ' ')" = "$verdicts " ] && [ "$(live "$T/several")" = "$statuses" ] || {
        cat "$T/out"; live "$T/several"; return 1; }
    jq -se 'map(.number) == [range(1; length + 1)]' "$T/out" >"$T/x"
}

pipelined() {
    several '200 500 200' 'accept reject accept' one wrong_schema soap_action &&
        jq -se 'map(.service) == ["one", "one", "second"]' "$T/out" >"$T/x" || return 1
    ! inspect "$T/several" >"$T/out" && grep -q 'several\[1\]: accept' "$T/out" && grep -q 'several\[2\]:1: reject at schema' "$T/out" &&
        grep -q 'several\[3\]: accept' "$T/out" || { cat "$T/out"; return 1; }
    # What HTTP refuses ends the connection, and what is behind it is not read; so do the policy's number of requests and HTTP/1.0.
    several '200 404' 'accept reject' one nowhere one && several '200 200 200 200' 'accept accept accept accept reject' \
        one one one one one && grep -q 'closes the connection before it' "$T/out" && several 200 'accept reject' http10 one
}

# One service alone, whatever the path.
named_service() {
    is one '.service == "one"' && inspect --json --service second "$T/requests/one" >"$T/out"
    jq -e '.service == "second" and .kind == "schema"' "$T/out" >"$T/x" || { cat "$T/out"; return 1; }
    inspect --json --service second "$T/requests/soap_action" >"$T/out"
    jq -e '.verdict == "accept" and .target == "/second"' "$T/out" >"$T/x" || { cat "$T/out"; return 1; }
    # Of the path of another one it is not known what would be forwarded.
    inspect --json --service first "$T/requests/one" >"$T/out"
    jq -e '.verdict == "accept" and (has("target") | not)' "$T/out" >"$T/x" || { cat "$T/out"; return 1; }
}

answers() {
    local text
    text=$(body one)
    printf 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nSet-Cookie: a=b\r\nConnection: X-Hop\r\nX-Hop: 1\r\nLocation: %s/below/x\r\nX-Site: south\r\nContent-Length: %d\r\n\r\n%s' \
        "$BACKEND" "${#text}" "$text" >"$T/answer.http"
    ! inspect "$T/answer.http" >"$T/out" && grep -q 'an HTTP answer.* --service NAME' "$T/out" || { cat "$T/out"; return 1; }
    inspect --json --service deep "$T/answer.http" >"$T/out" || { cat "$T/out"; return 1; }
    jq -e '.verdict == "accept" and .service == "deep" and (.withheld | split(", ")) == ["Connection", "X-Hop", "Location", "X-Site"] and
        (.added | split(", ")) == ["Location", "X-Site", "Via"]' "$T/out" >"$T/x" || { cat "$T/out"; return 1; }
    inspect --json --service one "$T/answer.http" >"$T/out" && inspect --json --service remote "$T/answer.http" >"$T/out" &&
        ! inspect --json --service second "$T/answer.http" >"$T/out" && jq -e '.kind == "schema"' "$T/out" >"$T/x" || { cat "$T/out"; return 1; }
    cat "$T/answer.http" "$T/answer.http" >"$T/two.http"
    inspect --json --service one "$T/two.http" >"$T/out" && jq -se 'map(.number) == [1, 2]' "$T/out" >"$T/x"
}

# A policy without services has one.
only_service() {
    echo '<policy xmlns="urn:fmp:policy:1" name="t"><gateway security="Bc"/></policy>' >"$T/plain.xml"
    "$BIN/fmpctl" inspect --json --policy "$T/plain.xml" "$T/requests/below" "$T/answer.http" >"$T/out" 2>"$T/err"
    jq -se 'map(.verdict) == ["accept", "accept"] and .[0].target == "/deep/er/and?x=y" and (.[0] | has("service") | not)' \
        "$T/out" >"$T/x" || { cat "$T/out" "$T/err"; return 1; }
}

descriptions() {
    is wsdl '.service == "described" and .verdict == "accept" and .kind == "browser" and .status == 200 and (has("target") | not)' &&
        is wsdl_passed '.service == "passed" and .target == "/passed/in?wsdl" and .withheld == "X-Real-IP" and (has("status") | not)' &&
        is wsdl_of_xsd '.kind == "browser" and .status == 405 and .service == "one"' && is wsdl_none '.status == 404' &&
        is page '.status == 405 and (has("service") | not)' && several '200 200 405' 'accept accept reject' wsdl one page
}

check chosen chosen
check descriptions descriptions
check fields fields
check as_text as_text
check pipelined pipelined
check named_service named_service
check answers answers
check only_service only_service
