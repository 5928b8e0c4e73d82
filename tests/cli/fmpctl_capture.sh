# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154 # no option more; URL is lib_gateway.sh's
#
# fmpctl replay of captured packets: inspects what was sent to the gateway's port, and shows the decisions.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

GOOD=$VECTORS/plain/plain-1k.xml
BAD=$VECTORS/xml-attack/schema-qty-zero.xml
printf 'POST / HTTP/1.1\nHost: a\n\n' >"$T/bare-lf"

cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="captured">
  <gateway security="BcV" schema="$PWD/$VECTORS/orders.xsd"/>
</policy>
EOF

replay() { "$BIN/fmpctl" replay --policy "$T/policy.xml" "$@"; }
capture() { python3 tests/cli/pcap.py "$@"; } # FILE OPTION...: connections are standard input
records() { # KIND FILTER ARGS...
    local kind=$1 filter=$2
    shift 2
    replay --json "$@" >"$T/json" 2>&1 || { cat "$T/json"; return 1; }
    jq -e "map(select(.record == \"$kind\")) | $filter" "$T/json" >/dev/null && return 0
    cat "$T/json"
    return 1
}
exits() { # CODE ARGS...
    local want=$1 rc=0
    shift
    "$BIN/fmpctl" replay "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] || { echo "exit status $rc, not $want"; cat "$T/out" "$T/err"; return 1; }
}
events() { replay --timeline "$@" | sed 's/^[0-9]*ms event //'; }

capture "$T/empty.pcap" </dev/null
if replay "$T/empty.pcap" 2>&1 | grep -q 'without libpcap'; then
    skip all "built without libpcap"
    exit 0
fi

# Bad messages of one source, a second apart, and a good one; of a friend two good ones and a bad one.
for s in 1 2 3 4 5 6 7 8 9 10 11 12; do
    echo "$s 192.0.2.66 $((4000 + s)) plain $BAD"
done >"$T/attack"
{
    echo "2.5 2001:db8::7 5000 plain $GOOD $BAD $GOOD"
    echo "13 192.0.2.66 4100 plain $GOOD"
} >>"$T/attack"
capture "$T/attack.pcap" <"$T/attack"

decided() {
    records replay 'length == 1 and .[0].good == 3 and .[0].events == 13 and .[0].sources == 2 and
        .[0].unproven == 0 and .[0].blocks == 1 and .[0].kept_out == 1 and .[0].good_lost == 1 and
        .[0].left_out == 0 and .[0].not_understood == 0' "$T/attack.pcap" || return 1
    records block 'length == 1 and .[0].addr == "192.0.2.66" and (.[0].reason | test("newest: schema")) and
        (.[0].time | test("^20"))' "$T/attack.pcap" || return 1
    replay "$T/attack.pcap" >"$T/out" && cat "$T/out" && grep -q '14 connections from their start' "$T/out"
}

# However it was captured, and with whatever before IP, the same was said.
same_in_every_form() {
    events "$T/attack.pcap" >"$T/first" && [ "$(wc -l <"$T/first")" = 16 ] || return 1
    grep -q '^192.0.2.66 schema port=8080 bytes=[0-9]* text="Element ' "$T/first" || { cat "$T/first"; return 1; }
    local form
    for form in "--link vlan" "--link cooked" "--link cooked2" "--link raw" "--link loopback" --ng --swapped --micro \
        "--micro --swapped" "--ng --link cooked2"; do
        # shellcheck disable=SC2086
        capture "$T/form.pcap" $form <"$T/attack" && events "$T/form.pcap" >"$T/form" &&
            cmp "$T/first" "$T/form" || { echo "with $form"; return 1; }
    done
    events - <"$T/attack.pcap" | cmp "$T/first" - && events --format pcap "$T/attack.pcap" | cmp "$T/first" -
}

# A host that the options put on the link has its own MAC, and the server is this machine: in the /64 of both
# each address counts by itself, and by its MAC. Other hosts have only a router's MAC.
for s in $(seq 10 25); do
    echo "$s 2001:db8::$s 5000 plain $BAD"
done >"$T/rotating"
echo "26 192.0.2.66 5000 plain $BAD" >>"$T/rotating"
capture "$T/rotating.pcap" <"$T/rotating"
on_the_link() {
    records block 'length == 1 and .[0].addr == "2001:db8::/64" and (.[0] | has("mac") | not)' "$T/rotating.pcap" || return 1
    records block '.[0].addr == "2001:db8::20" and .[0].mac == "02:00:00:00:00:02" and
        (.[0].reason | test("by the addresses of MAC 02:00:00:00:00:02"))' --link 2001:db8::/64 "$T/rotating.pcap" || return 1
    events --link 2001:db8::/64 "$T/rotating.pcap" >"$T/events" && cat "$T/events" &&
        [ "$(grep -c ' own 2001:db8::1$' "$T/events")" = 1 ] && [ "$(grep -c ' mac=02:00:00:00:00:02 ' "$T/events")" = 16 ] &&
        exits 2 --policy "$T/policy.xml" --link 02:00:00:00:00:02 "$T/rotating.pcap" || return 1
    # Where the capture has no Ethernet there are none, and the address of who was not proven is anybody's.
    capture "$T/raw.pcap" --link raw <"$T/rotating" && ! events --link 2001:db8::/64 "$T/raw.pcap" | grep -e mac= -e own || return 1
    echo "1 2001:db8::9 5000 blind $BAD" | capture "$T/blind.pcap" &&
        events --link 2001:db8::/64 "$T/blind.pcap" | grep unproven | grep -v mac=
}

