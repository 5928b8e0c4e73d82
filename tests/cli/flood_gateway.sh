# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# fmp-flood against the gateway: each kind of message is found to be just that, and a good
# one gets through.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

make_pki() {
    local c
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$T/ca.key" -out "$T/ca.crt" -days 2 -subj /CN=ca
    for c in rsa:rsa:2048 ec:ec; do
        local name=${c%%:*}
        if [ "$name" = ec ]; then
            openssl ecparam -name prime256v1 -genkey -noout -out "$T/ec.key"
        else
            openssl genrsa -out "$T/rsa.key" 2048
        fi
        openssl req -new -key "$T/$name.key" -subj "/CN=$name" -out "$T/$name.csr"
        openssl x509 -req -in "$T/$name.csr" -CA "$T/ca.crt" -CAkey "$T/ca.key" -CAcreateserial -days 2 \
            -extfile <(echo keyUsage=digitalSignature) -out "$T/$name.crt"
    done
    chmod 644 "$T"/*.crt
} >"$T/pki.log" 2>&1

# sends COUNT MIX [OPTION...]
sends() {
    local count=$1 mix=$2
    shift 2
    "$BIN/fmp-flood" --url "$URL" --quiet --rate 50 --count "$count" --mix "$mix" --json "$T/f.json" "$@"
}

# found KIND EVENT [OPTION...]: ten messages of a kind give ten events, and none a good answer.
found() {
    local kind=$1 event=$2 before after
    shift 2
    before=$(grep -c "^event .*kind=$event " "$T/gateway.err")
    sends 10 "$kind=1" "$@" || return 1
    wait_for 5 settled "$event" "$((before + 10))" || {
        tail -n 3 "$T/gateway.err"
        cat "$T/f.json"
        return 1
    }
    after=$(grep -c "^event .*kind=$event " "$T/gateway.err")
    [ $((after - before)) = 10 ] &&
        jq -e --arg k "$kind" '.sent == 10 and .kinds[$k].sent == 10 and (.good == 0 or $k == "good")' "$T/f.json"
}

settled() { [ "$(grep -c "^event .*kind=$1 " "$T/gateway.err")" -ge "$2" ]; }

good_are_answered() {
    local key=$1
    shift
    sends 20 good=1 --key "$T/$key.key" --cert "$T/$key.crt" --ca "$T/ca.crt" "$@" &&
        jq -e '.good == 20 and .faults == 0' "$T/f.json"
}

mixed() {
    sends 40 good=2,schema=1,signature=1 --key "$T/rsa.key" --cert "$T/rsa.crt" &&
        jq -e '.kinds.good.good == 20 and .kinds.schema.faults == 10 and .kinds.signature.faults == 10' "$T/f.json"
}

make_pki
policy '' 'body="128KiB"'
sed -i "s|trust=\"[^\"]*\"|trust=\"$T/ca.crt\"|" "$T/policy.xml"
service
gateway --security BcS
check flood_good_rsa good_are_answered rsa
check flood_good_ecdsa good_are_answered ec
check flood_good_keepalive good_are_answered ec --keepalive --connections 2
check flood_found_wellformed found wellformed wellformed
check flood_found_schema found schema schema
check flood_found_unsigned found unsigned unsigned
check flood_found_signature_tampered found signature signature --key "$T/ec.key" --cert "$T/ec.crt"
check flood_found_signature_forged found signature signature --cert "$T/rsa.crt"
check flood_found_token found signature token
check flood_found_oversize found oversize oversize --oversize 200
check flood_found_nesting found nesting nesting
check flood_found_dtd found dtd dtd
check flood_found_http found http http
check flood_mixed mixed
