# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Workers that die or hang, and a service that is away: one message is lost, nothing else.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

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

# Sets all, first and second: the workers, which stand still, and those whose requests they have.
keep_all_busy() {
    all=$(workers)
    mkdir -p "$T/2"
    # shellcheck disable=SC2086
    kill -STOP $all
    post "$VECTORS/plain/plain-1k.xml" >"$T/status" &
    first=$!
    T=$T/2 post "$PWD/$VECTORS/plain/plain-1k.xml" >"$T/status2" &
    second=$!
    wait_for 10 all_have_jobs || { echo "no jobs came"; return 1; }
}

# Two requests keep both workers; the third waits, and its client goes away.
queued_and_gone() {
    local all first second
    before=$(events)
    keep_all_busy || return 1
    send_and_go
    wait_for 10 has_half_closed || { echo "the listener has not seen it go"; return 1; }
    # shellcheck disable=SC2086
    kill -CONT $all
    wait "$first" "$second"
    answered_with 200 && [ "$(cat "$T/status2")" = 200 ] || return 1
    wait_for 10 none_half_closed || { echo "still open"; return 1; }
    [ "$(post "$VECTORS/plain/plain-1k.xml")" = 200 ] || return 1
    wait_for 10 test "$(events)" -ge $((before + 3))
    [ "$(events)" = $((before + 3)) ] && ! tail -n 3 "$T/gateway.err" | grep -q wellformed && return 0
    tail -n 4 "$T/gateway.err"
    return 1
}

# The same, but the client has closed its side alone: it is not worked for either, and hears of it.
queued_and_half_closed() {
    local all client first second
    keep_all_busy || return 1
    half_close >"$T/said" &
    client=$!
    wait_for 10 has_half_closed || { echo "the listener has not seen it"; return 1; }
    # shellcheck disable=SC2086
    kill -CONT $all
    wait "$client" "$first" "$second"
    grep -q '^HTTP/1.1 503 ' "$T/said" && grep -q '^Retry-After: ' "$T/said" ||
        { echo "got: $(head -c 200 "$T/said")"; return 1; }
    half_close >"$T/said"
    grep -q '^HTTP/1.1 500 ' "$T/said" || { echo "idle: $(head -c 200 "$T/said")"; return 1; }
}

# half_close: sends a request, closes for writing, prints what comes.
half_close() {
    python3 - "$PORT" <<'PY'
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10) as s:
    s.sendall(b"POST / HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: 7\r\n\r\n<a></b>")
    s.shutdown(socket.SHUT_WR)
    while part := s.recv(4096):
        sys.stdout.write(part.decode())
PY
}

all_have_jobs() {
    local w
    for w in $(workers); do
        has_job "$w" || return 1
    done
}

has_half_closed() {
    ss -Htn state close-wait "( sport = :$PORT )" | grep -c . >"$T/half"
    [ "$(cat "$T/half")" = 1 ]
}

