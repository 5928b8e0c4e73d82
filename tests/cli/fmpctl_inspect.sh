# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# fmpctl inspect on every vector, as its MANIFEST says; and its exit codes and forms.

. tests/cli/lib.sh

inspect() { # CONFIG ARGS...
    local config=$1
    shift
    "$BIN/fmpctl" inspect --schema "$VECTORS/orders.xsd" --ca "$VECTORS/pki/ca.crt" \
        --key "$VECTORS/pki/server.key" --now 2026-11-21T12:00:00Z --config "$config" "$@"
}

CBC="aes128-cbc aes256-cbc"

# vector FILE CONFIG accept|reject ORDER gcm|cbc
vector() {
    local rc=0 verdict ciphers="aes128-gcm aes256-gcm"
    [ "$5" = gcm ] || ciphers=$CBC
    inspect "$2" --order "$4" --encryption "$ciphers" --json "$VECTORS/$1" >"$T/verdict" 2>&1 || rc=$?
    verdict=$(jq -r .verdict "$T/verdict")
    [ "$verdict" = "$3" ] && [ "$rc" = "$([ "$3" = accept ] && echo 0 || echo 1)" ] && return 0
    echo "exit status $rc: $(cat "$T/verdict")"
    return 1
}

# Vectors that every configuration is to agree on go through one of each kind.
while IFS=' ' read -r file config expect order cipher; do
    [ -e "$VECTORS/$file" ] || { skip "vector_$file" "not in the tree"; continue; }
    check "vector_${file}_$config" vector "$file" "$config" "$expect" "$order" "$cipher"
