# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# GET ?wsdl: answered from the policy's WSDL, passed to the service, or refused; never charged.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

mkdir "$T/types"
cat >"$T/ping.wsdl" <<'XML'
<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:h="http://schemas.xmlsoap.org/wsdl/http/" xmlns:p="urn:ping" targetNamespace="urn:ping">
  <w:import namespace="urn:ping" location="abstract.wsdl"/>
  <w:binding name="b" type="p:t"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <w:operation name="ping"><s:operation soapAction="urn:ping:do"/>
      <w:input><s:body use="literal"/></w:input><w:output><s:body use="literal"/></w:output></w:operation></w:binding>
  <w:service name="svc">
    <w:port name="soap" binding="p:b"><s:address location="http://internal.example:8080/ping"/></w:port>
    <w:port name="get" binding="p:b"><h:address location="http://internal.example:8080/get"/></w:port>
  </w:service>
</w:definitions>
XML
cat >"$T/abstract.wsdl" <<'XML'
<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:p="urn:ping" targetNamespace="urn:ping">
  <w:types><x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:ping">
    <x:include schemaLocation="types/ping.xsd"/></x:schema></w:types>
  <w:message name="i"><w:part name="p" element="p:ping"/></w:message>
  <w:message name="o"><w:part name="p" element="p:pong"/></w:message>
  <w:portType name="t"><w:operation name="ping"><w:input message="p:i"/><w:output message="p:o"/></w:operation></w:portType>
</w:definitions>
XML
cat >"$T/types/ping.xsd" <<'XML'
<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:ping" elementFormDefault="qualified">
  <x:annotation><x:documentation>kept for code generators</x:documentation></x:annotation>
  <x:element name="ping"><x:complexType><x:sequence><x:element name="n" type="x:int"/></x:sequence></x:complexType></x:element>
  <x:element name="pong" type="x:int"/>
</x:schema>
XML
printf '<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"/>' >"$T/outside.xsd"
mkdir "$T/spread" "$T/maps"
cat >"$T/maps/catalog.xml" <<'XML'
<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"><uri name="http://mapped.example/m.xsd" uri="mapped.xsd"/></catalog>
XML
cat >"$T/maps/mapped.xsd" <<'XML'
<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:mapped"><x:element name="mapped" type="x:int"/></x:schema>
XML
cat >"$T/spread/svc.wsdl" <<'XML'
<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:p="urn:ping" xmlns:m="urn:mapped" targetNamespace="urn:ping">
  <w:types><x:schema><x:import namespace="urn:mapped" schemaLocation="http://mapped.example/m.xsd"/>
    <x:import namespace="urn:ping" schemaLocation="../types/ping.xsd"/></x:schema></w:types>
  <w:message name="i"><w:part name="p" element="p:ping"/></w:message>
  <w:message name="o"><w:part name="p" element="m:mapped"/></w:message>
  <w:portType name="t"><w:operation name="ping"><w:input message="p:i"/><w:output message="p:o"/></w:operation></w:portType>
  <w:binding name="b" type="p:t"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <w:operation name="ping"><s:operation soapAction="urn:ping:do"/>
      <w:input><s:body use="literal"/></w:input><w:output><s:body use="literal"/></w:output></w:operation></w:binding>
  <w:service name="svc"><w:port name="soap" binding="p:b"><s:address location="http://internal.example/"/></w:port></w:service>
</w:definitions>
XML

# got PATH [OPTION...]: the status; header in $T/head, body in $T/body.
got() {
    local path=$1
    shift
    : >"$T/body"
    curl -s -m 20 -D "$T/head" -o "$T/body" -w '%{http_code}' --path-as-is "$@" "http://127.0.0.1:$PORT$path"
}

# status WANT PATH [OPTION...]: and the event that follows has no points.
status() {
    local want=$1 n is
    shift
    n=$(events)
    is=$(got "$@")
    [ "$is" = "$want" ] || { echo "$*: status $is, not $want: $(head -c 300 "$T/body")"; return 1; }
    event_follows "$n" browser
}

in_body() { grep -qF "$1" "$T/body" || { echo "lacks $1: $(cat "$T/body")"; return 1; }; }
not_in_body() { ! grep -qF "$1" "$T/body" || { echo "has $1: $(cat "$T/body")"; return 1; }; }

