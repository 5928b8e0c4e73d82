# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# What the load tests share; needs lib.sh and lib_gateway.sh.

# hold NAME ARGUMENTS...: hold.py in the background, until let_go.
hold() {
    rm -f "$T/held"
    mkfifo "$T/held"
    INPUT=$T/held start hold python3 tests/load/hold.py "$PORT" "$@"
    HOLD=$!
    exec {HELD}>"$T/held"
    wait_for 120 grep -q '^open$' "$T/hold.out" || { cat "$T/hold.err"; return 1; }
}

let_go() {
    exec {HELD}>&-
    wait "$HOLD"
}

rss_kib() { # PID
    awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"
}

descriptors() { # PID
    find "/proc/$1/fd" -mindepth 1 | wc -l
}

# few_descriptors: no more than $descriptors, but for the connections to the service: one a worker is kept.
few_descriptors() {
    [ "$(descriptors "$GATEWAY")" -le $((descriptors + 2)) ]
}

# cpu_us: of the gateway and its workers so far
cpu_us() {
    local pid
    for pid in "$GATEWAY" $(workers); do
        awk '{ printf "%.0f\n", $1 / 1000 }' "/proc/$pid/schedstat"
    done | awk '{ sum += $1 } END { print sum }'
}

# sample: "listener's RSS, that of its workers and helpers (KiB), listener's descriptors"
sample() {
    local pid sum=0
    for pid in $(pgrep -P "$GATEWAY"); do
        sum=$((sum + $(rss_kib "$pid" || echo 0)))
    done
    echo "$(rss_kib "$GATEWAY") $sum $(descriptors "$GATEWAY")"
}

# sample_while PID SECONDS: every other one of them, as long as it runs.
sample_while() {
    local end=$((SECONDS + $2))
    while [ "$SECONDS" -lt "$end" ] && kill -0 "$1" 2>/dev/null; do
        sample >>"$T/samples"
        sleep 2
    done
}

# The most of the last half against the most of the second quarter: the first one fills caches.
flat() { # COLUMN
    awk -v c="$1" '{ v[NR] = $c } END {
        for (i = int(NR / 4) + 1; i <= NR / 2; i++) if (v[i] > a) a = v[i]
        for (i = int(NR / 2) + 1; i <= NR; i++) if (v[i] > b) b = v[i]
        printf "%d KiB, later %d KiB of %d samples\n", a, b, NR
        exit !(NR >= 20 && b <= a * 1.05 + 256) }' "$T/samples"
}

no_worker_lost() {
    [ "$(workers)" = "$before" ] && ! grep -q 'worker died\|worker was' "$T/gateway.err"
}

no_descriptor_lost() {
    wait_for 20 few_descriptors || { echo "$(descriptors "$GATEWAY"), before $descriptors"; return 1; }
}

# nothing_lost: after a flood; $before: the workers, $descriptors: the listener's before it
nothing_lost() {
    check listener-memory-is-flat flat 1
    flat 1
    check memory-of-the-others-is-flat flat 2
    flat 2
    check no-worker-lost no_worker_lost
    check no-descriptor-lost no_descriptor_lost
    check ends-well gateway_ends
}
