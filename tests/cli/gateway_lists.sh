# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119
#
# Revocation lists that are out of date: whose signers are refused, and nobody is charged.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

TOKENS=$VECTORS/tokens
GOOD=$TOKENS/direct.xml

# lists FILE
lists() {
    policy "security=\"BcS\" workers=\"1\" crl=\"$PWD/$TOKENS/pki/$1\"" '' '' '' '<replay entries="0"/>'
    sed -i "s|trust=\"[^\"]*\"|trust=\"$PWD/$TOKENS/pki/ca.crt\"|" "$T/policy.xml"
}

warns() {
    "$BIN/fmp-gateway" --check --policy "$T/policy.xml" --backend "$BACKEND" 2>"$T/said" || return 1
    grep -q "warning: .*crl-expired.pem: the revocation list of .* is out of date: its signers are refused" "$T/said" &&
        grep -q 'warning: .*crl-expired.pem' "$T/gateway.err" || { cat "$T/said" "$T/gateway.err"; return 1; }
}
warns_of_nothing() {
    "$BIN/fmp-gateway" --check --policy "$T/policy.xml" --backend "$BACKEND" 2>"$T/said" && [ ! -s "$T/said" ] ||
        { cat "$T/said"; return 1; }
}

refused_free_of_charge() {
    local before status
    before=$(events)
    for _ in 1 2; do
        status=$(post "$GOOD")
        [ "$status" = 503 ] && is_fault && grep -q 'revocation lists of this device are out of date' "$T/answer" ||
            { echo "status $status"; cat "$T/answer"; return 1; }
    done
    # Had they been events, they would have been printed in front of this one.
    post "$VECTORS/bad-wss/wss4j-expired.xml" >/dev/null
    event_follows "$before" '[a-z]*' && [ "$(events)" = $((before + 1)) ] || { last_event; return 1; }
    [ "$(grep -c "it is not known whether the certificate is revoked: CRL has expired" "$T/gateway.err")" = 1 ] ||
        { cat "$T/gateway.err"; return 1; }
}

# Whose certificate is good, but who has not signed it.
tampered_is_charged() {
    local before
    before=$(events)
    sed 's,<qty>,<qty>1,; s,:qty>\([0-9]\),:qty>1\1,' "$GOOD" >"$T/tampered.xml"
    ! cmp -s "$GOOD" "$T/tampered.xml" && [ "$(post "$T/tampered.xml")" = 500 ] && event_follows "$before" signature
}

# By a CA of that name, whose key is another one.
forged_is_charged() {
    local before
    before=$(events)
    openssl req -new -x509 -newkey rsa:2048 -nodes -keyout "$T/ca.key" -out "$T/ca.crt" -days 2 -subj "$SUBJECT" 2>/dev/null
    openssl req -new -newkey rsa:2048 -nodes -keyout "$T/leaf.key" -out "$T/leaf.csr" -subj /CN=leaf 2>/dev/null
    openssl x509 -req -in "$T/leaf.csr" -CA "$T/ca.crt" -CAkey "$T/ca.key" -CAcreateserial -days 2 -out "$T/leaf.crt" 2>/dev/null
    "$BIN/fmp-flood" --url "$URL" --key "$T/leaf.key" --cert "$T/leaf.crt" --mix good=100 --count 1 >"$T/flood" 2>&1
    event_follows "$before" token || { cat "$T/flood"; return 1; }
}

# signer PURPOSES: a CA and a signer of its own, whose certificate is for that.
signer() {
    openssl req -new -x509 -newkey rsa:2048 -nodes -keyout "$T/ca.key" -out "$T/ca.crt" -days 2 -subj /CN=own 2>/dev/null
    openssl req -new -newkey rsa:2048 -nodes -keyout "$T/leaf.key" -out "$T/leaf.csr" -subj /CN=leaf 2>/dev/null
    openssl x509 -req -in "$T/leaf.csr" -CA "$T/ca.crt" -CAkey "$T/ca.key" -CAcreateserial -days 2 -out "$T/leaf.crt" \
        -extfile <(printf 'basicConstraints=CA:FALSE\nextendedKeyUsage=%s\n' "$1") 2>/dev/null
}
sends() { "$BIN/fmp-flood" --url "$URL" --key "$T/leaf.key" --cert "$T/leaf.crt" --mix good=100 --count 2 >"$T/flood" 2>&1; }
tls_signer_is_warned_of() {
    sends
    grep -q 'answers: good 2' "$T/flood" && wait_for 10 grep -q 'signed with a certificate for TLS alone' "$T/gateway.err" ||
        { cat "$T/flood" "$T/gateway.err"; return 1; }
    [ "$(grep -c 'signed with a certificate for TLS alone' "$T/gateway.err")" = 1 ]
}
tls_signer_is_refused() {
    local before
    before=$(events)
    sends
    event_follows "$before" token && grep -q 'none of the purposes' "$T/gateway.err" "$T/gateway.out" ||
        { cat "$T/flood" "$T/gateway.err"; return 1; }
}

# openssl's line begins with "subject=", and needs slashes.
SUBJECT=$(openssl x509 -in "$TOKENS/pki/ca.crt" -noout -subject -nameopt compat | sed 's/^subject= *//')
case $SUBJECT in /*) ;; *) SUBJECT=/$(echo "$SUBJECT" | sed 's|, |/|g; s| = |=|g') ;; esac

service
lists crl-expired.pem
gateway
check warns-at-the-start warns
check signers-are-refused-free-of-charge refused_free_of_charge
check tampered-is-charged tampered_is_charged
check forged-is-charged forged_is_charged
check ends-well gateway_ends
lists crl-before.pem
gateway
check good-list-warns-of-nothing warns_of_nothing
check signers-pass test "$(post "$GOOD")" = 200
check ends-well-again gateway_ends
signer clientAuth,serverAuth
for purpose in any email; do
    policy "security=\"BcS\" workers=\"1\" purpose=\"$purpose\""
    sed -i "s|trust=\"[^\"]*\"|trust=\"$T/ca.crt\"|" "$T/policy.xml"
    gateway
    case $purpose in
    any) check tls-signer-is-warned-of tls_signer_is_warned_of ;;
    email) check tls-signer-is-refused tls_signer_is_refused ;;
    esac
    check "ends-well-with-$purpose" gateway_ends
done