client_follows() {
    python3 tests/cli/describe_client.py "http://127.0.0.1:$PORT/ping?wsdl" >"$T/client" 2>&1 || { cat "$T/client"; return 1; }
    [ "$(grep -c ^fetched "$T/client")" = 3 ] && grep -qx "posted http://127.0.0.1:$PORT/ping 200" "$T/client" ||
        { cat "$T/client"; return 1; }
    last_event | grep -q 'kind=good'
}

each_form() {
    local form
    for form in '/ping?wsdl' '/ping?WSDL' '/ping?singleWsdl' '/ping?x=1&Wsdl' '/ping.wsdl' '/ping?wsdl=0' '/ping?wsdl=ping.wsdl'; do
        status 200 "$form" && in_body "location=\"http://127.0.0.1:$PORT/ping\"" && in_body "?wsdl=1\"" || return 1
    done
    not_in_body internal.example && not_in_body 'name="get"' || return 1
    status 200 '/ping?xsd=2' && in_body 'kept for code generators' &&
        status 200 '/ping?xsd=types/ping.xsd' && status 200 '/ping?wsdl=1'
}

no_such_part() {
    local name long
    long=$(printf 'a%.0s' $(seq 3000))
    for name in ../../../../etc/passwd ../outside.xsd outside.xsd types/../types/ping.xsd %2e%2e/x '' 3 -1 0x1 01 2 99999999999999999999 "$long"; do
        status 404 "/ping?wsdl=x$name" || return 1
    done
    status 404 '/ping?xsd=1' && status 404 '/ping?wsdl=2' && status 404 '/ping?xsd=outside.xsd' && status 404 '/none?wsdl' &&
        status 405 '/ping?xsd' && status 405 '/ping?disco' && status 405 '/ping?wsdl2' && status 405 '/ping' && status 405 /
}

# Services that share a path: the one that is described. A <client> beside is never taken for it: the policy lets it share no path.
of_one_path() {
    status 200 '/both?wsdl' && in_body "location=\"http://127.0.0.1:$PORT/both\"" && status 405 '/closed?wsdl' &&
        status 200 '/closed/x?wsdl' || return 1
    sed 's|path="/closed/\*"|path="/both"|' "$T/policy.xml" >"$T/shared.xml"
    ! "$BIN/fmpctl" policy check "$T/shared.xml" >"$T/out" 2>&1 && grep -q 'no action tells them apart' "$T/out"
}

refused_one() {
    status 405 '/closed?wsdl' && grep -qi '^Allow: GET, HEAD, POST' "$T/head"
}

# Imports by catalog and by ".." are parts of the WSDL, too; the folder around gives nothing else.
imports_from_elsewhere() {
    status 200 '/spread?wsdl' && in_body "http://127.0.0.1:$PORT/spread?xsd=1\"" && in_body "http://127.0.0.1:$PORT/spread?xsd=2\"" &&
        not_in_body mapped.example && not_in_body '../types' || return 1
    status 200 '/spread?xsd=1' && in_body 'name="mapped"' && status 200 '/spread?xsd=2' && in_body 'kept for code generators' || return 1
    status 404 '/spread?xsd=../types/ping.xsd' && status 404 '/spread?xsd=../outside.xsd' && status 404 '/spread?xsd=mapped.xsd' &&
        status 404 '/spread?xsd=3'
}

host_of_the_client() {
    status 200 '/ping?wsdl' -H 'Host: api.example.org:8443' && in_body 'location="http://api.example.org:8443/ping"' || return 1
    status 200 '/ping?wsdl' -H 'Host: [2001:db8::1]:80' && in_body 'location="http://[2001:db8::1]:80/ping"' || return 1
    # Only a listed proxy is believed.
    status 200 '/ping?wsdl' -H 'X-Forwarded-Host: evil.example' -H 'X-Forwarded-Proto: https' &&
        in_body "location=\"http://127.0.0.1:$PORT/ping\"" || return 1
    status 200 '/ping?wsdl' -0 -H 'Host:' && in_body "location=\"http://127.0.0.1:$PORT/ping\""
}

