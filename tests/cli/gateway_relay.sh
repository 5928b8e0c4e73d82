# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2120,SC2153,SC2154
#
# Answers with attachments pass as they come: of any length, in constant memory.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

PLAIN=$VECTORS/plain/plain-1k.xml
LARGE=10000000

call() { # PATH [OPTION...]: prints the status
    local path=$1
    shift
    curl -s -m 60 -o "$T/answer" -D "$T/head" -w '%{http_code}' -H "Content-Type: ${TYPE:-text/xml}" -H 'Expect:' \
        --data-binary "@$PLAIN" "$@" "http://127.0.0.1:$GATEWAY_PORT$path"
}
same() { # PATH [OPTION...]: what the service says itself
    local path=$1 status
    shift
    curl -s -m 60 -o "$T/direct" --data-binary x "$SERVICE_URL$path" &&
        status=$(call "$path" "$@") && [ "$status" = 200 ] && cmp "$T/answer" "$T/direct" && return 0
    echo "status $status, $(wc -c <"$T/answer") bytes"
    tail -n 3 "$T/gateway.err"
    return 1
}
rss() { awk '/^VmHWM/ { print $2 }' "/proc/$GATEWAY/status"; }
# Three at once, one of them read slowly: the listener grows by less than 2 MiB.
constant_memory() {
    local before after
    same "/length/1000" || return 1
    before=$(rss)
    same "/length/$LARGE" || return 1
    same "/chunks/$LARGE" || return 1
    same "/close/$LARGE" || return 1
    call "/length/$LARGE" --limit-rate 4M >/dev/null
    after=$(rss)
    echo "KiB: $before, then $after"
    [ $((after - before)) -lt 2048 ]
}
kept() { # both on one connection
    curl -s -m 60 -o "$T/one" -o "$T/two" -w '%{num_connects}\n' -H 'Content-Type: text/xml' -H 'Expect:' --data-binary "@$PLAIN" \
        "http://127.0.0.1:$GATEWAY_PORT/chunks/200000" "http://127.0.0.1:$GATEWAY_PORT/length/200000" >"$T/connects"
    cmp "$T/one" "$T/two" && [ "$(tr '\n' ' ' <"$T/connects")" = '1 0 ' ] || { cat "$T/connects"; return 1; }
}
old_client() { # no chunks for it
    same /chunks/200000 -0 && ! grep -qi '^transfer-encoding' "$T/head"
}
# A client must not take what is broken off for the whole.
broken_off() {
    local framing
    for framing in length chunks; do
        ! call "/$framing/400000/200000" >/dev/null && grep -q 'broken off' "$T/gateway.err" || return 1
    done
    # A short one is held, and replaced.
    [ "$(call /length/20000/10000)" = 502 ]
}
# Who leaves does not hold the connection to the service; nor is the gateway hurt.
client_leaves() {
    for _ in 1 2 3 4 5 6 7 8; do
        ! timeout 0.3 curl -s -o /dev/null --limit-rate 10k -H 'Content-Type: text/xml' --data-binary "@$PLAIN" \
            "http://127.0.0.1:$GATEWAY_PORT/length/$LARGE" || return 1
    done
    same /length/200000
}
# It ends while an answer passes.
ends_meanwhile() {
    call "/length/$LARGE" --limit-rate 1k >/dev/null &
    pids+=($!)
    sleep 0.3
    gateway_ends
}
# Who reads all the time is not slow, however long it takes: more than 32 times the time for a body.
takes_long() {
    python3 - "$GATEWAY_PORT" "$PLAIN" <<'PY' && not_charged
import socket, sys, time

body = open(sys.argv[2], "rb").read()
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(
    b"POST /length/45000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/xml\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
)
begin = time.monotonic()
have = 0
while piece := s.recv(65536):
    have += len(piece)
    time.sleep(max(0, begin + have / 3e6 - time.monotonic()))
sys.exit(have < 45000000)
PY
}
# <attachments allowed="no"> is for what comes from outside, not for what the service says.
passes_when_not_allowed() {
    local status
    status=$(TYPE='multipart/related; type="text/xml"; boundary=b' call /length/1000)
    [ "$status" = 415 ] || { echo "request: status $status"; return 1; }
    same /length/1000 && same /length/200000 && same /chunks/200000
}
not_charged() { [ "$(grep '^event ' "$T/gateway.err" | grep -vc 'kind=good')" = 0 ]; }

start service python3 tests/cli/attachment_service.py
listening service
SERVICE_URL=http://127.0.0.1:$PORT
policy 'security="Bc" workers="1"' '' '' '' "<services><service name='a' path='/*' backend='$SERVICE_URL'/></services>"
BACKEND=$SERVICE_URL
gateway
GATEWAY_PORT=$PORT
check constant-memory constant_memory
check kept kept
check old-client old_client
check broken-off broken_off
check client-leaves client_leaves
check not-charged not_charged
check ends ends_meanwhile

policy 'security="Bc" workers="1"' '' 'body="400ms"' '' "<services><service name='a' path='/*' backend='$SERVICE_URL'/></services>"
gateway
GATEWAY_PORT=$PORT
check takes-long takes_long
check takes-long-ends gateway_ends

policy 'security="Bc" workers="1"' '' '' '' "<attachments allowed='no'/><services><service name='a' path='/*' backend='$SERVICE_URL'/></services>"
gateway
GATEWAY_PORT=$PORT
check passes-when-not-allowed passes_when_not_allowed
check not-allowed-ends gateway_ends
