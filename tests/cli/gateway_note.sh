# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154
#
# Whose bytes a gateway reads stands where fmpd finds it, should the gateway die of them.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# noting: the gateway; what it notes is in $T/note.out.
noting() {
    rm -f "$T/gateway.out" "$T/gateway.err"
    start note python3 tests/cli/note.py "$BIN/fmp-gateway" "$T/gateway.out" "$T/gateway.err" \
        --policy "$T/policy.xml" --listen 127.0.0.1:0 --backend http://127.0.0.1:9/ --security Bc
    NOTE=$!
    wait_for 20 grep -q ready "$T/gateway.err"
    listening gateway
}
ends() { kill "$NOTE" && wait "$NOTE"; }

# sends SOURCE [FIELD]: many chunks of a byte, which take their time; then a body that is none.
sends() {
    python3 - "$PORT" "$1" "${2:-}" <<'EOF'
import socket, sys
s = socket.socket()
s.bind((sys.argv[2], 0))
s.connect(("127.0.0.1", int(sys.argv[1])))
field = sys.argv[3] + "\r\n" if sys.argv[3] else ""
s.sendall(f"POST /x HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\n{field}Transfer-Encoding: chunked\r\n\r\n".encode())
s.sendall(b"1\r\nx\r\n" * 100000 + b"0\r\n\r\n")
s.recv(100)
EOF
}

handshakes() { # SOURCE: and says nothing
    timeout 20 openssl s_client -bind "$1:0" -connect "127.0.0.1:$PORT" </dev/null >/dev/null 2>&1
}

# noted LINE COMMAND...: it is seen some time, and nobody when all is read.
noted() {
    local line=$1 tries=0
    shift
    until grep -qx "$line" "$T/note.out"; do
        tries=$((tries + 1))
        [ "$tries" -le 100 ] || { cat "$T/note.out"; return 1; }
        "$@"
    done
    wait_for 10 over || { tail -n 3 "$T/note.out"; return 1; }
}
over() { [ "$(tail -n 1 "$T/note.out")" = nobody ]; }

# The client that a proxy tells of, and not the proxy.
client_of_proxy() {
    noted "192.0.2.66 no port $PORT" sends 127.0.0.2 'X-Forwarded-For: 192.0.2.66' &&
        ! grep -q '^127.0.0.2 ' "$T/note.out" || { cat "$T/note.out"; return 1; }
}

# Workers live on it; nobody but the listener has it.
nobody_else_has_it() {
    local pid page
    pid=$(awk '/^runs/ { print $2 }' "$T/note.out")
    grep -q memfd:note "/proc/$pid/maps" || { cat "/proc/$pid/maps"; return 1; }
    for page in $(pgrep -P "$pid"); do
        ! grep -q memfd:note "/proc/$page/maps" || { echo "process $page has it"; return 1; }
        ! readlink "/proc/$page"/fd/* | grep -q memfd:note || { echo "process $page has its descriptor"; return 1; }
    done
}

policy 'workers="1"' 'body="4MiB"' '' '' '<proxies><proxy address="127.0.0.2" tells="x-forwarded-for"/></proxies>'
noting
check http noted "127.0.0.7 port $PORT" sends 127.0.0.7
check client-of-proxy client_of_proxy
check nobody-else-has-it nobody_else_has_it
check ends ends

openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=gw -days 2 -keyout "$T/gw.key" -out "$T/gw.crt" 2>/dev/null
policy 'workers="1"' 'body="4MiB"' '' '' "<tls certificate='$T/gw.crt' key='$T/gw.key'/>"
noting
check tls noted "127.0.0.8 port $PORT" handshakes 127.0.0.8
check ends-with-tls ends
