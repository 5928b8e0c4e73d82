# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What clients in the field send is taken, or refused as unsupported with a text that says what would
# be; what was moved stays wrapping. What is signed is written in its canonical form.

. tests/cli/lib.sh

S11=http://schemas.xmlsoap.org/soap/envelope/
DS=http://www.w3.org/2000/09/xmldsig#
MORE=http://www.w3.org/2001/04/xmldsig-more#
EXC=http://www.w3.org/2001/10/xml-exc-c14n#
OASIS=http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss
WSSE=$OASIS-wssecurity-secext-1.0.xsd
WSU=$OASIS-wssecurity-utility-1.0.xsd
XSI=http://www.w3.org/2001/XMLSchema-instance
# Certificates are made now, messages a minute later, and looked at five seconds behind that.
at() { # SECONDS FORMAT
    date -u -d "@$((start + $1))" "+${2:-%FT%TZ}"
}
start=$(date +%s)

# ---- a signer ----

pki() {
    cat >"$T/echo.xsd" <<'EOF'
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:echo" elementFormDefault="qualified">
  <xs:element name="echo" type="xs:string"/>
</xs:schema>
EOF
    printf 'jane:secret\n' >"$T/users" && chmod 600 "$T/users"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/ca.key" -out "$T/ca.crt" \
        -subj /CN=CA -days 3650 || return 1
    local name
    for name in rsa:2048 ec:P-521; do
        openssl genpkey -algorithm "${name%:*}" -pkeyopt \
            "$([ "$name" = rsa:2048 ] && echo rsa_keygen_bits || echo ec_paramgen_curve):${name#*:}" \
            -out "$T/${name%:*}.key" &&
            openssl req -new -key "$T/${name%:*}.key" -subj "/CN=${name%:*}" -out "$T/csr" &&
            openssl x509 -req -in "$T/csr" -CA "$T/ca.crt" -CAkey "$T/ca.key" -CAcreateserial -days 3650 \
                -out "$T/${name%:*}.crt" || return 1
    done
}

certificate() { # NAME
    grep -v -e ---- "$T/$1.crt" | tr -d '\n'
}

digest() { # TEXT
    printf %s "$1" | openssl dgst -sha256 -binary | base64 -w0
}

reference() { # ID TEXT
    printf '<ds:Reference URI="#%s"><ds:Transforms><ds:Transform Algorithm="%s"></ds:Transform></ds:Transforms>' "$1" "$EXC"
    printf '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod>'
    printf '<ds:DigestValue>%s</ds:DigestValue></ds:Reference>' "$(digest "$2")"
}

value() { # METHOD TEXT
    case $1 in
    *#ecdsa-sha512) # r and s, each as long as the order of the curve
        printf %s "$2" | openssl dgst -sha512 -sign "$T/ec.key" -out "$T/der"
        openssl asn1parse -inform DER -in "$T/der" |
            awk -F: '/INTEGER/ { h = $NF; while (length(h) < 132) h = "0" h; printf "%s", h }' |
            python3 -c 'import base64, sys; print(base64.b64encode(bytes.fromhex(sys.stdin.read())).decode())'
        ;;
    *) printf %s "$2" | openssl dgst -sha256 -sign "$T/rsa.key" | base64 -w0 ;;
    esac
}

data() { # CERTIFICATE
    printf '<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=CA</ds:X509IssuerName>'
    printf '<ds:X509SerialNumber>1</ds:X509SerialNumber></ds:X509IssuerSerial>'
    printf '<ds:X509Certificate>%s</ds:X509Certificate></ds:X509Data>' "$1"
}

body() { # ID-ATTRIBUTE
    printf '<s:Body xmlns:s="%s" xmlns:wsu="%s" %s><e:echo xmlns:e="urn:echo">a</e:echo></s:Body>' "$S11" "$WSU" "$1"
}

timestamp() { # CREATED MORE
    printf '<wsu:Timestamp xmlns:wsu="%s" wsu:Id="ts"><wsu:Created>%s</wsu:Created>%s</wsu:Timestamp>' "$WSU" "$1" "$2"
}

