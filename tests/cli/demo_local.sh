# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# scripts/demo --local: a block is seen to happen and is explained, in network namespaces of the user's own.

. tests/cli/lib.sh

shows() { # PATTERN
    grep -q -- "$1" "$T/demo" || { echo "no \"$1\" in:"; cat "$T/demo"; return 1; }
}

demo_local() {
    TMPDIR=$T scripts/demo --local >"$T/demo" 2>&1 || { cat "$T/demo"; return 1; }
    shows '^192.0.2.66 is malicious: ' && shows '^Decision 1: block 192.0.2.66 .* in force' &&
        shows '^  mac    enforced  enforced  *[1-9]' && shows 'attacker: 0 answered; friend: 60 of 60 answered'
}

# Nothing of it stays: no namespace, no table, no process.
leaves_nothing() {
    ! ip netns list | grep -qE '^(attacker|friend)( |$)' && ! pgrep -f "control $T/" >/dev/null
}

check demo_local demo_local
check leaves_nothing leaves_nothing
