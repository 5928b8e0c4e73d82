# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Which files are looked at: what git knows, or everything in a tree without git.

sources() { # PATTERN...
    if [ -e .git ]; then
        # A file that is deleted but not committed yet is still listed.
        git ls-files -- "$@" | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
    else
        set -f
        for pattern; do
            find . -path ./build -prune -o -type f -path "./$pattern" -print -o -type f -path "./*/$pattern" -print
        done | sed 's#^\./##' | sort -u
        set +f
    fi | grep -v '^tests/interop/' || true
}

# Shell scripts by their first line, and the parts that name their shell for shellcheck.
scripts() {
    sources '*' | while read -r file; do
        # Binary files make grep say so instead of a line; -I passes over them.
        head -n 20 "$file" 2>/dev/null | grep -qaIE '^#!.*(/| )(ba|da)?sh$|^#!.*busybox sh$|^# shellcheck shell=' && echo "$file"
    done
}
