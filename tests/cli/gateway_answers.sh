# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2153,SC2154
#
# Answers on their way back: signed, encrypted, or replaced where they can't be.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

ENVELOPE='<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">'
PLAIN=$VECTORS/plain/plain-1k.xml
KEYS="certificate=\"$PWD/$VECTORS/pki/server.crt\" key=\"$PWD/$VECTORS/pki/server.key\""
SAID='<submitOrderResponse xmlns="urn:fmp:orders"><orderId>7</orderId><total>4.50</total></submitOrderResponse>'

says() { # BODY [STATUS TYPE]: what the service says next
    printf '%s\n%s<s:Body>%s</s:Body></s:Envelope>' "${2:-200 text/xml; charset=utf-8}" "$ENVELOPE" "$1" >"$T/said"
}

# status_is N FILE [TYPE]
status_is() {
    local status
    status=$(post "$2" "${3:-text/xml; charset=utf-8}")
    [ "$status" = "$1" ] || { echo "status $status: $(head -c 600 "$T/answer")"; cat "$T/gateway.err"; return 1; }
}

verifies() { # the answer, for who knows the CA alone
    "$BIN/fmpctl" inspect --policy "${TAKER:-$T/taker.xml}" "$T/answer"
}

signed() {
    says "$SAID"
    status_is 200 "$PLAIN" && verifies || return 1
    sed -i 's/4\.50/4.51/' "$T/answer"
    ! verifies >"$T/verdict" && grep -q 'digest of Body' "$T/verdict" || { cat "$T/verdict"; return 1; }
}

# No two answers have an Id or a signature in common, whichever worker makes them.
each_its_own() {
    says "$SAID"
    : >"$T/values"
    for _ in $(seq 20); do
        status_is 200 "$PLAIN" || return 1
        grep -o 'wsu:Id="[^"]*"' "$T/answer" >>"$T/values"
    done
    [ "$(sort "$T/values" | uniq -d | wc -l)" = 0 ] && [ "$(wc -l <"$T/values")" = 60 ]
}

soap12() {
    printf '200 application/soap+xml\n%s<s:Body>%s</s:Body></s:Envelope>' \
        '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">' "$SAID" >"$T/said"
    status_is 200 "$PLAIN" && verifies
}

fault() { # signed as well, with its status
    says '<s:Fault><faultcode>s:Server</faultcode><faultstring>sold out</faultstring></s:Fault>' '500 text/xml'
    status_is 500 "$PLAIN" && grep -q 'sold out' "$T/answer" && grep -q '<ds:SignatureValue>' "$T/answer"
}
fault_as_it_is() {
    says '<s:Fault><faultcode>s:Server</faultcode><faultstring>sold out</faultstring></s:Fault>' '500 text/xml'
    status_is 500 "$PLAIN" && grep -q 'sold out' "$T/answer" && ! grep -q ds: "$T/answer"
}

# With SOAP 1.2 the sender's Fault comes with 400; a page with 400 is none.
fault12() {
    printf '400 application/soap+xml; charset=utf-8\n%s' \
        '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="en">sold out</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>' >"$T/said"
    status_is 400 "$PLAIN" && grep -q 'sold out' "$T/answer" && grep -q '<ds:SignatureValue>' "$T/answer" || return 1
    status_only '400 text/xml'
}

# What the gateway itself refuses costs no signature.
own_fault() {
    echo '<no' >"$T/no.xml"
    status_is 500 "$T/no.xml" && is_fault && ! grep -q Signature "$T/answer"
}

