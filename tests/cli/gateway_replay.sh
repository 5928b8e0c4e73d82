# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A signed message passes once, whichever worker gets its copies, and whoever of them dies.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

signed=$VECTORS/good/wss4j-rsa2048-1k.xml

# copies N: sends so many at once; prints their statuses.
copies() {
    local n pids=()
    for n in $(seq "$1"); do
        curl -s -m 20 -o "$T/answer.$n" -w '%{http_code}\n' -H 'Content-Type: text/xml; charset=utf-8' \
            -H 'SOAPAction: ""' -H 'Expect:' --data-binary "@$signed" "$URL" >"$T/status.$n" &
        pids+=("$!")
    done
    wait "${pids[@]}"
    cat "$T"/status.*
}

one_of_many() {
    local statuses
    statuses=$(copies 12)
    [ "$(grep -c '^200$' <<<"$statuses")" = 1 ] || { echo "statuses: $(sort <<<"$statuses" | uniq -c)"; return 1; }
    [ "$(grep -c '^[45]00$' <<<"$statuses")" = 11 ]
}

eleven_replays() { [ "$(grep -c '^event kind=replay ' "$T/gateway.err")" = 11 ]; }
events_of_replay() { wait_for 20 eleven_replays; }

four_workers() { [ "$(pgrep -c -P "$GATEWAY" -x fmp-gw-worker)" = 4 ]; }
workers_die() {
    local worker
    for worker in $(pgrep -P "$GATEWAY" -x fmp-gw-worker); do
        kill -9 "$worker"
    done
    wait_for 20 four_workers
}

still_known() {
    local status
    status=$(post "$signed")
    [ "$status" != 200 ] && last_event | grep -q 'kind=replay '
}

# What workers share is all that one of them can write to, and none can make it longer.
cannot_grow() {
    local worker size
    worker=$(pgrep -P "$GATEWAY" -x fmp-gw-worker | head -n 1)
    size=$(find -L "/proc/$worker/fd" -type f -size +4k -printf '%s\n')
    grep 'Max file size' "/proc/$worker/limits"
    echo "$size bytes are shared"
    [ -n "$size" ] && grep -Eq "^Max file size +$size +$size " "/proc/$worker/limits"
}

# repeated FILE ADDRESS: prints the status; the fields of the answer are in $T/fields.
repeated() {
    curl -s -m 20 -o "$T/answer" -D "$T/fields" -w '%{http_code}' -H 'Content-Type: text/xml; charset=utf-8' \
        -H 'SOAPAction: ""' -H 'Expect:' --interface "$2" --data-binary "@$1" "$URL"
}

# told_to_repeat FILE: the service is not there, which is nobody's offence.
told_to_repeat() {
    local status
    status=$(repeated "$1" 127.0.0.9)
    [ "$status" = 503 ] && grep -qi '^retry-after: [0-9]' "$T/fields" || { echo "status $status"; cat "$T/fields"; return 1; }
}

# Who does as he is told is not charged, however often he is told, by whichever worker.
repeats() {
    local status
    for _ in 1 2 3 4 5 6; do
        told_to_repeat "$1" || return 1
    done
    service_again
    status=$(repeated "$1" 127.0.0.9)
    [ "$status" = 200 ] || { echo "status $status: $(last_event)"; return 1; }
    ! grep '^event ' "$T/gateway.err" | grep 'source=127.0.0.9 ' | grep -v ' kind=good\|^event kind=good ' || return 1
    # Now it was delivered.
    status=$(repeated "$1" 127.0.0.9)
    [ "$status" = 500 ] && ! grep -qi '^retry-after' "$T/fields" && wait_for 10 charged_for_a_replay
}
charged_for_a_replay() { grep '^event ' "$T/gateway.err" | grep 'source=127.0.0.9 ' | grep -q 'kind=replay '; }

# Whoever has not waited for the answer may come again as well.
runs_away() {
    local status
    python3 - "$PORT" "$1" <<'PY'
import socket, sys
with open(sys.argv[2], "rb") as file:
    body = file.read()
c = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
c.sendall(b"POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"\"\r\n"
          b"Content-Length: %d\r\n\r\n" % len(body) + body)
c.close()
PY
    # From then on what is to be forgotten comes before what comes next, to the one worker.
    wait_for 10 grep -q 'backend: not reached' "$T/gateway.err" || return 1
    told_to_repeat "$1"
}

