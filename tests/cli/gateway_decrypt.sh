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
