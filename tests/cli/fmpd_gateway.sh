# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119
#
# fmpd with gateways that misbehave: one that lies, one that dies at once, one that is not there.

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

BACKEND=http://127.0.0.1:9/

# fake BODY: a gateway of our own, in Python; event() writes a message, tries counts its starts.
fake() {
    cat >"$T/fake" <<EOF
#!/usr/bin/env python3
import mmap, os, signal, socket, struct, sys, time
def field(i, v):
    v = struct.pack(">Q", v) if isinstance(v, int) else v
    return struct.pack(">HI", i, len(v)) + v
def message(kind, *fields):
    body = struct.pack(">H", kind) + b"".join(fields)
    return struct.pack(">I", len(body)) + body
def event(addr, detail=b"fake"):
    return message(0x0101, field(1, 10), field(2, 1), field(3, bytes([4, 32, *addr]) + bytes(12)), field(9, detail))
ready = message(0x0102, field(1, os.getpid()), field(2, 1))
with open("$T/tries", "a") as f:
    f.write("%d %.3f\n" % (os.getpid(), time.monotonic()))
tries = len(open("$T/tries").readlines())
def say(b):
    os.write(4, b)
def note(family, addr, busy=1):
    mmap.mmap(6, 4096)[:28] = struct.pack("=IHHB16s3x", busy, 40000, 80, family, bytes(addr))
def wait():
    while os.read(4, 4096):
        pass
    sys.exit(0)
$1
EOF
    chmod 755 "$T/fake"
    : >"$T/tries"
}

tries() { wc -l <"$T/tries"; }
tried() { [ "$(tries)" -ge "$1" ]; }
malicious() { [ "$(field 'select(.record == "source") | .state' why "$1")" = malicious ]; }

# What came before the nonsense counts, fmpd stays, the next gateway is taken.
nonsense_is_replaced() {
    fake 'say(ready)
if tries == 1:
    say(event([198, 51, 100, 1]) * 20 + b"\x00\x00\x00\x03\x01\x01\x01" + event([198, 51, 100, 2]) * 20)
    time.sleep(60)
wait()'
    plane --gateway "$T/fake"
    wait_for 10 tried 2 && wait_for 5 grep -q 'would block 198.51.100.1' "$T/fmpd.err" &&
        wait_for 5 gateway_up || return 1
    cat "$T/fmpd.err"
    grep -q 'does not decode' "$T/fmpd.err" && malicious 198.51.100.1 && ! malicious 198.51.100.2 &&
        kill -0 "$FMPD" && gone "$(head -n 1 "$T/tries" | cut -d' ' -f1)" && plane_ends
}

# Values that a client's bytes may have shaped: such an event is dropped, and the gateway goes on.
bad_values_are_dropped() {
    fake 'say(ready)
def bent(kind=10, proven=1, source=bytes([4, 32, 198, 51, 100, 5]) + bytes(12), port=1, size=1, detail=b"x"):
    return message(0x0101, field(1, kind), field(2, proven), field(3, source), field(4, port), field(8, size), field(9, detail))
v6 = lambda prefix, *b: bytes([6, prefix]) + bytes(b) + bytes(16 - len(b))
for e in [bent(kind=200), bent(proven=2), bent(port=1 << 16), bent(size=1 << 32), bent(detail=b"y" * 256), bent(detail=b"a\0b"),
          bent(source=bytes([4, 8, 9]) + bytes(15)), bent(source=bytes(18)), bent(source=bytes([4, 32]) + bytes(16)),
          bent(source=bytes([4, 33, 9]) + bytes(15)), bent(source=bytes([5, 32, 9]) + bytes(15)),
          bent(source=bytes([4, 32, 9, 9, 9, 9, 1]) + bytes(11)), bent(source=bytes([48, 48, 2, 0, 94, 0, 83, 1]) + bytes(10)),
          bent(source=v6(64, 0x20, 1, 13, 184)), bent(source=v6(128, 255, 2)), bent(source=v6(128, *bytes(10), 255, 255, 9, 9, 9, 9))]:
    say(e)
say(event([198, 51, 100, 6]) * 20)
wait()'
    plane --gateway "$T/fake"
    wait_for 5 grep -q 'would block 198.51.100.6' "$T/fmpd.err" && [ "$(tries)" = 1 ] && gateway_up || { cat "$T/fmpd.err"; return 1; }
    [ "$(field 'select(.record == "gateway") | .events_refused' status)" = 16 ] && ! malicious 198.51.100.5 &&
        [ "$(grep -c 'value that no event may have' "$T/fmpd.err")" = 1 ] &&
        ctl status | grep -q '16 events of the gateway' && ctl stats | grep -q 'gateway/events_refused *16$' && plane_ends
}

# A message longer than allowed is never waited for.
too_long_is_replaced() {
    fake 'say(ready)
if tries == 1:
    say(b"\xff\xff\xff\xff" + b"x" * 1000)
    time.sleep(60)
wait()'
    plane --gateway "$T/fake"
    wait_for 10 tried 2 && kill -0 "$FMPD" && plane_ends
}