# replaced WORDS: a Fault of ours, nothing of the answer; why is in the log, and nobody is charged.
replaced() {
    local n status
    n=$(events)
    status=$(post "$PLAIN")
    [ "$status" = 502 ] && is_fault && ! grep -q poison "$T/answer" || { echo "status $status"; cat "$T/answer"; return 1; }
    wait_for 5 grep -q "a reply can't be forwarded: .*$1" "$T/gateway.err" || { cat "$T/gateway.err"; return 1; }
    # The good event of the request comes as ever, and no other.
    wait_for 5 more_events "$n" && last_event | grep -q 'kind=good' && [ "$(events)" = $((n + 1)) ]
}
no_soap() {
    printf '200 text/html\n<html>poison</html>' >"$T/said"
    replaced 'not a SOAP Envelope'
}
# The client learns the status, but gets nothing unsigned that could be taken for an answer.
status_only() { # STATUS AND TYPE
    says '<poison/>' "$1"
    status_is "${1%% *}" "$PLAIN" && [ ! -s "$T/answer" ] && return 0
    cat "$T/answer"
    return 1
}
page_passes() { # STATUS
    printf '%s text/html\n<html>out of order</html>' "$1" >"$T/said"
    status_is "$1" "$PLAIN" && grep -q 'out of order' "$T/answer"
}
other_status() {
    status_only '404 text/xml' && page_passes 404 && page_passes 500
}
broken() {
    printf '200 text/xml\n%s<s:Body><poison>' "$ENVELOPE" >"$T/said"
    replaced ''
}
entities() {
    printf '200 text/xml\n<!DOCTYPE a [<!ENTITY b "poison">]>%s<s:Body><a>&b;</a></s:Body></s:Envelope>' "$ENVELOPE" >"$T/said"
    replaced ''
}
too_large() {
    says "<a>$(head -c 20000 /dev/zero | tr '\0' x)</a><!-- poison -->"
    replaced 'larger than allowed'
}
large() {
    says "<a>$(head -c 15000 /dev/zero | tr '\0' x)</a>"
    status_is 200 "$PLAIN" && grep -q '<ds:SignatureValue>' "$T/answer"
}
most_growth() { # of what is taken: each byte becomes five
    says "<a>$(head -c 3100 /dev/zero | sed 's/\x0/\&#13;/g')</a>"
    status_is 200 "$PLAIN" && grep -q '<ds:SignatureValue>' "$T/answer"
}
# Timestamp, the service's own blocks of WS-Addressing and the Body: sixteen of them, and not one unsigned.
with_blocks() { # N
    local blocks
    blocks=$(for n in $(seq "$1"); do printf '<a:X%d>poison</a:X%d>' "$n" "$n"; done)
    printf '200 text/xml\n%s<s:Header xmlns:a="http://www.w3.org/2005/08/addressing">%s</s:Header><s:Body>%s</s:Body></s:Envelope>' \
        "$ENVELOPE" "$blocks" "$SAID" >"$T/said"
}
most_signed() {
    with_blocks 14
    status_is 200 "$PLAIN" && [ "$(grep -o '<ds:Reference ' "$T/answer" | wc -l)" = 16 ] && grep -q '<s:Body[^>]* wsu:Id=' "$T/answer" || return 1
    with_blocks 15
    replaced 'more header blocks of WS-Addressing than are signed'
}
nothing_to_sign() {
    printf '202 \n' >"$T/said"
    status_is 202 "$PLAIN" && [ ! -s "$T/answer" ]
}

related() {
    says "$SAID"
    status_is 200 "$VECTORS/tokens/addressing.xml" || return 1
    grep -q 'RelatesTo[^>]*>urn:uuid:5f4dcc3b-5aa7-4af1-8f0e-3f4f5c8b9d11<' "$T/answer" && verifies
}

# For the certificate of the request's signature, whose private key nobody here has.
encrypted() {
    says "$SAID"
    status_is 200 "$VECTORS/good/wss4j-rsa2048-1k.xml" || return 1
    grep -q '<xenc:EncryptedKey ' "$T/answer" && grep -q 'wsse11:SignatureConfirmation ' "$T/answer" && ! grep -q '4\.50' "$T/answer"
}
most_encrypted_growth() { # a quote becomes &quot;, and six bytes of that eight of Base64
    says "<a b='$(head -c 65300 /dev/zero | tr '\0' '"')'/>"
    status_is 200 "$VECTORS/good/zeep-rsa2048-1k.xml" && [ "$(wc -c <"$T/answer")" -gt 522400 ]
}
for_ec() {
    says '<r xmlns="urn:fmp:orders">poison</r>'
    status_is 200 "$VECTORS/good/wss4j-ec256-1k.xml" && grep -q 'xmlenc11#ECDH-ES' "$T/answer" &&
        ! grep -q poison "$T/answer"
}

