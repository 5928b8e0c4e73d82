# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion of fmpctl for bash. Commands and options are what fmpctl's own help says, so that they
# are never others than those of the fmpctl that is there.

# _fmpctl_values WORD: what may stand behind an option; "files" is for the shell.
_fmpctl_values() {
    case $1 in
    --policy | --against | --schema | --ca | --key | --file | --plot | --control | -c) echo files ;;
    --layers) echo ip mac premac ;;
    --config) echo Os Bc BcV BcS BcE BcES ;;
    --order) echo sign-then-encrypt encrypt-then-sign encrypt-sign-encrypt ;;
    --signatures) echo fast xmlsec1 ;;
    --format) echo auto timeline watch access pcap ;;
    --for | --duration | --every | --after | --interval) echo 10s 1min 10min 1h 1d ;;
    --kind) echo "$_fmpctl_kinds" ;;
    *) return 1 ;;
    esac
}
_fmpctl_kinds="connection http oversize encoding dtd nesting structure wellformed soap schema unsigned \
timestamp replay algorithm token wrapping signature unencrypted decrypt content crash timeout login local"

# _fmpctl_arguments COMMAND N: what may stand as its N-th argument.
_fmpctl_arguments() {
    case $1 in
    policy) [ "$2" = 0 ] && echo check show diff reload || echo files ;;
    protect) [ "$2" = 0 ] && echo list add del || "$_fmpctl_program" sources 2>/dev/null | awk 'NR > 1 { print $1 }' ;;
    why | block) "$_fmpctl_program" sources 2>/dev/null | awk 'NR > 1 { print $1 }' ;;
    unblock) "$_fmpctl_program" --json blocks 2>/dev/null | sed -n 's/.*"record":"decision","addr":"\([^"]*\)".*/\1/p' ;;
    report) [ "$2" = 0 ] || echo "$_fmpctl_kinds" ;;
    inspect | replay | learn) echo files ;;
    esac
}

_fmpctl_reply() { # CANDIDATES... CURRENT
    local current=${*: -1}
    if [ "$1" = files ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -W "${*:1:$#-1}" -- "$current")
    fi
}

_fmpctl() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' n=0 i values
    local _fmpctl_program=${COMP_WORDS[0]}
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -*) _fmpctl_values "${COMP_WORDS[i]}" >/dev/null && i=$((i + 1)) ;;
        *) if [ -z "$command" ]; then command=${COMP_WORDS[i]}; else n=$((n + 1)); fi ;;
        esac
    done
    if values=$(_fmpctl_values "$before"); then
        # shellcheck disable=SC2086
        _fmpctl_reply $values "$current"
    elif [[ $current == -* ]]; then
        # shellcheck disable=SC2046,SC2086
        _fmpctl_reply $({ "$_fmpctl_program" --help; "$_fmpctl_program" $command --help; } 2>/dev/null |
            grep -oE -- '--[a-z][a-z-]*' | sort -u) "$current"
    elif [ -z "$command" ]; then
        # shellcheck disable=SC2046
        _fmpctl_reply $("$_fmpctl_program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p') "$current"
    else
        # shellcheck disable=SC2046
        _fmpctl_reply $(_fmpctl_arguments "$command" "$n") "$current"
    fi
}

complete -F _fmpctl fmpctl