# Segments in any size and order; what a sender says again is not what it said first.
same_in_every_order() {
    local ways
    for ways in plain small backward twice small,backward backward,twice reset again small,twice,open; do
        echo "1 192.0.2.7 4000 $ways $GOOD $BAD" | capture "$T/order.pcap"
        events "$T/order.pcap" | cut -d' ' -f1,2 >"$T/order"
        printf '192.0.2.7 good\n192.0.2.7 schema\n' | cmp - "$T/order" || { echo "with $ways"; cat "$T/order"; return 1; }
    done
}

# inv2: an address that does not complete its handshake is nobody's.
inv2_only_the_proven() {
    local ways i
    for ways in blind guess; do
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
            echo "$i 192.0.2.66 $((4000 + i)) $ways $BAD"
        done | capture "$T/$ways.pcap"
        records replay '.[0].events == 15 and .[0].unproven == 15 and .[0].blocks == 0' "$T/$ways.pcap" ||
            { echo "with $ways"; return 1; }
    done
}

what_was_not_read_is_said() {
    printf '1 192.0.2.7 4000 headless %s\n2 192.0.2.7 4001 gap %s\n' "$BAD" "$BAD" | capture "$T/gap.pcap"
    records replay '.[0].events == 0 and .[0].left_out == 1' "$T/gap.pcap" && replay "$T/gap.pcap" >"$T/out" &&
        cat "$T/out" && grep -q '1 with a gap' "$T/out" && grep -q 'start is not there: [1-9]' "$T/out"
}

strict_http() {
    echo "1 192.0.2.7 4000 plain +$T/bare-lf $GOOD" | capture "$T/http.pcap"
    events "$T/http.pcap" >"$T/out"
    cat "$T/out"
    [ "$(wc -l <"$T/out")" = 1 ] && grep -q '^192.0.2.7 http ' "$T/out"
}

ports() {
    capture "$T/other.pcap" --port 9000 <"$T/attack"
    records replay '.[0].events == 0 and .[0].good == 0' "$T/other.pcap" &&
        records replay '.[0].events == 13' --port 9000 "$T/other.pcap" &&
        exits 2 --port 0 --policy "$T/policy.xml" "$T/other.pcap" && exits 2 --port 70000 --policy "$T/policy.xml" x
}

# Two files of one capture: a connection goes on in the second.
rotated() {
    python3 - "$T/attack.pcap" "$T" <<'EOF'
import struct, sys
data = open(sys.argv[1], "rb").read()
at, n = 24, 0
while n < 60:
    at += 16 + struct.unpack_from("<I", data, at + 8)[0]
    n += 1
open(sys.argv[2] + "/a.pcap", "wb").write(data[:at])
open(sys.argv[2] + "/b.pcap", "wb").write(data[:24] + data[at:])
EOF
    events "$T/a.pcap" "$T/b.pcap" | cmp "$T/first" -
}

# Each service of the policy its own demands, and its own rules of blocking.
services() {
    cat >"$T/services.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="services">
  <gateway security="Bc">
    <services>
      <service name="orders" path="/" security="BcV" schema="$PWD/$VECTORS/orders.xsd"/>
      <service name="other" path="/other"/>
    </services>
  </gateway>
</policy>
EOF
    printf 'POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n' >"$T/nowhere"
    printf 'POST /other HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n' \
        "$(wc -c <"$BAD")" | cat - "$BAD" >"$T/to-other"
    echo "1 192.0.2.7 4000 plain $BAD +$T/to-other +$T/nowhere" | capture "$T/services.pcap"
    "$BIN/fmpctl" replay --timeline --policy "$T/services.xml" "$T/services.pcap" >"$T/out"
    cat "$T/out"
    grep -q ' 192.0.2.7 schema port=8080 service=orders ' "$T/out" &&
        grep -q ' 192.0.2.7 good port=8080 service=other ' "$T/out" &&
        grep -q ' 192.0.2.7 http port=8080 bytes.*no service at this path' "$T/out"
}

