# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# scripts/setup where the archive can't be reached: with package lists of an earlier run it goes on and says so.

. tests/cli/lib.sh

mkdir "$T/bin" "$T/cache"
cat >"$T/bin/apt-get" <<'END'
#!/bin/sh
case "$*" in
*indextargets*) echo "bookworm stable http://archive.invalid/debian" ;;
*update*) exit 100 ;;
esac
END
chmod 755 "$T/bin/apt-get"

lists_of() { # SUITE...
    PATH=$T/bin:$PATH XDG_CACHE_HOME=$T/cache sh -c '
        repo=$PWD
        . scripts/lib/common.sh
        . scripts/setup.d/apt.sh
        sleep() { :; }
        suite_lists "$@"' sh "$@" >"$T/out" 2>&1
}

no_lists() {
    ! lists_of trixie && grep -q "cannot read trixie from http://archive.invalid/debian" "$T/out"
}

old_lists_are_said() {
    mkdir -p "$T/cache/fmp/suites/$1/lists"
    touch -d 2026-01-02 "$T/cache/fmp/suites/$1/lists/x_Packages"
    shift
    lists_of "$@" && grep -q "going on with its lists of 2026-01-02" "$T/out" || { cat "$T/out"; return 1; }
}

check setup_without_lists_fails no_lists
check setup_says_that_lists_are_old old_lists_are_said trixie trixie
check setup_says_that_foreign_lists_are_old old_lists_are_said trixie-foreign trixie amd64 armhf
