# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# The gateway's command line: help, version, and what is wrong usage.

. tests/cli/lib.sh

# exits STATUS ARGS...
exits() {
    local want=$1 rc=0
    shift
    timeout 10 "$BIN/fmp-gateway" "$@" >"$T/out" 2>"$T/err" </dev/null || rc=$?
    [ "$rc" = "$want" ] || { echo "exit status $rc, not $want: $*"; cat "$T/out" "$T/err"; return 1; }
}

usage_of() { # ARGS...
    exits 2 "$@" && [ ! -s "$T/out" ] && grep -q '^Usage: fmp-gateway' "$T/err"
}

help_and_version() {
    exits 0 --help && grep -q '^Usage: fmp-gateway' "$T/out" && [ ! -s "$T/err" ] &&
        exits 0 --version && grep -q '^fmp-gateway ' "$T/out"
}

wrong_words() {
    usage_of && usage_of --nonsense && usage_of --listen 127.0.0.1:0 more && usage_of --listen && usage_of --listen 127.0.0.1:0 --listen-fd 0
}

# A number that is none counts neither as "not given" nor as another one, even where --check needs none of them.
wrong_descriptors() {
    local option text
    for option in --policy-fd --listen-fd --event-fd --note-fd; do
        for text in '' x 3x -1 65536 99999999999999999999; do
            usage_of --check "$option" "$text" && grep -q -- "^fmp-gateway: $option needs .* not '$text'" "$T/err" ||
                { echo "$option '$text'"; cat "$T/err"; return 1; }
        done
        usage_of --listen 127.0.0.1:0 "$option" x || return 1
    done
}

# One that is right but not open is an error of its own.
closed_descriptors() {
    exits 1 --listen 127.0.0.1:0 --policy-fd 77 && grep -q -- '--policy-fd 77' "$T/err" &&
        exits 1 --listen 127.0.0.1:0 --backend http://127.0.0.1:1/ --security Os --note-fd 77 && grep -q -- '--note-fd 77' "$T/err"
}

check help-and-version help_and_version
check wrong-words wrong_words
check wrong-descriptors wrong_descriptors
check closed-descriptors closed_descriptors
