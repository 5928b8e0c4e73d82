# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# A proxy in front of the gateway: the client that it tells of is charged, and nobody else may tell.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

HEAD='\r\n\r\n\0\r\nQUIT\n'
CLIENT=$HEAD'\x21\x11\0\014\xc0\0\002\x42\xc6\x33\x64\001\xd4\x31\0\x50' # 192.0.2.66:54321

request() { # [FIELD]
    printf 'POST / HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nConnection: close\r\n%b' "${1:-}"
    printf 'Content-Length: 7\r\n\r\n<a></b>'
}

# sends: standard input to the gateway, all at once; what comes back is in $T/answer.
sends() {
    local fd
    cat >"$T/sent"
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    cat "$T/sent" >&"$fd"
    timeout 10 cat <&"$fd" >"$T/answer" 2>/dev/null
    exec {fd}>&-
}

# charged PATTERN: exactly one event more than $before, that matches.
charged() {
    wait_for 5 more_events "$before" || { echo "no event"; head -c 300 "$T/answer"; return 1; }
    [ "$(events)" = $((before + 1)) ] && last_event | grep -q "$1" || { last_event; return 1; }
}

# tells FORMAT PATTERN [FIELD]: a PROXY header, then a message that is not well-formed.
tells() {
    before=$(events)
    # shellcheck disable=SC2059
    { printf "$1"; request "${3:-}"; } | sends
    charged "$2"
}

# forwards FIELDS PATTERN
forwards() {
    before=$(events)
    request "$1" | sends
    charged "$2"
}

# The header comes byte by byte, the request in the same segment as its last ones.
in_pieces() {
    local fd i
    before=$(events)
    # shellcheck disable=SC2059
    { printf "$CLIENT"; request; } >"$T/sent"
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    for i in $(seq 0 24); do
        dd if="$T/sent" bs=1 skip="$i" count=1 status=none >&"$fd"
    done
    tail -c +26 "$T/sent" >&"$fd"
    timeout 10 cat <&"$fd" >"$T/answer"
    exec {fd}>&-
    charged 'kind=wellformed source=192.0.2.66 source_port=54321'
}

refused_by() { # FORMAT PATTERN
    before=$(events)
    # shellcheck disable=SC2059
    printf "$1" | sends
    [ ! -s "$T/answer" ] || { echo "answered"; return 1; }
    charged "kind=connection source=127.0.0.1 .*$2"
}

too_late() {
    local fd
    before=$(events)
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    printf '\r\n\r\n' >&"$fd"
    timeout 10 cat <&"$fd" >"$T/answer"
    exec {fd}>&-
    charged 'kind=connection source=127.0.0.1 .*PROXY header did not come in time'
}

# Two of one client are too many, of the proxy's own they are not.
per_client() {
    local a b c
    before=$(events)
    # shellcheck disable=SC2059
    {
        exec {a}<>"/dev/tcp/127.0.0.1/$PORT" {b}<>"/dev/tcp/127.0.0.1/$PORT" {c}<>"/dev/tcp/127.0.0.1/$PORT"
        printf "$CLIENT" >&"$a"
        printf "$CLIENT" >&"$b"
        printf "$CLIENT" >&"$c"
    }
    charged 'kind=connection source=192.0.2.66 .*too many connections'
    local rc=$?
    exec {a}>&- {b}>&- {c}>&-
    return "$rc"
}

many_of_the_proxy() {
    local a b c d
    before=$(events)
    # shellcheck disable=SC2059
    {
        exec {a}<>"/dev/tcp/127.0.0.1/$PORT" {b}<>"/dev/tcp/127.0.0.1/$PORT" {c}<>"/dev/tcp/127.0.0.1/$PORT"
        printf "$HEAD\x20\0\0\0" >&"$a"
        printf "$HEAD\x20\0\0\0" >&"$b"
        printf "$HEAD\x20\0\0\0" >&"$c"
    }
    exec {d}<>"/dev/tcp/127.0.0.1/$PORT"
    # shellcheck disable=SC2059
    { printf "$HEAD\x20\0\0\0"; request; } >&"$d"
    charged 'kind=wellformed source=127.0.0.1'
    local rc=$?
    exec {a}>&- {b}>&- {c}>&- {d}>&-
    return "$rc"
}