# It reports, then dies at once: what was written counts, also what fmpd has not read yet.
last_words_count() {
    fake 'if tries == 1:
    socket.socket(fileno=4).sendall(ready + event([198, 51, 100, 9]) * 1500 + event([198, 51, 100, 3]) * 20)
    os.kill(os.getpid(), signal.SIGKILL)
say(ready)
wait()'
    plane --gateway "$T/fake"
    wait_for 10 tried 2 && wait_for 5 gateway_up && malicious 198.51.100.3 && plane_ends
}

crashes() { # SOURCE: so many are counted against it
    ctl --json why "$1" | jq '[.[] | select(.record == "event" and .kind == "crash")] | length'
}

# It dies over what it reads: whose that was it had noted, and no other death is anybody's.
what_it_dies_over_counts() {
    fake 'say(ready)
deaths = [
    (4, [198, 51, 100, 21], 1, signal.SIGSEGV),
    (6, [0x20, 1, 0xd, 0xb8] + [0] * 11 + [1], 1, signal.SIGABRT),
    (4, [198, 51, 100, 22], 0, signal.SIGSEGV),
    (4, [198, 51, 100, 23], 1, signal.SIGKILL),
    (4, [198, 51, 100, 24], 1, signal.SIGTERM),
    (4, [198, 51, 100, 25, 1], 1, signal.SIGSEGV),
    (255, [198, 51, 100, 26], 1, signal.SIGSEGV),
]
if tries <= len(deaths):
    try:
        os.ftruncate(6, 0)
    except PermissionError:
        note(*deaths[tries - 1][:3])
    os.kill(os.getpid(), deaths[tries - 1][3])
wait()'
    plane --gateway "$T/fake"
    wait_for 30 tried 8 && wait_for 5 gateway_up || { cat "$T/fmpd.err"; return 1; }
    ctl --json why 198.51.100.21
    for last in 21 22 23 24 25 26; do
        [ "$(crashes "198.51.100.$last")" = $((last == 21)) ] || { echo "198.51.100.$last"; return 1; }
    done
    [ "$(crashes 2001:db8::1)" = 1 ] && grep -q 'it died over what came from 198.51.100.21' "$T/fmpd.err" && plane_ends
}

# sends SOURCE ADDRESS PORT: one message after the other, of many chunks.
sends() {
    exec python3 - "$@" <<'EOF'
import socket, sys
while True:
    try:
        with socket.socket() as s:
            s.bind((sys.argv[1], 0))
            s.connect((sys.argv[2], int(sys.argv[3])))
            s.sendall(b"POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n")
            s.sendall(b"1\r\nx\r\n" * 50000 + b"0\r\n\r\n")
            s.recv(100)
    except OSError:
        pass
EOF
}

# dies_busy PID SENDER: of a signal that comes in the midst of what it reads. The sender ends before, for what he
# sends to the next gateway takes the place of the crash among the few events that `why` shows.
dies_busy() {
    python3 - "$1" "$2" <<'EOF'
import os, signal, sys, time
pid, sender = map(int, sys.argv[1:])
page = next(int(line.split("-")[0], 16) for line in open(f"/proc/{pid}/maps") if "memfd:fmp-note" in line)
memory = open(f"/proc/{pid}/mem", "rb", 0)
for _ in range(5000):
    os.kill(pid, signal.SIGSTOP)
    while open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] != "T":
        pass
    memory.seek(page)
    busy = memory.read(1) == b"\1"
    if busy:
        os.kill(sender, signal.SIGKILL)
        os.kill(pid, signal.SIGSEGV)
    os.kill(pid, signal.SIGCONT)
    if busy:
        sys.exit(0)
    time.sleep(0.001)
sys.exit("it was never busy")
EOF
}

