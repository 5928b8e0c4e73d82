# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2153,SC2154
#
# <algorithms>: what a policy leaves out of them is refused, by each service for itself, and
# from a reload on.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

EC=$VECTORS/good/wss4j-ec256-1k.xml
RSA=$VECTORS/good/wss4j-rsa2048-1k.xml

takes() { # PATH FILE
    local before status
    before=$(events)
    URL=http://127.0.0.1:$PORT$1
    status=$(post "$2")
    [ "$status" = 200 ] || { echo "status $status: $(last_event)"; return 1; }
    event_follows "$before" good
}

refuses() { # PATH FILE STEP WORDS
    local before status
    before=$(events)
    URL=http://127.0.0.1:$PORT$1
    status=$(post "$2")
    [ "$status" = 500 ] || { echo "status $status: $(last_event)"; return 1; }
    event_follows "$before" algorithm || return 1
    last_event | grep -q " step=$3 .*$4 is left out by the policy" || { last_event; return 1; }
}

service
policy 'security="BcS"' '' '' '' '<replay entries="0"/><algorithms signature="ecdsa-sha256"/>
    <services>
      <service name="plain" path="/plain" security="BcV"/>
      <service name="ec" path="/ec"/>
      <service name="rsa" path="/rsa"><algorithms signature="rsa-sha256 rsa-sha512"/></service>
      <service name="hash" path="/hash"><algorithms digest="sha512"/></service>
      <service name="secret" path="/secret" security="BcE">
        <algorithms encryption="aes128-gcm aes256-gcm" key-transport="rsa-oaep-sha256"/>
      </service>
    </services>'
gateway
check plain-needs-none takes /plain "$VECTORS/plain/plain-1k.xml"
check ec-takes-its-own takes /ec "$EC"
check ec-refuses-rsa refuses /ec "$RSA" signature 'SignatureMethod .*#rsa-sha256'
check rsa-takes-its-own takes /rsa "$RSA"
check rsa-refuses-ec refuses /rsa "$EC" signature 'SignatureMethod .*#ecdsa-sha256'
check hash-refuses-another refuses /hash "$EC" signature 'DigestMethod .*#sha256'
check secret-takes-its-own takes /secret "$VECTORS/good/wss4j-enc-gcm256-oaep256-1k.xml"
check secret-refuses-sha1 refuses /secret "$VECTORS/good/wss4j-enc-gcm128-1k.xml" decrypt \
    'key transport .* with SHA1'
check secret-refuses-cbc refuses /secret "$VECTORS/tokens/enc-cbc256-mgf1p-sha256.xml" decrypt \
    'data encryption .*#aes256-cbc'
check gateway-ends-well gateway_ends

both_give() { # STATUS of RSA, of EC
    local got
    got="$(post "$RSA") $(post "$EC")"
    [ "$got" = "$1 $2" ] || { echo "status $got"; ctl why 127.0.0.1; return 1; }
}

narrowed_by_a_reload() {
    local before
    before=$(gateway_pid)
    both_give 200 200 || return 1
    policy 'security="BcS"' '' '' '' '<replay entries="0"/><algorithms signature="ecdsa-sha256"/>'
    ctl policy reload && wait_for 20 other_gateway "$before" || return 1
    both_give 500 200 || return 1
    # A contradiction takes nobody's place.
    policy 'security="BcV"' '' '' '' '<replay entries="0"/><algorithms signature="ecdsa-sha256"/>'
    ! ctl policy reload 2>"$T/err" || return 1
    grep -q 'policy.xml:[0-9]*:[0-9]*: .*needs security BcS or BcES' "$T/err" || { cat "$T/err"; return 1; }
    both_give 500 200
}

policy 'security="BcS"' '' '' '' '<replay entries="0"/>'
plane_up
check narrowed-by-a-reload narrowed_by_a_reload
plane_ends
