# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# Stacks that take their WS-SecurityPolicy from the service's WSDL; of stacks.sh. One service for each policy: the
# gateway takes its WSDL as it is, verifies and decrypts what the policy asks for, and signs and encrypts answers.

# pki: certificates of clients, as live.sh has them.
pki() {
    PKI=$T/pki
    [ ! -d "$PKI" ] || return 0
    mkdir "$PKI"
    tests/interop/wss4j/pki "$PKI" || return 1
    chmod 755 "$PKI"
    echo "jane:$PASSWORD" >"$T/passwords"
    chmod 600 "$T/passwords"
    openssl pkcs12 -export -inkey "$VECTORS/pki/server.key" -in "$VECTORS/pki/server.crt" -name server -passout pass:vectors \
        -out "$T/server.p12"
}

SERVICES=() NAMES=() COMMON=

# secured NAME SECURITY [ELEMENTS]: a service.
secured() {
    NAMES+=("$1")
    SERVICES+=("$1 $2 ${3:-}")
}

# secured_policy: what stands in SERVICES and, for all of them, COMMON.
secured_policy() {
    local one name security elements count=0
    cat <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="secured">
  <block layers="ip" duration="10min"/>
  <gateway security="BcV" user="nobody" trust="$PKI/ca.crt" crl="$PKI/crl.pem" certificates="$PKI/clients.pem"
           key="$PWD/$VECTORS/pki/server.key" schema="$T/wsdl-${NAMES[0]}.wsdl">
    <limits body="4MiB"/>
    <identity forward="yes"/>
    $COMMON
    <services>
EOF
    for one in "${SERVICES[@]}"; do
        read -r name security elements <<<"$one"
        count=$((count + 1))
        echo "<service name=\"secured-$count\" path=\"/$name\" security=\"$security\" schema=\"$T/wsdl-$name.wsdl\" backend=\"http://127.0.0.1:$SERVICE/$name\">"
        echo "  $elements"
        echo "</service>"
    done
    cat <<EOF
    </services>
  </gateway>
  <enforce reconcile="30s"/>
</policy>
EOF
}

secured_guard() {
    local name
    for name in "${NAMES[@]}"; do
        [ ! -e "$T/wsdl-$name.wsdl" ] || continue
        python3 $HERE/fetch.py "http://127.0.0.1:$SERVICE/$name?wsdl" "$T/wsdl-$name.wsdl" "$T/wsdl-$name.catalog" || return 1
    done
    secured_policy >"$T/policy.xml"
    plane_layers "$HANDHELD:$GATE"
}

cxf_services() {
    local server="certificate=\"$PWD/$VECTORS/pki/server.crt\" key=\"$PWD/$VECTORS/pki/server.key\""
    local sign="<answers sign=\"rsa-sha256\" relate=\"yes\" $server/>"
    local both="<answers sign=\"rsa-sha256\" encrypt=\"aes128-gcm\" relate=\"yes\" $server/>"
    local user='<username passwords="passwords"/>'

    SERVICES=() NAMES=()
    COMMON="<saml audiences=\"urn:example:store\" bearer=\"yes\" sender-vouches=\"yes\">
      <issuer name=\"https://idp.example.org/\" trust=\"$PKI/idp.crt\"/>
    </saml>"
    secured sign BcS "$sign"
    secured sign-IssuerSerial BcS "$sign"
    secured sign-KeyIdentifier BcS "$sign"
    secured sign-Thumbprint BcS "$sign"
    secured sign-PkiPath BcS "$sign"
    secured sign-encrypt BcES "$both"
    secured encrypt-unanswered BcE
    secured sign-user BcS "$sign$user"
    secured sign-encrypt-user-hidden BcES "<require encrypted=\"username\"/>$user$both"
    secured sign-user-hidden BcS "$sign$user"
    secured sign-mtom-user-hidden BcS "$sign$user"
    secured symmetric-sign-user-hidden-unanswered BcS "<require symmetric=\"supported\"/>$user"
    secured symmetric-sign-derived-user-hidden-unanswered BcS "<require symmetric=\"supported\"/>$user"
    secured sign-addressing BcS "<require signed=\"To Action MessageID\" headers=\"signed\"/>$sign"
    secured sign-mtom BcS "$sign"
    secured sign-endorse BcS "$sign"
    secured symmetric-sign-endorse-unanswered BcS
    secured symmetric-sign-derived-endorse-unanswered BcS
    secured symmetric-sign-encrypt-endorse-unanswered BcES
    secured symmetric-sign-encrypt-derived-endorse-unanswered BcES
    secured symmetric-sign-encrypt-derived-user-unanswered BcES "<require symmetric=\"supported\"/>$user"
    secured sign-bearer BcS "$sign"
    secured sign-vouches BcS "$sign"
    secured sign-holder BcS "$sign"
    secured sign-swa-content BcS "$sign"
    secured sign-swa-complete BcS "$sign"
    secured sign-encrypt-swa-content BcES "$both"
    secured sign-encrypt-swa-complete BcES "$both"
}