# Nothing that a client sends gets into a description unless it is a host or a plain path.
no_injection() {
    local host
    for host in 'a"b' "a'b" 'a<b>' 'a&b' 'a"><x/>' 'a:b' 'a:999999' '[::1' '[x]' 'a?b' 'a#b' 'a%22b' ':80'; do
        status 400 '/ping?wsdl' -H "Host: $host" || return 1
        not_in_body '<w:definitions' || return 1
    done
    status 405 '/below/"><x/>?wsdl' && status 405 "/below/'?wsdl" && status 405 '/below/a&b?wsdl' &&
        status 200 '/below/a/b?wsdl' && in_body "location=\"http://127.0.0.1:$PORT/below/a/b\""
}

revalidates() {
    local tag
    status 200 '/ping?wsdl' && grep -qi '^Cache-Control: no-cache' "$T/head" || return 1
    tag=$(sed -n 's/^ETag: \(.*\)\r$/\1/p' "$T/head")
    [ "$tag" ] && status 304 '/ping?wsdl' -H "If-None-Match: W/\"x\", $tag" && [ ! -s "$T/body" ] &&
        ! grep -qi '^Content-Length' "$T/head" && status 200 '/ping?wsdl' -H "If-None-Match: $tag" -H 'Host: other'
}

heads() {
    local len
    status 200 '/ping?wsdl' && len=$(stat -c %s "$T/body") && status 200 '/ping?wsdl' -I &&
        grep -qi "^Content-Length: $len" "$T/head" && status 405 / -I
}

# raw FILE: sends it, prints what comes until the gateway closes or says nothing more.
raw() {
    python3 - "$PORT" "$1" <<'PY'
import socket, sys
peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
with open(sys.argv[2], "rb") as file:
    peer.sendall(file.read())
peer.settimeout(2)
try:
    while data := peer.recv(65536):
        sys.stdout.buffer.write(data)
except TimeoutError:
    pass
PY
}

# The row http_head: what follows the header is no body, and the connection ends.
heads_raw() {
    printf 'HEAD / HTTP/1.1\r\nHost: h\r\n\r\n' >"$T/one"
    raw "$T/one" >"$T/raw"
    [ "$(sed -n '/^\r$/,$p' "$T/raw" | wc -c)" = 2 ] && grep -q '^HTTP/1.1 405' "$T/raw"
}

# One connection for several; many in one turn end it.
keeps_alive() {
    curl -s -m 20 -v -o /dev/null -o /dev/null "http://127.0.0.1:$PORT/ping?wsdl" "http://127.0.0.1:$PORT/ping?xsd=2" 2>&1 |
        grep -q 'Re-using existing connection' || return 1
    for _ in $(seq 30); do printf 'GET /ping?xsd=2 HTTP/1.1\r\nHost: h\r\n\r\n'; done >"$T/many"
    raw "$T/many" | grep -c '^HTTP/1.1 200' >"$T/n"
    [ "$(cat "$T/n")" -ge 2 ] && [ "$(cat "$T/n")" -le 30 ] || { cat "$T/n"; return 1; }
}

body_with_get() {
    status 405 '/ping?wsdl' -X GET -d x && status 405 '/ping?wsdl' -X GET -H 'Transfer-Encoding: chunked' -d x
}

# ---- passed ----

passed_text() { # STATUS-AND-TYPE BODY
    printf '%s\n%s' "$1" "$2" >"$T/passed"
}

# A URL that is a name stays; one that is a place leads through the gateway.
passes() {
    passed_text '200 text/xml; charset=utf-8' '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" targetNamespace="http://@HERE@/svc">
<w:import location="http://@HERE@/svc?wsdl=2"/><x:import schemaLocation = '"'"'http://@HERE@/svc?xsd=1'"'"'/><x:import schemaLocation="http://www.w3.org/x.xsd"/>
<soap:address location="http://@HERE@/svc"/><a:Address> http://@HERE@/svc </a:Address></w:definitions>'
    status 200 '/passed?wsdl' || return 1
    in_body "targetNamespace=\"http://127.0.0.1:$SERVICE/svc\"" && in_body "<w:import location=\"http://127.0.0.1:$PORT/passed?wsdl=2\"/>" &&
        in_body "schemaLocation = 'http://127.0.0.1:$PORT/passed?xsd=1'" && in_body 'schemaLocation="http://www.w3.org/x.xsd"' &&
        in_body "<soap:address location=\"http://127.0.0.1:$PORT/passed\"/>" && in_body "<a:Address> http://127.0.0.1:$PORT/passed" || return 1
    status 200 '/passed?xsd=1' -H 'Accept-Encoding: gzip' && tail -n 1 "$T/log" | grep -qx 'GET /svc?xsd=1 None' || return 1
    for asked in ../../etc/passwd %2e%2e/x /etc/passwd file:///etc/passwd; do
        status 404 "/passed?xsd=$asked" || return 1
        ! tail -n 1 "$T/log" | grep -q "passwd\\|/x" || return 1
    done
    status 200 '/passed?xsd=../schemas/foo.xsd' && tail -n 1 "$T/log" | grep -qx 'GET /svc?xsd=../schemas/foo.xsd None' || return 1
    status 404 '/passed?xsd=../schemas/foo%2500.xsd' && status 404 '/passed?wsdl&a=../foo.xsd' || return 1
    status 200 '/passed?wsdl' -I && [ "$(got '/passed?disco')" = 405 ]
}

