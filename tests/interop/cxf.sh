# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# Apache CXF as a client that keeps to a WS-SecurityPolicy and wants its answers to; of live.sh.
# A name is what tests/interop/wss4j/Client.java is told: "rsa,encrypted,blocks".

CXF_CASES=()

# cxf CASE CONFIG ELEMENTS: with a gateway of its own.
cxf() {
    serve "$2" '' "$3"
    CXF_CASES+=("$1=$URL")
}

cxf_gateways() {
    # CXF marks To with mustUnderstand, and the sample service understands no WS-Addressing.
    local users='<username passwords="passwords"/>' signed='signed="To Action MessageID" headers="strip"'
    local sign="<answers sign=\"rsa-sha256\" relate=\"yes\" $SERVER/>"
    local both="<answers sign=\"rsa-sha256\" encrypt=\"aes128-gcm\" relate=\"yes\" $SERVER/>"
    local twice='order="encrypt-sign-encrypt"'
    local later="<answers sign=\"rsa-sha256\" encrypt=\"aes128-gcm\" order=\"encrypt-then-sign\" $SERVER/>"

    cxf rsa BcS "$sign"
    cxf rsa3072,ProtectTokens BcS "$sign"
    cxf rsa,IssuerSerial BcS "$sign"
    cxf rsa,KeyIdentifier BcS "$sign"
    cxf rsa,Thumbprint BcS "$sign"
    # The algorithm suites of CXF know no public key of an elliptic curve, so it would refuse an answer.
    cxf ec256,unanswered BcS ''
    cxf rsa,addressing BcS "<require $signed/>$sign"
    cxf rsa,encrypted,Strict BcES "$both"
    cxf rsa,encrypted,aes256 BcES "${both/aes128/aes256}"
    cxf rsa,encrypted,user BcES "<require encrypted=\"username\"/>$users$both"
    cxf rsa,encrypted,blocks,addressing BcES "<require $signed encrypted=\"To MessageID\"/>$both"
    cxf rsa,encrypted,EncryptSignature,user,blocks,addressing BcES \
        "<require $signed encrypted=\"username signature To MessageID\"/>$users$both"
    cxf rsa,encrypted,EncryptBeforeSigning BcES "<require order=\"encrypt-then-sign\"/>$later"
    # UsernameToken and Signature: encrypted behind that.
    cxf rsa,encrypted,EncryptBeforeSigning,user BcES \
        "<require $twice encrypted=\"username\"/>$users$later"
    cxf rsa,encrypted,EncryptBeforeSigning,EncryptSignature,Strict BcES \
        "<require $twice encrypted=\"signature\"/>$later"
    cxf rsa,encrypted,EncryptBeforeSigning,EncryptSignature,user,addressing BcES \
        "<require $twice $signed encrypted=\"username signature\"/>$users$later"
}

# What the gateway does not want, and answers that CXF does not.
cxf_refused() {
    cxf rsa,encrypted,EncryptBeforeSigning,Lax BcES ''
    cxf rsa,encrypted,EncryptSignature BcES ''
    # CXF signs blocks by Ids that it has encrypted; its own WSS4J does not find them either (README).
    cxf rsa,encrypted,EncryptBeforeSigning,blocks,addressing BcES \
        '<require order="encrypt-then-sign" encrypted="To MessageID"/>'
    cxf rsa,encrypted BcES "<answers sign=\"rsa-sha256\" $SERVER/>"
    cxf rsa3072 BcS ''
}

# says_cxf CASE WORDS
says_cxf() {
    grep -qE "^$1 $2" "$T/cxf.out" || { grep "^$1 " "$T/cxf.out" || cat "$T/cxf.out"; tail -n 20 "$T/cxf.err"; return 1; }
}

by_cxf() {
    local one good
    CXF_CASES=()
    cxf_gateways
    good=${#CXF_CASES[@]}
    cxf_refused
    java -cp "$JAVA/*" tests/interop/wss4j/Client.java daemon/sample/orders.wsdl "$PKI" "$VECTORS/pki/server.crt" \
        "$VECTORS/pki/ca.crt" "${CXF_CASES[@]}" >"$T/cxf.out" 2>"$T/cxf.err"
    for one in "${CXF_CASES[@]:0:good}"; do
        check "cxf-${one%%=*}" says_cxf "${one%%=*}" 'answered$'
    done
    check cxf-other-order says_cxf rsa,encrypted,EncryptBeforeSigning,Lax 'refused The security of the message could not'
    check cxf-hidden-signature-not-wanted says_cxf rsa,encrypted,EncryptSignature 'refused The security of the message'
    check cxf-blocks-signed-before-encrypted says_cxf rsa,encrypted,EncryptBeforeSigning,blocks,addressing \
        'refused The security of the message'
    check cxf-answer-not-encrypted says_cxf rsa,encrypted 'refused .*Soap Body is not ENCRYPTED'
    check cxf-answer-not-signed says_cxf rsa3072 'refused .*Soap Body is not SIGNED'
}
