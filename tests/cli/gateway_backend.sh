# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2153,SC2154
#
# Services that answer badly: what is no answer, or could be read in two ways, is not forwarded.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

OK='HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n'

says() { # "PIECE THEN [FROM]" BYTES (with escapes): what the service does from now on
    { printf '%s\n' "$1"; printf '%b' "$2"; } >"$T/said.new"
    mv "$T/said.new" "$T/said"
}

# A service whose connections are all of no use any more, so that the next request opens a new one.
anew() {
    : >"$T/log"
    says '0 close' "${OK}Connection: close\r\nContent-Length: 7\r\n\r\n<last/>"
    ask >/dev/null
    : >"$T/log"
}

ask() {
    post "$VECTORS/plain/plain-1k.xml"
}

requests() { # N: so many came to the service
    local n
    n=$(wc -l <"$T/log")
    [ "$n" = "$1" ] || { echo "$n requests, not $1"; cat "$T/log"; return 1; }
}

gets() { # STATUS [BODY]
    local status
    status=$(ask)
    [ "$status" = "$1" ] || { echo "status $status"; cat "$T/answer"; tail -n 1 "$T/gateway.err"; return 1; }
    [ $# = 1 ] || [ "$(cat "$T/answer")" = "$2" ] || { echo "body"; cat "$T/answer"; return 1; }
}

# bad THEN BYTES REASON: a Fault of ours, nothing of the answer; asked once; nobody is charged; the log
# has the reason. Whole and byte by byte it is the same.
bad() {
    local piece
    for piece in 0 1; do
        anew
        says "$piece $1" "$2"
        before=$(events)
        gets 502 && is_fault && requests 1 || { echo "in pieces of $piece"; return 1; }
        ! grep -q poison "$T/answer" || { cat "$T/answer"; return 1; }
        tail -n 1 "$T/access.log" | grep -q " 502 [0-9]* .* kind=good step=done cpu_us=[0-9]* backend=\"$3\"$" || {
            tail -n 1 "$T/access.log"
            return 1
        }
        event_follows "$before" good || return 1
    done
    # And the next one is answered well.
    says '0 keep' "${OK}Content-Length: 7\r\n\r\n<next/>"
    gets 200 '<next/>'
}

# good THEN BYTES: forwarded as <good/>, however it is cut.
good() {
    local piece
    for piece in 0 1 3; do
        anew
        says "$piece $1" "$2"
        gets 200 '<good/>' && requests 1 || { echo "in pieces of $piece"; return 1; }
    done
    ! tail -n 1 "$T/access.log" | grep -q backend=
}

kept() {
    anew
    says '0 keep' "${OK}Content-Length: 7\r\n\r\n<good/>"
    gets 200 && gets 200 && gets 200 && requests 3 || return 1
    [ "$(cut -d ' ' -f 1 "$T/log" | sort -u | wc -l)" = 1 ] || { cat "$T/log"; return 1; }
}

# It may have done what the message says before it closed a kept connection: never once more.
obeyed_once() { # THEN
    anew
    says "0 $1 2" ''
    gets 200 '<good/>' && gets 502 && is_fault && requests 2 || return 1
    gets 200 '<good/>' && requests 3
}
half_an_answer() {
    anew
    says '0 close 2' 'H'
    gets 200 '<good/>' && gets 502 && requests 2
}

# What stands behind an answer is read into nobody's.
behind() { # PIECE
    anew
    says "$1 keep" "${OK}Content-Length: 7\r\n\r\n<good/>${OK}Content-Length: 8\r\n\r\n<poison>"
    gets 200 '<good/>' || return 1
    says '0 keep' "${OK}Content-Length: 7\r\n\r\n<next/>"
    gets 200 '<next/>'
}

no_body() {
    anew
    says '0 keep' 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'
    gets 202 '' || return 1
    says '0 keep' 'HTTP/1.1 204 No Content\r\n\r\n'
    gets 204 '' && requests 2
}

# Nobody there: told apart from a service that answers badly, and from one that is slow.
away() {
    kill "$SERVICE"
    wait "$SERVICE"
    gets 503 && is_fault && tail -n 1 "$T/access.log" | grep -q ' 503 .* backend="not reached"$' && return 0
    tail -n 1 "$T/access.log"
    return 1
}

# An answer before the whole request was read, and the end: it is an answer all the same.
early() {
    local status
    anew
    start refuser python3 -c '
import socket
server = socket.create_server(("127.0.0.1", 0))
print("listening on 127.0.0.1:%d" % server.getsockname()[1], flush=True)
while True:
    c = server.accept()[0]
    c.sendall(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 7\r\n\r\n<less/>")
    c.shutdown(socket.SHUT_WR)
    while c.recv(1 << 16):
        pass
    c.close()
'
    listening refuser
    BACKEND=http://127.0.0.1:$PORT/
    gateway --security Bc
    status=$(post "$VECTORS/plain/plain-1k.xml")
    [ "$status" = 413 ] && [ "$(cat "$T/answer")" = '<less/>' ] || { echo "status $status"; cat "$T/answer"; return 1; }
}

policy 'workers="1" access-log="'"$T"'/access.log"'
says '0 keep' "${OK}Content-Length: 7\r\n\r\n<good/>"
start service python3 tests/cli/raw_service.py "$T/said" "$T/log"
SERVICE=$!
listening service
BACKEND=http://127.0.0.1:$PORT/
gateway --security Bc

check good-length good keep "${OK}Content-Length: 7\r\n\r\n<good/>"
check good-chunks good keep "${OK}Transfer-Encoding: chunked\r\n\r\n3\r\n<go\r\n4;x=y\r\nod/>\r\n0\r\nX: y\r\n\r\n"
check good-until-closed good close "${OK}\r\n<good/>"
check good-after-100 good keep "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${OK}Content-Length: 7\r\n\r\n<good/>"
check good-1.0 good close 'HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n<good/>'
check no-body no_body
check kept kept
check obeyed-and-closed obeyed_once close
check obeyed-and-reset obeyed_once reset
check half-an-answer half_an_answer
check behind-an-answer behind 0
check behind-an-answer-cut behind 1
check bad-no-answer bad close '' 'closed before it began'
check bad-no-http bad keep 'poison' 'no HTTP/1.1'
check bad-status bad keep 'HTTP/1.1 2000 poison\r\nContent-Length: 0\r\n\r\n' 'no status'
check bad-101 bad keep 'HTTP/1.1 101 Switching Protocols\r\n\r\npoison' 'change to another protocol'
check bad-two-lengths bad keep "${OK}Content-Length: 6\r\nContent-Length: 0\r\n\r\npoison" 'a field that may stand once stands twice'
check bad-length-and-chunks bad keep "${OK}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" \
    'Content-Length and Transfer-Encoding stand together'
check bad-line-feed bad keep 'HTTP/1.1 200 OK\nContent-Length: 6\n\npoison' 'bare line feed'
check bad-chunk bad keep "${OK}Transfer-Encoding: chunked\r\n\r\n4\r\npoison\r\n0\r\n\r\n" 'chunk is longer than its size'
check good-coding good keep "${OK}Content-Encoding: x-any\r\nContent-Length: 7\r\n\r\n<good/>"
check bad-204 bad keep 'HTTP/1.1 204 No Content\r\nContent-Length: 6\r\n\r\npoison' 'body where none may be'
check bad-too-long bad keep "${OK}Content-Length: 4194305\r\n\r\npoison" 'body is larger than allowed'
check bad-header bad keep "${OK}X: $(head -c 17000 /dev/zero | tr '\0' x)\r\n\r\npoison" 'header or chunk framing is too long'
check bad-early-end bad close "${OK}Content-Length: 7\r\n\r\npoison" 'broken off'
check bad-early-chunks bad close "${OK}Transfer-Encoding: chunked\r\n\r\n6\r\npoison\r\n" 'broken off'
check bad-reset bad reset "${OK}\r\npoison" 'broken off'
check away away
check ends gateway_ends
check early-answer early

# By TLS the end of what has no length is the one that the service says; a connection that just ends may
# have been cut by anybody. What says where it ends needs no such word.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=service \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$T/ca.key" -out "$T/ca.crt" 2>/dev/null
start tls python3 tests/cli/raw_service.py "$T/said" "$T/log" "$T/ca.crt" "$T/ca.key"
listening tls
policy 'security="Bc" workers="1" access-log="'"$T"'/access.log"' '' '' '' \
    "<services><service name='tls' path='/orders' backend='https://127.0.0.1:$PORT/ws' ca='ca.crt'/></services>"
gateway
check tls-good-until-closed good close "${OK}\r\n<good/>"
check tls-good-length-and-cut good cut "${OK}Content-Length: 7\r\n\r\n<good/>"
check tls-good-chunks-and-cut good cut "${OK}Transfer-Encoding: chunked\r\n\r\n7\r\n<good/>\r\n0\r\n\r\n"
check tls-bad-cut bad cut "${OK}\r\npoison" 'broken off'
check tls-bad-reset bad reset "${OK}\r\npoison" 'broken off'
check tls-bad-early-end bad close "${OK}Content-Length: 7\r\n\r\npoison" 'broken off'
check tls-ends gateway_ends
