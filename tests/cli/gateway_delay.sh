# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A client that waited for the gateway is not charged for it, and one that did not send its request is.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# stopped SECONDS: the gateway does not run for so long, as on a machine that is busy.
stopped() {
    kill -STOP "$GATEWAY"
    sleep "$1"
    kill -CONT "$GATEWAY"
}

# late WHAT: half a header, the gateway stops for longer than the deadline, and 0.4 s later comes the rest, or nothing.
late() {
    rm -f "$T/half"
    python3 - "$PORT" "$VECTORS/plain/plain-1k.xml" "$T/half" "$T/rest" "$1" <<'EOF' &
import os, socket, sys, time
port, path, half, rest, what = sys.argv[1:]
with open(path, "rb") as file:
    message = file.read()
client = socket.create_connection(("127.0.0.1", int(port)), timeout=10)
client.sendall(b"POST /orders HTTP/1.1\r\nHost: a\r\n")
time.sleep(0.2)
open(half, "w").close()
while not os.path.exists(rest):
    time.sleep(0.02)
if what == "sends":
    time.sleep(0.4)
    client.sendall(b"Content-Type: text/xml\r\nContent-Length: %d\r\n\r\n" % len(message) + message)
answer = client.recv(65536)
sys.exit(not answer.startswith(b"HTTP/1.1 200 " if what == "sends" else b"HTTP/1.1 408 "))
EOF
    local client=$!
    wait_for 5 test -e "$T/half" || return 1
    stopped 2
    : >"$T/rest"
    wait "$client"
    local rc=$?
    rm -f "$T/rest"
    return "$rc"
}

nobody_is_charged() { ! grep '^event ' "$T/gateway.err" | grep -v kind=good; }
is_charged() { wait_for 5 grep -q '^event .*kind=connection .*the header did not come in time' "$T/gateway.err"; }

service
policy 'workers="1"' '' 'header="1s"' ''
gateway --security Os
check our-delay-is-nobodys-deadline late sends
check our-delay-charges-nobody nobody_is_charged
check silence-behind-it-is-charged late silent
check the-silent-one-is-charged is_charged
check ends-well gateway_ends
