# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# fmpctl inspect on every vector, as its MANIFEST says; and its exit codes and forms.

. tests/cli/lib.sh

inspect() { # CONFIG ARGS...
    local config=$1
    shift
    "$BIN/fmpctl" inspect --schema "$VECTORS/orders.xsd" --ca "$VECTORS/pki/ca.crt" \
        --key "$VECTORS/pki/server.key" --now 2026-11-21T12:00:00Z --config "$config" "$@"
}

CBC="aes128-cbc aes256-cbc"

# vector FILE CONFIG accept|reject ORDER gcm|cbc
vector() {
    local rc=0 verdict ciphers="aes128-gcm aes256-gcm"
    [ "$5" = gcm ] || ciphers=$CBC
    inspect "$2" --order "$4" --encryption "$ciphers" --json "$VECTORS/$1" >"$T/verdict" 2>&1 || rc=$?
    # A file of several requests is good if each of them is.
    verdict=$(jq -rs 'if all(.verdict == "accept") then "accept" else "reject" end' "$T/verdict")
    [ "$verdict" = "$3" ] && [ "$rc" = "$([ "$3" = accept ] && echo 0 || echo 1)" ] && return 0
    echo "exit status $rc: $(cat "$T/verdict")"
    return 1
}

# Vectors that every configuration is to agree on go through one of each kind.
while IFS=' ' read -r file config expect order cipher; do
    [ -e "$VECTORS/$file" ] || { skip "vector_$file" "not in the tree"; continue; }
    check "vector_${file}_$config" vector "$file" "$config" "$expect" "$order" "$cipher"
