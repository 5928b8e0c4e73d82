# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154
#
# Many services behind one gateway, by path and action, each with demands of its own.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

KEYS="certificate=\"$PWD/$VECTORS/pki/server.crt\" key=\"$PWD/$VECTORS/pki/server.key\""
ENVELOPE='<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">'
answer_of() { # NAME: what the service of that name answers
    printf '200 text/xml\n%s<s:Body><from xmlns="urn:t">%s</from></s:Body></s:Envelope>' \
        "$ENVELOPE" "$1" >"$T/$1.answer"
}

# remote NAME: a service that answers with its name; sets AT.
remote() {
    answer_of "$1"
    start "$1" python3 tests/cli/remote.py "$T/$1.answer" "$T/$1.log"
    listening "$1"
    AT=127.0.0.1:$PORT
}

schema() { # ELEMENT: an XSD that knows only it
    printf '%s\n' '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t"' \
        ' elementFormDefault="qualified">' " <xs:element name='$1' type='xs:int'/></xs:schema>" >"$T/$1.xsd"
}

message() { # BODY [HEADER]
    printf '%s<s:Header>%s</s:Header><s:Body>%s</s:Body></s:Envelope>' "$ENVELOPE" "${2:-}" "$1" >"$T/message"
}
as_12() { # the message is of SOAP 1.2 from now on
    sed 's,http://schemas.xmlsoap.org/soap/envelope/,http://www.w3.org/2003/05/soap-envelope,' "$T/message" >"$T/m12"
    mv "$T/m12" "$T/message"
}
action_header() { echo "<a:Action xmlns:a='http://www.w3.org/2005/08/addressing'>$1</a:Action>"; }

# to PATH [OPTION...]: the status; what was answered is in $T/answer.
to() {
    local path=$1 type=${TYPE:-text/xml}
    shift
    : >"$T/answer"
    curl -s -m 20 -o "$T/answer" -w '%{http_code}' --path-as-is -H "Content-Type: $type" -H 'Expect:' \
        --data-binary "@$T/message" "$@" "http://127.0.0.1:$PORT$path"
}

answers() { # NAME PATH [OPTION...]
    local name=$1 status
    shift
    status=$(to "$@")
    [ "$status" = 200 ] && grep -q ">$name<" "$T/answer" || { echo "status $status"; cat "$T/answer"; last_event; return 1; }
}

refuses() { # STATUS KIND SERVICE PATH [OPTION...]
    local want=$1 kind=$2 service=$3 n status
    shift 3
    n=$(events)
    status=$(to "$@")
    [ "$status" = "$want" ] || { echo "status $status"; return 1; }
    event_follows "$n" "$kind" && last_event | grep -q " service=$service " || { last_event; return 1; }
}

by_path() {
    message '<one xmlns="urn:t">1</one>'
    answers a /a && last_event | grep -q 'kind=good .* step=done service=a ' || return 1
    answers a '/a?wsdl' && answers c /c/deep/er || return 1
    message '<two xmlns="urn:t">1</two>'
    answers b /b && last_event | grep -q ' service=b ' && grep -q '^/b-inside ' "$T/b.log"
}

# Each has its own schema: what is good for one is not for the other.
own_schema() {
    message '<two xmlns="urn:t">1</two>'
    refuses 500 schema a /a || return 1
    message '<one xmlns="urn:t">1</one>'
    refuses 500 schema b /b
}

# Compared byte by byte, in the one spelling that the service gets too.
no_such_path() {
    local path
    message '<one xmlns="urn:t">1</one>'
    for path in / /A /a/ /ab /c /a%20 /%2561; do
        refuses 404 http - "$path" || { echo "$path"; return 1; }
    done
    for path in /a/../a /%2e%2e/a /..\;/a /a%2f /a%5c /a%00 /%252e%252e/a; do
        refuses 400 http - "$path" || { echo "$path"; return 1; }
    done
    for path in /%61 //a /./a; do
        answers a "$path" || { echo "$path"; return 1; }
    done
    # Longer than what the log keeps of it.
    path=/a$(head -c 300 /dev/zero | tr '\0' x)
    refuses 404 http - "$path" && answers c "/c/${path#/}"
}

by_soap_action() {
    message '<one xmlns="urn:t">1</one>'
    answers a /d -H 'SOAPAction: "urn:first"' || return 1
    message '<two xmlns="urn:t">1</two>'
    answers b /d -H 'SOAPAction: "urn:second"' && last_event | grep -q ' service=d2 ' || return 1
    refuses 500 schema d1 /d -H 'SOAPAction: "urn:first"' || return 1
    refuses 404 soap - /d -H 'SOAPAction: "urn:third"'
}