# Refused for want of a list, and nobody's offence: that is no good message either.
nobodys_offence() {
    local tokens=$PWD/$VECTORS/tokens
    cat >"$T/lists.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="lists">
  <gateway security="BcS" max-age="0" schema="$PWD/$VECTORS/orders.xsd" trust="$tokens/pki/ca.crt"
           crl="$tokens/pki/crl-expired.pem"/>
</policy>
EOF
    # They were signed some days after a capture's first second.
    printf '400000 192.0.2.7 4000 plain %s\n' "$tokens/direct.xml" | capture "$T/lists.pcap"
    "$BIN/fmpctl" replay --policy "$T/lists.xml" "$T/lists.pcap" >"$T/out" && cat "$T/out" &&
        grep -q ': 0 good and 0 bad messages of 0 sources' "$T/out" &&
        grep -q '^Messages refused, and nobody charged: 1$' "$T/out" &&
        "$BIN/fmpctl" replay --json --policy "$T/lists.xml" "$T/lists.pcap" |
        jq -e 'map(select(.record == "replay")) | .[0].good == 0 and .[0].left_out == 1'
}

unusable() {
    head -c 5000 "$T/attack.pcap" >"$T/cut.pcap"
    exits 1 --policy "$T/policy.xml" "$T/cut.pcap" && grep -q "cut.pcap:[1-9][0-9]*: packet [1-9]" "$T/err" &&
        exits 1 --json --policy "$T/policy.xml" "$T/cut.pcap" &&
        jq -e '.[0].record == "error" and .[0].line > 1' "$T/out" >/dev/null || return 1
    printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\370\0\0\0' >"$T/kind.pcap"
    exits 1 --policy "$T/policy.xml" "$T/kind.pcap" && grep -q 'is not supported' "$T/err" &&
        exits 2 --timeline "$T/attack.pcap" && grep -q -e --policy "$T/err" &&
        exits 1 --format pcap --policy "$T/policy.xml" "$GOOD" && grep -q 'not a capture' "$T/err" || return 1
    "$BIN/fmpctl" learn --policy "$T/policy.xml" "$T/attack.pcap" >"$T/out" 2>&1 && return 1
    grep -q 'replay --timeline' "$T/out" || return 1
    replay --timeline "$T/attack.pcap" | "$BIN/fmpctl" learn --policy "$T/policy.xml" - | grep -q 'Learned from 3 good'
}

check decided decided
check same_in_every_form same_in_every_form
check on_the_link on_the_link
check same_in_every_order same_in_every_order
check inv2_only_the_proven inv2_only_the_proven
check what_was_not_read_is_said what_was_not_read_is_said
check strict_http strict_http
check ports ports
check rotated rotated
check services services
check nobodys_offence nobodys_offence
check unusable unusable

# ---- beside the gateway itself: what it said of real connections, and what the capture says ----

if [ "$(id -u)" != 0 ]; then
    skip beside_the_gateway "needs root"
    exit "$bad"
fi
service
cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="captured">
  <gateway security="BcV" schema="$PWD/$VECTORS/orders.xsd" workers="1" user="nobody" access-log="$T/gateway.log"/>
</policy>
EOF
gateway
start record python3 tests/cli/record.py lo "$T/real.pcap"
RECORD=$!

messages() {
    local f
    for f in "$GOOD" "$VECTORS"/xml-attack/*.xml "$GOOD"; do
        curl -s -m 10 -o /dev/null -H 'Content-Type: text/xml' --data-binary "@$f" "$URL"
    done
    # Two over one connection; chunks; no SOAP; a path with a body that is too long for a segment.
    curl -s -m 10 -o /dev/null -H 'Content-Type: text/xml' --data-binary "@$GOOD" "$URL" --next \
        -s -m 10 -o /dev/null -H 'Content-Type: text/xml' --data-binary "@$BAD" "$URL"
    curl -s -m 10 -o /dev/null -H 'Content-Type: text/xml' -H 'Transfer-Encoding: chunked' --data-binary "@$GOOD" "$URL"
    curl -s -m 10 -o /dev/null -H 'Content-Type: text/plain' --data-binary "@$GOOD" "$URL"
    curl -s -m 10 -o /dev/null "$URL"
    head -c 900000 /dev/zero | tr '\0' x | curl -s -m 10 -o /dev/null -H 'Content-Type: text/xml' --data-binary @- "$URL"
}

beside_the_gateway() {
    wait_for 10 grep -q ready "$T/record.out" || { cat "$T/record.err"; return 1; }
    messages
    kill "$RECORD"
    wait "$RECORD"
    replay --timeline "$T/gateway.log" | cut -d' ' -f3,4 >"$T/said"
    replay --timeline --port "$PORT" "$T/real.pcap" | cut -d' ' -f3,4 >"$T/again"
    wc -l "$T/said"
    diff "$T/said" "$T/again" && [ "$(wc -l <"$T/said")" -gt 20 ] && [ "$(sort -u "$T/said" | wc -l)" -gt 5 ]
}

check beside_the_gateway beside_the_gateway
