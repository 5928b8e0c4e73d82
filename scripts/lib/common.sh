# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Words that setup, vm and check share. The caller sets `repo` before it sources this file.

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

usage_error() {
    printf "%s: %s (see --help)\n" "${0##*/}" "$*" >&2
    exit 2
}

# The comment block at the head of the calling script is its help text.
show_help() {
    sed -n '/^# SPDX/d; /^#!/d; /^#/!q; s/^# \{0,1\}//p' "$0"
}

# An argument as one word of a shell command line.
shell_quote() {
    printf "'"
    printf %s "$1" | sed "s/'/'\\\\''/g"
    printf "'"
}

# Release name of the unpacked guest kernel $1 (6.1, 6.12), nothing if it is not set up.
# shellcheck disable=SC2154
kernel_release() {
    cat "$repo/build/vm/$1/release" 2>/dev/null || true
}