# SOAP 1.2 says it in the content type.
by_parameter() {
    as_12
    TYPE='application/soap+xml; action="urn:second"' answers b /d
}

# The service would be told of an action that nobody has looked at.
one_action() {
    message '<two xmlns="urn:t">1</two>'
    as_12
    TYPE='application/soap+xml; action="urn:second"' answers b /d -H 'SOAPAction: "urn:second"' || return 1
    TYPE='application/soap+xml; action="urn:first"' refuses 400 http d2 /d -H 'SOAPAction: "urn:second"' || return 1
    # Where SOAPAction says nothing, the other one says it all.
    TYPE='application/soap+xml; action="urn:second"' answers b /d -H 'SOAPAction: ""' &&
        last_event | grep -q ' service=d2 ' || return 1
    TYPE='application/soap+xml; action="urn:first"' refuses 400 schema d1 /d -H 'SOAPAction: ""' || return 1
    message '<two xmlns="urn:t">1</two>' "$(action_header urn:second)"
    as_12
    TYPE='application/soap+xml; action="urn:other"' refuses 400 soap b /b -H 'SOAPAction: ""'
}

# What one reader takes for a quoted character is for the next the character.
no_quoted_action() {
    local type
    message '<two xmlns="urn:t">1</two>'
    as_12
    for type in 'action="urn:\first"' 'action="urn:first\"' 'action=urn:first"' 'action=urn:fir\st'; do
        TYPE="application/soap+xml; $type" refuses 400 http b /b || { echo "$type"; return 1; }
    done
    message '<two xmlns="urn:t">1</two>'
    refuses 400 http - /b -H 'SOAPAction: "urn:fir\st"'
}

by_addressing() {
    message '<two xmlns="urn:t">1</two>' "$(action_header ' urn:second ')"
    answers b /d && answers b /d -H 'SOAPAction: ""' && last_event | grep -q ' service=d2 ' || return 1
    # They differ.
    refuses 500 soap d1 /d -H 'SOAPAction: "urn:first"' || return 1
    message '<two xmlns="urn:t">1</two>' "$(action_header urn:third)"
    refuses 500 soap d1 /d || return 1
    message '<two xmlns="urn:t">1</two>'
    refuses 500 soap d1 /d || return 1
    # Of those at another path nobody is asked.
    message '<two xmlns="urn:t">1</two>' "$(action_header urn:elsewhere)"
    refuses 500 soap d1 /d
}

# Small for one is not small for the other, whatever way its length is said.
own_limits() {
    local small
    message "<one xmlns='urn:t'>1</one>" "$(head -c 3000 /dev/zero | tr '\0' ' ')"
    answers a /a && refuses 413 oversize e /e && refuses 413 oversize e /e -H 'Transfer-Encoding: chunked' || return 1
    message "<one xmlns='urn:t'>1</one>"
    answers a /e && answers a /e -H 'Transfer-Encoding: chunked' || return 1
    small=$(cat "$T/message")
    # One connection, both of them: a limit is that of a request.
    message "<one xmlns='urn:t'>1</one>" "$(head -c 3000 /dev/zero | tr '\0' ' ')"
    curl -s -m 20 -o "$T/x" -w '%{http_code} %{num_connects}\n' -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "$small" "http://127.0.0.1:$PORT/e" --next -s -m 20 -o "$T/y" \
        -w '%{http_code} %{num_connects}\n' -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "@$T/message" "http://127.0.0.1:$PORT/a" >"$T/out"
    [ "$(cat "$T/out")" = $'200 1\n200 0' ] || { cat "$T/out"; return 1; }
}

# The same signed message is a replay at whatever service it comes again.
one_memory_of_replays() {
    cp "$VECTORS/good/wss4j-rsa2048-1k.xml" "$T/message"
    answers b /f && refuses 500 replay g /g
}

pings() { # a WSDL: ping has messages without a part, one has a number
    cat >"$T/pings.wsdl" <<'WSDL'
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
             xmlns:w="urn:w" xmlns:t="urn:t" targetNamespace="urn:w">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema"><import namespace="urn:t" schemaLocation="one.xsd"/></schema></types>
  <message name="None"/><message name="One"><part name="p" element="t:one"/></message>
  <portType name="P">
    <operation name="ping"><input message="w:None"/><output message="w:None"/></operation>
    <operation name="one"><input message="w:One"/></operation>
  </portType>
  <binding name="B" type="w:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="ping"><soap:operation soapAction="urn:ping"/>
      <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>
    <operation name="one"><soap:operation soapAction="urn:one"/><input><soap:body use="literal"/></input></operation>
  </binding>
</definitions>
WSDL
}

