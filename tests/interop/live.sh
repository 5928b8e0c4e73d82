#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: tests/interop/live.sh
#
# Messages that WSS4J, Santuario, CXF and zeep make now, sent to a gateway that runs: what they make is
# answered by the service, the same with a byte changed by a Fault, and what the policy does
# not want neither. Its answers, signed and encrypted, are taken by them, and the same with a
# byte changed refused. Needs `scripts/setup interop`.
cd "$(dirname "$0")/../.." || exit 1

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/interop/answers.sh
. tests/interop/encrypted_parts.sh
. tests/interop/cxf.sh

PKI=$T/pki
read -r JAVA 2>/dev/null <build/java || JAVA=
read -r PYTHON 2>/dev/null <build/python || PYTHON=

# serve CONFIG ATTRIBUTES ELEMENTS: a gateway that knows the clients of tests/interop/wss4j/pki.
# Peers that have nothing else.
CBC='<algorithms encryption="aes128-cbc aes256-cbc"/>'

serve() {
    cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="interop">
  <gateway security="$1" schema="$PWD/$VECTORS/orders.xsd" trust="$PKI/ca.crt" crl="$PKI/crl.pem"
           certificates="$PKI/clients.pem" key="$PWD/$VECTORS/pki/server.key" user="nobody" $2>$3</gateway>
</policy>
EOF
    # shellcheck disable=SC2119
    gateway
}

accepted() {
    local status
    status=$(post "$1")
    [ "$status" = 200 ] || { echo "status $status: $(cat "$T/answer") $(last_event)"; return 1; }
    grep -q ':total>[0-9.]*</' "$T/answer"
}

# refused FILE KIND
refused() {
    local status before
    before=$(events)
    status=$(post "$1")
    case $status in
    400 | 500) ;;
    *) echo "status $status: $(cat "$T/answer")"; return 1 ;;
    esac
    is_fault && event_follows "$before" "$2"
}

# tampered FILE KIND: in what was signed or encrypted, one character another; the rest as it was.
tampered() {
    python3 - "$1" "$T/tampered.xml" <<'EOF' || return 1
import sys
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
data = text.find("<xenc:EncryptedData")
if data >= 0:
    at = text.index("<xenc:CipherValue>", data) + len("<xenc:CipherValue>") + 40
    other = "B" if text[at] == "A" else "A"
else:
    at = text.index("<qty>") + len("<qty>")
    other = "2" if text[at] == "1" else "1"
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(text[:at] + other + text[at + 1:])
EOF
    refused "$T/tampered.xml" "$2"
}

# group CONFIG KIND NAME...: each is taken, and refused when tampered with.
group() {
    local config=$1 kind=$2 name
    shift 2
    for name; do
        # Tampered first: the good one is remembered.
        check "$config-wss4j-$name-tampered" tampered "$T/out/$name.xml" "$kind"
        check "$config-wss4j-$name" accepted "$T/out/$name.xml"
    done
}

ends() {
    check "$1-gateway-ends-well" gateway_ends
}

make_messages() {
    mkdir "$PKI" "$T/out"
    tests/interop/wss4j/pki "$PKI" || return 1
    cat "$PKI/rsa3072.crt" "$PKI/ec256.crt" >>"$PKI/clients.pem"
    chmod 755 "$PKI"
    java -cp "$JAVA/*" tests/interop/wss4j/Vectors.java "$VECTORS/plain/plain-1k.xml" "$PKI" \
        "$VECTORS/pki/server.crt" "$T/out" live
}

wss4j_signed() {
    serve BcS '' ''
    group BcS signature signed-rsa signed-rsa3072 signed-ec256 direct issuer-serial ski thumbprint x509-identifier \
        rsa-sha384 rsa-sha512 pss-sha256 pss-sha384 pss-sha512 ec384 ec384-ski addressing
    check BcS-wss4j-replayed refused "$T/out/direct.xml" replay
    check BcS-wss4j-revoked refused "$T/out/revoked.xml" token
    check BcS-wss4j-pss-sha1 refused "$T/out/pss-sha1.xml" algorithm
    check BcS-wss4j-encrypted-only refused "$T/out/enc-gcm128-mgf1p.xml" '[a-z]*'
    ends BcS
    serve BcS '' '<username passwords="passwords"/>'
    group BcS-user signature user-digest-signed
    check BcS-user-wss4j-no-user refused "$T/out/ski.xml" '[a-z]*'
    ends BcS-user
}

