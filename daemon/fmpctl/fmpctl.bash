# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion of fmpctl for bash: fmpctl itself says what may stand there.

_fmpctl() {
    local words=() word glued='' candidates current head
    COMPREPLY=()
    # Bash parts words at the ':' of IPv6 addresses and MACs.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [ "${#words[@]}" -gt 0 ] && { [ "$word" = : ] || [ "$word" = :: ] || [ -n "$glued" ]; }; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        case $word in : | ::) glued=yes ;; *) glued='' ;; esac
    done
    current=${words[-1]-}
    candidates=$("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
    if [ "$candidates" = :files ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    elif [ -n "$candidates" ]; then
        head=
        [[ $COMP_WORDBREAKS == *:* && $current == *:* ]] && head=${current%"${current##*:}"}
        mapfile -t COMPREPLY < <(cut -f1 <<<"$candidates")
        COMPREPLY=("${COMPREPLY[@]#"$head"}")
    fi
}

complete -F _fmpctl fmpctl