# Where the WSDL says so, under the action of that operation or none; what the service answers is signed.
an_empty_body() {
    printf '200 text/xml\n%s<s:Body/></s:Envelope>' "$ENVELOPE" >"$T/b.answer"
    message ' '
    [ "$(to /p -H 'SOAPAction: "urn:ping"')" = 200 ] && grep -q '<s:Body [^>]*Id=' "$T/answer" &&
        grep -q '<ds:SignatureValue>' "$T/answer" && tail -n 1 "$T/b.log" | grep -q '"urn:ping"' || {
        cat "$T/answer" "$T/b.log"
        return 1
    }
    [ "$(to /p)" = 200 ] || { cat "$T/answer"; return 1; }
    refuses 500 soap p /p -H 'SOAPAction: "urn:one"' && refuses 500 soap p /p -H 'SOAPAction: "urn:other"' &&
        refuses 500 soap a /a && refuses 500 soap e /e || return 1
    message '<one xmlns="urn:t">1</one>'
    refuses 500 soap p /p -H 'SOAPAction: "urn:ping"'
}

# Of an answer it is the service that is charged.
an_empty_answer() {
    local n
    printf '200 text/xml\n%s<s:Body/></s:Envelope>' "$ENVELOPE" >"$T/b.answer"
    message ''
    [ "$(to /q)" = 200 ] && grep -q '<s:Body/>' "$T/answer" || { cat "$T/answer"; return 1; }
    n=$(events)
    [ "$(to /r)" = 500 ] && wait_for 5 more_events "$n" &&
        last_event | grep -q "kind=soap source=127.0.0.1 source_port=${B#*:} .* service=r .*the Body is empty" || {
        last_event
        return 1
    }
}

bad_schema_says_where() {
    local rc=0
    sed 's,two.xsd,bad.xsd,' "$T/policy.xml" >"$T/bad.xml"
    printf '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n<xs:element name="x" type="y"/></xs:schema>\n' >"$T/bad.xsd"
    "$BIN/fmp-gateway" --policy "$T/bad.xml" --listen 127.0.0.1:0 >"$T/out" 2>&1 || rc=$?
    cat "$T/out"
    [ "$rc" = 1 ] && grep -q "$T/bad.xsd:2:" "$T/out"
}

# Without --backend each must name its own.
no_backend() {
    local rc=0
    sed 's, backend="[^"]*/b-inside",,' "$T/policy.xml" >"$T/bad.xml"
    "$BIN/fmp-gateway" --policy "$T/bad.xml" --listen 127.0.0.1:0 >"$T/out" 2>&1 || rc=$?
    cat "$T/out"
    [ "$rc" = 1 ] && grep -q 'service "b" names no backend' "$T/out"
}

schema one
schema two
pings
remote a
A=$AT
remote b
B=$AT
remote c
C=$AT
cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="services">
  <gateway security="BcV" workers="1" user="nobody" trust="$PWD/$VECTORS/pki/ca.crt" max-age="0">
    <services>
      <service name="a" path="/a" schema="one.xsd" backend="http://$A/"/>
      <service name="b" path="/b" schema="two.xsd" backend="http://$B/b-inside"/>
      <service name="c" path="/c/*" security="Bc" backend="http://$C/"/>
      <service name="d1" path="/d" action="urn:first" schema="one.xsd" backend="http://$A/"/>
      <service name="d2" path="/d" action="urn:second" schema="two.xsd" backend="http://$B/"/>
      <service name="elsewhere" path="/elsewhere" action="urn:elsewhere" schema="two.xsd" backend="http://$B/"/>
      <service name="e" path="/e" schema="one.xsd" backend="http://$A/"><limits body="1KiB"/></service>
      <service name="f" path="/f" security="BcS" schema="$PWD/$VECTORS/orders.xsd" backend="http://$B/"/>
      <service name="g" path="/g" security="BcS" schema="$PWD/$VECTORS/orders.xsd" backend="http://$B/"/>
      <service name="p" path="/p" schema="pings.wsdl" backend="http://$B/">
        <answers sign="rsa-sha256" $KEYS/></service>
      <client name="q" path="/q" schema="pings.wsdl" backend="http://$B/"/>
      <client name="r" path="/r" schema="one.xsd" backend="http://$B/"/>
    </services>
  </gateway>
</policy>
EOF
start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --verbose
listening gateway
wait_for 20 grep -q ready "$T/gateway.err"

check by-path by_path
check own-schema own_schema
check no-such-path no_such_path
check by-soap-action by_soap_action
check by-parameter by_parameter
check one-action one_action
check no-quoted-action no_quoted_action
check by-addressing by_addressing
check own-limits own_limits
check one-memory-of-replays one_memory_of_replays
check an-empty-body an_empty_body
check an-empty-answer an_empty_answer
check bad-schema-says-where bad_schema_says_where
check no-backend no_backend
