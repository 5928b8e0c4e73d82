# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A clock that nobody has set: what it says is of the future is refused, and nobody is charged. The
# policy was written later than it says, so that it must be behind.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# Whether its signature still holds is of no concern: the time is looked at before.
future=$T/future.xml
sed 's/<wsu:Created>2026/<wsu:Created>2045/' "$VECTORS/good/wss4j-rsa2048-1k.xml" >"$future"
future12=$T/future12.xml
sed 's/<wsu:Created>2026/<wsu:Created>2045/' "$VECTORS/good/wss4j-soap12-rsa2048-1k.xml" >"$future12"

warned() {
    [ "$(grep -c 'the clock of this device is not set: it says 20.* and 2040-.* is over' "$T/gateway.err")" = 1 ]
}

refused_free_of_charge() {
    local before status
    before=$(events)
    status=$(post "$future" "$@")
    [ "$status" = 503 ] || { echo "status $status"; return 1; }
    grep -q '<faultcode>SOAP-ENV:Server</faultcode>' "$T/answer" &&
        grep -q 'The clock of this device is not set' "$T/answer" || { cat "$T/answer"; return 1; }
    # Had it been an event, it would have been printed in front of this one.
    post "$VECTORS/bad-wss/wss4j-expired.xml" >/dev/null
    [ "$(events)" = $((before + 1)) ] || { last_event; return 1; }
}

soap12_blames_the_receiver() {
    local status
    status=$(post "$future12" 'application/soap+xml; charset=utf-8')
    [ "$status" = 503 ] && grep -q 'SOAP-ENV:Receiver' "$T/answer"
}

says_when_to_come_again() {
    curl -s -m 20 -D "$T/head" -o "$T/answer" -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "@$future" "$URL"
    grep -qi '^Retry-After: ' "$T/head"
}

logged_with_reason() {
    grep '" 503 ' "$T/access" | grep 'kind=good step=timestamp' |
        grep -q 'reason="timestamp: the clock of this device is not set: the Timestamp is from the future'
}

charged() { # FILE KIND
    local before
    before=$(events)
    post "$1" >/dev/null
    event_follows "$before" "$2"
}

# By the kernel's word a system that has just started may be waiting for the time, too.
of_the_future_by_a_good_clock() {
    local before
    before=$(events)
    if clock_waits; then
        # Unless that ends just now.
        case $(post "$future") in 500 | 503) ;; *) return 1 ;; esac
    else
        [ "$(post "$future")" = 500 ] && event_follows "$before" timestamp
    fi
}

policy 'workers="1" access-log="'"$T"'/access"'
touch -d 2040-01-02 "$T/policy.xml"
service
gateway --security BcS
check unset-clock-is-told-of warned
check future-is-free-of-charge refused_free_of_charge
check soap12-blames-the-receiver soap12_blames_the_receiver
check retry-after says_when_to_come_again
check reason-is-in-the-access-log logged_with_reason
check the-past-is-charged charged "$VECTORS/bad-wss/wss4j-expired.xml" timestamp
check what-was-tampered-with-is-charged charged "$VECTORS/bad-wss/tampered-body.xml" signature
check a-good-one-passes test "$(post "$VECTORS/good/wss4j-rsa2048-1k.xml")" = 200
check warned-once warned
check gateway-ends-well gateway_ends

touch -d 2026-01-02 "$T/policy.xml"
gateway --security BcS
check future-is-charged-by-a-good-clock of_the_future_by_a_good_clock
check gateway-ends-well-again gateway_ends
