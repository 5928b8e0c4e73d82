# SPDX-License-Identifier: GPL-2.0
#
# Completion of fmpctl for fish: fmpctl itself says what may stand there.

function __fmpctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path "$current"
    else if test (count $lines) -gt 0
        printf '%s\n' $lines
    end
end

complete -c fmpctl -f -a '(__fmpctl_complete)'
