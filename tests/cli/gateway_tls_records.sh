# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2120,SC2154
#
# Records of TLS that carry no request: they hold nobody up, are charged to who sends them and end the connection. Of
# services the same.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/gw.key" -out "$T/gw.crt" -days 2 \
    -subj /CN=gw -addext subjectAltName=IP:127.0.0.1 2>/dev/null
chmod 644 "$T/gw.key"

served() {
    curl -s -m 20 -o /dev/null -w '%{http_code} %{time_total}\n' --cacert "$T/gw.crt" -H 'Content-Type: text/xml' \
        --data-binary "@$VECTORS/plain/plain-1k.xml" "https://127.0.0.1:$PORT/orders"
}

# flood KIND BURST PATTERN: ends with one event that says so, of that source alone.
flood() {
    local before
    before=$(events)
    python3 tests/cli/tls_flood.py "$1" "$PORT" 127.0.0.9 "$2" >"$T/flood" 2>&1 || { cat "$T/flood"; return 1; }
    [ "$(cat "$T/flood")" = closed ] || { cat "$T/flood"; return 1; }
    wait_for 5 more_events "$before"
    [ "$(events)" = $((before + 1)) ] && last_event | grep -q "kind=connection source=127.0.0.9 .*$3" ||
        { tail -n 4 "$T/gateway.err"; return 1; }
}

# What is sent while others are served: none of them waits long.
meanwhile_served() {
    local said
    python3 tests/cli/tls_flood.py keyupdate "$PORT" 127.0.0.9 60000 8 >"$T/flood" 2>&1 &
    wait_for 20 grep -q closed "$T/flood" || { cat "$T/flood"; return 1; }
    for _ in 1 2 3 4 5; do
        said=$(served)
        echo "$said"
        case $said in "200 0."*) ;; *) kill %% && return 1 ;; esac
    done
    kill %%
}

# given_up SECONDS EVENTS: a client sends its hello and is gone while the gateway stands still for so long.
given_up() {
    local before
    before=$(events)
    kill -STOP "$GATEWAY"
    python3 tests/cli/tls_flood.py given-up "$PORT" 127.0.0.9 1
    sleep "$1"
    kill -CONT "$GATEWAY"
    [[ $(served) == 200* ]] && [ "$(events)" = $((before + 1 + $2)) ] || { tail -n 3 "$T/gateway.err"; return 1; }
    [ "$2" = 0 ] || grep '^event ' "$T/gateway.err" | tail -n 2 | grep -q 'kind=connection source=127.0.0.9 .*a TLS handshake was begun and given up' ||
        { tail -n 3 "$T/gateway.err"; return 1; }
}

# A client that is well: new keys now and then, a request in small records.
well_behaved() {
    local before
    before=$(events)
    python3 - "$PORT" "$VECTORS/plain/plain-1k.xml" <<'PY' || return 1
import sys
sys.path.insert(0, "tests/cli")
from tls_records import Peer, connect
with open(sys.argv[2], "rb") as file:
    body = file.read()
request = b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n" % len(body) + body
peer = Peer(connect(int(sys.argv[1])))
for turn in range(20):
    for i in range(10):
        peer.socket.sendall(peer.keys.key_update(i == 0))
    if turn == 0:
        # Byte by byte, as an unbuffered writer does.
        peer.socket.sendall(b"".join(peer.data(request[i:i + 1]) for i in range(len(request))))
    else:
        peer.send(request)
    answer = b""
    while b"Envelope>" not in answer[-40:]:
        answer += peer.receive()
    assert answer.startswith(b"HTTP/1.1 200"), answer[:100]
PY
    wait_for 5 more_events $((before + 19)) && ! grep '^event ' "$T/gateway.err" | tail -n 20 | grep -v 'kind=good'
}

service
policy 'workers="1"' 'body="4MiB"' 'header="5s" body="5s"' '' "<tls certificate='$T/gw.crt' key='$T/gw.key'/>"
gateway --security Os
check key-updates flood keyupdate 5000 'too many TLS records without data'
check key-updates-that-want-one flood keyupdate-asked 1000 'too many TLS records without data'
check client-hello-again flood hello-again 1000 'TLS'
check given-up-at-once given_up 0 1
check given-up-because-of-us given_up 1 0
check warnings flood alerts 1000 'too many TLS records without data'
check empty-records flood empty 20000 'too many TLS records for the data'
check padded-records flood padded 20000 'too many TLS records for the data'
check byte-wise-body flood byte-wise 20000 'too many TLS records for the data'
check handshake-in-pieces flood pieces 60000 'TLS handshake of too many records'
check others-are-served meanwhile_served
check well-behaved-client-is-served well_behaved
check ends-well gateway_ends
