#compdef fmpctl
# SPDX-License-Identifier: GPL-2.0
#
# Completion of fmpctl for zsh: fmpctl itself says what may stand there.

_fmpctl() {
    local -a lines names shown
    local line
    lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ ${lines[1]} == :files ]]; then
        _files
        return
    fi
    for line in "${lines[@]}"; do
        [[ -n $line ]] || continue
        names+=("${line%%$'\t'*}")
        if [[ $line == *$'\t'* ]]; then
            shown+=("${line/$'\t'/ -- }")
        else
            shown+=("$line")
        fi
    done
    compadd -l -d shown -a names
}

_fmpctl "$@"