# Refused before the header ends: the client that the field tells of is charged, wherever it stands.
early_refusals_are_the_clients() {
    local x='X-Forwarded-For: 198.51.100.7\r\n' p='POST / HTTP/1.1\r\nHost: gw\r\n' many a b line
    many=$(printf 'a: b@%.0s' $(seq 200))
    many=${many//@/\\r\\n}
    a=$(printf 'a%.0s' $(seq 3000)) b=$(printf '10.9.8.7, %.0s' $(seq 100))
    for line in "GET / HTTP/1.1\r\nHost: gw\r\n$x" "BREW / HTTP/1.1\r\n$x" "POST / HTTP/9.9\r\n$x" "POST  / HTTP/1.1\r\n$x" \
        "${p}Transfer-Encoding: gzip\r\n$x" "${p}Content-Encoding: br\r\nx-forwarded-for:198.51.100.7 \r\n" "${p}Expect: x\r\n$x" \
        "$p${x}SOAPAction: \"a\r\n" "${p}Content-Length: 9000000\r\n$x" "${p}Content-Length: x\r\n$x" "${p}Content-Type: $a\r\n$x" \
        "${p}Expect: x\r\nX-Forwarded-For: 198.51.100.7:80\r\n" "$p$many$x" "${p}Host: gw\r\n$x" "${p}b@d: x\r\n$x" "$p folded\r\n$x" \
        "${p}a: \001\r\n$x" "${p}X-Forwarded-For: ${b}198.51.100.7\r\n" "${p}Expect: x\r\nX-Forwarded-For: ${b}198.51.100.7\r\n" \
        "${p}Expect: x\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 198.51.100.7\r\n"; do
        before=$(events)
        printf '%b\r\n' "$line" | sends
        charged 'source=198.51.100.7 ' || { echo "${line:0:200}"; return 1; }
    done
}

# What a client writes names nobody else, however much stands between that and the proxy's own field; where the header has
# no end, the proxy's field may be missing.
nobody_is_framed() {
    local x='X-Forwarded-For: 198.51.100.7\r\n' p='POST / HTTP/1.1\r\nHost: gw\r\nX-Forwarded-For: 192.0.2.77\r\n' start fd
    for start in "$p" "${p}a: \001\r\n" "POST / HTTP/9.9\r\nX-Forwarded-For: 192.0.2.77\r\n"; do
        before=$(events)
        { printf '%b' "$start"; printf 'b: %060000d\r\n' 0; printf '%b\r\n' "$x"; } | sends
        charged 'source=198.51.100.7 ' || { echo "$start"; return 1; }
        before=$(events)
        { printf '%b' "$start"; printf 'b: %0290000d\r\n' 0; printf '%b\r\n' "$x"; } | sends
        charged 'source=127.0.0.1 ' || { echo "$start, too long"; return 1; }
        before=$(events)
        exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
        printf '%b' "$start" >&"$fd"
        exec {fd}>&-
        charged 'source=127.0.0.1 ' || { echo "$start, closed"; return 1; }
    done
}

# Not for ever.
held_refusals_end() {
    before=$(events)
    { printf 'GET / HTTP/1.1\r\n'; head -c 300000 /dev/zero | tr '\0' a; } | sends
    charged 'source=127.0.0.1 .*method'
}

# One IPv6 host uses many addresses of its prefix. All share one turn in the queue of the only worker: another client waits
# for one of its messages, not for all (invariant 13).
one_host_has_one_turn() {
    local worker fds=() fd client rc=0
    worker=$(workers)
    before=$(events)
    kill -STOP "$worker"
    for client in 198.51.100.1 2001:db8:7::1 2001:db8:7::2 2001:db8:7::3 2001:db8:7::4 192.0.2.99; do
        exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
        fds+=("$fd")
        request "X-Forwarded-For: $client\r\n" >&"$fd"
        # The first occupies the worker, the last comes last.
        case $client in
        198.51.100.1) wait_for 10 has_job "$worker" || rc=1 ;;
        *) sleep 0.2 ;;
        esac
    done
    kill -CONT "$worker"
    wait_for 10 more_events $((before + 5)) || rc=1
    for fd in "${fds[@]}"; do
        exec {fd}>&-
    done
    grep '^event ' "$T/gateway.err" | tail -n +$((before + 1)) | sed 's/.* source=\([^ ]*\) .*/\1/' >"$T/order"
    [ "$rc" = 0 ] && head -n 3 "$T/order" | grep -qx 192.0.2.99 || { cat "$T/order"; return 1; }
}

