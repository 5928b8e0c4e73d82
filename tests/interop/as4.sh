# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# AS4 (ebMS 3.0) by phase4, of stacks.sh: user messages with compressed payloads and their receipts. The receiver
# either verifies and decrypts itself, or gets what the gateway has verified and decrypted.

AS4_NAMES=()

# as4_service NAME SECURITY [ATTRIBUTES]: one service of the policy.
as4_service() {
    AS4_NAMES+=("$1")
    cat <<EOF
      <service name="$1" path="/$1" security="$2" ${3:-} backend="http://127.0.0.1:$SERVICE/$1"/>
EOF
}

as4_services() {
    local name
    AS4_NAMES=()
    for name in own-sign own-sign-encrypt own-sign-encrypt-two own-sign-encrypt-large own-sign-encrypt-body own-sign-receipt; do
        as4_service $name Bc
    done
    for name in sign sign-two sign-large sign-body sign-receipt sign-clock sign-clock-body; do
        as4_service $name BcS "schema=\"$PWD/$HERE/phase4/msh.wsdl\""
    done
    for name in sign-encrypt sign-encrypt-two sign-encrypt-large sign-encrypt-body sign-encrypt-clock sign-encrypt-clock-body; do
        as4_service $name BcES "schema=\"$PWD/$HERE/phase4/msh.wsdl\""
    done
}

as4_guard() {
    as4_services >"$T/services"
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="as4">
  <block layers="ip" duration="10min"/>
  <gateway security="Bc" user="nobody" trust="$PKI/ca.crt" crl="$PKI/crl.pem" key="$PWD/$VECTORS/pki/server.key">
    <limits body="4MiB"/>
    <headers xmlns:eb="http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/">
      <header name="eb:Messaging" required="yes"/>
    </headers>
    <services>
$(cat "$T/services")
    </services>
  </gateway>
  <enforce reconcile="30s"/>
</policy>
EOF
    plane_layers "$HANDHELD:$GATE"
}

phase4() {
    built java-phase4 phase4 && check phase4-pki pki && check phase4-compiles classes phase4 $HERE/policy/Keys.java $HERE/phase4/As4.java || return
    next_port
    check phase4-serves serve phase4 java As4 server "$SERVICE" "$PKI" "$T/server.p12"
    check phase4-guarded as4_guard
    converse phase4 java As4 client "http://$HANDHELD:$GATE" "$PKI" "$VECTORS/pki/server.crt" "${AS4_NAMES[@]}"
}
