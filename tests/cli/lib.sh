# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034
#
# What the scripts of tests/cli share; sourced, with the repository as working directory.
# All that is started is ended, all that is written goes away.

set -u
BIN=${FMP_BIN:-build/bin}
VECTORS=tests/interop/vectors
T=$(mktemp -d)
pids=()
bad=0

# Programs may give up their rights: they write where they could before, and read here.
chmod 755 "$T"

finish() {
    local pid
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
    rm -rf "$T"
    exit "$bad"
}
trap finish EXIT
trap 'exit 1' INT TERM

# check NAME COMMAND...: the command's exit status is the verdict, its words explain a failure.
check() {
    local name=$1
    shift
    if "$@" >"$T/check.log" 2>&1; then
        echo "ok $name"
    else
        echo "FAIL $name"
        sed 's/^/    /' "$T/check.log"
        bad=1
    fi
}

skip() { # NAME REASON
    echo "skip $1: $2"
}

# wait_for SECONDS COMMAND...: polls, so that nothing sleeps longer than it must.
wait_for() {
    local left=$(($1 * 50))
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || return 1
        sleep 0.02
    done
}

# gone PID: nothing runs under that number.
gone() { ! kill -0 "$1" 2>/dev/null; }

# start NAME COMMAND...: in the background; output in $T/NAME.out and $T/NAME.err, its id in $!.
start() {
    local name=$1
    shift
    # Emptied here: the child does it later, and what an earlier one said must not be read.
    : >"$T/$name.out"
    : >"$T/$name.err"
    "$@" >"$T/$name.out" 2>"$T/$name.err" <"${INPUT:-/dev/null}" &
    pids+=($!)
}

# listening NAME: waits until it says its address, sets PORT.
listening() {
    wait_for 20 grep -q '^listening on' "$T/$1.out" || {
        echo "FAIL $1 does not start"
        sed 's/^/    /' "$T/$1.err"
        bad=1
        exit 1
    }
    PORT=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$T/$1.out")
}