done < <(jq -r '.[] | select(.expect == "accept" or .expect == "reject") |
    .file as $f | .expect as $e | (.order // "sign-then-encrypt") as $o | (.encryption // "gcm") as $c |
    .configs[] | if . == "all" then "Bc", "BcV" else . end | "\($f) \(.) \($e) \($o) \($c)"' \
    "$VECTORS/MANIFEST.json")

keys() {
    inspect BcV --json "$VECTORS/plain/plain-1k.xml" "$VECTORS/xml-attack/schema-qty-zero.xml" >"$T/out"
    [ "$(wc -l <"$T/out")" = 2 ] || return 1
    jq -se 'all(keys == ["detail", "file", "kind", "line", "step", "verdict"]) and
        .[0].step == "done" and .[0].kind == "good" and
        .[1].step == "schema" and .[1].kind == "schema" and .[1].line > 0 and .[1].detail != ""' "$T/out"
}

mixed_exit() {
    local rc=0
    inspect BcV "$VECTORS/plain/plain-1k.xml" "$VECTORS/xml-attack/dtd-empty.xml" >"$T/out" || rc=$?
    cat "$T/out"
    [ "$rc" = 1 ] && grep -q 'plain-1k.xml: accept' "$T/out" && grep -q 'dtd-empty.xml.* reject at screen (dtd)' "$T/out"
}

# Both engines say the same, of a good message and of one that was changed.
either_engine() {
    local engine rc
    for engine in fast xmlsec1; do
        rc=0
        inspect BcS --signatures "$engine" "$VECTORS/good/wss4j-rsa2048-1k.xml" \
            "$VECTORS/bad-wss/tampered-body.xml" >"$T/out.$engine" || rc=$?
        [ "$rc" = 1 ] || return 1
    done
    grep -q '1k.xml: accept' "$T/out.fast" && grep -q 'digest of Body does not match' "$T/out.fast" &&
        cmp "$T/out.fast" "$T/out.xmlsec1"
}

wrong_engine() {
    local rc=0
    inspect BcS --signatures slow "$VECTORS/plain/plain-1k.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'fast or xmlsec1' "$T/err"
}

# What was encrypted first is refused unless it is said; what is neither order is no option.
order() {
    local rc=0
    ! inspect BcES "$VECTORS/good/wss4j-enc-then-sign-1k.xml" >"$T/out" && grep -q unsigned "$T/out" || return 1
    inspect BcES --order either "$VECTORS/good/wss4j-enc-then-sign-1k.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'encrypt-then-sign or encrypt-sign-encrypt; not either' "$T/err"
}

# CBC is taken only by those who ask for it, and then for no session key that may be GCM's.
encryption() {
    local cbc="$VECTORS/good/wss4j-enc-cbc256-1k.xml" rc=0
    ! inspect BcE "$cbc" >"$T/out" && grep -q 'reject at decrypt (algorithm): .*aes256-cbc is left out by the policy' "$T/out" &&
        inspect BcE --encryption "aes128-gcm aes256-cbc" "$cbc" || { cat "$T/out"; return 1; }
    inspect BcE --encryption "$CBC aes256-gcm" "$cbc" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'CBC and GCM' "$T/err" || { cat "$T/err"; return 1; }
    rc=0
    inspect BcE --encryption aes256 "$cbc" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'none of aes128-cbc' "$T/err"
}

# What is legal, but tells those who ask often enough.
cbc_is_warned_of() {
    sed 's/encryption="[^"]*"/encryption="aes256-cbc"/' >"$T/cbc.xml" <<EOF
<policy xmlns="urn:fmp:policy:1"><gateway security="BcE" schema="$PWD/$VECTORS/orders.xsd"
  key="$PWD/$VECTORS/pki/server.key"><algorithms encryption="aes256-gcm"/></gateway></policy>
EOF
    "$BIN/fmpctl" policy check --elsewhere "$T/cbc.xml" >"$T/out" 2>"$T/err" &&
        grep -q 'warning: .*cbc.xml.*does not notice changed bytes' "$T/err"
}

missing_file() {
    local rc=0
    inspect BcV "$T/none" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q "$T/none" "$T/err"
}

missing_schema() {
    local rc=0
    "$BIN/fmpctl" inspect --schema "$T/none.xsd" --config BcV "$VECTORS/plain/plain-1k.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q none.xsd "$T/err"
}

# The same schema, and which of its elements is sent: orders, not labels.
wsdl() {
    local labels='<labels xmlns="urn:fmp:orders"><count>1</count><label>A</label></labels>' rc=0
    cp "$VECTORS/orders.xsd" "$T/"
    cat >"$T/orders.wsdl" <<'EOF'
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
             xmlns:t="urn:orders" xmlns:o="urn:fmp:orders" targetNamespace="urn:orders">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema"
    ><import namespace="urn:fmp:orders" schemaLocation="orders.xsd"/></schema></types>
  <message name="In"><part name="p" element="o:submitOrder"/></message>
  <portType name="Orders"><operation name="submit"><input message="t:In"/></operation></portType>
  <binding name="Soap" type="t:Orders"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="submit"><soap:operation soapAction=""/>
      <input><soap:body use="literal"/></input></operation></binding>
</definitions>
EOF
    echo "<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Body>$labels</Body></Envelope>" >"$T/labels"
    inspect BcV "$T/labels" || { echo "not valid by the XSD"; return 1; }
    inspect BcV --schema "$T/orders.wsdl" "$VECTORS/plain/plain-1k.xml" "$VECTORS/xml-attack/schema-qty-zero.xml" \
        "$T/labels" >"$T/out" || rc=$?
    cat "$T/out"
    [ "$rc" = 1 ] && grep -q 'plain-1k.xml: accept' "$T/out" && grep -q 'zero.xml.* reject at schema' "$T/out" &&
        grep -q 'labels.* reject at soap (soap)' "$T/out"
}

standard_input() {
    inspect BcV - <"$VECTORS/plain/plain-1k.xml"
}

# The clock is what --now says: the message is not yet created, or long over.
clock() {
    local f=$VECTORS/good/wss4j-rsa2048-1k.xml
    inspect BcS "$f" && ! inspect BcS --now @0 "$f" && ! inspect BcS --now 2099-01-01T00:00:00+01:00 "$f"
}

plain_text_without_colour() {
    ! inspect BcV "$VECTORS/plain/plain-1k.xml" | grep -q $'\x1b'
}

check json_keys keys
check mixed_exit mixed_exit
check either_engine either_engine
check wrong_engine wrong_engine
check order order
check encryption encryption
check cbc_is_warned_of cbc_is_warned_of
check missing_file missing_file
check missing_schema missing_schema
check wsdl wsdl
check standard_input standard_input
check clock clock
check plain_text_without_colour plain_text_without_colour
