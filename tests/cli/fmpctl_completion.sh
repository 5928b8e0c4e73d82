# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # COMP_WORDS, COMP_CWORD are read by the completion
#
# Completion of fmpctl for bash, zsh and fish: what is offered is what fmpctl takes.

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

# The options of a command, the same three times: those that are taken, those of its help, those of the manual page.
words_of() { grep -oE -- '--[a-z][a-z-]*' | sort -u; }
help_is_the_manual() {
    local c common
    common=$(printf -- '--%s\n' control help json version | sort)
    for c in $(offered ""); do
        offered "$c" -- | words_of | comm -23 - <(echo "$common") >"$T/taken"
        # Other options are named in words, too.
        "$BIN/fmpctl" help "$c" | sed -n '/^usage:/p; s/^  *\(--[a-z-]*\).*/\1/p' | words_of | comm -23 - <(echo "$common") >"$T/helped"
        diff "$T/taken" "$T/helped" || { echo "$c"; return 1; }
        cat "$T/helped" >>"$T/all"
    done
    sed 's/\\-/-/g; s/\\f[BRI]//g' daemon/fmpctl/fmpctl.8 | words_of | comm -23 - <(echo "$common") | diff - <(sort -u "$T/all")
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
        is "schema" simulate --kind sch && is "timeline" learn --format t && is "del" protect d && is "apf" export a || return 1
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

# Bash parts words at colons; what it gets is what stands behind the last one.
colons() {
    words=(fmpctl report 2001 : db8 :: 1 sche)
    COMP_WORDS=("${words[@]}") COMP_CWORD=7
    _fmpctl
    [ "${COMPREPLY[*]}" = schema ]
}

installed() {
    make -n install DESTDIR="$T/root" >"$T/install"
    grep -q "fmpctl.bash $T/root.*/share/bash-completion/completions/fmpctl$" "$T/install" &&
        grep -q "fmpctl.zsh $T/root.*/share/zsh/site-functions/_fmpctl$" "$T/install" &&
        grep -q "fmpctl.fish $T/root.*/share/fish/vendor_completions.d/fmpctl.fish$" "$T/install"
}

# same_as_bash SHELL_FUNCTION: prints what it offers behind the words, as bash does.
same_as_bash() {
    local line
    while read -r line; do
        # shellcheck disable=SC2086
        [ "$("$1" $line | sort)" = "$(offered $line | tr ' ' '\n' | sort)" ] || { echo "$line: $("$1" $line)"; return 1; }
    done <<EOF
blo
policy che
simulate --kind sch
block 192.0.2.1 --layers m
unblock --re
help st
EOF
}
in_zsh() {
    zsh -f -c 'compadd() { print -l -- $names }; _files() { print files }
        words=(fmpctl "$@"); CURRENT=$#words; source daemon/fmpctl/fmpctl.zsh' zsh "$@"
}
in_fish() {
    # shellcheck disable=SC2016 # $argv is fish's
    HOME=$T fish --no-config -c 'source daemon/fmpctl/fmpctl.fish; complete -C "$argv"' "fmpctl $*" | cut -f1
}
zsh_completes() {
    same_as_bash in_zsh && [ "$(in_zsh policy check x)" = files ]
}
fish_completes() {
    same_as_bash in_fish && in_fish policy check polici | grep -q '^policies/'
}

BIN=$(cd "$BIN" && pwd)
check commands commands
check options options
check help_is_the_manual help_is_the_manual
check values values
check colons colons
check installed installed
check zsh_completes zsh_completes
check fish_completes fish_completes
check files files