auth() { # MUST-UNDERSTAND: "" or an attribute
    local soap=
    [ -z "$1" ] || soap=" xmlns:s=\"$S11\""
    printf '<k:Auth xmlns:k="urn:k"%s xmlns:wsu="%s" wsu:Id="ah"%s>1</k:Auth>' "$soap" "$WSU" "$1"
}

# A message to stdout, by what is set of: body, sent (in the place of the signed one), time, block,
# method, c14n, key, behind (the Signature)
message() {
    local info method=${method:-${MORE}rsa-sha256} body=${body:-$(body 'wsu:Id="b"')}
    local time=${time:-$(timestamp "$(at 60)" "<wsu:Expires>$(at 300)</wsu:Expires>")}
    info="<ds:SignedInfo xmlns:ds=\"$DS\"><ds:CanonicalizationMethod Algorithm=\"${c14n:-$EXC}\"></ds:CanonicalizationMethod>"
    info+="<ds:SignatureMethod Algorithm=\"$method\"></ds:SignatureMethod>$(reference b "$body")$(reference ts "$time")"
    [ -z "${block-}" ] || info+=$(reference ah "$block")
    info+="</ds:SignedInfo>"
    echo "<s:Envelope xmlns:s=\"$S11\">"
    echo "<s:Header>${block-}"
    echo "<wsse:Security xmlns:wsse=\"$WSSE\">$time"
    echo "<ds:Signature xmlns:ds=\"$DS\" Id=\"sig\">$info<ds:SignatureValue>$(value "$method" "$info")</ds:SignatureValue>"
    echo "<ds:KeyInfo>${key:-<wsse:SecurityTokenReference>$(data "$(certificate rsa)")</wsse:SecurityTokenReference>}</ds:KeyInfo>"
    echo "</ds:Signature>${behind-}</wsse:Security></s:Header>${sent:-$body}</s:Envelope>"
}

# ---- the verdict ----

policy() { # SECURITY REQUIRE
    printf '<policy xmlns="urn:fmp:policy:1"><gateway security="%s" schema="echo.xsd" trust="ca.crt">%s</gateway></policy>\n' \
        "$1" "$2" >"$T/policy.xml"
}

# expect KIND WORDS OPTIONS...: of the message of stdin; it has a line where it is refused
expect() {
    local kind=$1 words=$2
    shift 2
    cat >"$T/message"
    "$BIN/fmpctl" inspect "$@" --now "$(at 65)" --json "$T/message" >"$T/verdict" 2>&1
    jq -e --arg kind "$kind" --arg words "$words" '.kind == $kind and (.detail | contains($words)) and
        (.verdict == "accept") == ($kind == "good") and (.verdict == "accept" or .line > 0)' "$T/verdict" >/dev/null ||
        { cat "$T/verdict"; return 1; }
}

signed() { # KIND WORDS
    message | expect "$1" "$2" --schema "$T/echo.xsd" --ca "$T/ca.crt" --config BcS
}

plain() { # CONFIG KIND WORDS HEADER BODY
    local options=()
    [ "$1" = Bc ] || options=(--schema "$T/echo.xsd" --ca "$T/ca.crt")
    echo "<s:Envelope xmlns:s=\"$S11\" xmlns:wsse=\"$WSSE\"><s:Header>$4</s:Header><s:Body>$5</s:Body></s:Envelope>" |
        expect "$2" "$3" "${options[@]}" --config "$1"
}

check keys pki

# ---- signed messages ----

check serial_and_certificate signed good ""
key=$(data "$(certificate rsa)") check certificate_without_a_reference signed good ""
key='<ds:KeyName>x</ds:KeyName>' check key_by_name signed unsupported "KeyInfo names no certificate: KeyName instead"
key='<wsse:SecurityTokenReference><wsse:Reference URI="#ek"/></wsse:SecurityTokenReference>' method=${MORE}hmac-sha256 \
    behind='<xenc:EncryptedKey xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" Id="ek"/>' \
    check hmac_by_an_encrypted_key signed unsupported "the policy has no key to decrypt it"