before_tls() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=gw \
        -keyout "$T/gw.key" -out "$T/gw.crt" 2>/dev/null
    chmod 644 "$T/gw.key"
    policy '' '' 'header="2s"' '' "<tls certificate='$T/gw.crt' key='$T/gw.key'/>
        <proxies><proxy address='127.0.0.1'/></proxies>"
    gateway --security Bc
    before=$(events)
    request >"$T/request"
    # No client here speaks both: a header, then TLS, over one connection.
    python3 - "$PORT" "$T/request" >"$T/answer" <<'PY'
import socket, ssl, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\2\x42\xc6\x33\x64\1\xd4\x31\0\x50")
c = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
c.check_hostname = False
c.verify_mode = ssl.CERT_NONE
t = c.wrap_socket(s)
t.sendall(open(sys.argv[2], "rb").read())
print(t.recv(65536).decode())
PY
    charged 'kind=wellformed source=192.0.2.66 source_port=54321'
}

CONNECTIONS='per-source="2"'
service
policy '' '' 'header="2s"' "$CONNECTIONS" '<proxies><proxy address="127.0.0.0/8"/></proxies>'
gateway --security Bc
check client-of-a-header tells "$CLIENT" 'kind=wellformed source=192.0.2.66 source_port=54321'
check header-in-pieces in_pieces
check proxy-of-its-own tells "$HEAD\\x20\\0\\0\\0" 'kind=wellformed source=127.0.0.1'
check no-header refused_by 'POST / HTTP/1.1\r\nHost: gw\r\n\r\n' 'no PROXY header'
check bent-header refused_by "$HEAD\\x21\\x12\\0\\014\\xc0\\0\\002\\x42\\xc6\\x33\\x64\\001\\xd4\\x31\\0\\x50" 'neither TCP'
check late-header too_late
check connections-per-client per_client
check connections-of-the-proxy many_of_the_proxy
check field-of-a-client-is-not-asked tells "$CLIENT" 'source=192.0.2.66' \
    'X-Forwarded-For: 198.51.100.5\r\n'
check ends-well gateway_ends

policy '' '' '' "$CONNECTIONS" '<proxies><proxy address="127.0.0.1" tells="x-forwarded-for"/></proxies>'
gateway --security Bc
check field-tells forwards 'X-Forwarded-For: 10.1.1.1, 198.51.100.9\r\n' 'kind=wellformed source=198.51.100.9 '
check last-of-two-fields forwards 'X-Forwarded-For: 10.1.1.1\r\nX-Forwarded-For: 198.51.100.8\r\n' \
    'kind=wellformed source=198.51.100.8 '
check own-proxy-is-passed-over forwards 'X-Forwarded-For: 198.51.100.7, 127.0.0.1\r\n' 'source=198.51.100.7 '
check bent-field-is-refused forwards 'X-Forwarded-For: nonsense\r\n' 'kind=http source=127.0.0.1 .*no address'
check no-field-is-the-proxy forwards '' 'kind=wellformed source=127.0.0.1 '
check bad-http-is-the-clients forwards 'X-Forwarded-For: 198.51.100.6\r\nContent-Length: 8\r\n' 'kind=http '
check early-refusals-are-the-clients early_refusals_are_the_clients
check nobody-is-framed nobody_is_framed
check held-refusals-end held_refusals_end
check ends-well-too gateway_ends

policy 'workers="1"' '' '' '' '<proxies><proxy address="127.0.0.1" tells="x-forwarded-for"/></proxies>'
gateway --security Bc
check one-host-has-one-turn one_host_has_one_turn
check ends-well-again gateway_ends

policy
gateway --security Bc
check nobody-else-tells-by-field forwards 'X-Forwarded-For: 198.51.100.9\r\n' 'kind=wellformed source=127.0.0.1 '
before=$(events)
# shellcheck disable=SC2059
printf "$CLIENT" | sends
check nobody-else-tells-by-header charged 'kind=http source=127.0.0.1 '
gateway_ends

check before-tls before_tls
