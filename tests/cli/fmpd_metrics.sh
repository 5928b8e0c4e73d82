# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Metrics: text that Prometheus reads, in a file and by HTTP, that says what fmpctl says.

# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/lib_plane.sh
. tests/cli/lib_plane.sh

FILE=$T/out/fmp.prom
mkdir "$T/out"

metrics_policy() { # ATTRIBUTES
    plane_policy metered
    sed -i "s|<enforce|<metrics interval=\"1s\" $1/><enforce|" "$T/policy.xml"
}
prom() { python3 tests/cli/prometheus.py "$@"; }
by_unix() { curl -s -m 5 --unix-socket "$T/metrics" "http://fmp$1" "${@:2}"; }
value() { by_unix /metrics | prom -v "$@"; }
server() { pgrep -P "$FMPD" -x fmpd; }

start sample "$BIN/fmp-orders" --listen 127.0.0.1:0
listening sample
BACKEND=http://127.0.0.1:$PORT/
metrics_policy "file=\"$FILE\" listen=\"unix:$T/metrics\""

prometheus_reads_it() {
    post "$GOOD" >/dev/null
    post "$BAD" >/dev/null
    python3 tests/cli/control.py "$CONTROL" report 192.0.2.7 17 4 >/dev/null
    ctl report 192.0.2.8 login || return 1
    [ "$(by_unix /metrics | prom)" -gt 60 ]
}

told() { [ "$(value fmp_gateway_messages_total 'result="rejected"')" = 1 ]; }
values_are_true() {
    [ "$(value fmp_decisions_total 'action="block"')" = 1 ] &&
        [ "$(value fmp_sources 'state="blocked"')" = 1 ] &&
        [ "$(value fmp_reports_total 'result="taken"')" = 1 ] &&
        [ "$(value fmp_gateway_up '')" = 1 ] &&
        [ "$(value fmp_decision_seconds_count '')" = 1 ] &&
        [ "$(value fmp_build_info "version=\"$("$BIN/fmpd" --version | cut -d' ' -f2)\"")" = 1 ] &&
        [ "$(value fmp_policy_info 'name="metered"')" = 1 ] &&
        [ "$(value fmp_layer_up 'layer="ip"')" = 0 ] &&
        [ "$(value fmp_enforcement_ratio 'layer="all"')" = 1 ] || return 1
    # The gateway tells its sums about once a second.
    wait_for 20 told && [ "$(value fmp_gateway_step_rejected_total 'step="schema"')" = 1 ]
}

file_is_renewed() {
    wait_for 20 test -s "$FILE" && prom <"$FILE" >/dev/null || return 1
    [ "$(stat -c %a "$FILE")" = 644 ] || return 1
    touch -d '1 hour ago' "$FILE"
    wait_for 20 test "$FILE" -nt "$T/policy.xml" && [ ! -e "$FILE.new" ]
}

http_is_strict() {
    status() { by_unix "$@" -o /dev/null -w '%{http_code}'; }
    [ "$(status /metrics)" = 200 ] && [ "$(status /)" = 404 ] && [ "$(status /metrics/x)" = 404 ] || return 1
    [ "$(status /metrics -X POST -d x)" != 200 ] || return 1
    [ "$(status /metrics -H "X: $(head -c 20000 /dev/zero | tr '\0' x)")" != 200 ] || return 1
    by_unix /metrics -D - -o /dev/null | grep -qi '^content-type: text/plain; version=0.0.4' || return 1
    # Nonsense ends nobody.
    python3 -c 'import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(os.urandom(5000))
s.settimeout(10)
s.recv(100)' "$T/metrics" 2>"$T/nonsense"
    [ "$(status /metrics)" = 200 ]
}

# The one that reads HTTP has none of fmpd's rights, nor its descriptors.
server_has_no_rights() {
    local pid
    pid=$(server) && [ -n "$pid" ] || { echo "no server"; return 1; }
    [ "$(grep -h NoNewPrivs "/proc/$pid/status" | cut -f2)" = 1 ] || return 1
    if [ "$(id -u)" = 0 ]; then
        [ "$(awk '/^Uid/ { print $2 }' "/proc/$pid/status")" = 65534 ] || { echo "it is root"; return 1; }
        grep -q '^CapEff:.*0000000000000000' "/proc/$pid/status" || return 1
    fi
    [ "$(find "/proc/$pid/fd" -mindepth 1 | wc -l)" -lt 12 ]
}

# More clients than it may have descriptors: they wait, and it sleeps; then they are served as ever.
scrapers_wait() {
    local pid before used scrapers rc=0
    pid=$(server)
    python3 -c 'import socket, sys, time
clients = []
for _ in range(70):
    clients.append(socket.socket(socket.AF_UNIX))
    clients[-1].connect(sys.argv[1])
    clients[-1].sendall(b"G")
print("all", flush=True)
time.sleep(600)' "$T/metrics" >"$T/scrapers" &
    scrapers=$!
    pids+=("$scrapers")
    wait_for 20 grep -q all "$T/scrapers" || return 1
    before=$(ticks "$pid")
    sleep 1
    used=$(($(ticks "$pid") - before))
    [ "$used" -lt 20 ] || { echo "$used of 100 ticks in a second"; rc=1; }
    ! grep -q 'accept() call' "$T/fmpd.err" || rc=1
    kill "$scrapers"
    wait_for 20 served || rc=1
    return "$rc"
}
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
served() { [ "$(by_unix /metrics | prom)" -gt 60 ]; }