# A SignedInfo of Ed25519 goes to the key's process whole, longer than any digest.
ed25519_keys() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/ed-ca.key" -out "$T/ed-ca.crt" \
        -subj /CN=ca -days 2 &&
        openssl genpkey -algorithm ED25519 -out "$T/ed.key" &&
        openssl req -new -key "$T/ed.key" -subj /CN=service -out "$T/ed.csr" &&
        openssl x509 -req -in "$T/ed.csr" -CA "$T/ed-ca.crt" -CAkey "$T/ed-ca.key" -CAcreateserial -days 2 -out "$T/ed.crt"
} 2>"$T/why"
by_ed25519() {
    sed "s|$PWD/$VECTORS/pki/ca.crt|$T/ed-ca.crt|" "$T/taker.xml" >"$T/taker_ed.xml"
    TAKER=$T/taker_ed.xml signed && grep -q 'eddsa-ed25519' "$T/answer"
}

# with_part TYPE CONTENT ROOT-TYPE: an answer whose attachment has these 120 bytes.
with_part() {
    printf '200 multipart/related; type="%s"; start="<r@x>"; start-info="text/xml"; boundary=BB\n' "$1" >"$T/said"
    {
        printf '%s\r\nContent-Type: %s\r\nContent-ID: <r@x>\r\n\r\n' --BB "$3"
        printf '%s<s:Body><f:file xmlns:f="urn:f">%s</f:file></s:Body></s:Envelope>' "$ENVELOPE" "$2"
        printf '\r\n%s\r\nContent-Type: image/png\r\nContent-ID: <p@x>\r\n\r\n%0120d\r\n%s\r\n' --BB 7 --BB--
    } >>"$T/said"
}
# verifies_parts CHANGE: as the client that knows the CA alone, then with the answer changed.
verifies_parts() {
    local status
    status=$(curl -s -m 20 -i -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' --data-binary "@$PLAIN" "$URL")
    [ "$status" = 200 ] && "$BIN/fmpctl" inspect --answer --policy "$T/taker_parts.xml" "$T/answer" || { echo "status $status"; cat "$T/gateway.err"; return 1; }
    sed "$1" "$T/answer" >"$T/changed"
    ! cmp -s "$T/answer" "$T/changed" && ! "$BIN/fmpctl" inspect --answer --policy "$T/taker_parts.xml" "$T/changed"
}
# An optimized part is sent as it came, and signed as its Base64: so says xmlsec1, which knows no MTOM.
signed_mtom() {
    with_part application/xop+xml '<f:data><x:Include xmlns:x="http://www.w3.org/2004/08/xop/include" href="cid:p@x"/></f:data>' \
        'application/xop+xml; type="text/xml"'
    verifies_parts 's/0007\r$/0008\r/' && grep -q '^0*7.$' "$T/answer" || return 1
    python3 - "$T/answer" "$T/inlined.xml" <<'PY'
import base64, re, sys
parts = open(sys.argv[1], "rb").read().split(b"--BB")
root, part = (p.split(b"\r\n\r\n", 1)[1][:-2] for p in parts[1:3])
root, n = re.subn(rb"<xop:Include [^>]*/>", lambda m: base64.b64encode(part), root)
assert n == 1, root
open(sys.argv[2], "wb").write(root)
PY
    xmlsec1 --verify --enabled-key-data key-name,x509,raw-x509-cert,rsa --pubkey-cert-pem "$VECTORS/pki/server.crt" \
        --id-attr:Id Body --id-attr:Id Timestamp --id-attr:Id BinarySecurityToken "$T/inlined.xml" 2>"$T/why" || { cat "$T/why"; return 1; }
}
signed_swa() {
    with_part text/xml '<f:data>eA==</f:data>' text/xml
    verifies_parts 's/0007\r$/0008\r/' && grep -q 'URI="cid:p@x"' "$T/answer"
}
broken_parts() {
    with_part text/xml '<f:data>eA==</f:data><poison/>' text/xml
    sed -i 's/^Content-ID: <p@x>/X: y/' "$T/said"
    replaced "can't be signed"
}

key_must_fit() {
    ! "$BIN/fmp-gateway" --policy "$T/policy.xml" --check --backend "$BACKEND" 2>"$T/why" &&
        grep 'server.key: .*another kind of key' "$T/why"
}

cat >"$T/taker.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="taker">
  <gateway security="BcS" schema="$PWD/daemon/sample/orders.xsd" trust="$PWD/$VECTORS/pki/ca.crt"/>
</policy>
EOF
sed "s|$PWD/daemon/sample/orders.xsd|$T/file.xsd|" "$T/taker.xml" >"$T/taker_parts.xml"
cat >"$T/file.xsd" <<'EOF'
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:f" elementFormDefault="qualified">
  <xs:element name="file"><xs:complexType><xs:sequence><xs:element name="data" type="xs:base64Binary"/></xs:sequence></xs:complexType></xs:element>
</xs:schema>
EOF
: >"$T/said"
start service python3 tests/cli/remote.py "$T/said" "$T/service.log"
listening service
BACKEND=http://127.0.0.1:$PORT/ws

policy 'security="Bc" workers="2"' 'body="16KiB"' '' '' "<answers sign=\"rsa-sha256\" relate=\"yes\" $KEYS/>"
gateway
check signed signed
check each-its-own each_its_own
check soap-1.2 soap12
check fault-is-signed fault
check sender-fault-of-soap12-is-signed fault12
check own-fault-is-not own_fault
check no-soap no_soap
check other-status other_status
check broken broken
check entities entities
check too-large too_large
check large large
check grows-most most_growth
check most-signed most_signed
check nothing-to-sign nothing_to_sign
check related related
check signed-mtom signed_mtom
check signed-attachment signed_swa
check attachment-that-cannot-be-signed broken_parts
check gateway-ends-well gateway_ends

policy 'security="BcS"' 'body="64KiB"' '' '' "<answers sign=\"rsa-sha512\" encrypt=\"aes256-gcm\" confirm=\"yes\" faults=\"no\" $KEYS/>"
gateway
check encrypted encrypted
check encrypted-grows-most most_encrypted_growth
check for-ec for_ec
check encrypting-gateway-ends-well gateway_ends

check ed25519-keys ed25519_keys
policy 'security="Bc" workers="2"' 'body="16KiB"' '' '' "<answers sign=\"ed25519\" certificate=\"$T/ed.crt\" key=\"$T/ed.key\" relate=\"yes\"/>"
gateway
check ed25519-signed by_ed25519
TAKER=$T/taker_ed.xml check ed25519-most-signed most_signed
check ed25519-gateway-ends-well gateway_ends

# Each service its own.
policy 'security="Bc"' '' '' '' "<answers sign=\"rsa-sha384\" faults=\"no\" $KEYS/><services>
    <service name=\"yes\" path=\"/yes\"/><service name=\"no\" path=\"/no\"><answers sign=\"none\"/></service></services>"
gateway
says "$SAID"
URL=http://127.0.0.1:$PORT/no
check service-without status_is 200 "$PLAIN"
check service-without-is-plain cmp "$T/answer" <(tail -n +2 "$T/said")
URL=http://127.0.0.1:$PORT/yes
check service-with signed
check faults-as-they-are fault_as_it_is
check services-end-well gateway_ends

policy 'security="Bc"' '' '' '' "<answers sign=\"ecdsa-sha256\" $KEYS/>"
check key-must-fit key_must_fit