# What was sent is remembered, whatever became of it: who repeats that has not been told to.
delivered() { # STATUS FILE
    local status
    status=$(repeated "$2" 127.0.0.10)
    [ "$status" = "$1" ] && ! grep -qi '^retry-after' "$T/fields" || { echo "status $status"; cat "$T/fields"; return 1; }
    status=$(repeated "$2" 127.0.0.10)
    [ "$status" = 500 ] && wait_for 10 replay_of_10
}
replay_of_10() { grep '^event ' "$T/gateway.err" | grep 'source=127.0.0.10 ' | grep -q 'kind=replay '; }

service_ends() {
    kill "$ORDERS"
    wait "$ORDERS"
}
service_again() {
    start orders "$BIN/fmp-orders" --listen "${BACKEND_AT:?}" --threads 16
    ORDERS=$!
    listening orders
}

policy 'workers="4"'
service
gateway --security BcS
check one-of-many one_of_many
check replays-are-events events_of_replay
check what-is-shared-cannot-grow cannot_grow
check workers-die workers_die
check still-known-to-new-workers still_known
check another-message-passes test "$(post "$VECTORS/good/wss4j-ec256-1k.xml")" = 200
check gateway-ends-well gateway_ends

policy 'workers="2"' '' '' '' '<replay entries="0"/>'
gateway --security BcS
check without-a-cache-copies-pass test "$(post "$signed") $(post "$signed")" = '200 200'
check gateway-ends-well-again gateway_ends

policy 'workers="1"'
BACKEND_AT=${BACKEND#http://}
BACKEND_AT=${BACKEND_AT%/*}
service_ends
gateway --security BcS
check runs-away-and-comes-again runs_away "$signed"
check gateway-ends-after-who-ran gateway_ends
policy 'workers="3"'
gateway --security BcS
check told-to-repeat-and-repeats repeats "$signed"
service_ends
check told-to-repeat-another told_to_repeat "$VECTORS/good/wss4j-ec256-1k.xml"
check forgets-no-other still_known
check gateway-ends-after-repeats gateway_ends

# A service that closes the connection may have obeyed before; one that is busy, too.
printf '0 close\n' >"$T/said"
start raw python3 tests/cli/raw_service.py "$T/said" "$T/raw.log"
listening raw
BACKEND=http://127.0.0.1:$PORT/
gateway --security BcS
check closed-by-the-service delivered 502 "$signed"
check gateway-ends-after-502 gateway_ends
printf '0 keep\nHTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n' >"$T/said"
gateway --security BcS
check busy-says-the-service delivered 503 "$signed"
check gateway-ends-after-503 gateway_ends

# A sender that got no answer repeats: the policy says what that is; from elsewhere the same is a replay.
service
repeat_by_its_source() { # STATUS ADDRESS
    local status
    status=$(repeated "$signed" "$2")
    [ "$status" = 200 ] || { echo "status $status: $(last_event)"; return 1; }
    status=$(repeated "$signed" "$2")
    [ "$status" = "$1" ] || { echo "status $status, not $1"; return 1; }
    status=$(repeated "$signed" 127.0.0.20)
    [ "$status" = 500 ] && wait_for 10 replays_of 127.0.0.20 || { echo "status $status from elsewhere"; return 1; }
    ! replays_of "$2"
}
replays_of() { grep '^event ' "$T/gateway.err" | grep "source=$1 " | grep -q 'kind=replay '; }

policy 'workers="3"' '' '' '' '<require repeats="refuse"/>'
gateway --security BcS
check repeat-is-refused repeat_by_its_source 500 127.0.0.11
check gateway-ends-after-a-repeat gateway_ends
policy 'workers="3"' '' '' '' '<require repeats="pass"/>'
gateway --security BcS
check repeat-passes repeat_by_its_source 200 127.0.0.12
check gateway-ends-after-it-passed gateway_ends
