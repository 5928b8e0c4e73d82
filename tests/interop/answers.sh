# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
#
# Answers that the gateway signs and encrypts, taken by WSS4J and zeep; of live.sh.

SERVER="certificate=\"$PWD/$VECTORS/pki/server.crt\" key=\"$PWD/$VECTORS/pki/server.key\""
ANSWERS=$T/answers

# ask NAME REQUEST [STATUS]: keeps the answer for WSS4J.
ask() {
    local status
    status=$(post "$2")
    cp "$T/answer" "$ANSWERS/$1.answer"
    [ "$status" = "${3:-200}" ] || { echo "status $status: $(head -c 600 "$T/answer") $(last_event)"; return 1; }
}

# changed NAME NEW SED: the same answer with something changed.
changed() {
    sed "$3" "$ANSWERS/$1.answer" >"$ANSWERS/$2.answer"
    ! cmp -s "$ANSWERS/$1.answer" "$ANSWERS/$2.answer"
}

# answers NAME CONFIG ATTRIBUTES REQUEST: one gateway, one answer; tampered with in the Body.
answers() {
    local edit='s,\(:total>\)[0-9],\19,'
    serve "$2" '' "<answers $3/>"
    check "answers-$1-asked" ask "$1" "$4"
    # Within the text, whatever stands there.
    case $3 in *encrypt=*) edit='s,\(<xenc:EncryptedData.*<xenc:CipherValue>.\{40\}Z*\)[^Z],\1Z,' ;; esac
    check "answers-$1-changed" changed "$1" "$1-tampered" "$edit"
}

make_answers() {
    local requests=$T/out ec="certificate=\"$PKI/ec384.crt\" key=\"$PKI/ec384.key\""
    mkdir "$ANSWERS"
    answers rsa-sha256 BcS "sign=\"rsa-sha256\" confirm=\"yes\" relate=\"yes\" $SERVER" "$requests/addressing.xml"
    cp "$requests/addressing.xml" "$ANSWERS/rsa-sha256.request"
    check answers-timestamp-changed changed rsa-sha256 timestamp-tampered 's,\(<wsu:Expires>20\)2,\13,'
    check answers-relation-changed changed rsa-sha256 relation-tampered 's,\(RelatesTo[^>]*>urn:uuid:\)5,\16,'
    cp "$ANSWERS/rsa-sha256.answer" "$ANSWERS/of-another.answer"
    cp "$requests/direct.xml" "$ANSWERS/of-another.request"
    answers rsa-sha384 BcS "sign=\"rsa-sha384\" $SERVER" "$requests/signed-rsa.xml"
    answers rsa-sha512 BcS "sign=\"rsa-sha512\" $SERVER" "$requests/signed-ec256.xml"
    answers ecdsa-sha256 BcS "sign=\"ecdsa-sha256\" $ec" "$requests/signed-rsa.xml"
    answers ecdsa-sha384 BcS "sign=\"ecdsa-sha384\" $ec" "$requests/signed-rsa.xml"
    answers sign-encrypt BcS "sign=\"rsa-sha256\" encrypt=\"aes128-gcm\" $SERVER" "$requests/signed-rsa.xml"
    answers encrypt-sign BcS "sign=\"rsa-sha256\" encrypt=\"aes256-gcm\" order=\"encrypt-then-sign\" $SERVER" "$requests/ski.xml"
    answers encrypt BcS 'encrypt="aes256-gcm"' "$requests/signed-rsa.xml"
    answers both BcES "sign=\"rsa-sha256\" encrypt=\"aes256-gcm\" confirm=\"yes\" $SERVER" "$requests/both-rsa.xml"
    # The key of another client does not open it.
    check answers-for-another-asked ask for-another "$requests/both-rsa3072.xml"

    serve Bc '' "<answers sign=\"rsa-sha256\" $SERVER/>"
    sed 's,schemas.xmlsoap.org/soap/envelope/,www.w3.org/2003/05/soap-envelope,' "$VECTORS/plain/plain-1k.xml" >"$T/soap12.xml"
    check answers-soap-1.2-asked ask soap-1.2 "$T/soap12.xml"
    echo '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><no/></e:Body></e:Envelope>' >"$T/no.xml"
    check answers-fault-asked ask fault "$T/no.xml" 500
    serve Bc '' ''
    check answers-unsigned-asked ask unsigned "$VECTORS/plain/plain-1k.xml"
}

# says NAME WORDS: what WSS4J says of it.
says() {
    grep -qxE "$1 $2" "$T/verdicts" || { grep "^$1 " "$T/verdicts" || cat "$T/verdicts"; return 1; }
}

answers_by_wss4j() {
    local name
    make_answers
    java -cp "$JAVA/*" tests/interop/wss4j/Answers.java "$PKI" "$VECTORS/pki/ca.crt" "$ANSWERS" >"$T/verdicts" 2>&1
    check answers-rsa-sha256 says rsa-sha256 'accepted confirmed related signed'
    for name in rsa-sha384 rsa-sha512 ecdsa-sha256 ecdsa-sha384 soap-1.2; do
        check "answers-$name" says "$name" 'accepted signed'
    done
    for name in sign-encrypt encrypt-sign both; do
        check "answers-$name" says "$name" 'accepted encrypted signed'
    done
    check answers-encrypt says encrypt 'accepted encrypted'
    check answers-fault says fault 'accepted fault signed'
    for name in rsa-sha256 rsa-sha384 rsa-sha512 ecdsa-sha256 ecdsa-sha384 timestamp relation; do
        check "answers-$name-tampered" says "$name-tampered" 'refused .*signature.*'
    done
    for name in sign-encrypt encrypt-sign encrypt both; do
        check "answers-$name-tampered" says "$name-tampered" 'refused .*(signature|Tag mismatch).*'
    done
    check answers-of-another says of-another 'refused .*of another request'
    check answers-for-another says for-another 'refused .*'
    check answers-unsigned says unsigned 'refused no Security header'
}

answers_by_zeep() {
    local client
    serve BcS '' "<answers sign=\"rsa-sha256\" $SERVER/>"
    for client in rsa rsa3072; do
        check "answers-zeep-$client" zeep answer "$client"
        check "answers-zeep-$client-tampered" zeep answer-tampered "$client"
    done
    check answers-zeep-timestamp-tampered zeep answer-timestamp-tampered rsa
    check answers-zeep-by-another zeep answer-by-another rsa
    serve BcS '' ''
    check answers-zeep-unsigned zeep answer-unsigned rsa
}
