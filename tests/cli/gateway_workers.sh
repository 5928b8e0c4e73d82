# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Workers that die or hang, and a service that is away: one message is lost, nothing else.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# The job of the request in the background has reached the stopped worker.
has_job() { # PID
    ss -xp | grep "pid=$1,fd=3)" | awk '$3 > 0 { found = 1 } END { exit !found }'
}

answered_with() { # STATUS
    [ "$(cat "$T/status")" = "$1" ] && return 0
    echo "status $(cat "$T/status"), $(tail -n 3 "$T/gateway.err")"
    return 1
}

replaced() { # PID
    [ "$(workers | wc -l)" = 2 ] && ! workers | grep -qx "$1"
}

# stop_and COMMAND...: stops the workers, runs it in the background; when one of them has the
# job, that is $worker, and the others go on.
stop_and() {
    local all w
    all=$(workers)
    before=$(events)
    worker=
    # shellcheck disable=SC2086
    kill -STOP $all
    "$@" &
    poster=$!
    wait_for 10 one_has_job || echo "no job came"
    for w in $all; do
        [ "$w" = "$worker" ] || kill -CONT "$w"
    done
    [ "$worker" ]
}

one_has_job() {
    for worker in $(workers); do
        has_job "$worker" && return 0
    done
    worker=
    return 1
}

post_and_note() {
    post "$VECTORS/plain/plain-1k.xml" >"$T/status"
}

killed_in_the_middle() {
    stop_and post_and_note || return 1
    kill -KILL "$worker"
    # The replacement is there before anything else is.
    wait_for 2 replaced "$worker" || { echo "not replaced: $(workers)"; return 1; }
    wait "$poster"
    answered_with 500 && is_fault && event_follows "$before" crash || return 1
    last_event | grep -q 'signal 9'
}

hangs() {
    stop_and post_and_note || return 1
    wait "$poster"
    answered_with 500 && is_fault && event_follows "$before" timeout && replaced "$worker"
}

# Sends, and is gone before the worker has looked at it: charged all the same.
sent_and_gone() {
    stop_and send_and_go || return 1
    wait "$poster"
    kill -CONT "$worker"
    event_follows "$before" wellformed
}

send_and_go() {
    local fd
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT"
    printf 'POST / HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: 7\r\n\r\n<a></b>' >&"$fd"
    exec {fd}>&-
}

goes_on() {
    "$BIN/fmp-orders-client" --endpoint "$URL" --count 20 --quiet
}

idle_worker_dies() {
    worker=$(workers | tail -n 1)
    before=$(events)
    kill -KILL "$worker"
    wait_for 3 replaced "$worker" || { echo "not replaced"; return 1; }
    [ "$(events)" = "$before" ] || { echo "somebody was charged: $(last_event)"; return 1; }
}

# Well behaved, so not charged: the Fault is ours, and it is the service's turn.
service_away() {
    before=$(events)
    kill "$ORDERS"
    wait "$ORDERS"
    [ "$(post "$VECTORS/plain/plain-1k.xml")" = 503 ] && is_fault || { cat "$T/answer"; return 1; }
    grep -q 'faultcode>SOAP-ENV:Server' "$T/answer" || return 1
    ! grep -q '127.0.0.1' "$T/answer" || { echo "insides told"; return 1; }
    event_follows "$before" good
}

listener_dies() {
    local all
    all=$(workers)
    kill -KILL "$GATEWAY"
    wait "$GATEWAY" 2>/dev/null
    for worker in $all; do
        wait_for 5 gone "$worker" || { echo "worker $worker stays"; return 1; }
    done
}

gone() {
    ! kill -0 "$1" 2>/dev/null
}

policy 'workers="2"' '' 'worker="3s"'
service
gateway --security BcV

check serves goes_on
check killed-worker-costs-one-message killed_in_the_middle
check serves-after-a-crash goes_on
check hanging-worker-costs-one-message hangs
check serves-after-a-hang goes_on
check sent-and-gone-is-charged sent_and_gone
check idle-worker-is-replaced idle_worker_dies
check serves-after-all goes_on
check service-away-is-not-charged service_away
check workers-end-with-the-listener listener_dies