# secured_stack STACK CLASS: the conversation of what stands in SERVICES.
secured_stack() {
    next_port
    check "$1-serves" serve "$1" java "$2" server "$SERVICE" $HERE/store.wsdl "$T" "$PKI" "$T/server.p12" "${NAMES[@]}"
    # The port is open before the last of its services is there.
    check "$1-serves-all" wait_for 60 grep -q '^listening on' "$T/$1.out"
    check "$1-guarded" secured_guard
    converse "$1" java "$2" client "http://$HANDHELD:$GATE" "$PKI" "$VECTORS/pki/server.crt" "$VECTORS/pki/ca.crt" "${NAMES[@]}"
}

wsit_services() {
    local name server="certificate=\"$PWD/$VECTORS/pki/server.crt\" key=\"$PWD/$VECTORS/pki/server.key\""
    local sign="<answers sign=\"rsa-sha256\" relate=\"yes\" $server/>"

    # It knows no other cipher, and the gateway encrypts answers by AES-GCM only.
    SERVICES=() NAMES=() COMMON='<algorithms encryption="aes128-cbc"/>'
    secured sign BcS "$sign"
    secured sign-IssuerSerial BcS "$sign"
    secured sign-KeyIdentifier BcS "$sign"
    secured sign-Thumbprint BcS "$sign"
    secured sign-user BcS "$sign<username passwords=\"passwords\"/>"
    secured sign-addressing BcS "<require signed=\"To Action MessageID\"/>$sign"
    secured sign-encrypt-unanswered BcES
    for name in sign sign-encrypt sign-addressing symmetric-sign symmetric-sign-encrypt symmetric-sign-encrypt-derived \
        symmetric-sign-encrypt-derived-endorse; do
        secured own-$name Bc
    done
}

wsit() {
    built java-wsit wsit && check wsit-pki pki && check wsit-compiles \
        classes wsit $HERE/policy/*.java $HERE/wsit/WsitPolicy.java || return
    wsit_services
    secured_stack wsit WsitPolicy
}

cxfpolicy() {
    local name
    built java-cxfpolicy cxfpolicy && check cxfpolicy-pki pki &&
        check cxfpolicy-compiles classes cxfpolicy $HERE/policy/*.java $HERE/cxfpolicy/CxfPolicy.java || return
    cxf_services
    secured_stack cxfpolicy CxfPolicy

    # Services that keep to their policy themselves. With <saml> they would get no Header, whatever their level.
    SERVICES=() NAMES=() COMMON=
    for name in sign sign-encrypt sign-encrypt-user-hidden sign-addressing sign-mtom symmetric-sign-endorse \
        symmetric-sign-encrypt symmetric-sign-encrypt-derived-endorse sign-encrypt-swa-content sign-encrypt-swa-complete; do
        secured own-$name Bc
    done
    secured_stack cxfpolicy CxfPolicy
}