key=$(data "$(certificate ec)") method=${MORE}ecdsa-sha512 check ecdsa_on_p521 signed good ""
c14n=http://www.w3.org/2006/12/xml-c14n11 check inclusive_canonicalization signed unsupported "only exclusive canonicalization"
behind="<ds:Signature xmlns:ds=\"$DS\"><ds:SignedInfo><ds:Reference URI=\"#sig\"/></ds:SignedInfo></ds:Signature>" \
    check malformed_endorsing_signature signed signature "malformed"
behind="<xenc:EncryptedData xmlns:xenc=\"http://www.w3.org/2001/04/xmlenc#\" Type=\"http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Content-Only\"/>" \
    check encrypted_attachment signed unsupported "an encrypted attachment"
behind="<ds:Signature xmlns:ds=\"$DS\"/>" check second_signature signed wrapping "more than one Signature"

time=$(timestamp "$(at 60)" "") check no_expires signed good ""
time=$(timestamp "$(at 3660 "%n  %FT%T.1234567890+01:00 ")" "") check created_in_a_layout signed good ""
time=$(timestamp "$(at 60 %FT%T)" "") check created_without_an_offset signed good ""
time=$(timestamp "$(at 3660 %FT%T+0100)" "") check created_in_another_form signed timestamp "not a time of xs:dateTime"

block=$(auth "") check header_signed signed good ""
body=$(body 'Id="b"') check body_by_another_id signed unsupported "by another attribute than wsu:Id"
sent="$(body 'wsu:Id="c"' | sed s/a\</b\</)" block="<w>$(body 'wsu:Id="b"')</w>" check moved_body signed wrapping ""

understood() { # KIND WORDS HEADERS
    policy BcS "<require headers=\"$3\"/>"
    message | expect "$1" "$2" --policy "$T/policy.xml"
}

block=$(auth ' s:mustUnderstand="1"') check understood_by_the_service understood good "" signed
block=$(auth ' s:mustUnderstand="1"') check understood_by_nobody understood unsupported 'set headers="signed"' strip

# ---- others ----

check empty_body plain Bc good "" "" ""
check schema_hint plain BcV good "" "" \
    "<e:echo xmlns:e=\"urn:echo\" xmlns:i=\"$XSI\" i:schemaLocation=\"urn:echo http://192.0.2.1/e.xsd\">a</e:echo>"
check no_security_header plain BcS unsigned "no Security header" "" "<e:echo xmlns:e=\"urn:echo\">a</e:echo>"
for version in http://schemas.xmlsoap.org/ws/2003/03 http://schemas.xmlsoap.org/ws/2004/03 http://schemas.xmlsoap.org/ws/2004/08 \
    http://www.w3.org/2005/08 http://www.w3.org/2006/02; do
    reply="<a:ReplyTo xmlns:a=\"$version/addressing\"><a:Address>http://192.0.2.1/</a:Address></a:ReplyTo>"
    check "reply_to_${version##*.org/}" plain Bc soap "names an address of its own" "$reply" "<a/>"
done

no_header() {
    printf '<s:Envelope xmlns:s="%s"><s:Body><e:echo xmlns:e="urn:echo">a</e:echo></s:Body></s:Envelope>\n' "$S11" |
        expect unsigned "no Security header" --schema "$T/echo.xsd" --ca "$T/ca.crt" --config BcS
}
check no_header no_header

# user KIND WORDS TOKEN
user() {
    policy BcV '<username passwords="users" text="yes"/>'
    echo "<s:Envelope xmlns:s=\"$S11\" xmlns:wsse=\"$WSSE\"><s:Header><wsse:Security><wsse:UsernameToken>$3</wsse:UsernameToken>
        </wsse:Security></s:Header><s:Body><e:echo xmlns:e=\"urn:echo\">a</e:echo></s:Body></s:Envelope>" |
        expect "$1" "$2" --policy "$T/policy.xml"
}

jane='<wsse:Username>jane</wsse:Username>'
check user_and_password user good "" "$jane<wsse:Password>secret</wsse:Password>"
check user_of_an_organization user good "" "$jane<wsse:Password>secret</wsse:Password><x xmlns='urn:x'/>"
check password_of_another_type user unsupported "by their whole URIs" "$jane<wsse:Password Type='PasswordText'>secret</wsse:Password>"
check wrong_password user token "user or password is wrong" "$jane<wsse:Password>Secret</wsse:Password>"
