# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Everything compiles without a warning.

# In a place of its own: objects that others made without WERROR prove nothing.
doing "compiling everything, warnings as errors"
one programs compile WERROR=1 B=build/check/werror all || true
one tests compile WERROR=1 SAN=1 tests || true
one fuzzers compile WERROR=1 fuzz || true

# modpost's warnings stop nothing by themselves.
modules() {
    compile WERROR=1 modules KERNEL="$1" >"$log.out" 2>&1 || { cat "$log.out"; return 1; }
    cat "$log.out"
    ! grep -i 'warning' "$log.out"
}
if [ -e kernel/Kbuild ]; then
    for version in 6.1 6.12; do
        one "modules-$version" modules "$version" || true
    done
else
    skip modules "no kernel/Kbuild"
fi