# A real one: whoever's bytes it had is charged, others with a connection are not.
it_dies_over_a_message() {
    local pid sender fd at
    plane_up
    pid=$(gateway_pid)
    at=${URL#http://}
    at=${at%/*}
    exec {fd}<>"/dev/tcp/${at/://}"
    printf 'POST / HTTP/1.1\r\n' >&"$fd"
    sends 127.0.0.9 "${at%:*}" "${at#*:}" &
    sender=$!
    dies_busy "$pid" "$sender" || { kill "$sender"; return 1; }
    exec {fd}>&-
    wait_for 10 other_gateway "$pid" || { cat "$T/fmpd.err"; return 1; }
    [ "$(crashes 127.0.0.9)" = 1 ] && [ "$(crashes 127.0.0.1)" = 0 ] || { ctl why 127.0.0.9; cat "$T/fmpd.err"; return 1; }
    plane_ends
}

# First restart at once, then ever slower.
crash_loop_backs_off() {
    : >"$T/tries"
    # shellcheck disable=SC2016 # for the script to expand
    printf '#!/bin/sh\necho $$ $(date +%%s.%%N) >>%s\nexit 3\n' "$T/tries" >"$T/fake"
    plane --gateway "$T/fake"
    wait_for 5 tried 2 || return 1
    sleep 3
    cat "$T/tries"
    # 0, 250 ms, 500 ms, 1 s, 2 s ... after each other
    awk '{ t[NR] = $2 } END { exit !(t[2] - t[1] < 0.25 && NR >= 4 && NR <= 6 && t[4] - t[3] > 0.4) }' \
        "$T/tries" || return 1
    ctl status >/dev/null && plane_ends
}

# It hangs at the end: it is killed, fmpd's end does not wait for ever.
stubborn_gateway_is_killed() {
    fake 'signal.signal(signal.SIGTERM, signal.SIG_IGN)
say(ready)
time.sleep(600)'
    plane --gateway "$T/fake"
    wait_for 10 gateway_up || return 1
    local t0=${EPOCHREALTIME/./}
    plane_ends || return 1
    [ $((${EPOCHREALTIME/./} - t0)) -lt 9000000 ] && gone "$(cut -d' ' -f1 "$T/tries")"
}

# It closes its end, but lives on.
silent_gateway_is_replaced() {
    fake 'say(ready)
if tries == 1:
    os.close(4)
    time.sleep(600)
wait()'
    plane --gateway "$T/fake"
    wait_for 10 tried 2 && wait_for 5 gateway_up && gone "$(head -n 1 "$T/tries" | cut -d' ' -f1)" && plane_ends
}

# Its words come into the log, without what a terminal would obey.
words_are_logged_clean() {
    fake 'say(ready)
sys.stderr.write("hello \x1b[31m world\n" + "y" * 5000 + "\n")
sys.stderr.flush()
wait()'
    plane --gateway "$T/fake"
    wait_for 5 grep -q 'hello ?\[31m world' "$T/fmpd.err" && ctl status >/dev/null && plane_ends &&
        ! grep -q $'\x1b' "$T/fmpd.err"
}

no_gateway_there() {
    plane --gateway "$T/nowhere"
    wait_for 5 grep -q "can't run $T/nowhere" "$T/fmpd.err" &&
        wait_for 5 has_state down && plane_ends
}
has_state() { [ "$(field 'select(.record == "gateway") | .state' status)" = "$1" ]; }

# Without --listen there is no gateway, and reports of programs count all the same.
without_gateway() {
    [ -z "${FMPD:-}" ] || plane_ends 2>/dev/null
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$CONTROL"
    FMPD=$!
    wait_for 5 ctl status || return 1
    [ -z "$(field 'select(.record == "gateway")' status)" ] && control report 198.51.100.4 10 20 &&
        malicious 198.51.100.4 && plane_ends
}

# Services that name their own need no --backend; without one of either, that is said at once.
backends_of_the_policy() {
    local service='<service name="a" path="/a" backend="http://127.0.0.1:9/x"/>'
    [ -z "${FMPD:-}" ] || plane_ends 2>/dev/null
    sed "s#workers=.*/>#workers=\"1\" user=\"nobody\"><services>$service</services></gateway>#" \
        "$T/policy.xml" >"$T/services.xml"
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/services.xml" \
        --listen 127.0.0.1:0 --control "$CONTROL"
    FMPD=$!
    wait_for 20 up_or_dead && gateway_up && plane_ends || { cat "$T/fmpd.err"; return 1; }
    sed 's# backend="[^"]*"##' "$T/services.xml" >"$T/none.xml"
    says_at_once "$T/none.xml" 'names no backend, and' &&
        says_at_once "$T/policy.xml" '\-\-listen needs \-\-backend' &&
        says_at_once "$T/policy.xml" '\-\-backend 127.0.0.1:9 is not http://' --backend 127.0.0.1:9 &&
        says_at_once "$T/policy.xml" '\-\-backend https://127.0.0.1:9/ is not http://' --backend https://127.0.0.1:9/ ||
        return 1
    start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" \
        --listen 127.0.0.1:0 --control "$CONTROL" --backend HTTP://127.0.0.1:9/
    FMPD=$!
    wait_for 20 up_or_dead && gateway_up && plane_ends || { cat "$T/fmpd.err"; return 1; }
}

says_at_once() { # POLICY WORDS [OPTION...]
    local words=$2
    set -- "$1" "${@:3}"
    ! timeout 10 "$BIN/fmpd" --foreground --enforce none --listen 127.0.0.1:0 \
        --control "$CONTROL" --policy "$@" 2>"$T/refusal" && grep -q "$words" "$T/refusal" && return 0
    cat "$T/refusal"
    return 1
}

plane_policy fake
check nonsense_is_replaced nonsense_is_replaced
check bad_values_are_dropped bad_values_are_dropped
check too_long_is_replaced too_long_is_replaced
check last_words_count last_words_count
check what_it_dies_over_counts what_it_dies_over_counts
if [ "$(id -u)" = 0 ]; then
    check it_dies_over_a_message it_dies_over_a_message
else
    skip it_dies_over_a_message "root alone sees the memory of a gateway"
fi
check crash_loop_backs_off crash_loop_backs_off
check stubborn_gateway_is_killed stubborn_gateway_is_killed
check silent_gateway_is_replaced silent_gateway_is_replaced
check words_are_logged_clean words_are_logged_clean
check no_gateway_there no_gateway_there
check without_gateway without_gateway
check backends_of_the_policy backends_of_the_policy