wss4j_users() {
    serve BcV '' '<username passwords="passwords"/>'
    check BcV-wss4j-user-digest accepted "$T/out/user-digest.xml"
    check BcV-wss4j-user-replayed refused "$T/out/user-digest.xml" replay
    check BcV-wss4j-user-text refused "$T/out/user-text.xml" '[a-z]*'
    ends BcV
}

wss4j_saml() {
    serve BcS '' "<saml required=\"yes\" bearer=\"yes\" audiences=\"urn:fmp:orders\">
        <issuer name=\"https://idp.example.org/\" trust=\"$PKI/idp.crt\"/></saml>"
    group BcS-saml signature saml-holder saml-bearer-signed
    check BcS-saml-other-holder refused "$T/out/saml-other-holder.xml" signature
    ends BcS-saml
    serve BcV '' "<saml required=\"yes\" bearer=\"yes\" audiences=\"urn:fmp:orders\">
        <issuer name=\"https://idp.example.org/\" trust=\"$PKI/idp.crt\"/></saml>"
    check BcV-saml-bearer accepted "$T/out/saml-bearer.xml"
    check BcV-saml-none refused "$T/out/user-digest.xml" '[a-z]*'
    ends BcV-saml
}

wss4j_encrypted() {
    serve BcE '' ''
    group BcE decrypt enc-gcm128-oaep256 enc-gcm256-oaep512 enc-gcm128-mgf1p enc-gcm256-oaep256-mgf1sha1
    check BcE-wss4j-cbc refused "$T/out/enc-cbc128-oaep384.xml" algorithm
    ends BcE
    serve BcE '' "$CBC"
    group BcE decrypt enc-cbc128-oaep384 enc-cbc256-mgf1p-sha256
    check BcE-wss4j-gcm refused "$T/out/enc-gcm128-oaep256.xml" algorithm
    ends BcE-cbc
    serve BcES '' ''
    group BcES decrypt both-rsa both-rsa3072 both-ec256 pss-then-enc
    check BcES-wss4j-other-order refused "$T/out/enc-then-ec384.xml" unsigned
    check BcES-wss4j-signed-only refused "$T/out/rsa-sha384.xml" '[a-z]*'
    ends BcES
    serve BcES '' '<require order="encrypt-then-sign"/>'
    group BcES signature enc-then-ec384
    ends BcES-encrypt-then-sign
}

zeep() { # CASE CLIENT
    "$PYTHON/bin/python" tests/interop/zeep_client.py daemon/sample/orders.wsdl "$URL" "$1" "$PKI/$2.key" "$PKI/$2.crt" \
        "$VECTORS/pki/server.crt"
}

zeep_signed() {
    local client
    serve BcS '' ''
    for client in rsa rsa3072 ec256; do
        check "BcS-zeep-$client" zeep good "$client"
        check "BcS-zeep-$client-tampered" zeep tampered "$client"
    done
    check BcS-zeep-sha1 zeep sha1 rsa
    check BcS-zeep-unsigned zeep unsigned rsa
    check BcS-zeep-expired zeep expired rsa
    ends BcS-zeep
}

zeep_users() {
    serve BcV '' '<username passwords="passwords"/>'
    check BcV-zeep-user zeep user rsa
    check BcV-zeep-wrong-user zeep wrong-user rsa
    check BcV-zeep-user-text zeep user-text rsa
    ends BcV-zeep
}

zeep_encrypted() {
    local how
    serve BcES '' '<require encrypted="signature"/>'
    for how in gcm128 gcm256-sha256; do
        check "BcES-zeep-$how" zeep "encrypted-$how" rsa
    done
    check BcES-zeep-clear zeep clear rsa
    ends BcES-zeep
    serve BcES '' "<require encrypted=\"signature\"/>$CBC"
    for how in cbc128-sha256 cbc256; do
        check "BcES-zeep-$how" zeep "encrypted-$how" rsa
    done
    ends BcES-zeep-cbc
}

# One for each connection that one of the many gateways keeps.
THREADS=128
service
if [ -n "$JAVA" ] && command -v java >/dev/null; then
    check wss4j-makes-messages make_messages
    echo "jane:correct horse, battery" >"$T/passwords"
    chmod 600 "$T/passwords"
    wss4j_signed
    wss4j_users
    wss4j_saml
    wss4j_encrypted
    wss4j_encrypted_parts
    answers_by_wss4j
    by_cxf
    if [ -n "$PYTHON" ]; then
        zeep_signed
        zeep_users
        zeep_encrypted
        answers_by_zeep
    else
        skip zeep "scripts/setup interop has not been run"
    fi
else
    skip wss4j "scripts/setup interop has not been run"
fi
