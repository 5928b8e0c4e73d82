# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# The programs and the unit tests, the attack corpus among them, with the compiler and the libraries of the Debian that comes
# after the next: GCC 16, libxml2 2.15, xmlsec1 1.3, OpenSSL 3.6 or later.

. "$repo/scripts/lib/root.sh"

# With the sources as they are in git or beside it, and objects in build/newer and build/newer-san: tests look for policies
# from where they are.
in_newer() { # COMMAND
    in_root "$repo/build/vm/newer/root" . "cd /src && $1" CK_VERBOSITY=normal CK_DEFAULT_TIMEOUT=60 \
        ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1
}

newer_unit() { # NAME
    in_newer "timeout -k 5 300 build/newer-san/tests/$1 </dev/null"
}

if ! [ -e build/vm/newer/format ]; then
    skip all "not set up (scripts/setup newer)"
elif one programs in_newer "make -j$(nproc) CC=gcc WERROR=1 B=build/newer all" &&
    one tests in_newer "make -j$(nproc) CC=gcc WERROR=1 SAN=1 B=build/newer-san tests"; then
    for source in tests/unit/test_*.c; do
        name=$(basename "$source" .c)
        one "${name#test_}" newer_unit "$name" || true
    done
fi