done < <(jq -r '.[] | select(.expect == "accept" or .expect == "reject") |
    .file as $f | .expect as $e | (.order // "sign-then-encrypt") as $o | (.encryption // "gcm") as $c |
    .configs[] | if . == "all" then "Bc", "BcV" else . end | "\($f) \(.) \($e) \($o) \($c)"' \
    "$VECTORS/MANIFEST.json")

keys() {
    inspect BcV --json "$VECTORS/plain/plain-1k.xml" "$VECTORS/xml-attack/schema-qty-zero.xml" >"$T/out"
    [ "$(wc -l <"$T/out")" = 2 ] || return 1
    jq -se 'all(keys == ["detail", "file", "kind", "line", "step", "verdict"]) and
        .[0].step == "done" and .[0].kind == "good" and
        .[1].step == "schema" and .[1].kind == "schema" and .[1].line > 0 and .[1].detail != ""' "$T/out"
}

mixed_exit() {
    local rc=0
    inspect BcV "$VECTORS/plain/plain-1k.xml" "$VECTORS/xml-attack/dtd-empty.xml" >"$T/out" || rc=$?
    cat "$T/out"
    [ "$rc" = 1 ] && grep -q 'plain-1k.xml: accept' "$T/out" && grep -q 'dtd-empty.xml.* reject at screen (dtd)' "$T/out"
}

# Both engines say the same, of a good message and of one that was changed.
either_engine() {
    local engine rc
    for engine in fast xmlsec1; do
        rc=0
        inspect BcS --signatures "$engine" "$VECTORS/good/wss4j-rsa2048-1k.xml" \
            "$VECTORS/bad-wss/tampered-body.xml" >"$T/out.$engine" || rc=$?
        [ "$rc" = 1 ] || return 1
    done
    grep -q '1k.xml: accept' "$T/out.fast" && grep -q 'digest of Body does not match' "$T/out.fast" &&
        cmp "$T/out.fast" "$T/out.xmlsec1"
}

wrong_engine() {
    local rc=0
    inspect BcS --signatures slow "$VECTORS/plain/plain-1k.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'fast or xmlsec1' "$T/err"
}

# What was encrypted first is refused unless it is said; what is neither order is no option.
order() {
    local rc=0
    ! inspect BcES "$VECTORS/good/wss4j-enc-then-sign-1k.xml" >"$T/out" && grep -q unsigned "$T/out" || return 1
    inspect BcES --order either "$VECTORS/good/wss4j-enc-then-sign-1k.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'encrypt-then-sign or encrypt-sign-encrypt; not either' "$T/err"
}

# CBC is taken only by those who ask for it, and then for no session key that may be GCM's.
encryption() {
    local cbc="$VECTORS/good/wss4j-enc-cbc256-1k.xml" rc=0
    ! inspect BcE "$cbc" >"$T/out" && grep -q 'reject at decrypt (algorithm): .*aes256-cbc is left out by the policy' "$T/out" &&
        inspect BcE --encryption "aes128-gcm aes256-cbc" "$cbc" || { cat "$T/out"; return 1; }
    inspect BcE --encryption "$CBC aes256-gcm" "$cbc" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'CBC and GCM' "$T/err" || { cat "$T/err"; return 1; }
    rc=0
    inspect BcE --encryption aes256 "$cbc" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'none of aes128-cbc' "$T/err"
}

# What is legal, but tells those who ask often enough.
cbc_is_warned_of() {
    sed 's/encryption="[^"]*"/encryption="aes256-cbc"/' >"$T/cbc.xml" <<EOF
<policy xmlns="urn:fmp:policy:1"><gateway security="BcE" schema="$PWD/$VECTORS/orders.xsd"
  key="$PWD/$VECTORS/pki/server.key"><algorithms encryption="aes256-gcm"/></gateway></policy>
EOF
    "$BIN/fmpctl" policy check --elsewhere "$T/cbc.xml" >"$T/out" 2>"$T/err" &&
        grep -q 'warning: .*cbc.xml.*does not notice changed bytes' "$T/err"
}

missing_file() {
    local rc=0
    inspect BcV "$T/none" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q "$T/none" "$T/err"
}

missing_schema() {
    local rc=0
    "$BIN/fmpctl" inspect --schema "$T/none.xsd" --config BcV "$VECTORS/plain/plain-1k.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q none.xsd "$T/err"
}

# The same schema, and which of its elements is sent: orders, not labels.
wsdl() {
    local labels='<labels xmlns="urn:fmp:orders"><count>1</count><label>A</label></labels>' rc=0
    cp "$VECTORS/orders.xsd" "$T/"
    cat >"$T/orders.wsdl" <<'EOF'
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
             xmlns:t="urn:orders" xmlns:o="urn:fmp:orders" targetNamespace="urn:orders">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema"
    ><import namespace="urn:fmp:orders" schemaLocation="orders.xsd"/></schema></types>
  <message name="In"><part name="p" element="o:submitOrder"/></message>
  <portType name="Orders"><operation name="submit"><input message="t:In"/></operation></portType>
  <binding name="Soap" type="t:Orders"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="submit"><soap:operation soapAction=""/>
      <input><soap:body use="literal"/></input></operation></binding>
</definitions>
EOF
    echo "<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Body>$labels</Body></Envelope>" >"$T/labels"
    inspect BcV "$T/labels" || { echo "not valid by the XSD"; return 1; }
    inspect BcV --schema "$T/orders.wsdl" "$VECTORS/plain/plain-1k.xml" "$VECTORS/xml-attack/schema-qty-zero.xml" \
        "$T/labels" >"$T/out" || rc=$?
    cat "$T/out"
    [ "$rc" = 1 ] && grep -q 'plain-1k.xml: accept' "$T/out" && grep -q 'zero.xml.* reject at schema' "$T/out" &&
        grep -q 'labels.* reject at soap (soap)' "$T/out"
}

# A WSDL with an encoded port, an operation that the service begins, and two literal ports.
write_wsdl() { # FILE
    cat >"$1" <<'EOF'
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
             xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
  <types><xs:schema targetNamespace="urn:t"><xs:element name="ask" type="xs:integer"/>
    <xs:element name="told" type="xs:int"/></xs:schema></types>
  <message name="In"><part name="p" element="t:ask"/></message>
  <message name="Out"><part name="p" element="t:told"/></message>
  <portType name="T"><operation name="ask"><input message="t:In"/><output message="t:Out"/></operation>
    <operation name="tell"><output message="t:Out"/></operation></portType>
  <binding name="B" type="t:T"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="ask"><soap:operation soapAction=""/><input><soap:body use="literal"/></input>
      <output><soap:body use="literal"/></output></operation>
    <operation name="tell"><output><soap:body use="literal"/></output></operation></binding>
  <binding name="E" type="t:T"><soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="ask"><input><soap:body use="encoded"/></input><output><soap:body use="encoded"/></output>
    </operation></binding>
  <service name="S"><port name="Plain" binding="t:B"/><port name="Encoded" binding="t:E"/></service>
</definitions>
EOF
}

soap() { # BODY
    echo "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>$1</e:Body></e:Envelope>"
}

write_answers() {
    write_wsdl "$T/answers.wsdl"
    soap "<t:ask xmlns:t='urn:t'>1234567890123456789012345678901234567890</t:ask>" >"$T/ask"
    soap "<t:told xmlns:t='urn:t'>1</t:told>" >"$T/told"
    soap "<e:Fault><faultcode>e:Server</faultcode><faultstring>no</faultstring></e:Fault>" >"$T/fault"
    { printf 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n'; cat "$T/told"; } >"$T/told.http"
    { printf 'HTTP/1.1 500 No\r\nContent-Type: text/xml\r\nContent-Length: %s\r\n\r\n' "$(wc -c <"$T/fault")"
      cat "$T/fault"; } >"$T/fault.http"
    printf 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n' >"$T/accepted.http"
    printf 'HTTP/1.1 503 Busy\r\nContent-Type: text/html\r\n\r\n<html>' >"$T/busy.http"
    printf 'HTTP/1.1 500 Busy\r\nContent-Type: text/html\r\n\r\n<html>' >"$T/html.http"
}

# verdicts EXPECTED ARGS...: the words of each file, in order.
verdicts() {
    local expected=$1 got
    shift
    got=$("$BIN/fmpctl" inspect --json "$@" 2>"$T/err" | jq -r .verdict | tr '\n' ' ')
    [ "$got" = "$expected " ] || { echo "$*: $got"; cat "$T/err"; return 1; }
}

answers() {
    write_answers
    verdicts "accept reject reject" --config BcV --schema "$T/answers.wsdl" "$T/ask" "$T/told" "$T/fault" &&
        verdicts "reject accept accept" --config BcV --schema "$T/answers.wsdl" --answer "$T/ask" "$T/told" "$T/fault" &&
        verdicts "accept accept accept reject reject" --config BcV --schema "$T/answers.wsdl" --answer \
            "$T/told.http" "$T/fault.http" "$T/accepted.http" "$T/busy.http" "$T/html.http" || return 1
    ! "$BIN/fmpctl" inspect --config BcV --schema "$T/answers.wsdl" "$T/told.http" >"$T/out" 2>&1 &&
        grep -q 'told.http: reject at http (http): an HTTP answer.*--answer' "$T/out" &&
        ! "$BIN/fmpctl" inspect --config BcV --schema "$T/answers.wsdl" --answer "$T/busy.http" >"$T/out" 2>&1 &&
        grep -q "busy.http: reject at http (nobody's offence)" "$T/out"
}

services() {
    local rc=0
    write_answers
    cat >"$T/services.xml" <<EOF
<policy xmlns="urn:fmp:policy:1"><gateway security="Bc"><services>
  <service name="questions" path="/q" security="BcV" schema="answers.wsdl" port="Plain"
    backend="http://127.0.0.1:9/"/>
  <client name="remote" path="/r" security="BcV" schema="answers.wsdl" backend="http://127.0.0.1:9/"/>
</services></gateway></policy>
EOF
    verdicts "accept reject" --policy "$T/services.xml" --service questions "$T/ask" "$T/told" &&
        verdicts "reject accept" --policy "$T/services.xml" --service questions --answer "$T/ask" "$T/told" &&
        verdicts "reject accept accept" --policy "$T/services.xml" --service remote "$T/ask" "$T/told" "$T/told.http" &&
        verdicts "accept accept" --policy "$T/services.xml" "$T/ask" "$T/told" && grep -q -e '--service NAME' "$T/err" ||
        return 1
    "$BIN/fmpctl" inspect --policy "$T/services.xml" --service question "$T/ask" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'questions remote.*did you mean.*questions' "$T/err" || { cat "$T/err"; return 1; }
    rc=0
    "$BIN/fmpctl" inspect --config Bc --service x "$T/ask" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q -e '--policy' "$T/err"
}

# useless WORDS ARGS...: an option that would do nothing is an error, which says what to do.
useless() {
    local rc=0 words=$1
    shift
    "$BIN/fmpctl" inspect "$@" "$VECTORS/plain/plain-1k.xml" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && [ ! -s "$T/out" ] && grep -q -e "$words" "$T/err" || { echo "$*: status $rc"; cat "$T/out" "$T/err"; return 1; }
}
useless_options() {
    local xsd=$VECTORS/orders.xsd
    write_answers
    echo '<policy xmlns="urn:fmp:policy:1"><gateway security="Bc"/></policy>' >"$T/plain.xml"
    useless '--port .* under Bc: take --config BcV' --config Bc --port Plain &&
        useless '--port .* under Bc: take --config BcV' --config Bc --schema "$T/answers.wsdl" --port Plain &&
        useless '--port .* under Bc: take --config BcV' --policy "$T/plain.xml" --port Plain &&
        useless '--port .* there is none: name it by --schema' --config BcV --port Plain &&
        useless '--port .*orders.xsd is an XML Schema: leave it out' --config BcV --schema "$xsd" --port Plain &&
        useless '--order encrypt-then-sign .*BcV does not demand both: take --config BcES' --config BcV --schema "$xsd" --order encrypt-then-sign &&
        useless '--encryption .*Bc decrypts nothing: take --config BcE' --config Bc --encryption "$CBC" || return 1
    # The usual values take nothing away.
    inspect BcV --order sign-then-encrypt --encryption "aes256-gcm aes128-gcm" "$VECTORS/plain/plain-1k.xml"
}

# A request among answers is said to be one, as an answer among requests is.
request_among_answers() {
    write_answers
    { printf 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: %s\r\n\r\n' "$(wc -c <"$T/told")"
      cat "$T/told"; } >"$T/request.http"
    verdicts accept --config Bc "$T/request.http" &&
        ! "$BIN/fmpctl" inspect --config Bc --answer "$T/request.http" >"$T/out" 2>&1 &&
        grep -q 'request.http: reject at http (http): an HTTP request.*without --answer' "$T/out" || { cat "$T/out"; return 1; }
}

# A page in the place of an answer is an outage, raw or with its header; what only begins as one is not.
pages_among_answers() {
    local kinds
    echo '<!DOCTYPE html><html><br></html>' >"$T/page"
    echo '<!DOCTYPE html [<!ENTITY a "b">]><html>&a;</html>' >"$T/entities"
    { printf 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n'; cat "$T/page"; } >"$T/page.http"
    kinds=$("$BIN/fmpctl" inspect --config Bc --answer --json "$T/page" "$T/page.http" "$T/entities" | jq -r .kind | tr '\n' ' ')
    [ "$kinds" = "outage outage dtd " ] || { echo "$kinds"; return 1; }
    kinds=$("$BIN/fmpctl" inspect --config Bc --json "$T/page" | jq -r .kind)
    [ "$kinds" = dtd ] || { echo "$kinds"; return 1; }
}

# MTOM and SOAP with Attachments, as request and as answer; a policy may refuse them.
attachments() {
    local type='multipart/related; type="application/xop+xml"; start-info="text/xml"; boundary=b' kinds
    { printf -- '--b\r\nContent-Type: application/xop+xml; type="text/xml"\r\n\r\n'
      printf '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><x xmlns="urn:x">'
      printf '<i:Include xmlns:i="http://www.w3.org/2004/08/xop/include" href="cid:a%%40b"/></x></s:Body></s:Envelope>\r\n'
      printf -- '--b\r\nContent-ID: <a@b>\r\n\r\nA\000B\r\n--b--\r\n'; } >"$T/parts"
    { printf 'HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n' "$type"; cat "$T/parts"; } >"$T/answer.http"
    { printf 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %s\r\n\r\n' "$type" \
        "$(wc -c <"$T/parts")"; cat "$T/parts"; } >"$T/request.http"
    verdicts accept --config Bc "$T/request.http" && verdicts accept --config Bc --answer "$T/answer.http" || return 1
    sed 's/a%40b/a%40c/' "$T/request.http" >"$T/other.http"
    sed '/^--b--/d' "$T/answer.http" >"$T/cut.http"
    kinds=$("$BIN/fmpctl" inspect --config Bc --json "$T/other.http" | jq -r .kind)
    kinds="$kinds $("$BIN/fmpctl" inspect --config Bc --answer --json "$T/cut.http" | jq -r .kind)"
    [ "$kinds" = "soap http" ] || { echo "$kinds"; return 1; }
    cat >"$T/none.xml" <<'END'
<policy xmlns="urn:fmp:policy:1" name="t"><gateway security="Bc"><attachments allowed="no"/></gateway></policy>
END
    ! "$BIN/fmpctl" inspect --policy "$T/none.xml" --answer "$T/answer.http" >"$T/out" 2>&1 &&
        grep -q '(unsupported): Content-Type "multipart/related": attachments (MTOM, SwA) are not allowed' "$T/out" ||
        { cat "$T/out"; return 1; }
}

# A form's type is a page's doing only without what no page sends unasked.
forms_among_requests() {
    local kinds
    printf 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx' >"$T/form"
    sed 's/^Host/SOAPAction: ""\r\nHost/' "$T/form" >"$T/action"
    printf 'POST / HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nContent-Type: text/xml\r\nContent-Length: 1\r\n\r\nx' >"$T/cross"
    kinds=$("$BIN/fmpctl" inspect --config Bc --json "$T/form" "$T/action" "$T/cross" | jq -r .kind | tr '\n' ' ')
    [ "$kinds" = "browser unsupported browser " ] || { echo "$kinds"; return 1; }
}

# What is left out of a WSDL is said, with its place; the port chooses.
ports() {
    local rc=0
    write_answers
    verdicts accept --config BcV --schema "$T/answers.wsdl" "$T/ask" &&
        [ "$(grep -c 'warning: .*answers.wsdl:[0-9]*: operation .* is left out' "$T/err")" = 2 ] &&
        grep -q '"tell" of binding "B".*no input' "$T/err" && grep -q '"ask" of binding "E".*encoded' "$T/err" &&
        verdicts accept --config BcV --schema "$T/answers.wsdl" --port Plain "$T/ask" &&
        [ "$(grep -c warning "$T/err")" = 1 ] || { cat "$T/err"; return 1; }
    "$BIN/fmpctl" inspect --config BcV --schema "$T/answers.wsdl" --port Encoded "$T/ask" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'answers.wsdl:1[0-9]: .*encoded' "$T/err" || { cat "$T/err"; return 1; }
    "$BIN/fmpctl" inspect --config BcV --schema "$T/answers.wsdl" --port plain "$T/ask" 2>"$T/err"
    grep -q 'its ports are Plain, Encoded' "$T/err" || { cat "$T/err"; return 1; }
    # policy check shows the same.
    cat >"$T/port.xml" <<EOF
<policy xmlns="urn:fmp:policy:1"><gateway security="BcV" schema="answers.wsdl"/></policy>
EOF
    chmod 755 "$T"
    "$BIN/fmpctl" policy check "$T/port.xml" >"$T/out" 2>"$T/err" &&
        grep -q 'warning: .*answers.wsdl:[0-9]*: operation "tell"' "$T/err" || { cat "$T/err"; return 1; }
}

# file, line, cause and what to do.
schema_errors() {
    local name content text
    write_answers
    while IFS='|' read -r name content text; do
        echo "$content" >"$T/$name"
        "$BIN/fmpctl" inspect --config BcV --schema "$T/$name" "$T/ask" 2>"$T/err"
        grep -qE "^fmpctl: .*$text" "$T/err" && ! grep -q 'Internal error' "$T/err" || { cat "$T/err"; return 1; }
    done <<'EOF'
broken.xsd|<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element>|broken.xsd:[12]:[0-9]+: the schema is not well-formed XML: 
none.xsd|<html/>|none.xsd:1: its root element is html .*give an XML Schema
away.xsd|<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:import namespace='urn:x' schemaLocation='http://x.example/x.xsd'/></xs:schema>|away.xsd:1: imports "http://x.example/x.xsd": nothing is fetched; save a copy
type.xsd|<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='a' type='b'/></xs:schema>|type.xsd:1: .*does not resolve
EOF
}

standard_input() {
    inspect BcV - <"$VECTORS/plain/plain-1k.xml"
}

# The clock is what --now says: the message is not yet created, or long over.
clock() {
    local f=$VECTORS/good/wss4j-rsa2048-1k.xml
    inspect BcS "$f" && ! inspect BcS --now @0 "$f" && ! inspect BcS --now 2099-01-01T00:00:00+01:00 "$f"
}

plain_text_without_colour() {
    ! inspect BcV "$VECTORS/plain/plain-1k.xml" | grep -q $'\x1b'
}

check json_keys keys
check mixed_exit mixed_exit
check either_engine either_engine
check wrong_engine wrong_engine
check order order
check encryption encryption
check cbc_is_warned_of cbc_is_warned_of
check missing_file missing_file
check missing_schema missing_schema
check wsdl wsdl
check answers answers
check services services
check ports ports
check useless-options useless_options
check request-among-answers request_among_answers
check pages-among-answers pages_among_answers
check attachments attachments
check forms-among-requests forms_among_requests
check schema_errors schema_errors
check standard_input standard_input
check clock clock
check plain_text_without_colour plain_text_without_colour
