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