other() { # than PID
    local now
    now=$(server) && [ -n "$now" ] && [ "$now" != "$1" ]
}
server_comes_back() {
    local old
    old=$(server)
    kill -KILL "$old"
    wait_for 20 other "$old" && [ "$(by_unix /metrics | prom)" -gt 60 ]
}

# asked STATUS ADDRESS [FIELD...]
asked() {
    local want=$1 at=$2 got
    shift 2
    got=$(curl -s -m 5 -o /dev/null -w '%{http_code}' "$@" "http://$at/metrics")
    [ "$got" = "$want" ] || { echo "$*: $got"; return 1; }
}
by_hand() { # ADDRESS VERSION-AND-FIELDS
    local fd
    exec {fd}<>"/dev/tcp/${1/://}"
    printf 'GET /metrics %b\r\nConnection: close\r\n\r\n' "$2" >&"$fd"
    timeout 10 head -n 1 <&"$fd" >"$T/first"
    exec {fd}>&-
    grep -q '^HTTP/1.. 421 ' "$T/first" || { cat "$T/first"; return 1; }
}
# A page of another name that leads here (DNS rebinding) reads nothing.
answers_to_its_names() {
    local at=$1 port=${1##*:} host
    for host in 127.0.0.1 "127.0.0.1:$port" localhost LocalHost:80 localhost.; do
        asked 200 "$at" -H "Host: $host" || return 1
    done
    for host in evil.example "evil.example:$port" 127.0.0.1.evil.example localhost.evil.example 127.0.0.2 '[::1]' '[127.0.0.1' \
        '127.0.0.1]' 127.0.0.1:x 0.0.0.0 gw.example ''; do
        asked 421 "$at" -H "Host: $host" || return 1
    done
    by_hand "$at" 'HTTP/1.1\r\nHost: localhost\r\nhost: evil.example' && by_hand "$at" 'HTTP/1.0' || return 1
    [ "$(curl -s -o /dev/null -w '%{http_code}' -H 'Host: evil.example' "http://$at/")" = 421 ] || return 1
    metrics_policy "listen=\"127.0.0.1:$port\" names=\"gw.example  Metrics.lan\""
    ctl policy reload "$T/policy.xml" >/dev/null || return 1
    for host in gw.example metrics.LAN:9 localhost "$at"; do asked 200 "$at" -H "Host: $host" || return 1; done
    asked 421 "$at" -H 'Host: gw.exampl' && asked 421 "$at" -H 'Host: example' && asked 421 "$at" -H 'Host: evil.example' || return 1
    ctl policy show | grep -q 'names.*gw.example Metrics.lan' || { ctl policy show | grep -i names; return 1; }
    metrics_policy "listen=\"[::1]:$port\""
    # Not everywhere is there IPv6.
    ctl policy reload "$T/policy.xml" >/dev/null 2>"$T/err" || { grep -q "can't be served" "$T/err"; return; }
    asked 200 "[::1]:$port" && asked 200 "[::1]:$port" -H 'Host: [0:0::1]' && asked 421 "[::1]:$port" -H 'Host: 127.0.0.1' &&
        asked 421 "[::1]:$port" -H 'Host: [::1].evil.example'
}

# Another policy, another socket: on loopback, and back to none.
follows_the_policy() {
    local port=39333
    metrics_policy "listen=\"127.0.0.1:$port\""
    ctl policy reload "$T/policy.xml" >/dev/null || return 1
    curl -s -m 5 "http://127.0.0.1:$port/metrics" | prom >/dev/null || return 1
    [ ! -e "$T/metrics" ] || { echo "the socket is still there"; return 1; }
    answers_to_its_names "127.0.0.1:$port" || return 1
    metrics_policy ''
    ctl policy reload "$T/policy.xml" >/dev/null || return 1
    ! curl -s -m 5 "http://127.0.0.1:$port/metrics" >/dev/null || return 1
    ! server
}

# A place that another program has: the old policy and its metrics stay. The same port of another address is free
# once the old socket is closed; what is taken at the start is tried again.
place_is_taken() {
    local port=39334 taken
    metrics_policy "listen=\"127.0.0.1:$port\""
    ctl policy reload "$T/policy.xml" >/dev/null || return 1
    python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 39335)); s.listen(); print("ready", flush=True); time.sleep(600)' >"$T/taken" &
    taken=$!
    pids+=("$taken")
    wait_for 10 grep -q ready "$T/taken" && metrics_policy 'listen="127.0.0.1:39335"' || return 1
    ! ctl policy reload "$T/policy.xml" 2>"$T/err" && grep -q "can't be served at 127.0.0.1:39335.*in use" "$T/err" || { cat "$T/err"; return 1; }
    ctl policy show | grep -q "listen.*127.0.0.1:$port" && asked 200 "127.0.0.1:$port" || return 1
    metrics_policy "listen=\"127.0.0.2:$port\""
    ctl policy reload "$T/policy.xml" >/dev/null && asked 200 "127.0.0.2:$port" && asked 000 "127.0.0.1:$port" || return 1
    metrics_policy 'listen="127.0.0.1:39335"'
    plane_up && kill "$taken" && wait_for 20 asked 200 127.0.0.1:39335
}

plane_up "$@"
check prometheus_reads_it prometheus_reads_it
check values_are_true values_are_true
check file_is_renewed file_is_renewed
check http_is_strict http_is_strict
check server_has_no_rights server_has_no_rights
check scrapers_wait scrapers_wait
check server_comes_back server_comes_back
check follows_the_policy follows_the_policy
check place_is_taken place_is_taken
plane_ends
check nothing_is_left test ! -e "$T/metrics"
