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
# An installed kernel gets the filter; the virtual radio only if it is asked for.
installs_filter_alone() {
    for asked in '' BASEBAND=1; do
        rm -rf build/check/installed
        compile modules_install KDIR="$(echo "$PWD"/build/vm/6.1/usr/src/linux-headers-*-amd64)" \
            DESTDIR="$PWD/build/check/installed" $asked || return 1
        found=$(find build/check/installed -name '*.ko' -printf '%f\n' | sort | tr '\n' ' ')
        [ "$found" = "fmp.ko ${asked:+fmp_baseband.ko }" ] || { echo "$asked: $found"; return 1; }
    done
}
if [ -e kernel/Kbuild ]; then
    for version in 6.1 6.12; do
        one "modules-$version" modules "$version" || true
    done
    one modules-install installs_filter_alone || true
else
    skip modules "no kernel/Kbuild"
fi
