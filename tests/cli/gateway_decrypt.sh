# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Whatever is wrong with an encrypted message, its sender gets the same answer, byte by byte:
# a wrong key, a tag, a padding, what is not XML, what the schema refuses.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

ATTACKS=${FMP_ATTACKS:-build/tests/attacks}
[ -n "${FMP_ATTACKS:-}" ] || make -s WERROR=1 attacks || exit 1

# answer FILE: status line, fields and body into $T/answer.
answer() {
    curl -s -i -m 20 -o "$T/answer" -H 'Content-Type: text/xml' -H 'SOAPAction: ""' -H 'Expect:' \
        --data-binary "@$1" "$URL"
}

same_answer() { # FILE
    local before
    before=$(events)
    answer "$1" || return 1
    is_fault || return 1
    cmp "$T/first" "$T/answer" || { cat "$T/answer"; return 1; }
    event_follows "$before" '[a-z]*' || return 1
    ! last_event | grep -q 'kind=\(good\|crash\|timeout\) '
}

mkdir "$T/corpus"
"$ATTACKS" write "$T/corpus" || exit 1
chmod -R a+rX "$T/corpus"
policy ''
service
gateway --security BcE

check vector-with-a-changed-tag answer "$VECTORS/bad-wss/enc-gcm-tag-flip.xml"
cp "$T/answer" "$T/first"
check that-is-a-fault is_fault
n=0
while IFS=$'\t' read -r file config step kind _ _ name; do
    [ "$config $step" = 'BcE decrypt' ] || continue
    check "$kind-$(echo "$name" | tr -c 'A-Za-z0-9\n' '-')" same_answer "$file"
    n=$((n + 1))
done <"$T/corpus/index"
check they-were-many test "$n" -ge 35
check good-ones-pass test "$(post "$VECTORS/good/wss4j-enc-gcm128-1k.xml")" = 200
check gateway-ends-well gateway_ends

# ---- CBC: few are decrypted that are then refused ----

# changed N: one letter of the cipher text is another.
changed() {
    sed "s|\(<xenc:CipherValue>[^<]\{$1\}\).\([^<]\{400,\}</xenc:CipherValue>\)|\1=\2|" "$CBC"
}

six_are_tried() {
    local n status
    for n in 41 42 43 44 45 46; do
        changed "$n" >"$T/changed.xml"
        ! cmp -s "$T/changed.xml" "$CBC" || { echo "nothing is changed"; return 1; }
        status=$(post "$T/changed.xml")
        [ "$status" = 500 ] || { echo "status $status"; return 1; }
        is_fault || return 1
    done
}

# Whether it would decrypt is not known, so nobody is charged.
then_none_is() {
    local before status
    before=$(events)
    status=$(post "$CBC")
    [ "$status" = 503 ] || { echo "status $status"; return 1; }
    [ "$(events)" = "$before" ] || { last_event; return 1; }
    grep -q 'under CBC too many messages did not decrypt' "$T/gateway.err" || { tail "$T/gateway.err"; return 1; }
}

CBC=$VECTORS/good/wss4j-enc-cbc256-1k.xml
policy 'security="BcE"' '' '' '' '<algorithms encryption="aes128-cbc aes256-cbc"/>'
gateway
check cbc-good-ones-pass test "$(post "$CBC")" = 200
check cbc-six-are-tried six_are_tried
check cbc-then-none-is then_none_is
check cbc-gateway-ends-well gateway_ends
