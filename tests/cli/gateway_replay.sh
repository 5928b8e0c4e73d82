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