passes_no_other() {
    local kind
    for kind in text/html 'application/json' 'text/xmlx' 'multipart/related; type="text/xml"'; do
        passed_text "200 $kind" '<a/>'
        status 502 '/passed?wsdl' || return 1
    done
    passed_text '200 text/xml' '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'
    status 502 '/passed?wsdl' && not_in_body ENTITY || return 1
    passed_text '200 text/xml; charset=utf-16' '<a/>'
    printf '200 text/xml\n\xff\xfe<\0a\0/\0>\0' >"$T/passed"
    status 502 '/passed?wsdl' || return 1
    passed_text '404 text/html' '<html>internal</html>'
    status 404 '/passed?wsdl' && not_in_body internal && passed_text '401 text/html' 'x' && status 401 '/passed?wsdl'
}

start service python3 tests/cli/describing_service.py "$T/passed" "$T/log"
listening service
SERVICE=$PORT
cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="describe">
  <gateway security="BcV" workers="1" user="nobody">
    <services>
      <service name="ping" path="/ping" schema="ping.wsdl" backend="http://127.0.0.1:$SERVICE/svc"/>
      <service name="below" path="/below/*" schema="ping.wsdl" backend="http://127.0.0.1:$SERVICE/svc/"/>
      <service name="closed" path="/closed" schema="ping.wsdl" describe="refuse" backend="http://127.0.0.1:$SERVICE/svc"/>
      <service name="quiet" path="/both" action="urn:ping:no" security="Bc" describe="refuse" backend="http://127.0.0.1:$SERVICE/svc"/>
      <service name="loud" path="/both" action="urn:ping:do" schema="ping.wsdl" backend="http://127.0.0.1:$SERVICE/svc"/>
      <client name="outward" path="/closed/*" security="Bc" schema="ping.wsdl" backend="http://127.0.0.1:$SERVICE/svc"/>
      <service name="spread" path="/spread" schema="spread/svc.wsdl" catalog="maps/catalog.xml" backend="http://127.0.0.1:$SERVICE/svc"/>
      <service name="passed" path="/passed" security="Bc" describe="pass" backend="http://127.0.0.1:$SERVICE/svc"/>
    </services>
  </gateway>
</policy>
EOF
start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --verbose
listening gateway
wait_for 20 grep -q ready "$T/gateway.err"

check a-client-follows-the-wsdl client_follows
check each-form-of-asking each_form
check no-such-part no_such_part
check refused-by-the-policy refused_one
check services-of-one-path of_one_path
check imports-from-elsewhere imports_from_elsewhere
check host-of-the-client host_of_the_client
check no-injection no_injection
check revalidates revalidates
check head heads
check head-has-no-body heads_raw
check keeps-alive keeps_alive
check a-body-with-get body_with_get
check passes-to-the-service passes
check passes-no-other passes_no_other

# A proxy names its clients, and the host by which they see it.
behind_a_proxy() {
    passed_text '200 text/xml' '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/"><a location="http://@HERE@/svc"/></w:definitions>'
    [ "$(got '/passed?wsdl' -H 'X-Forwarded-For: 192.0.2.5' -H 'X-Forwarded-Proto: https' -H 'X-Forwarded-Host: front.example')" = 200 ] &&
        in_body '<a location="https://front.example/passed"/>'
}
sed -i 's|<services>|<proxies><proxy address="127.0.0.1" tells="x-forwarded-for"/></proxies>&|' "$T/policy.xml"
start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --verbose
listening gateway
wait_for 20 grep -q ready "$T/gateway.err"
check passes-behind-a-proxy behind_a_proxy
