# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # COMP_WORDS, COMP_CWORD are read by the completion
#
# Bash completion of fmpctl: what is offered is what fmpctl takes.

. tests/cli/lib.sh
# shellcheck source=daemon/fmpctl/fmpctl.bash
. daemon/fmpctl/fmpctl.bash

PATH=$(cd "$BIN" && pwd):$PATH

# offered WORD...: what stands behind the words; the last one is being written.
offered() {
    COMP_WORDS=(fmpctl "$@")
    COMP_CWORD=$#
    _fmpctl
    echo "${COMPREPLY[*]}"
}

is() { # EXPECTED WORD...
    local expected=$1 got
    shift
    got=$(offered "$@")
    [ "$got" = "$expected" ] || { echo "$*: $got"; return 1; }
}

commands() {
    local c
    is "simulate" simu && is "block blocks" bl && is "" nonsense || return 1
    [ "$(offered "" | wc -w)" -ge 17 ] || return 1
    # Each of them is one.
    for c in $(offered ""); do "$BIN/fmpctl" "$c" --help >"$T/out" || { echo "$c"; return 1; }; done
}

# Every option that is offered is taken: its error is another than that it is not there.
options() {
    local c o
    is "--against" replay --ag && is "--json" --js && is "--layers" block 192.0.2.1 --lay || return 1
    for c in $(offered ""); do
        for o in $(offered "$c" --); do
            "$BIN/fmpctl" "$c" "$o" </dev/null 2>&1 | grep -E "unrecognized option '$o'" &&
                [[ $o != --version ]] && { echo "$c $o"; return 1; }
        done
    done
    return 0
}

values() {
    is "ip" block 192.0.2.1 --layers i && is "BcS" inspect --config BcS && is "check" policy c &&
        is "schema" simulate --kind sch && is "timeline" learn --format t && is "del" protect d || return 1
    # Each kind is one, and each one there is is offered.
    local kind
    for kind in $(offered simulate --kind ""); do
        "$BIN/fmpctl" simulate --policy policies/balanced.xml --kind "$kind" >/dev/null || return 1
    done
    [ "$(offered simulate --kind "" | wc -w)" = "$("$BIN/fmpctl" policy show --json policies/balanced.xml |
        jq '[.[] | select(.name | test("^suspicion/event.*/rank$"))] | length')" ]
}

files() {
    cd "$T" && touch mine.xml other.log && is "mine.xml" replay --policy mi && is "other.log" replay --policy mine.xml oth &&
        is "mine.xml" policy check mi
}

installed() {
    make -n install DESTDIR="$T/root" | grep -q "fmpctl.bash $T/root.*/share/bash-completion/completions/fmpctl$"
}

BIN=$(cd "$BIN" && pwd)
check commands commands
check options options
check values values
check installed installed
check files files