none_half_closed() {
    ! has_half_closed
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

# How long the place of a killed worker stays empty: the median of five.
replaced_at_once() {
    local ms
    ms=$(python3 - "$GATEWAY" <<'PY'
import os, signal, sys, time
def name(pid):
    try:
        with open("/proc/%s/comm" % pid) as f:
            return f.read().strip()
    except OSError:
        return None
def workers():
    with open("/proc/%s/task/%s/children" % (sys.argv[1], sys.argv[1])) as f:
        return {pid for pid in f.read().split() if name(pid) == "fmp-gw-worker"}
took = []
for _ in range(5):
    before = workers()
    start = time.monotonic()
    os.kill(int(min(before)), signal.SIGKILL)
    while not workers() - before:
        if time.monotonic() - start > 5:
            sys.exit("not replaced")
        time.sleep(0.001)
    took.append(time.monotonic() - start)
print(int(sorted(took)[2] * 1000))
PY
    ) || return 1
    echo "$ms ms"
    [ "$ms" -lt 100 ]
}

# A service that takes messages and never answers; sets SILENT (its port).
silent_service() {
    start silent python3 -c '
import socket
s = socket.create_server(("127.0.0.1", 0))
print("listening on 127.0.0.1:%d" % s.getsockname()[1], flush=True)
kept = []
while True:
    kept.append(s.accept())
'
    listening silent
    BACKEND=http://127.0.0.1:$PORT/
}

# More messages than there are workers wait for the service; inspection goes on meanwhile.
slow_service_stops_no_inspection() {
    local waiting=() status before
    before=$(events)
    for _ in 1 2 3; do
        curl -s -m 20 -o /dev/null -H 'Content-Type: text/xml' --data-binary "@$VECTORS/plain/plain-1k.xml" \
            "$URL" &
        waiting+=($!)
    done
    wait_for 10 more_events $((before + 2)) || { echo "not all were inspected: $(events)"; return 1; }
    status=$(curl -s -m 5 -o /dev/null -w '%{http_code}' -H 'Content-Type: text/xml' --data-binary '<a></b>' "$URL")
    kill "${waiting[@]}"
    wait "${waiting[@]}" 2>/dev/null
    [ "$status" = 500 ] || { echo "status $status"; return 1; }
}

listener_dies() {
    local all
    all=$(pgrep -P "$GATEWAY")
    kill -KILL "$GATEWAY"
    wait "$GATEWAY" 2>/dev/null
    for worker in $all; do
        wait_for 5 gone "$worker" || { echo "process $worker stays"; return 1; }
    done
}

# A stop of the service goes to all of its processes: while the listener finishes it may need workers.
spawner_stays() {
    local fork_server
    fork_server=$(pgrep -P "$GATEWAY" -x fmp-gw-fork)
    worker=$(workers | head -n 1)
    kill -TERM "$fork_server" "$worker"
    wait_for 10 replaced "$worker" || { echo "not replaced: $(workers)"; return 1; }
    [ "$(pgrep -P "$GATEWAY" -x fmp-gw-fork)" = "$fork_server" ]
}

# Without what forks workers it serves with those it has, and ends with an error when it wants one.
spawner_dies() {
    kill -KILL "$(pgrep -P "$GATEWAY" -x fmp-gw-fork)"
    goes_on || return 1
    kill -KILL "$(workers | head -n 1)"
    gateway_gives_up
}

# One that is all elements becomes a tree of far more than there is.
starves() {
    local all
    all=$(workers)
    before=$(events)
    {
        echo '<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body><a>'
        head -c 2000000 /dev/zero | sed 's,\x00,<b/>,g'
        echo '</a></Body></Envelope>'
    } >"$T/large"
    [ "$(post "$T/large")" = 500 ] && is_fault && event_follows "$before" crash || { last_event; return 1; }
    wait_for 5 one_of_them_gone "$all" || { echo "not replaced: $(workers)"; return 1; }
}
one_of_them_gone() {
    [ "$(workers | wc -l)" = 2 ] && [ "$(workers | grep -cxF "$1")" = 1 ]
}

# Who would lose every message does not start.
no_room() {
    policy 'workers="2" worker-memory="16MiB"' 'body="16MiB"'
    ! timeout 20 "$BIN/fmp-gateway" --policy "$T/policy.xml" --backend "$BACKEND" --check >"$T/out" 2>&1 &&
        grep -q 'worker-memory is 16 MiB, and a worker with a message needs' "$T/out" || { cat "$T/out"; return 1; }
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
check queued-and-gone-is-not-worked-for queued_and_gone
check queued-and-half-closed-is-told queued_and_half_closed
check idle-worker-is-replaced idle_worker_dies
check replaced-within-100-ms replaced_at_once
check serves-after-all goes_on
check service-away-is-not-charged service_away
check workers-end-with-the-listener listener_dies

service
gateway --security BcV
check what-forks-workers-ends-with-the-listener-only spawner_stays
check ends-where-no-worker-can-be-had spawner_dies

policy 'workers="2" worker-memory="128MiB"' 'body="16MiB" elements="10000000"' 'worker="20s"'
service
gateway --security Bc
check too-little-memory-costs-one-message starves
check serves-after-a-worker-without-memory goes_on
check ends-with-little-memory gateway_ends
check no-room-for-a-message no_room

policy 'workers="2"' '' 'worker="3s"'
silent_service
gateway --security BcV
check slow-service-stops-no-inspection slow_service_stops_no_inspection
check ends-while-the-service-is-silent gateway_ends
