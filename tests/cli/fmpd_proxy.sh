# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# A blocked client behind a proxy: its frames are the proxy's, which is never blocked, so the gateway
# refuses what the proxy forwards for it.

. tests/cli/lib_netns.sh
own_netns fmpd_proxy "${1:-}" ip nft unshare

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

ip link set lo up

proxy_policy() { # ATTRIBUTES
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="test">
  <block layers="ip" duration="10min" ${BLOCK:-}/>
  <gateway security="BcV" schema="$PWD/$VECTORS/orders.xsd" workers="1"
           user="$([ -w /proc/1/oom_score_adj ] && echo nobody || id -un)">
    <proxies><proxy address="127.0.0.1" $*/></proxies>
  </gateway>
</policy>
EOF
}
up() { plane_up --enforce ip "$@"; }

# for_client ADDR FILE: prints the status; 000 where there was no answer.
for_client() {
    curl -s -m 10 -o /dev/null -w '%{http_code}' -H 'Content-Type: text/xml' -H 'Expect:' \
        -H "X-Forwarded-For: $1" --data-binary "@$2" "$URL"
}
# by_header D: the same for 192.0.2.D, by a PROXY header of version 2.
by_header() {
    python3 - "${URL%/orders}" "$1" "$GOOD" <<'PY'
import socket, sys
host, port = sys.argv[1].removeprefix("http://").split(":")
body = open(sys.argv[3], "rb").read()
s = socket.create_connection((host, int(port)), 10)
head = b"POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
try:
    s.sendall(b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\2" + bytes([int(sys.argv[2])]) + b"\xc6\x33\x64\1\xd4\x31\0\x50")
    s.sendall(head % len(body) + body)
    print((s.recv(65536).split() or [b"", b"000"])[1].decode())
except ConnectionError:
    print("000")
PY
}
gets() { # STATUS ADDR [FILE]
    local got
    got=$(for_client "$2" "${3:-$GOOD}")
    [ "$got" = "$1" ] || { echo "$2: $got"; return 1; }
}
state_of() { field "select(.record == \"source\") | .state" why "$1"; }

blocked_after_bad_ones() {
    local n=0
    until [ "$(state_of 198.51.100.9)" = malicious ]; do
        gets 500 198.51.100.9 "$BAD" || return 1
        n=$((n + 1))
        [ "$n" -lt 100 ] || return 1
    done
    wait_for 5 gets 403 198.51.100.9 && gets 200 198.51.100.8
}

# Whatever the field says, the gateway goes on, and what is no address is nobody's.
survives_any_address() {
    local pid x
    pid=$(gateway_pid)
    for x in 9.0.0.0/8 2001:db8::/32 ::/0 0.0.0.0 :: ::ffff:0:0 224.0.0.1 ff02::1 255.255.255.255 fe80::1% '[::1' '[]' ',' : 1.2.3.4:99999 \
        02:00:5e:00:53:01 "$(printf '9%.0s' $(seq 200))" "$(printf ':%.0s' $(seq 200))"; do
        gets 400 "$x" || return 1
    done
    for x in 'fe80::9%wlan0' '[2001:db8::9]:443' '203.0.113.9:1' ::ffff:203.0.113.9; do gets 200 "$x" || return 1; done
    ctl why fe80::9%any >/dev/null && [ "$(gateway_pid)" = "$pid" ] && [ "$(field 'select(.record == "gateway") | .events_refused' status)" = 0 ]
}

# A frame that is dropped is not charged, either.
is_not_charged() {
    local before
    before=$(field 'select(.record == "source") | .events' why 198.51.100.9)
    [ -n "$before" ] && gets 403 198.51.100.9 "$BAD" && gets 403 198.51.100.9 "$BAD" &&
        sleep 0.3 && [ "$(field 'select(.record == "source") | .events' why 198.51.100.9)" = "$before" ]
}

prefix_is_refused() {
    gets 200 203.0.113.7 && ctl block 203.0.113.0/24 --for 10min && wait_for 5 gets 403 203.0.113.7 &&
        gets 200 203.0.112.7
}

ends_with_the_block() {
    gets 200 192.0.2.44 && ctl block 192.0.2.44 --for 1s && wait_for 5 gets 403 192.0.2.44 && wait_for 5 gets 200 192.0.2.44
}

next_gateway_knows() {
    local before
    before=$(gateway_pid)
    kill -HUP "$FMPD"
    wait_for 20 other_gateway "$before" && gets 403 198.51.100.9 && gets 403 203.0.113.7 && gets 200 198.51.100.8
}

next_fmpd_knows() {
    kill -9 "$FMPD"
    wait "$FMPD" 2>/dev/null
    up && gets 403 198.51.100.9 && gets 200 198.51.100.8
}

# A reboot leaves the state file, and no rules.
knows_after_a_reboot() {
    plane_ends
    up --state "$T/state" && plane_ends && nft flush ruleset && up --state "$T/state" || return 1
    gets 403 198.51.100.9 && gets 403 203.0.113.7 && gets 200 198.51.100.8 && wait_for 10 answers enforced 198.51.100.9
}
answers() { # STATE ADDR
    [ "$(field 'select(.record == "answer" and .layer == "ip") | .state' why "$2")" = "$1" ]
}

# Whom another policy only observes the next gateway takes as anybody, and the other way round.
observe_lifts() {
    BLOCK='observe="yes"' proxy_policy 'tells="x-forwarded-for"'
    reloaded && gets 200 198.51.100.9 && wait_for 10 answers observed 198.51.100.9
}
no_more_observed() {
    ctl block 198.51.100.77 --for 10min && gets 200 198.51.100.77 && answers observed 198.51.100.77 || return 1
    proxy_policy 'tells="x-forwarded-for"'
    reloaded && gets 403 198.51.100.77 && gets 403 198.51.100.9 && gets 200 198.51.100.8 &&
        wait_for 10 answers enforced 198.51.100.77 && answers enforced 198.51.100.9
}

# A block of a layer that is not there is one once it is.
layer_comes_later() {
    plane_up --enforce auto --devices late0
    ctl block 198.51.100.66 --layers mac --for 10min # which says that nobody has it
    gets 200 198.51.100.66 || return 1
    ip link add late0 type veth peer name late1 && ip addr add 192.0.2.1/24 dev late0 && ip link set late0 up || return 1
    wait_for 10 gets 403 198.51.100.66
}

unblock_lifts() { ctl unblock 198.51.100.9 && wait_for 5 gets 200 198.51.100.9; }

header_of_a_blocked_client() {
    proxy_policy
    up && [ "$(by_header 8)" = 200 ] && ctl block 192.0.2.8 --for 10min || return 1
    wait_for 5 is_reset 8 && [ "$(by_header 7)" = 200 ]
}
is_reset() { [ "$(by_header "$1")" = 000 ]; }

service
proxy_policy 'tells="x-forwarded-for"'
up
check survives_any_address survives_any_address
check blocked_after_bad_ones blocked_after_bad_ones
check is_not_charged is_not_charged
check prefix_is_refused prefix_is_refused
check ends_with_the_block ends_with_the_block
check next_gateway_knows next_gateway_knows
check observe_lifts observe_lifts
check no_more_observed no_more_observed
check next_fmpd_knows next_fmpd_knows
check knows_after_a_reboot knows_after_a_reboot
check unblock_lifts unblock_lifts
check layer_comes_later layer_comes_later
check header_of_a_blocked_client header_of_a_blocked_client
